// Terminals as the programs of V7 and the BSDs see them.
#pragma once

#include "syscalls/posix/files/terminal.h"

namespace hardclock::bsd {

// V7 has no process groups of terminals; 4.1BSD has requests without sizes, 4.2BSD and later with,
// and 4.4BSD has struct termios besides.
extern const posix::TerminalInterface v7_terminal, bsd41_terminal, bsd42_terminal, bsd44_terminal;

}  // namespace hardclock::bsd
