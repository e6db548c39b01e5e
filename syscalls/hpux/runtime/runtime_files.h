// The files that stand in for HP's in a guest root without them: the dynamic loader and the C
// library, guest code of our own (docs/manual.md, "HP-UX's own libraries").
#pragma once

#include <cstdint>
#include <span>

#include "syscalls/host/built_in_files.h"

namespace hardclock::hpux {

// With their paths in the guest: /usr/lib/dld.sl, /usr/lib/libc.1 and their other names.
std::span<const host::BuiltInFile> runtime_files();

// Whether a file that begins like this may be a program that needs them: a SOM file.
bool may_need_runtime(std::span<const std::uint8_t> front);

}  // namespace hardclock::hpux
