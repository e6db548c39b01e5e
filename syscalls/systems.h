// The systems that programs can run under, as systems.bzl lists them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/load/image.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock {

// Whether programs of a machine run under any.
bool has_unix_systems(Architecture architecture);
// The systems for programs of a machine, in the order of profil::systems(), whose rules they go by;
// then Linux, which has no profil(2). MIPS has all but HP-UX: most with MIPS conventions in the
// place of those of the machines that they ran on.
std::span<const posix::UnixSystem* const> unix_systems(Architecture architecture);
// By its name as --os spells it; null when there is none.
const posix::UnixSystem* find_unix_system(std::string_view name, Architecture architecture);
// Whether any machine has a system of this name.
bool is_unix_system(std::string_view name);
// "v7, 4.1bsd, ...", for messages: those of a machine, and all.
std::string unix_system_names(Architecture architecture);
std::string unix_system_names();

}  // namespace hardclock
