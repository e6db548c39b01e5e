// Signals of Linux on MIPS: numbers, default actions, and how a handler is started and left.
// Source: Linux 6.1, arch/mips/include/uapi/asm/{signal,sigcontext,ucontext,siginfo}.h and
// arch/mips/kernel/signal.c, signal_n32.c, signal_o32.c.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "syscalls/linux/record.h"
#include "syscalls/posix/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

posix::SignalTable signal_table();

// sa_flags
inline constexpr std::uint32_t sa_nocldstop = 1;
inline constexpr std::uint32_t sa_siginfo = 8;
inline constexpr std::uint32_t sa_nocldwait = 0x00010000;
inline constexpr std::uint32_t sa_onstack = 0x08000000;
inline constexpr std::uint32_t sa_restart = 0x10000000;
inline constexpr std::uint32_t sa_nodefer = 0x40000000;
inline constexpr std::uint32_t sa_resethand = 0x80000000;

// siginfo_t.
Record siginfo_record(posix::Abi abi, Endian endian, unsigned signal,
                      const posix::SignalInfo& info);

// UnixSystem::push_handler: a sigframe or, in n32 and n64 and for SA_SIGINFO, an rt_sigframe.
Result<Ok, Fault> push_handler(const posix::UnixSystem& system, Thread& thread, unsigned signal,
                               const posix::SignalInfo& info, const SignalAction& action);
// What a handler's return does: back to the context of the frame at the stack pointer. Fault: the
// frame cannot be read.
Result<Ok, Fault> pop_sigframe(const posix::UnixSystem& system, Thread& thread);
Result<Ok, Fault> pop_rt_sigframe(const posix::UnixSystem& system, Thread& thread);

}  // namespace hardclock::gnu_linux
