#include "syscalls/profil/regions.h"

#include <optional>

namespace hardclock::profil {

Steps exact_steps(const Region& region, GuestAddr pc) {
  Steps steps;
  steps.delta = pc - region.offset;
  steps.product = Wide{steps.delta} * region.scale;
  steps.quotient = steps.product >> steps.product_shift;
  return steps;
}

Lookup find_in_regions(const State& state, GuestAddr pc, FindCounter find) {
  std::optional<Access> best;
  Miss miss{Miss::Reason::no_region, 0, {}};
  for (std::size_t i = 0; i < state.regions.size(); ++i) {
    const Lookup found = find(state, i, pc);
    const Access* access = std::get_if<Access>(&found);
    if (access == nullptr) {
      if (state.regions.size() == 1) miss = std::get<Miss>(found);
    } else if (!best || state.regions[i].offset > state.regions[best->region].offset) {
      best = *access;
    }
  }
  if (best) return *best;
  return miss;
}

}  // namespace hardclock::profil
