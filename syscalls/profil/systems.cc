#include <algorithm>
#include <iterator>
#include <vector>

#include "syscalls/profil/system.h"

namespace hardclock::profil {

// NAME_system() of each NAME.h that syscalls/systems.bzl lists.
#define HARDCLOCK_RULES(name) const System& name##_system();
#include "syscalls/profil/systems.def"
#undef HARDCLOCK_RULES

std::span<const System* const> systems() {
  static const std::vector<const System*> kernels = [] {
    std::vector<const System*> made;
    std::ranges::copy_if(systems_and_libraries(), std::back_inserter(made),
                         [](const System* system) { return system->library == nullptr; });
    return made;
  }();
  return kernels;
}

std::span<const System* const> systems_and_libraries() {
  static const std::vector<const System*> all = {
#define HARDCLOCK_RULES(name) &name##_system(),
#include "syscalls/profil/systems.def"
#undef HARDCLOCK_RULES
  };
  return all;
}

const System* find_system(std::string_view name) {
  const auto all = systems_and_libraries();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const System* s) { return s->name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace hardclock::profil
