// Signals of Linux on MIPS: numbers, default actions, and how a handler is started and left.
// Source: Linux 6.1, arch/mips/include/uapi/asm/{signal,sigcontext,ucontext,siginfo}.h and
// arch/mips/kernel/signal.c, signal_n32.c, signal_o32.c.
#pragma once

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "syscalls/posix/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

inline constexpr unsigned mips_signals = 128;

posix::SignalTable mips_signal_table();

// Port::push_handler: a sigframe or, in n32 and n64 and for SA_SIGINFO, an rt_sigframe.
Result<Ok, Fault> push_mips_handler(const posix::UnixSystem& system, Thread& thread,
                                    unsigned signal, const posix::SignalInfo& info,
                                    const SignalAction& action);
// Port::pop_handler
Result<Ok, Fault> pop_mips_handler(const posix::UnixSystem& system, Thread& thread, bool with_info);

}  // namespace hardclock::gnu_linux
