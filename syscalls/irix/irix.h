// IRIX 5.3, o32. Sources: the IRIX man pages, the ABI as SGI's own libc uses it, and NetBSD's
// sys/compat/irix.
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::irix {

const posix::UnixSystem& irix_system();

// Its terminals and System V's IPC, as its programs see them.
extern const posix::TerminalInterface terminal;
extern const posix::IpcInterface ipc_interface;

}  // namespace hardclock::irix
