// The systems that there are. A new one needs its line in systems.cc, and nothing else here.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "syscalls/posix/unix_system.h"

namespace hardclock {

// In the order of profil::systems(), whose rules they go by; then Linux, which has no profil(2).
std::span<const posix::UnixSystem* const> unix_systems();
// By its name as --os spells it; null when there is none.
const posix::UnixSystem* find_unix_system(std::string_view name);
// "v7, 2.11bsd, ...": for messages.
std::string unix_system_names();

}  // namespace hardclock
