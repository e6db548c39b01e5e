#include "syscalls/irix/calls.h"
#include "syscalls/irix/signals.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/ucontext.h"

namespace hardclock::irix::calls {
namespace {

// sigprocmask(2): IRIX's own values of `how`.
constexpr std::uint32_t sig_nop = 0, sig_setmask32 = 256;

}  // namespace

// ksigaction(signal, action, old_action, trampoline)
CallResult ksigaction(Call& call) {
  return sigaction_at(call, 0, call.address(3));
}

CallResult sigprocmask(Call& call) {
  const std::uint32_t how = call.argument(0);
  if (how == sig_nop) call.arguments[1] = 0;
  if (how != sig_setmask32) return posix::calls::sigprocmask(call);
  // Only the first 32 signals; the set is still a whole one in memory.
  const SignalSet high = call.thread.blocked_signals & ~SignalSet(0xffffffff);
  call.arguments[0] = call.system.sigaction.set_mask;
  const CallResult result = posix::calls::sigprocmask(call);
  if (result.kind == CallResult::Kind::value && call.argument(1) != 0) {
    SignalSet& mask = call.thread.blocked_signals;
    mask = high | (mask & SignalSet(0xffffffff));
  }
  return result;
}

CallResult sigreturn(Call& call) {
  // a0 is the sigcontext; 0 for a handler with siginfo, whose ucontext is in a1.
  const auto restored = call.argument(0) != 0
                            ? pop_sigcontext(call.thread, call.address(0))
                            : posix::take_up_ucontext(call.system, call.thread, call.address(1));
  if (!restored) call.simulation.post_signal(call.process, posix::sigsegv);
  return CallResult::no_return();
}

}  // namespace hardclock::irix::calls
