#include "syscalls/systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

// The functions that systems.bzl names.
#define HARDCLOCK_SYSTEM(architecture, space, function) \
  namespace hardclock::space {                          \
  const posix::UnixSystem& function();                  \
  }
#include "syscalls/systems.def"
#undef HARDCLOCK_SYSTEM

namespace hardclock {
namespace {

using Systems = std::vector<const posix::UnixSystem*>;

Systems systems_for(Architecture architecture) {
  Systems systems;
#define HARDCLOCK_SYSTEM(of, space, function) \
  if (Architecture::of == architecture) systems.push_back(&space::function());
#include "syscalls/systems.def"
#undef HARDCLOCK_SYSTEM
  return systems;
}

const std::vector<std::string_view>& all_names() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names;
    const auto add = [&names](std::string_view name) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
#define HARDCLOCK_SYSTEM(architecture, space, function) add(space::function().name);
#include "syscalls/systems.def"
#undef HARDCLOCK_SYSTEM
    return names;
  }();
  return all;
}

}  // namespace

std::span<const posix::UnixSystem* const> unix_systems(Architecture architecture) {
  static const Systems mips = systems_for(Architecture::mips);
  static const Systems pa_risc = systems_for(Architecture::pa_risc);
  static const Systems ia64 = systems_for(Architecture::ia64);
  switch (architecture) {
    case Architecture::mips:
      return mips;
    case Architecture::pa_risc:
      return pa_risc;
    case Architecture::ia64:
      return ia64;
  }
  return {};
}

const posix::UnixSystem* find_unix_system(std::string_view name, Architecture architecture) {
  const auto all = unix_systems(architecture);
  const auto found = std::ranges::find(all, name, &posix::UnixSystem::name);
  return found == all.end() ? nullptr : *found;
}

bool is_unix_system(std::string_view name) {
  return std::ranges::find(all_names(), name) != all_names().end();
}

std::string unix_system_names(Architecture architecture) {
  std::string names;
  for (const posix::UnixSystem* system : unix_systems(architecture)) {
    names += (names.empty() ? "" : ", ") + std::string(system->name);
  }
  return names;
}

std::string unix_system_names() {
  return fmt::format("{}", fmt::join(all_names(), ", "));
}

}  // namespace hardclock
