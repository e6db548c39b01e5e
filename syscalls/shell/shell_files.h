// The shell that stands in for /bin/sh in a guest root without one: guest code of our own
// (docs/manual.md, "A shell").
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/load/image.h"
#include "syscalls/host/built_in_files.h"

namespace hardclock::shell {

// The shell, with its paths in the guest, for programs of such a file under a system (its name as
// --os spells it). Empty: there is none for them.
std::span<const host::BuiltInFile> shell_files(std::string_view os, const Image& image);

// Files of a guest root by which one can tell whose root it is: dynamic linkers and libraries of
// the systems that there are shells for, the surest first. Absolute paths.
std::span<const std::string_view> files_that_tell_system();

// Whether these are the bytes of one of the shells.
bool is_shell(std::span<const std::uint8_t> program);

}  // namespace hardclock::shell
