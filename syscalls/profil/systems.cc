#include <algorithm>
#include <iterator>
#include <vector>

#include "syscalls/profil/system.h"

namespace hardclock::profil {

std::span<const SystemRules* const> systems() {
  static const std::vector<const SystemRules*> kernels = [] {
    std::vector<const SystemRules*> made;
    std::ranges::copy_if(systems_and_libraries(), std::back_inserter(made),
                         [](const SystemRules* system) { return system->library == nullptr; });
    return made;
  }();
  return kernels;
}

std::span<const SystemRules* const> systems_and_libraries() {
  static const std::vector<const SystemRules*> all = {
#define HARDCLOCK_RULES(name) &name##_system,
#include "syscalls/profil/systems.def"
#undef HARDCLOCK_RULES
  };
  return all;
}

const SystemRules* find_system(std::string_view name) {
  const auto all = systems_and_libraries();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const SystemRules* s) { return s->name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace hardclock::profil
