// The page of code that the kernel gives every program, reduced to what handlers return to.
// Source: Linux 6.1, arch/mips/vdso/sigreturn.S. Kernels before 2.6.34 put it in each frame.
#pragma once

#include "sim/base/result.h"
#include "sim/memory/address_space.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

// TASK_SIZE32 and TASK_SIZE64 (arch/mips/include/asm/processor.h): o32's and n32's addresses, and
// n64's, end there.
inline constexpr GuestAddr mips_user_end{0x7fff8000}, mips_user_end_64{std::uint64_t{1} << 40};
// The last page below, above the stack.
constexpr GuestAddr mips_vdso_page(GuestAddr user_end) {
  return user_end - page_size;
}

// Port::map_extras, for a layout whose stack ends at that page.
Result<Ok, posix::ExecFailure> map_mips_vdso(const posix::Port& port, AddressSpace& memory,
                                             const Image&, int pid);

// Where a handler with an rt_sigframe, or one of o32 with a sigframe, returns to.
GuestAddr mips_vdso_code(mips_ports::DataModel model, bool rt_sigframe);

}  // namespace hardclock::gnu_linux
