// Terminals as Linux's programs see them (uapi/asm/{ioctls,termbits,termios}.h of each
// architecture).
#pragma once

#include "syscalls/posix/files/terminal.h"

namespace hardclock::gnu_linux {

extern const posix::TerminalInterface mips_terminal, pa_risc_terminal, ia64_terminal;

}  // namespace hardclock::gnu_linux
