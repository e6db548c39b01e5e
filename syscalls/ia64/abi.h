// System calls of IA-64 programs.
//
// Under Linux: `break 0x100000` with the number in r15 and up to six arguments in the outputs of
// the current frame, from r32 + sol on. The result is in r8, a second one in r9; r10 is -1 if r8 is
// an error's number, else 0 (Linux, arch/ia64/kernel/ivt.S, break_fault and ia64_syscall_setup;
// arch/ia64/kernel/entry.S, ia64_ret_from_syscall).
#pragma once

#include "sim/base/units.h"
#include "syscalls/posix/syscall_abi.h"

namespace hardclock::ia64_ports {

const posix::SyscallAbi& linux_64();

// The memory stack of a Linux program grows down from here, and 2 GiB below begins its register
// stack, which grows up (Linux, arch/ia64/include/asm/ustack.h; asm/processor.h, INIT_THREAD), with
// pages of 16 KiB.
inline constexpr GuestAddr linux_stack_top{0x60000fffffffc000};
inline constexpr GuestAddr linux_register_stack{linux_stack_top.value() - 0x80000000};

}  // namespace hardclock::ia64_ports
