
#include "sim/base/check.h"
#include "syscalls/irix/calls.h"
#include "syscalls/irix/signals.h"
#include "syscalls/mips/ucontext.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/siginfo.h"
#include "syscalls/posix/signals/signals.h"

namespace hardclock::irix::calls {
namespace {

// sigprocmask(2): IRIX's own values of `how`.
constexpr std::uint32_t sig_nop = 0, sig_setmask32 = 256;

// sigpoll with a timespec; its first deadline counts when it runs again.
CallResult wait_for_signal(Call& call, const SignalSet& wanted) {
  constexpr std::int64_t second = 1'000'000'000;
  posix::GuestReader timespec(call, call.address(2));
  const std::int64_t seconds = timespec.time(), nanoseconds = timespec.signed_long();
  if (!timespec.ok()) return CallResult::failure(Errno::efault);
  if (seconds < 0 || seconds > 0x7fffffff || nanoseconds < 0 || nanoseconds >= second) {
    return CallResult::failure(Errno::einval);
  }
  if (seconds == 0 && nanoseconds == 0) return CallResult::failure(Errno::eagain);
  const Deadline until = call.first_deadline(deadline_after(
      call, static_cast<std::uint64_t>(seconds), static_cast<std::uint64_t>(nanoseconds)));
  if (until.has_come(call.simulation().clock())) return CallResult::failure(Errno::eagain);
  return CallResult::wait(
      {.event = SignalPending{wanted}, .on_signal = Interruptible{}, .until = until});
}

}  // namespace

// ksigaction(signal, action, old_action, trampoline)
CallResult ksigaction(Call& call) {
  return sigaction_at(call, 0, call.address(3));
}

// signal(signal, handler, trampoline) of IRIX 4: System V.3's, which is V7's but for SIGPWR, whose
// handler is kept as well (signal(2) of System V.3).
CallResult signal(Call& call) {
  constexpr unsigned sigpwr = 19;
  const CallResult old = signal_through(call, call.address(2));
  const bool is_done = old.kind == CallResult::Kind::value;
  if (is_done && call.argument(0) == sigpwr) {
    call.process.signals.action(sigpwr).resets_to_default = false;
  }
  return old;
}

CallResult sigprocmask(Call& call) {
  const std::uint32_t how = call.argument(0);
  if (how == sig_nop) call.arguments[1] = 0;
  if (how != sig_setmask32) return posix::calls::sigprocmask(call);
  // Only the first 32 signals; the set is still a whole one in memory.
  const SignalSet high = call.thread.blocked_signals & ~SignalSet(0xffffffff);
  call.arguments[0] = call.system.sigaction.set_mask;
  const CallResult result = posix::calls::sigprocmask(call);
  if (result.kind == CallResult::Kind::value && !call.is_null(1)) {
    SignalSet& mask = call.thread.blocked_signals;
    mask = high | (mask & SignalSet(0xffffffff));
  }
  return result;
}

CallResult sigreturn(Call& call) {
  call.simulation().charge(call.thread, call.simulation().kernel_costs().signal_return);
  // a0 is the sigcontext; 0 for a handler with siginfo, whose ucontext is in a1.
  const auto restored =
      !call.is_null(0) ? pop_sigcontext(call.thread, call.address(0))
                       : call.port().take_up_ucontext(call.system, call.thread, call.address(1));
  if (!restored) call.os.signals().post(call.process, posix::sigsegv);
  return CallResult::no_return();
}

// sigpoll(set, info, timeout): libc's sigwaitinfo() and sigtimedwait() of POSIX.1b. Takes a signal
// of the set that is pending, or waits for one; EAGAIN when the time is over.
CallResult sigpoll(Call& call) {
  posix::GuestReader set(call, call.address(0));
  const SignalSet wanted =
      posix::blockable(call.system.signals, set.signal_words(posix::sigset_words));
  if (!set.ok()) return CallResult::failure(Errno::efault);
  const SignalSet pending = call.process.signals.pending & wanted;
  for (unsigned signal = 1; signal <= call.system.signals.last; ++signal) {
    if (!pending.test(signal - 1)) continue;
    if (call.address(1) != GuestAddr(0) &&
        !call.memory.probe(call.address(1), posix::siginfo_size, Access::write)) {
      return CallResult::failure(Errno::efault);
    }
    const auto info = posix::saved_siginfo(call.process, signal,
                                           call.os.signals().take_pending(call.thread, signal));
    if (call.address(1) != GuestAddr(0) && !call.memory.write_bytes(call.address(1), info)) {
      return CallResult::failure(Errno::efault);
    }
    return CallResult::value(signal);
  }
  if (!call.is_null(2)) return wait_for_signal(call, wanted);
  return CallResult::wait({.event = SignalPending{wanted}, .on_signal = Interruptible{}});
}

// ksigqueue(pid, signal, code, value): libc's sigqueue(). Positive codes are the kernel's.
CallResult ksigqueue(Call& call) {
  if (call.signed_argument(2) > 0) return CallResult::failure(Errno::einval);
  return send_value(call, call.signed_argument(0), call.argument(1), call.signed_argument(2),
                    call.arguments[3]);
}

// getcontext(ucontext): the context that setcontext() takes up returns from here, with 0.
CallResult getcontext(Call& call) {
  const std::size_t size = call.port().ucontext_bytes;
  if (!call.memory.probe(call.address(0), size, Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  call.abi().set_result(*call.thread.cpu, 0, 0);
  call.thread.cpu->complete_system_call();
  const auto context = mips_ports::saved_ucontext(call.thread, call.thread.blocked_signals);
  CHECK(call.memory.write_bytes(call.address(0), context).ok());
  return CallResult::no_return();
}

// setcontext(ucontext): if ucp is NULL, the process exits with 0 (setcontext(2) of System V.4).
CallResult setcontext(Call& call) {
  if (call.address(0) == GuestAddr(0)) {
    call.os.end(call.process, ExitStatus{});
    return CallResult::no_return();
  }
  if (!call.port().take_up_ucontext(call.system, call.thread, call.address(0))) {
    return CallResult::failure(Errno::efault);
  }
  return CallResult::no_return();
}

}  // namespace hardclock::irix::calls
