#include "syscalls/systems.h"

#include <algorithm>
#include <vector>

#include "syscalls/aix/aix.h"
#include "syscalls/bsd/bsd.h"
#include "syscalls/hpux/hpux.h"
#include "syscalls/irix/irix.h"
#include "syscalls/linux/linux.h"
#include "syscalls/solaris/solaris.h"

namespace hardclock {

namespace {

using Systems = std::vector<const posix::UnixSystem*>;

const Systems& mips_systems() {
  static const Systems systems = {
      &bsd::v7_system(),    &bsd::bsd41_system(),         &bsd::bsd42_system(),
      &bsd::bsd43_system(), &bsd::bsd211_system(),        &bsd::bsd44_system(),
      &irix::irix_system(), &solaris::solaris25_system(), &solaris::solaris_system(),
      &aix::aix_system(),   &hpux::hpux_system(),         gnu_linux::linux_system(Machine::mips),
  };
  return systems;
}

const Systems& pa_risc_systems() {
  static const Systems systems = {
      &hpux::hpux_system(),
      gnu_linux::linux_system(Machine::pa_risc),
  };
  return systems;
}

}  // namespace

std::span<const posix::UnixSystem* const> unix_systems(Machine machine) {
  switch (machine) {
    case Machine::mips:
      return mips_systems();
    case Machine::pa_risc:
      return pa_risc_systems();
    case Machine::ia64:
      break;
  }
  return {};
}

const posix::UnixSystem* find_unix_system(std::string_view name, Machine machine) {
  const auto all = unix_systems(machine);
  const auto found = std::ranges::find(all, name, &posix::UnixSystem::name);
  return found == all.end() ? nullptr : *found;
}

std::string unix_system_names(Machine machine) {
  std::string names;
  for (const posix::UnixSystem* system : unix_systems(machine)) {
    names += (names.empty() ? "" : ", ") + std::string(system->name);
  }
  return names;
}

}  // namespace hardclock
