// The systems that there are. A new one needs its line in systems.cc, and nothing else here.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/load/image.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock {

// Those for programs of a machine, in the order of profil::systems(), whose rules they go by; then
// Linux, which has no profil(2). MIPS has them all: most with MIPS conventions in the place of
// those of the machines that they ran on.
std::span<const posix::UnixSystem* const> unix_systems(Machine machine = Machine::mips);
// By its name as --os spells it; null when there is none.
const posix::UnixSystem* find_unix_system(std::string_view name, Machine machine = Machine::mips);
// "v7, 2.11bsd, ...": for messages.
std::string unix_system_names(Machine machine);

}  // namespace hardclock
