// System calls of PA-RISC programs.
//
// Under HP-UX, 32 and 64 bits: the number is in r22, and arguments in r26 downwards: four of them,
// then the stack from -52(sp) downwards; eight in 64 bits. A result is in r28, with a second one in
// r29; r22 says whether r28 is an error's number (Linux, arch/parisc/hpux; GDB, hppa-hpux-tdep.c).
// Calls enter the gateway page at +0 or +4.
//
// Under Linux: the number is in r20, arguments in r26 down to r21, and the result, or an error's
// number negated, in r28. Calls enter the gateway page at +0x100 (Linux,
// arch/parisc/kernel/syscall.S).
#pragma once

#include <cstdint>

#include "syscalls/posix/syscall_abi.h"

namespace hardclock::pa_risc_ports {

extern const posix::SyscallAbi hpux_32, hpux_64, linux_32;

// What HP-UX has behind the environment: the processor's description, to which r23 points at a
// program's start, and behind that, in 64 bits, the load information, to which r22 points.
inline constexpr std::uint64_t hpux_keybits_bytes = 24;

}  // namespace hardclock::pa_risc_ports
