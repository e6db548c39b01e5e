// The page of code that the kernel gives every program, reduced to what handlers return to.
// Source: Linux 6.1, arch/mips/vdso/sigreturn.S. Kernels before 2.6.34 put it in each frame.
#pragma once

#include "sim/base/result.h"
#include "sim/memory/address_space.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

// The last page below the one at TASK_SIZE32, which the kernel never hands out
// (arch/mips/include/asm/processor.h).
inline constexpr GuestAddr mips_user_end{0x7fff8000};
inline constexpr GuestAddr mips_vdso_page{0x7fff7000};

// Port::map_extras
Result<Ok, posix::ExecFailure> map_mips_vdso(const posix::Port& port, AddressSpace& memory,
                                             const Image&, int pid);

// Where a handler with an rt_sigframe, or one of o32 with a sigframe, returns to.
GuestAddr mips_vdso_code(mips_ports::DataModel model, bool rt_sigframe);

}  // namespace hardclock::gnu_linux
