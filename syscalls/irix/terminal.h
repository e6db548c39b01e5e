// Terminals as IRIX's programs see them.
#pragma once

#include "syscalls/posix/files/terminal.h"

namespace hardclock::irix {

extern const posix::TerminalInterface terminal;

}  // namespace hardclock::irix
