// Signals of Linux on MIPS: numbers, default actions, and how a handler is started and left.
// Source: Linux 6.1, arch/mips/include/uapi/asm/{signal,sigcontext,ucontext,siginfo}.h and
// arch/mips/kernel/signal.c, signal_n32.c, signal_o32.c.
#pragma once

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "syscalls/linux/architecture.h"
#include "syscalls/posix/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

inline constexpr unsigned mips_signals = 128;
inline constexpr SignalFlags mips_signal_flags = {.no_child_stop = 1,
                                                  .with_info = 8,
                                                  .no_child_wait = 0x00010000,
                                                  .on_stack = 0x08000000,
                                                  .restart = 0x10000000,
                                                  .no_defer = 0x40000000,
                                                  .reset_handler = 0x80000000};

posix::SignalTable mips_signal_table();

// Port::push_handler: a sigframe or, in n32 and n64 and for SA_SIGINFO, an rt_sigframe.
Result<Ok, Fault> push_mips_handler(const posix::UnixSystem& system, Thread& thread,
                                    unsigned signal, const posix::SignalInfo& info,
                                    const SignalAction& action);
// The return of a handler: restores the context of the frame at the stack pointer. Fault: the frame
// cannot be read.
Result<Ok, Fault> pop_mips_sigframe(const posix::UnixSystem& system, Thread& thread);
Result<Ok, Fault> pop_mips_rt_sigframe(const posix::UnixSystem& system, Thread& thread);

}  // namespace hardclock::gnu_linux
