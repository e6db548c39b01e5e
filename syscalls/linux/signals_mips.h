// Signals of Linux on MIPS: numbers, default actions, and how a handler is started and left.
// Source: Linux 6.1, arch/mips/include/uapi/asm/{signal,sigcontext,ucontext,siginfo}.h and
// arch/mips/kernel/signal.c, signal_n32.c, signal_o32.c.
#pragma once

#include <optional>

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

inline constexpr unsigned mips_signals = 128;

posix::SignalTable mips_signal_table();

// Port::trap_signal, of programs whose addresses end at 2 GiB and at 2^40. Beyond, an access is an
// address error, as one that is not aligned is: SIGBUS (arch/mips/kernel/unaligned.c, do_ade()).
std::optional<unsigned> narrow_mips_trap_signal(const Trap& trap);
std::optional<unsigned> wide_mips_trap_signal(const Trap& trap);
// Port::tell_trap, of the same. Of address errors, of instructions that there are not and of trap
// instructions a handler hears nothing but the signal, SI_KERNEL (do_ade(), and do_ri() and
// do_trap_or_bp() of arch/mips/kernel/traps.c); of BREAK no address.
void tell_narrow_mips_trap(const Trap& trap, posix::SignalInfo& info);
void tell_wide_mips_trap(const Trap& trap, posix::SignalInfo& info);
// Port::push_handler: a sigframe or, in n32 and n64 and for SA_SIGINFO, an rt_sigframe.
Result<Ok, Fault> push_mips_handler(const posix::UnixSystem& system, Thread& thread,
                                    unsigned signal, const posix::SignalInfo& info,
                                    const SignalAction& action);
// Port::pop_handler
Result<Ok, Fault> pop_mips_handler(const posix::UnixSystem& system, Thread& thread, bool with_info);

}  // namespace hardclock::gnu_linux
