// IRIX signal numbers, default actions, and how a handler is started and left.
// Source: IRIX <sys/signal.h>, signal(5); NetBSD sys/compat/irix/irix_signal.[ch] for the frame.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "sim/process/signals.h"

namespace hardclock::irix {

enum Signal : unsigned {
  sighup = 1,
  sigint,
  sigquit,
  sigill,
  sigtrap,
  sigabrt,
  sigemt,
  sigfpe,
  sigkill,
  sigbus,
  sigsegv,
  sigsys,
  sigpipe,
  sigalrm,
  sigterm,
  sigusr1,
  sigusr2,
  sigcld,
  sigpwr,
  sigwinch,
  sigurg,
  sigpoll,
  sigstop,
  sigtstp,
  sigcont,
  sigttin,
  sigttou,
  sigvtalrm,
  sigprof,
  sigxcpu,
  sigxfsz,
};
inline constexpr unsigned last_signal = 64;  // NSIG is 65

// sa_flags
inline constexpr std::uint32_t sa_onstack = 1;
inline constexpr std::uint32_t sa_resethand = 2;
inline constexpr std::uint32_t sa_restart = 4;
inline constexpr std::uint32_t sa_siginfo = 8;
inline constexpr std::uint32_t sa_nodefer = 0x10;

// "SIGSEGV"; empty for a number without a name.
std::string_view signal_name(unsigned signal);

// What the default action is, as far as it concerns a machine without job control: stop signals are
// ignored, like those that ask for nothing.
bool ignored_by_default(unsigned signal);
// Whether the signal would have no effect on the process.
bool is_ignored(Process& process, unsigned signal);
// KILL and STOP can be neither caught, blocked nor ignored.
bool is_uncatchable(unsigned signal);

// What a handler with SA_SIGINFO is told besides the number.
struct SignalInfo {
  std::uint32_t code = 0;  // 0: sent by kill() or a timer
  GuestAddr address;       // of the fault, or of the instruction
};
// si_code (IRIX <sys/siginfo.h>, siginfo(5)).
inline constexpr std::uint32_t fpe_intdiv = 1, fpe_intovf = 2, fpe_fltinv = 7;
inline constexpr std::uint32_t segv_maperr = 1, segv_accerr = 2;
inline constexpr std::uint32_t bus_adraln = 1, ill_illopc = 1, trap_brkpt = 1;

// Saves the thread's context on its stack (a sigcontext; with SA_SIGINFO a siginfo and a ucontext)
// and makes it start the handler through the trampoline. Error: the stack cannot take the frame.
Result<Ok, Fault> push_handler(Thread& thread, unsigned signal, const SignalInfo& info,
                               const SignalAction& action);
// sigreturn: back to what the saved context holds. Error: it cannot be read.
Result<Ok, Fault> pop_sigcontext(Thread& thread, GuestAddr sigcontext);
Result<Ok, Fault> pop_ucontext(Thread& thread, GuestAddr ucontext);

}  // namespace hardclock::irix
