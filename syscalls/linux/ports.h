// Linux's systems, one for each architecture, and what their programs see.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

const posix::UnixSystem& ia64_system();
const posix::UnixSystem& mips_system();
const posix::UnixSystem& pa_risc_system();

// Terminals (uapi/asm/{ioctls,termbits,termios}.h of each architecture), System V's IPC and sockets
// (uapi/asm/socket.h).
extern const posix::TerminalInterface mips_terminal, pa_risc_terminal, ia64_terminal;
extern const posix::IpcInterface mips_ipc, pa_risc_ipc, ia64_ipc;
extern const posix::SocketInterface generic_sockets, mips_sockets, pa_risc_sockets;

}  // namespace hardclock::gnu_linux
