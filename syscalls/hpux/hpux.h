// HP-UX, as programs of hardclock's MIPS guests meet it: its calls, numbers, errors and signals
// behind the MIPS system call convention and 4.4BSD's signal frame.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::hpux {

const posix::UnixSystem& hpux_system();

}  // namespace hardclock::hpux
