// The structures of System V's IPC as Linux lays them out with IPC_64. Sources:
// arch/{mips,parisc,ia64}/include/uapi/asm/{ipc,msg,sem,shm}buf.h, include/uapi/asm-generic/ the
// same, arch/mips/include/asm/compat.h for n32.
#pragma once

#include "syscalls/posix/ipc/ipc.h"

namespace hardclock::gnu_linux {

extern const posix::IpcInterface mips_ipc, pa_risc_ipc, ia64_ipc;

}  // namespace hardclock::gnu_linux
