#include "syscalls/bsd/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::bsd::calls {
namespace {

// 4.1BSD sys4.c ssig(): the signal is in the low byte, requests are above it.
constexpr std::uint32_t signal_number = 0377, sig_dopause = 0400;

}  // namespace

// signal(2) of 4.1BSD. Refuses SIG_HOLD and deferring handlers (odd addresses), which only its job
// control library used.
CallResult sigsys(Call& call) {
  const std::uint32_t request = call.argument(0);
  const std::uint32_t handler = call.argument(1);
  constexpr std::uint32_t sig_ign = 1;
  if ((request & ~(signal_number | sig_dopause)) != 0) return CallResult::failure(Errno::einval);
  if (handler != sig_ign && handler % 2 != 0) return CallResult::failure(Errno::einval);
  call.arguments[0] = request & signal_number;
  const CallResult done = signal(call);
  const bool waits = (request & sig_dopause) != 0 && done.kind == CallResult::Kind::value;
  return waits ? pause(call) : done;
}

// sigaction(trampoline, signal, action, old_action) of 2.11BSD.
CallResult sigaction_trampoline(Call& call) {
  return sigaction_at(call, 1, call.address(0));
}

// sigprocmask(how, mask) of 4.4BSD: the mask itself, and the old one as the result.
CallResult sigprocmask_value(Call& call) {
  SignalSet& mask = call.thread.blocked_signals;
  const auto old = (mask & SignalSet(0xffffffff)).to_ulong();
  const auto wanted = posix::changed_mask(call.system.sigaction, call.argument(0), mask,
                                          SignalSet(call.argument(1)));
  if (!wanted) return CallResult::failure(Errno::einval);
  mask = posix::blockable(call.system.signals, *wanted);
  return CallResult::value(old);
}

}  // namespace hardclock::bsd::calls
