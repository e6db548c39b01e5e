#include <algorithm>
#include <optional>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {

std::optional<SignalSet> changed_mask(const SigactionLayout& layout, std::uint32_t how,
                                      const SignalSet& mask, const SignalSet& set) {
  if (how == layout.block) return mask | set;
  if (how == layout.unblock) return mask & ~set;
  if (how == layout.set_mask) return set;
  return std::nullopt;
}

namespace calls {
namespace {

constexpr std::uint32_t sig_dfl = 0, sig_ign = 1;
// struct sigvec: handler, mask, flags. SV_ONSTACK is 4.2BSD's whole third word; SV_INTERRUPT and
// SV_RESETHAND came later and are 0 in programs that do not know them.
constexpr std::uint32_t sv_onstack = 1;
// signal(2) of V7: these two keep their handler when it starts.
constexpr unsigned kept_on_delivery[] = {sigill, sigtrap};

// A sigset_t has to be at its alignment.
Result<SignalSet, Errno> read_set(Call& call, GuestAddr address) {
  GuestReader reader(call, address);
  const SignalSet set = reader.signal_words(call.system.sigaction.mask_words);
  if (!reader.ok() || address.value() % 4 != 0) return Failure{Errno::efault};
  return set;
}

CallResult write_set(Call& call, GuestAddr address, const SignalSet& set) {
  return GuestStruct(call).signal_words(set, call.system.sigaction.mask_words).store(call, address);
}

std::uint64_t handler_word(const SignalAction& action) {
  if (action.kind == SignalAction::Kind::default_action) return sig_dfl;
  if (action.kind == SignalAction::Kind::ignore) return sig_ign;
  return action.handler.value();
}

void put_handler(SignalAction& action, std::uint64_t word) {
  action.handler = GuestAddr(word);
  action.kind = word == sig_dfl   ? SignalAction::Kind::default_action
                : word == sig_ign ? SignalAction::Kind::ignore
                                  : SignalAction::Kind::handler;
}

// struct sigaction. The flags and the mask are in front of the handler or behind it; then come
// words that are not used.
struct Sigaction {
  GuestAddr handler;
  std::uint32_t flags = 0;
  SignalSet mask;

  void lay_out(auto& members, const SigactionLayout& layout) {
    for (unsigned word = 0; word < layout.words; ++word) {
      if (word == layout.flags) {
        members.word(flags);
      } else if (word == layout.handler) {
        members.pointer(handler);
      } else if (word == layout.mask) {
        members.signal_words(mask, layout.mask_words);
        word += layout.mask_words - 1;
      } else {
        members.skip(4);
      }
    }
    members.align(members.long_bytes());
  }
};

CallResult write_action(Call& call, GuestAddr address, const SignalAction& action) {
  GuestStruct members(call);
  Sigaction{GuestAddr(handler_word(action)), action.flags, action.mask}.lay_out(
      members, call.system.sigaction);
  return members.store(call, address);
}

Result<SignalAction, Errno> read_action(Call& call, GuestAddr address, GuestAddr trampoline) {
  const SigactionLayout& layout = call.system.sigaction;
  GuestReader reader(call, address);
  Sigaction members;
  members.lay_out(reader, layout);
  if (!reader.ok() || !call.memory.probe(address, reader.offset(), Access::read)) {
    return Failure{Errno::efault};
  }
  SignalAction action;
  action.flags = members.flags;
  action.restarts_calls = (action.flags & layout.restart) != 0;
  action.resets_to_default = (action.flags & layout.reset_handler) != 0;
  action.defers_itself = (action.flags & layout.no_defer) == 0;
  action.wants_info = (action.flags & layout.with_info) != 0;
  action.on_alternate_stack = (action.flags & layout.on_stack) != 0;
  action.discards_children = (action.flags & layout.no_child_wait) != 0;
  action.ignores_child_stops = (action.flags & layout.no_child_stop) != 0;
  action.trampoline = trampoline;
  action.mask = blockable(call.system.signals, members.mask);
  put_handler(action, members.handler.value());
  return action;
}

bool is_signal(const Call& call, std::uint32_t signal) {
  return signal != 0 && signal <= call.system.signals.last;
}

// Puts the action in place. A signal that is ignored from now on is no longer pending (POSIX.1,
// sigaction()).
void set_action(Call& call, unsigned signal, const SignalAction& action) {
  call.process.signals.action(signal) = action;
  if (is_ignored(call.system.signals, call.process, signal)) drop_pending(call.process, signal);
}

std::uint32_t low_word(const SignalSet& mask) {
  return static_cast<std::uint32_t>((mask & SignalSet(0xffffffff)).to_ulong());
}

}  // namespace

CallResult pause(Call&) {
  return CallResult::wait({.event = NoEvent{}, .on_signal = Interruptible{}});
}

// signal(2) of V7: the action falls back to the default when the handler starts, nothing is blocked
// meanwhile, and a pending signal is forgotten. Returns the old action.
CallResult signal(Call& call) {
  return signal_through(call, GuestAddr(0));
}

CallResult signal_through(Call& call, GuestAddr trampoline) {
  const std::uint32_t number = call.argument(0);
  if (!is_signal(call, number) || is_uncatchable(call.system.signals, number)) {
    return CallResult::failure(Errno::einval);
  }
  const std::uint64_t old = handler_word(call.process.signals.action(number));
  SignalAction action;
  action.trampoline = trampoline;
  put_handler(action, call.address(1).value());
  action.resets_to_default =
      std::ranges::find(kept_on_delivery, number) == std::end(kept_on_delivery);
  action.defers_itself = false;
  set_action(call, number, action);
  drop_pending(call.process, number);
  return CallResult::value(old);
}

CallResult sigaction_at(Call& call, std::size_t first, GuestAddr trampoline) {
  const std::uint32_t number = call.argument(first);
  if (!is_signal(call, number)) return CallResult::failure(Errno::einval);
  const SignalAction old = call.process.signals.action(number);
  std::optional<SignalAction> wanted;
  if (call.address(first + 1) != GuestAddr(0)) {
    const auto action = read_action(call, call.address(first + 1), trampoline);
    if (!action) return CallResult::failure(action.error());
    if (is_uncatchable(call.system.signals, number)) return CallResult::failure(Errno::einval);
    wanted = *action;
  }
  if (call.address(first + 2) != GuestAddr(0)) {
    const CallResult written = write_action(call, call.address(first + 2), old);
    if (written.kind == CallResult::Kind::error) return written;
  }
  if (wanted) set_action(call, number, *wanted);
  return CallResult::value(0);
}

CallResult sigaction(Call& call) {
  return sigaction_at(call, 0, GuestAddr(0));
}

CallResult sigprocmask(Call& call) {
  const SignalSet old = call.thread.blocked_signals;
  SignalSet mask = old;
  if (call.address(1) != GuestAddr(0)) {
    const auto set = read_set(call, call.address(1));
    if (!set) return CallResult::failure(set.error());
    const auto changed = changed_mask(call.system.sigaction, call.argument(0), old, *set);
    if (!changed) return CallResult::failure(Errno::einval);
    mask = *changed;
  }
  if (call.address(2) != GuestAddr(0)) {
    const CallResult written = write_set(call, call.address(2), old);
    if (written.kind == CallResult::Kind::error) return written;
  }
  call.thread.blocked_signals = blockable(call.system.signals, mask);
  return CallResult::value(0);
}

CallResult sigpending(Call& call) {
  return write_set(call, call.address(0), pending_for(call.thread) & call.thread.blocked_signals);
}

// Always ends with EINTR, after the handler; the handler's return restores the old mask.
CallResult suspend_with(Call& call, SignalSet mask) {
  if (!call.thread.mask_after_wait) call.thread.mask_after_wait = call.thread.blocked_signals;
  call.thread.blocked_signals = blockable(call.system.signals, mask);
  return CallResult::wait({.event = NoEvent{}, .on_signal = Interruptible{}});
}

CallResult sigsuspend(Call& call) {
  const auto mask = read_set(call, call.address(0));
  if (!mask) return CallResult::failure(mask.error());
  return suspend_with(call, *mask);
}

namespace {

struct Sigvec {
  GuestAddr handler;
  std::uint32_t mask = 0, flags = 0;

  void lay_out(auto& members) { members.pointer(handler).word(mask).word(flags); }
};

// The words have to be at their alignment.
Result<Sigvec, Errno> read_sigvec(Call& call, GuestAddr address) {
  GuestReader reader(call, address);
  Sigvec vector;
  vector.lay_out(reader);
  if (!reader.ok() || address.value() % 4 != 0) return Failure{Errno::efault};
  return vector;
}

CallResult write_sigvec(Call& call, GuestAddr address, const SignalAction& action) {
  GuestStruct members(call);
  Sigvec{GuestAddr(handler_word(action)), low_word(action.mask), action.flags}.lay_out(members);
  return members.store(call, address);
}

// None: a flag is none of the system's.
std::optional<SignalAction> to_action(const Call& call, const Sigvec& vector) {
  const SigvecFlags& known = call.system.sigvec;
  const auto has = [&](std::uint32_t flag) { return (vector.flags & flag) != 0; };
  if (has(sv_onstack) && known.on_stack == 0) return std::nullopt;
  SignalAction action;
  put_handler(action, vector.handler.value());
  action.mask = blockable(call.system.signals, SignalSet(vector.mask));
  action.flags = vector.flags;
  action.on_alternate_stack = has(known.on_stack);
  action.restarts_calls = known.restart != 0 ? has(known.restart) : !has(known.interrupt);
  action.resets_to_default = has(known.reset_handler);
  return action;
}

}  // namespace

CallResult sigvec(Call& call) {
  const std::uint32_t number = call.argument(0);
  if (!is_signal(call, number)) return CallResult::failure(Errno::einval);
  const SignalAction old = call.process.signals.action(number);
  std::optional<SignalAction> wanted;
  if (call.address(1) != GuestAddr(0)) {
    const auto vector = read_sigvec(call, call.address(1));
    if (!vector) return CallResult::failure(vector.error());
    wanted = to_action(call, *vector);
    const bool ignores_cont = number == call.system.signals.cont &&
                              !call.system.signals.can_block_cont && wanted &&
                              wanted->kind == SignalAction::Kind::ignore;
    if (!wanted || is_uncatchable(call.system.signals, number) || ignores_cont) {
      return CallResult::failure(Errno::einval);
    }
  }
  if (call.address(2) != GuestAddr(0)) {
    const CallResult written = write_sigvec(call, call.address(2), old);
    if (written.kind == CallResult::Kind::error) return written;
  }
  if (wanted) set_action(call, number, *wanted);
  return CallResult::value(0);
}

CallResult sigblock(Call& call) {
  SignalSet& mask = call.thread.blocked_signals;
  const std::uint32_t old = low_word(mask);
  mask = blockable(call.system.signals, mask | SignalSet(call.argument(0)));
  return CallResult::value(old);
}

CallResult sigsetmask(Call& call) {
  const std::uint32_t old = low_word(call.thread.blocked_signals);
  call.thread.blocked_signals = blockable(call.system.signals, SignalSet(call.argument(0)));
  return CallResult::value(old);
}

CallResult sigpause(Call& call) {
  return suspend_with(call, SignalSet(call.argument(0)));
}

// Back to what the saved context holds.
CallResult sigreturn(Call& call) {
  call.simulation().charge(call.thread, call.simulation().kernel_costs().signal_return);
  const bool taken = call.port().take_up_sigcontext(call.system, call.thread, call.address(0));
  return taken ? CallResult::no_return() : CallResult::failure(Errno::einval);
}

// context(SETCONTEXT, ucontext) of System V.4: how handlers return there, and priced as that.
CallResult setcontext(Call& call) {
  call.simulation().charge(call.thread, call.simulation().kernel_costs().signal_return);
  const auto taken = call.port().take_up_ucontext(call.system, call.thread, call.address(1));
  return taken ? CallResult::no_return() : CallResult::failure(Errno::efault);
}

}  // namespace calls
}  // namespace hardclock::posix
