#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/fields.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/longs.h"
#include "syscalls/posix/signals.h"
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

SignalSet to_set(std::span<const std::uint32_t> words) {
  SignalSet set;
  for (std::size_t i = 0; i < words.size(); ++i) set |= SignalSet(words[i]) << (32 * i);
  return set;
}

void put_set(const SignalSet& set, std::span<std::uint32_t> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = static_cast<std::uint32_t>(((set >> (32 * i)) & SignalSet(0xffffffff)).to_ulong());
  }
}

Result<std::vector<std::uint32_t>, Errno> read_words(Call& call, GuestAddr address,
                                                     std::size_t count) {
  std::vector<std::uint32_t> words(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto word = call.memory.read<std::uint32_t>(address + 4 * i);
    if (!word) return Failure{Errno::efault};
    words[i] = *word;
  }
  return words;
}

Result<SignalSet, Errno> read_set(Call& call, GuestAddr address) {
  const auto words = read_words(call, address, call.system.sigaction.mask_words);
  if (!words) return Failure{words.error()};
  return to_set(*words);
}

CallResult write_set(Call& call, GuestAddr address, const SignalSet& set) {
  std::vector<std::uint32_t> words(call.system.sigaction.mask_words);
  put_set(set, words);
  return write_words(call, address, words, CallResult::value(0));
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

// The offsets of the fields of a struct sigaction, in bytes. A 64-bit handler is aligned, which
// moves the fields after it.
struct ActionOffsets {
  std::size_t flags, handler, mask, size;
};

ActionOffsets offsets_of(const SigactionLayout& layout, unsigned pointer_bytes) {
  const auto aligned = [&](std::size_t at) {
    return (at + pointer_bytes - 1) / pointer_bytes * pointer_bytes;
  };
  const std::size_t handler = aligned(4 * layout.handler);
  const std::size_t moved = handler + pointer_bytes - (4 * layout.handler + 4);
  const auto at = [&](unsigned word) { return 4 * word + (word > layout.handler ? moved : 0); };
  return {at(layout.flags), handler, at(layout.mask), aligned(4 * layout.words + moved)};
}

std::vector<std::uint8_t> to_guest(const Call& call, const SignalAction& action) {
  const SigactionLayout& layout = call.system.sigaction;
  const unsigned pointer_bytes = long_bytes(call);
  const ActionOffsets at = offsets_of(layout, pointer_bytes);
  std::vector<std::uint8_t> bytes(at.size);
  Fields fields(bytes, call.memory.endian());
  fields.put32(at.flags, action.flags);
  if (pointer_bytes == 8) {
    fields.put64(at.handler, handler_word(action));
  } else {
    fields.put32(at.handler, handler_word(action));
  }
  std::vector<std::uint32_t> mask(layout.mask_words);
  put_set(action.mask, mask);
  for (std::size_t i = 0; i < mask.size(); ++i) fields.put32(at.mask + 4 * i, mask[i]);
  return bytes;
}

SignalAction from_guest(const Call& call, std::span<std::uint8_t> bytes, GuestAddr trampoline) {
  const SigactionLayout& layout = call.system.sigaction;
  const unsigned pointer_bytes = long_bytes(call);
  const ActionOffsets at = offsets_of(layout, pointer_bytes);
  const Fields fields(bytes, call.memory.endian());
  SignalAction action;
  action.flags = fields.get32(at.flags);
  action.restarts_calls = (action.flags & layout.restart) != 0;
  action.resets_to_default = (action.flags & layout.reset_handler) != 0;
  action.defers_itself = (action.flags & layout.no_defer) == 0;
  action.wants_info = (action.flags & layout.with_info) != 0;
  action.on_alternate_stack = (action.flags & layout.on_stack) != 0;
  action.discards_children = (action.flags & layout.no_child_wait) != 0;
  action.ignores_child_stops = (action.flags & layout.no_child_stop) != 0;
  action.trampoline = trampoline;
  std::vector<std::uint32_t> mask(layout.mask_words);
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = fields.get32(at.mask + 4 * i);
  action.mask = blockable(call.system.signals, to_set(mask));
  put_handler(action, pointer_bytes == 8 ? fields.get64(at.handler) : fields.get32(at.handler));
  return action;
}

bool is_signal(const Call& call, std::uint32_t signal) {
  return signal != 0 && signal <= call.system.signals.last;
}

void forget_pending(Call& call, unsigned signal) {
  call.process.signals.pending.reset(signal - 1);
  call.state.pending.forget(signal);
}

// Puts the action in place. A signal that is ignored from now on is no longer pending (POSIX.1,
// sigaction()).
void set_action(Call& call, unsigned signal, const SignalAction& action) {
  call.process.signals.action(signal) = action;
  if (is_ignored(call.system.signals, call.process, signal)) forget_pending(call, signal);
}

SignalSet low_word(std::uint32_t mask) {
  return SignalSet(mask);
}

}  // namespace

CallResult pause(Call&) {
  return CallResult::wait({.event = NoEvent{}, .on_signal = Interruptible{}});
}

// signal(2) of V7: the action falls back to the default when the handler starts, nothing is blocked
// meanwhile, and a pending signal is forgotten. Returns the old action.
CallResult signal(Call& call) {
  const std::uint32_t number = call.argument(0);
  if (!is_signal(call, number) || is_uncatchable(call.system.signals, number)) {
    return CallResult::failure(Errno::einval);
  }
  const std::uint64_t old = handler_word(call.process.signals.action(number));
  SignalAction action;
  put_handler(action, call.address(1).value());
  action.resets_to_default =
      std::ranges::find(kept_on_delivery, number) == std::end(kept_on_delivery);
  action.defers_itself = false;
  set_action(call, number, action);
  forget_pending(call, number);
  return CallResult::value(old);
}

CallResult sigaction_at(Call& call, std::size_t first, GuestAddr trampoline) {
  const std::uint32_t number = call.argument(first);
  if (!is_signal(call, number)) return CallResult::failure(Errno::einval);
  const SignalAction old = call.process.signals.action(number);
  std::optional<SignalAction> wanted;
  if (call.address(first + 1) != GuestAddr(0)) {
    std::vector<std::uint8_t> bytes(offsets_of(call.system.sigaction, long_bytes(call)).size);
    if (!call.memory.read_bytes(call.address(first + 1), bytes)) {
      return CallResult::failure(Errno::efault);
    }
    if (is_uncatchable(call.system.signals, number)) return CallResult::failure(Errno::einval);
    wanted = from_guest(call, bytes, trampoline);
  }
  if (call.address(first + 2) != GuestAddr(0)) {
    if (!call.memory.write_bytes(call.address(first + 2), to_guest(call, old))) {
      return CallResult::failure(Errno::efault);
    }
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
  return write_set(call, call.address(0),
                   call.process.signals.pending & call.thread.blocked_signals);
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
  std::uint64_t handler = 0;
  std::uint32_t mask = 0, flags = 0;
};

Result<Sigvec, Errno> read_sigvec(Call& call, GuestAddr address) {
  const auto handler = read_pointer(call, address);
  if (!handler) return Failure{handler.error()};
  const auto words = read_words(call, address + long_bytes(call), 2);
  if (!words) return Failure{words.error()};
  return Sigvec{handler->value(), (*words)[0], (*words)[1]};
}

CallResult write_sigvec(Call& call, GuestAddr address, const SignalAction& action) {
  const CallResult done = CallResult::value(0);
  const std::uint64_t handler[] = {handler_word(action)};
  const CallResult written = write_longs(call, address, handler, done);
  if (written.kind == CallResult::Kind::error) return written;
  std::array<std::uint32_t, 2> words{0, action.flags};
  put_set(action.mask, std::span(words).first(1));
  return write_words(call, address + long_bytes(call), words, done);
}

// None: a flag is none of the system's.
std::optional<SignalAction> to_action(const Call& call, const Sigvec& vector) {
  const SigvecFlags& known = call.system.sigvec;
  const auto has = [&](std::uint32_t flag) { return (vector.flags & flag) != 0; };
  if (has(sv_onstack) && known.on_stack == 0) return std::nullopt;
  SignalAction action;
  put_handler(action, vector.handler);
  action.mask = blockable(call.system.signals, low_word(vector.mask));
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
  std::array<std::uint32_t, 1> old;
  put_set(mask, old);
  mask = blockable(call.system.signals, mask | low_word(call.argument(0)));
  return CallResult::value(old[0]);
}

CallResult sigsetmask(Call& call) {
  std::array<std::uint32_t, 1> old;
  put_set(call.thread.blocked_signals, old);
  call.thread.blocked_signals = blockable(call.system.signals, low_word(call.argument(0)));
  return CallResult::value(old[0]);
}

CallResult sigpause(Call& call) {
  return suspend_with(call, low_word(call.argument(0)));
}

// Back to what the saved context holds.
CallResult sigreturn(Call& call) {
  call.simulation.charge(call.thread, call.simulation.kernel_costs().signal_return);
  const bool taken = call.port().take_up_sigcontext(call.system, call.thread, call.address(0));
  return taken ? CallResult::no_return() : CallResult::failure(Errno::einval);
}

// context(SETCONTEXT, ucontext) of System V.4: how handlers return there, and priced as that.
CallResult setcontext(Call& call) {
  call.simulation.charge(call.thread, call.simulation.kernel_costs().signal_return);
  const auto taken = call.port().take_up_ucontext(call.system, call.thread, call.address(1));
  return taken ? CallResult::no_return() : CallResult::failure(Errno::efault);
}

}  // namespace calls
}  // namespace hardclock::posix
