// Linux on MIPS, PA-RISC and IA-64. It follows Linux 6.1, by its sources and manual pages.
#pragma once

#include "sim/load/image.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

// MIPS: o32, n32 and n64 programs of either byte order are one system: the numbers of their calls
// do not overlap, and the kernel takes each from any of them (arch/mips/kernel/scall64-o32.S,
// scall64-n32.S). PA-RISC: 32-bit programs. IA-64: little-endian ones.
const posix::UnixSystem* linux_system(Architecture architecture);

}  // namespace hardclock::gnu_linux
