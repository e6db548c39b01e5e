// Terminals as Solaris's programs see them.
#pragma once

#include "syscalls/posix/files/terminal.h"

namespace hardclock::solaris {

extern const posix::TerminalInterface terminal;

}  // namespace hardclock::solaris
