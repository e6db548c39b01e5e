// Linux on MIPS: o32, n32 and n64 programs of either byte order. What it does is that of Linux 6.1,
// from its sources and manual pages. Programs of all three conventions are one system: the numbers
// of their calls do not overlap, and the kernel takes each from any of them
// (arch/mips/kernel/scall64-o32.S, scall64-n32.S).
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

const posix::UnixSystem& linux_system();

}  // namespace hardclock::gnu_linux
