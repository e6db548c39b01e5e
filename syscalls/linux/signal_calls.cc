#include <optional>
#include <utility>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestReader;
using posix::GuestStruct;

constexpr std::uint64_t sig_dfl = 0, sig_ign = 1;

std::uint64_t set_bytes(const Call& call) {
  return call.system.signals.last / 8;
}

// The kernel accepts no other size of a sigset_t.
bool is_set_size(const Call& call, std::size_t argument) {
  return call.arguments[argument] == set_bytes(call);
}

// ---- struct sigaction: sa_flags and sa_handler in either order, sa_mask. sa_flags is an unsigned
// int on MIPS, where it comes first, and a long elsewhere. The call of old o32 programs has a mask
// of one word and three that are not used.

std::uint64_t handler_word(const SignalAction& action) {
  if (action.kind == SignalAction::Kind::default_action) return sig_dfl;
  return action.kind == SignalAction::Kind::ignore ? sig_ign : action.handler.value();
}

bool flags_come_first(const Call& call) {
  return call.system.sigaction.flags < call.system.sigaction.handler;
}

GuestStruct to_guest(const Call& call, const SignalAction& action) {
  GuestStruct members(call);
  if (flags_come_first(call)) {
    members.word(action.flags).word_long(handler_word(action));
  } else {
    members.word_long(handler_word(action)).word_long(action.flags);
  }
  return members.signal_longs(action.mask, call.system.signals.last);
}

Result<SignalAction, Errno> read_action(Call& call, GuestAddr address, bool old_form) {
  GuestReader members(call, address);
  SignalAction action;
  if (flags_come_first(call)) action.flags = members.word();
  action.handler = GuestAddr(members.word_long());
  if (!flags_come_first(call)) {
    action.flags = static_cast<std::uint32_t>(members.word_long());
  }
  const SignalSet mask =
      old_form ? SignalSet(members.word()) : members.signal_longs(call.system.signals.last);
  if (!members.ok()) return Failure{Errno::efault};
  action.mask = posix::blockable(call.system.signals, mask);
  action.kind = action.handler == GuestAddr(sig_dfl)   ? SignalAction::Kind::default_action
                : action.handler == GuestAddr(sig_ign) ? SignalAction::Kind::ignore
                                                       : SignalAction::Kind::handler;
  const posix::SigactionLayout& known = call.system.sigaction;
  action.restarts_calls = (action.flags & known.restart) != 0;
  action.resets_to_default = (action.flags & known.reset_handler) != 0;
  action.defers_itself = (action.flags & known.no_defer) == 0;
  action.wants_info = (action.flags & known.with_info) != 0;
  action.on_alternate_stack = (action.flags & known.on_stack) != 0;
  action.discards_children = (action.flags & known.no_child_wait) != 0;
  action.ignores_child_stops = (action.flags & known.no_child_stop) != 0;
  return action;
}

std::uint32_t low_word(const SignalSet& set) {
  return static_cast<std::uint32_t>((set & SignalSet(0xffffffff)).to_ullong());
}

// What a program says in siginfo_t of a signal that it queues.
struct Origin {
  std::int32_t code = 0;
  std::uint64_t value = 0;
  // Of another process only the kernel may say that it or kill() sent the signal
  // (rt_sigqueueinfo(2), EPERM).
  bool is_a_programs() const {
    constexpr std::int32_t si_tkill = -6;
    return code < 0 && code != si_tkill;
  }
};

Result<Origin, Errno> read_origin(Call& call, GuestAddr info) {
  GuestReader members(call, info);
  Origin origin;
  (void)members.word();
  const std::uint32_t second = members.word(), third = members.word();
  origin.code =
      static_cast<std::int32_t>(uapi_of(call.system).code_precedes_errno ? second : third);
  if (call.abi().long_bytes() == 8) members.skip(4);
  members.skip(8);  // si_pid, si_uid
  origin.value = members.word_long();
  if (!members.ok()) return Failure{Errno::efault};
  return origin;
}

// sigprocmask(how, set, old_set); `read` and `write` define the form of the sets.
template <class Read, class Write>
CallResult change_mask(Call& call, Read read, Write write) {
  const SignalSet old = call.thread.blocked_signals;
  SignalSet mask = old;
  if (call.address(1) != GuestAddr(0)) {
    GuestReader members(call, call.address(1));
    const SignalSet set = read(members);
    if (!members.ok()) return CallResult::failure(Errno::efault);
    const auto changed = posix::changed_mask(call.system.sigaction, call.argument(0), old, set);
    if (!changed) return CallResult::failure(Errno::einval);
    mask = *changed;
  }
  if (call.address(2) != GuestAddr(0)) {
    GuestStruct members(call);
    write(members, old);
    const CallResult told = members.store(call, call.address(2));
    if (told.kind == CallResult::Kind::error) return told;
  }
  call.thread.blocked_signals = posix::blockable(call.system.signals, mask);
  return CallResult::value(0);
}

}  // namespace

CallResult change_action(Call& call, bool old_form) {
  const std::uint32_t number = call.argument(0);
  if (number == 0 || number > call.system.signals.last) return CallResult::failure(Errno::einval);
  SignalAction& action = call.process.signals.action(number);
  std::optional<SignalAction> wanted;
  if (call.address(1) != GuestAddr(0)) {
    const auto read = read_action(call, call.address(1), old_form);
    if (!read) return CallResult::failure(read.error());
    if (posix::is_uncatchable(call.system.signals, number)) {
      return CallResult::failure(Errno::einval);
    }
    wanted = *read;
  }
  if (call.address(2) != GuestAddr(0)) {
    const CallResult told = to_guest(call, action).store(call, call.address(2));
    if (told.kind == CallResult::Kind::error) return told;
  }
  if (!wanted) return CallResult::value(0);
  action = *wanted;
  // POSIX.1, sigaction(): a signal that is ignored from now on is no longer pending.
  if (posix::is_ignored(call.system.signals, call.process, number)) {
    posix::drop_pending(call.process, number);
  }
  return CallResult::value(0);
}

CallResult rt_sigaction(Call& call) {
  if (!is_set_size(call, 3)) return CallResult::failure(Errno::einval);
  return change_action(call, false);
}

CallResult rt_sigprocmask(Call& call) {
  if (!is_set_size(call, 3)) return CallResult::failure(Errno::einval);
  return change_mask(
      call, [&](GuestReader& members) { return members.signal_longs(call.system.signals.last); },
      [&](GuestStruct& members, const SignalSet& set) {
        members.signal_longs(set, call.system.signals.last);
      });
}

// Only the first 32 signals; the others do not change even with SIG_SETMASK (kernel/signal.c).
CallResult sigprocmask(Call& call) {
  const SignalSet low(0xffffffff);
  const SignalSet high = call.thread.blocked_signals & ~low;
  const bool replaces = call.argument(0) == call.system.sigaction.set_mask;
  return change_mask(
      call,
      [&](GuestReader& members) {
        return SignalSet(members.word()) | (replaces ? high : SignalSet());
      },
      [&](GuestStruct& members, const SignalSet& set) { members.word(low_word(set)); });
}

CallResult rt_sigpending(Call& call) {
  if (call.arguments[1] > set_bytes(call)) return CallResult::failure(Errno::einval);
  GuestStruct members(call);
  members.signal_longs(posix::pending_for(call.thread) & call.thread.blocked_signals,
                       call.system.signals.last);
  return members.store(call, call.address(0));
}

// The old form: the first 32 signals.
CallResult sigpending(Call& call) {
  return GuestStruct(call)
      .word(low_word(posix::pending_for(call.thread) & call.thread.blocked_signals))
      .store(call, call.address(0));
}

CallResult sgetmask(Call& call) {
  return CallResult::value(low_word(call.thread.blocked_signals));
}

// The old mask. All signals behind the first 32 are free afterwards (kernel/signal.c).
CallResult ssetmask(Call& call) {
  const std::uint32_t old = low_word(call.thread.blocked_signals);
  call.thread.blocked_signals = posix::blockable(call.system.signals, SignalSet(call.argument(0)));
  return CallResult::value(old);
}

// rt_sigqueueinfo(process, signal, info): sigqueue(3) of the C library.
CallResult rt_sigqueueinfo(Call& call) {
  const auto origin = read_origin(call, call.address(2));
  if (!origin) return CallResult::failure(origin.error());
  const std::int32_t pid = call.signed_argument(0);
  if (!origin->is_a_programs() && pid != call.process.pid) {
    return CallResult::failure(Errno::eperm);
  }
  return send_value(call, pid, call.argument(1), origin->code, origin->value);
}

CallResult rt_sigsuspend(Call& call) {
  if (!is_set_size(call, 1)) return CallResult::failure(Errno::einval);
  GuestReader members(call, call.address(0));
  const SignalSet mask = members.signal_longs(call.system.signals.last);
  if (!members.ok()) return CallResult::failure(Errno::efault);
  return suspend_with(call, mask);
}

// The call that waits, and so runs again, has taken the mask already.
CallResult with_signal_mask(Call& call, std::size_t mask, posix::Handler handler) {
  Thread& thread = call.thread;
  if (!call.is_null(mask) && thread.wait_before() == nullptr) {
    if (!is_set_size(call, mask + 1)) return CallResult::failure(Errno::einval);
    GuestReader members(call, call.address(mask));
    const SignalSet wanted = members.signal_longs(call.system.signals.last);
    if (!members.ok()) return CallResult::failure(Errno::efault);
    thread.mask_after_wait = thread.blocked_signals;
    thread.blocked_signals = posix::blockable(call.system.signals, wanted);
  }
  const CallResult result = handler(call);
  if (result.kind != CallResult::Kind::wait && thread.mask_after_wait) {
    thread.blocked_signals = *std::exchange(thread.mask_after_wait, std::nullopt);
  }
  return result;
}

CallResult leave_handler(Call& call, bool with_info) {
  call.simulation().charge(call.thread, call.simulation().kernel_costs().signal_return);
  if (!call.port().pop_handler(call.system, call.thread, with_info)) {
    call.os.signals().post(call.process, posix::sigsegv);
  }
  return CallResult::no_return();
}

}  // namespace hardclock::gnu_linux::calls
