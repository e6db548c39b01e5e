// IRIX signal numbers, default actions, and how a handler is started and left.
// Source: IRIX <sys/signal.h>, signal(5); NetBSD sys/compat/irix/irix_signal.[ch] for the frame.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "sim/process/signals.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::irix {

// The numbers, names and default actions.
posix::SignalTable signal_table();

// sa_flags
inline constexpr std::uint32_t sa_onstack = 1;
inline constexpr std::uint32_t sa_resethand = 2;
inline constexpr std::uint32_t sa_restart = 4;
inline constexpr std::uint32_t sa_siginfo = 8;
inline constexpr std::uint32_t sa_nodefer = 0x10;
inline constexpr std::uint32_t sa_nocldwait = 0x10000;
inline constexpr std::uint32_t sa_nocldstop = 0x20000;

// Saves the thread's context on its stack (a sigcontext; with SA_SIGINFO a siginfo and a ucontext)
// and makes the thread start the handler through the trampoline. Error: the stack cannot take the
// frame.
Result<Ok, Fault> push_handler(const posix::UnixSystem& system, Thread& thread, unsigned signal,
                               const posix::SignalInfo& info, const SignalAction& action);
// sigreturn: restores the saved context. Error: it cannot be read.
Result<Ok, Fault> pop_sigcontext(Thread& thread, GuestAddr sigcontext);

}  // namespace hardclock::irix
