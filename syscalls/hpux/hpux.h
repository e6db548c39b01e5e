// HP-UX on PA-RISC, for SOM programs of 32 bits and ELF programs of 64. It never was on MIPS, for
// which hardclock has guests of its own, too: those meet its calls, numbers, errors and signals
// behind the MIPS system call convention and 4.4BSD's signal frame.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::hpux {

const posix::UnixSystem& hpux_system();

}  // namespace hardclock::hpux
