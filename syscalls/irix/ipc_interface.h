// How IRIX shows System V's IPC to its programs.
#pragma once

#include "syscalls/posix/ipc/ipc.h"

namespace hardclock::irix {

extern const posix::IpcInterface ipc_interface;

}  // namespace hardclock::irix
