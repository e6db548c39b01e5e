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

std::span<const posix::UnixSystem* const> unix_systems() {
  static const std::vector<const posix::UnixSystem*> systems = {
      &bsd::v7_system(),
      &bsd::bsd41_system(),
      &bsd::bsd42_system(),
      &bsd::bsd43_system(),
      &bsd::bsd211_system(),
      &bsd::bsd44_system(),
      &irix::irix_system(),
      &solaris::solaris25_system(),
      &solaris::solaris_system(),
      &aix::aix_system(),
      &hpux::hpux_system(),
      &gnu_linux::linux_system(),
  };
  return systems;
}

const posix::UnixSystem* find_unix_system(std::string_view name) {
  const auto all = unix_systems();
  const auto found = std::ranges::find(all, name, &posix::UnixSystem::name);
  return found == all.end() ? nullptr : *found;
}

std::string unix_system_names() {
  std::string names;
  for (const posix::UnixSystem* system : unix_systems()) {
    names += (names.empty() ? "" : ", ") + std::string(system->name);
  }
  return names;
}

}  // namespace hardclock
