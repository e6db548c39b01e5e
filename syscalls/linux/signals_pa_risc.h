// Signals of Linux on PA-RISC: numbers, default actions, and how a handler is started and left.
// Source: Linux 6.1, arch/parisc/include/uapi/asm/{signal,sigcontext}.h and
// arch/parisc/kernel/signal.c, signal32.c, signal32.h: a 64-bit kernel, whose frames keep all of
// PA-RISC 2.0's registers.
#pragma once

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

inline constexpr unsigned pa_risc_signals = 64;

posix::SignalTable pa_risc_signal_table();

// Port::tell_trap: the front of the queue, where that is the address, has the privilege level in it
// (arch/parisc/kernel/traps.c, handle_interruption()); that of a BREAK has not
// (handle_gdb_break()).
void tell_pa_risc_trap(const Trap& trap, posix::SignalInfo& info);
// Port::push_handler: an rt_sigframe above the stack pointer. The handler's address may be
// that of a function descriptor, with bit 1 set.
Result<Ok, Fault> push_pa_risc_handler(const posix::UnixSystem& system, Thread& thread,
                                       unsigned signal, const posix::SignalInfo& info,
                                       const SignalAction& action);
// Port::pop_handler. All handlers have siginfo.
Result<Ok, Fault> pop_pa_risc_handler(const posix::UnixSystem& system, Thread& thread,
                                      bool with_info);

}  // namespace hardclock::gnu_linux
