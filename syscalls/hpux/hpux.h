// HP-UX on PA-RISC, for SOM programs of 32 bits and ELF programs of 64, and on IA-64, for ELF
// programs of both.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::hpux {

const posix::UnixSystem& hpux_system();

// Its terminals and System V's IPC, as its programs see them.
extern const posix::TerminalInterface terminal;
extern const posix::IpcInterface ipc_interface;

}  // namespace hardclock::hpux
