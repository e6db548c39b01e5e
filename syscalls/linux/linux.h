// Linux on MIPS, PA-RISC and IA-64. It follows Linux 6.1, by its sources and manual pages.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

// MIPS: o32, n32 and n64 programs of either byte order are one system: the numbers of their calls
// do not overlap, and the kernel takes each from any of them (arch/mips/kernel/scall64-o32.S,
// scall64-n32.S). PA-RISC: 32-bit programs. IA-64: little-endian ones.
const posix::UnixSystem& ia64_system();
const posix::UnixSystem& mips_system();
const posix::UnixSystem& pa_risc_system();

// Terminals (uapi/asm/{ioctls,termbits,termios}.h of each architecture), System V's IPC and sockets
// (uapi/asm/socket.h).
extern const posix::TerminalInterface mips_terminal, pa_risc_terminal, ia64_terminal;
extern const posix::IpcInterface mips_ipc, pa_risc_ipc, ia64_ipc;
extern const posix::SocketInterface generic_sockets, mips_sockets, pa_risc_sockets;

}  // namespace hardclock::gnu_linux
