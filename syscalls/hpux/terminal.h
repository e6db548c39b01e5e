// Terminals as HP-UX's programs see them.
#pragma once

#include "syscalls/posix/files/terminal.h"

namespace hardclock::hpux {

extern const posix::TerminalInterface terminal;

}  // namespace hardclock::hpux
