#include <array>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/irix.h"
#include "syscalls/irix/signals.h"

namespace hardclock::irix::calls {
namespace {

// struct sigaction: flags, handler, mask[4], reserved[2] (32 bytes). A sigset is 4 words.
constexpr std::size_t sigset_words = 4;
constexpr std::size_t sigaction_words = 8;
constexpr std::uint32_t sig_dfl = 0, sig_ign = 1;
constexpr std::uint32_t unsupported_flags = sa_onstack;

// sigprocmask(2): how.
constexpr std::uint32_t sig_nop = 0, sig_block = 1, sig_unblock = 2, sig_setmask = 3,
                        sig_setmask32 = 256;

using Words = std::array<std::uint32_t, sigset_words>;

Words to_words(const SignalSet& set) {
  Words words;
  for (std::size_t i = 0; i < sigset_words; ++i) {
    words[i] = static_cast<std::uint32_t>(((set >> (32 * i)) & SignalSet(0xffffffff)).to_ulong());
  }
  return words;
}

SignalSet to_set(std::span<const std::uint32_t> words) {
  SignalSet set;
  for (std::size_t i = 0; i < words.size(); ++i) set |= SignalSet(words[i]) << (32 * i);
  return set;
}

// KILL and STOP cannot be blocked; asking for it is not an error.
SignalSet blockable(SignalSet set) {
  set.reset(sigkill - 1);
  set.reset(sigstop - 1);
  return set;
}

template <std::size_t N>
Result<std::array<std::uint32_t, N>, Errno> read_words(Call& call, GuestAddr address) {
  std::array<std::uint32_t, N> words;
  for (std::size_t i = 0; i < N; ++i) {
    const auto word = call.memory.read<std::uint32_t>(address + 4 * i);
    if (!word) return Failure{Errno::efault};
    words[i] = *word;
  }
  return words;
}

std::array<std::uint32_t, sigaction_words> to_guest(const SignalAction& action) {
  const Words mask = to_words(action.mask);
  std::uint32_t handler = sig_dfl;
  if (action.kind == SignalAction::Kind::ignore) handler = sig_ign;
  if (action.kind == SignalAction::Kind::handler) {
    handler = static_cast<std::uint32_t>(action.handler.value());
  }
  return {action.flags, handler, mask[0], mask[1], mask[2], mask[3], 0, 0};
}

SignalAction from_guest(const std::array<std::uint32_t, sigaction_words>& words,
                        GuestAddr trampoline) {
  SignalAction action;
  action.flags = words[0];
  action.handler = GuestAddr(words[1]);
  action.trampoline = trampoline;
  action.mask = blockable(to_set(std::span(words).subspan(2, sigset_words)));
  action.kind = words[1] == sig_dfl   ? SignalAction::Kind::default_action
                : words[1] == sig_ign ? SignalAction::Kind::ignore
                                      : SignalAction::Kind::handler;
  return action;
}

}  // namespace

CallResult kill(Call& call) {
  const std::int32_t pid = call.signed_argument(0);
  const std::uint32_t signal = call.argument(1);
  if (signal > last_signal) return CallResult::failure(Errno::einval);
  Process* const target = pid == 0 ? &call.process : call.simulation.find(pid);
  if (target == nullptr) return CallResult::failure(Errno::esrch);
  if (signal != 0 && !target->exit_status) call.simulation.post_signal(*target, signal);
  return CallResult::value(0);
}

CallResult ksigaction(Call& call) {
  const std::uint32_t signal = call.argument(0);
  if (signal == 0 || signal > last_signal) return CallResult::failure(Errno::einval);
  SignalAction& action = call.process.signals.action(signal);
  std::optional<SignalAction> wanted;
  if (call.argument(1) != 0) {
    const auto words = read_words<sigaction_words>(call, call.address(1));
    if (!words) return CallResult::failure(words.error());
    if (is_uncatchable(signal) || ((*words)[0] & unsupported_flags) != 0) {
      return CallResult::failure(Errno::einval);
    }
    wanted = from_guest(*words, call.address(3));
  }
  if (call.argument(2) != 0) {
    const CallResult written =
        write_words(call, call.address(2), to_guest(action), CallResult::value(0));
    if (written.kind == CallResult::Kind::error) return written;
  }
  if (wanted) action = *wanted;
  // A signal that is now ignored is no longer pending (POSIX.1, sigaction()).
  if (wanted && is_ignored(call.process, signal)) call.process.signals.pending.reset(signal - 1);
  return CallResult::value(0);
}

CallResult sigprocmask(Call& call) {
  const std::uint32_t how = call.argument(0);
  SignalSet mask = call.thread.blocked_signals;
  const Words old = to_words(mask);
  if (call.argument(1) != 0) {
    const auto words = read_words<sigset_words>(call, call.address(1));
    if (!words) return CallResult::failure(words.error());
    const SignalSet set = to_set(*words);
    switch (how) {
      case sig_nop:
        break;
      case sig_block:
        mask |= set;
        break;
      case sig_unblock:
        mask &= ~set;
        break;
      case sig_setmask:
        mask = set;
        break;
      case sig_setmask32:
        mask = (mask & ~SignalSet(0xffffffff)) | (set & SignalSet(0xffffffff));
        break;
      default:
        return CallResult::failure(Errno::einval);
    }
  }
  if (call.argument(2) != 0) {
    const CallResult written = write_words(call, call.address(2), old, CallResult::value(0));
    if (written.kind == CallResult::Kind::error) return written;
  }
  call.thread.blocked_signals = blockable(mask);
  return CallResult::value(0);
}

CallResult sigpending(Call& call) {
  const SignalSet pending = call.process.signals.pending & call.thread.blocked_signals;
  return write_words(call, call.address(0), to_words(pending), CallResult::value(0));
}

// Always ends with EINTR, after the handler; the old mask comes back with the handler's return.
CallResult sigsuspend(Call& call) {
  const auto words = read_words<sigset_words>(call, call.address(0));
  if (!words) return CallResult::failure(words.error());
  if (!call.thread.mask_after_wait) call.thread.mask_after_wait = call.thread.blocked_signals;
  call.thread.blocked_signals = blockable(to_set(*words));
  return CallResult::wait([] { return false; }, false);
}

CallResult pause(Call&) {
  return CallResult::wait([] { return false; }, false);
}

CallResult sigreturn(Call& call) {
  // a0 is the sigcontext; 0 for a handler with siginfo, whose ucontext is in a1.
  const auto restored = call.argument(0) != 0 ? pop_sigcontext(call.thread, call.address(0))
                                              : pop_ucontext(call.thread, call.address(1));
  if (!restored) call.simulation.post_signal(call.process, sigsegv);
  return CallResult::no_return();
}

}  // namespace hardclock::irix::calls
