// futex(2). Source: Linux 6.1, kernel/futex.
#include <algorithm>
#include <optional>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sleepers.h"

namespace hardclock::gnu_linux::calls {
namespace {

// The operations; the flags above them say who shares the word and which clock counts. Sharing
// needs no flag here: the place knows (sleepers.h).
constexpr std::uint32_t futex_command = 0x7f, futex_clock_realtime = 0x100;
enum FutexCommand : std::uint32_t {
  futex_wait = 0,
  futex_wake = 1,
  futex_requeue = 3,
  futex_cmp_requeue = 4,
  futex_wake_op = 5,
  futex_wait_bitset = 9,
  futex_wake_bitset = 10,
};

// FUTEX_WAIT's time limit is relative, FUTEX_WAIT_BITSET's a time of the clock.
Result<TimeLimit, Errno> futex_limit(Call& call, TimeForm form) {
  const std::uint32_t operation = call.argument(1);
  const auto time = read_time(call, 3, form);
  if (!time || !*time || (operation & futex_command) == futex_wait) return time;
  constexpr std::uint32_t realtime = 0, monotonic = 1;
  const std::uint32_t clock = (operation & futex_clock_realtime) != 0 ? realtime : monotonic;
  return TimeLimit(difference(time_now(call, clock), **time).value_or(TimeSpan{}));
}

CallResult wait_at(Call& call, TimeForm form, std::uint32_t mask) {
  switch (posix::slept(call)) {
    case posix::Slept::woken:
      return CallResult::value(0);
    case posix::Slept::time_over:
      return CallResult::failure(Errno::etimedout);
    case posix::Slept::not_yet:
      break;
  }
  if (mask == 0) return CallResult::failure(Errno::einval);
  const auto limit = futex_limit(call, form);
  if (!limit) return CallResult::failure(limit.error());
  const GuestAddr where = call.address(0);
  const auto word = call.memory.read<std::uint32_t>(where);
  if (!word) return CallResult::failure(Errno::efault);
  if (*word != call.argument(2)) return CallResult::failure(Errno::eagain);
  const posix::SleepPlace place = posix::sleep_place(call.memory, where);
  if (!*limit) return posix::fall_asleep(call, place, mask, std::nullopt, Restartable{});
  const TimeSpan time = **limit;
  if (time.seconds == 0 && time.nanoseconds == 0) return CallResult::failure(Errno::etimedout);
  const Deadline until = call.first_deadline(end_after(call, time, sleep_slack(call)));
  return posix::fall_asleep(call, place, mask, until, Interruptible{});
}

// At least one, if there is one.
std::uint64_t most_woken(std::int32_t asked) {
  return static_cast<std::uint64_t>(std::max(asked, 1));
}

CallResult wake_at(Call& call, std::uint32_t mask) {
  if (mask == 0) return CallResult::failure(Errno::einval);
  return CallResult::value(call.os.sleepers().wake(posix::sleep_place(call.memory, call.address(0)),
                                                   mask, most_woken(call.signed_argument(2))));
}

// (word, operation, wake, move, word2, expected). The result counts both, those that were woken and
// those that sleep elsewhere now.
CallResult requeue(Call& call, bool compares) {
  const std::int32_t wake = call.signed_argument(2), move = call.signed_argument(3);
  if (wake < 0 || move < 0) return CallResult::failure(Errno::einval);
  const auto word = call.memory.read<std::uint32_t>(call.address(0));
  if (!word || !call.memory.probe(call.address(4), 4, Access::read)) {
    return CallResult::failure(Errno::efault);
  }
  if (compares && *word != call.argument(5)) return CallResult::failure(Errno::eagain);
  const posix::SleepPlace from = posix::sleep_place(call.memory, call.address(0));
  const posix::SleepPlace to = posix::sleep_place(call.memory, call.address(4));
  posix::Sleepers& sleepers = call.os.sleepers();
  const std::uint64_t woken =
      sleepers.wake(from, posix::any_sleeper, static_cast<std::uint64_t>(wake));
  return CallResult::value(woken + sleepers.move(from, to, static_cast<std::uint64_t>(move)));
}

// What FUTEX_WAKE_OP does to the second word, and what decides whether it wakes there.
struct WakeOperation {
  explicit WakeOperation(std::uint32_t code)
      : operation(code >> 28 & 7),
        comparison(code >> 24 & 15),
        operand(static_cast<std::int32_t>(code << 8) >> 20),
        compared(static_cast<std::int32_t>(code << 20) >> 20) {
    constexpr std::uint32_t operand_is_shift = 0x80000000;
    if ((code & operand_is_shift) != 0) operand = static_cast<std::int32_t>(1U << (operand & 31));
  }

  std::optional<std::uint32_t> apply(std::uint32_t old) const {
    const auto with = static_cast<std::uint32_t>(operand);
    switch (operation) {
      case 0:
        return with;
      case 1:
        return old + with;
      case 2:
        return old | with;
      case 3:
        return old & ~with;
      case 4:
        return old ^ with;
      default:
        return std::nullopt;
    }
  }
  std::optional<bool> holds(std::uint32_t old) const {
    const auto value = static_cast<std::int32_t>(old);
    switch (comparison) {
      case 0:
        return value == compared;
      case 1:
        return value != compared;
      case 2:
        return value < compared;
      case 3:
        return value <= compared;
      case 4:
        return value > compared;
      case 5:
        return value >= compared;
      default:
        return std::nullopt;
    }
  }

  std::uint32_t operation, comparison;
  std::int32_t operand, compared;
};

// (word, operation, wake, wake2, word2, code)
CallResult wake_and_change(Call& call) {
  const WakeOperation change(call.argument(5));
  const auto old = call.memory.read<std::uint32_t>(call.address(4));
  if (!old) return CallResult::failure(Errno::efault);
  const auto changed = change.apply(*old);
  const auto wakes_second = change.holds(*old);
  if (!changed || !wakes_second) return CallResult::failure(Errno::enosys);
  if (!call.memory.write(call.address(4), *changed)) return CallResult::failure(Errno::efault);
  posix::Sleepers& sleepers = call.os.sleepers();
  std::uint64_t woken = sleepers.wake(posix::sleep_place(call.memory, call.address(0)),
                                      posix::any_sleeper, most_woken(call.signed_argument(2)));
  if (*wakes_second) {
    woken += sleepers.wake(posix::sleep_place(call.memory, call.address(4)), posix::any_sleeper,
                           most_woken(call.signed_argument(3)));
  }
  return CallResult::value(woken);
}

}  // namespace

CallResult futex_in(Call& call, TimeForm form) {
  if (call.address(0).value() % 4 != 0) return CallResult::failure(Errno::einval);
  switch (call.argument(1) & futex_command) {
    case futex_wait:
      return wait_at(call, form, posix::any_sleeper);
    case futex_wait_bitset:
      return wait_at(call, form, call.argument(5));
    case futex_wake:
      return wake_at(call, posix::any_sleeper);
    case futex_wake_bitset:
      return wake_at(call, call.argument(5));
    case futex_requeue:
      return requeue(call, false);
    case futex_cmp_requeue:
      return requeue(call, true);
    case futex_wake_op:
      return wake_and_change(call);
    default:
      return CallResult::failure(Errno::enosys);
  }
}

}  // namespace hardclock::gnu_linux::calls
