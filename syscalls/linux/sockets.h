// Sockets as Linux's programs name what they have, where the architectures differ
// (uapi/asm/socket.h).
#pragma once

#include "syscalls/posix/sockets/socket_interface.h"

namespace hardclock::gnu_linux {

extern const posix::SocketInterface generic_sockets;
extern const posix::SocketInterface mips_sockets;
extern const posix::SocketInterface pa_risc_sockets;

}  // namespace hardclock::gnu_linux
