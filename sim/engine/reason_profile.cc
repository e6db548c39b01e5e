#include "sim/engine/reason_profile.h"

#include <cstddef>
#include <vector>

namespace hardclock {
namespace {

using AtPc = std::pair<GuestAddr, CyclesByReason>;

// Adds what the profile has for the reason to `cycles`, both ascending.
std::vector<AtPc> with_reason(const std::vector<AtPc>& cycles, CycleReason reason,
                              const CycleProfile& profile) {
  std::vector<AtPc> sum;
  sum.reserve(cycles.size());
  auto next = cycles.begin();
  profile.for_each_pc([&](GuestAddr pc, std::uint64_t count) {
    while (next != cycles.end() && next->first < pc) sum.push_back(*next++);
    if (next != cycles.end() && next->first == pc)
      sum.push_back(*next++);
    else
      sum.emplace_back(pc, CyclesByReason());
    sum.back().second[reason] = count;
  });
  sum.insert(sum.end(), next, cycles.end());
  return sum;
}

}  // namespace

std::map<GuestAddr, CyclesByReason> ReasonProfile::by_pc() const {
  std::vector<AtPc> cycles;
  for (std::size_t i = 0; i < cycle_reasons; ++i) {
    if (!profiles_[i].is_empty()) cycles = with_reason(cycles, CycleReason(i), profiles_[i]);
  }
  return {cycles.begin(), cycles.end()};
}

}  // namespace hardclock
