#include "sim/engine/reason_profile.h"

#include <cstddef>

namespace hardclock {

std::map<GuestAddr, CyclesByReason> ReasonProfile::by_pc() const {
  std::map<GuestAddr, CyclesByReason> cycles;
  for (std::size_t i = 0; i < cycle_reasons; ++i) {
    auto next = cycles.begin();
    profiles_[i].for_each_pc([&](GuestAddr pc, std::uint64_t count) {
      while (next != cycles.end() && next->first < pc) ++next;
      next = cycles.try_emplace(next, pc);
      next->second[static_cast<CycleReason>(i)] = count;
    });
  }
  return cycles;
}

}  // namespace hardclock
