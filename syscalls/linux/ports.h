// Linux's systems, one for each architecture.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

const posix::UnixSystem& ia64_system();
const posix::UnixSystem& mips_system();
const posix::UnixSystem& pa_risc_system();

}  // namespace hardclock::gnu_linux
