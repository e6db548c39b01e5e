// Waiting for time to pass, and leaving the processor to others. Time passes in clock ticks, as in
// the kernels' timeouts: a sleep ends with the first tick at which it has lasted long enough. Those
// of Linux are hrtimers (kernel/time/hrtimer.c), which need no tick where the clock can interrupt
// at any time.
#include <algorithm>
#include <optional>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/timers.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

constexpr std::uint64_t nanoseconds_per_second = 1'000'000'000;

}  // namespace

Ticks deadline_after(const Call& call, std::uint64_t seconds, std::uint64_t nanoseconds) {
  const std::uint64_t rate = call.simulation().clock().tick_rate().value();
  const std::uint64_t part =
      (nanoseconds * rate + nanoseconds_per_second - 1) / nanoseconds_per_second;
  // One more: the tick that is under way may be almost over.
  return call.simulation().clock().ticks() + Ticks(seconds * rate + part + 1);
}

Deadline end_after(const Call& call, const TimeSpan& time, std::uint64_t slack) {
  if (!call.system.has_exact_timers) return deadline_after(call, time.seconds, time.nanoseconds);
  const VirtualClock& clock = call.simulation().clock();
  const std::uint64_t end =
      nanoseconds_of(clock) + time.seconds * nanoseconds_per_second + time.nanoseconds;
  Deadline deadline = tick_of(end, clock.tick_rate());
  if (call.port().timers_interrupt) deadline.moment = cycle_of(end + slack, clock);
  return deadline;
}

std::uint64_t sleep_slack(const Call& call) {
  return std::min(call.state.timer_slack, nanoseconds_per_second);
}

std::uint64_t event_slack(const Call& call, const TimeSpan& time) {
  constexpr std::uint64_t most = 100'000'000, part = 1000, part_if_nice = 200;
  const std::uint64_t whole =
      std::min<std::uint64_t>(time.seconds, 1000) * nanoseconds_per_second + time.nanoseconds;
  const std::uint64_t slack = whole / (call.state.nice > 0 ? part_if_nice : part);
  return std::max(std::min(slack, most), sleep_slack(call));
}

CallResult sleep_until(Call& call, const Deadline& deadline, const OnSignal& on_signal) {
  const Deadline until = call.first_deadline(deadline);
  if (until.has_come(call.simulation().clock())) return CallResult::value(0);
  return CallResult::wait({.event = NoEvent{}, .on_signal = on_signal, .until = until});
}

std::optional<std::uint64_t> tell_time_left(Call& call, const TellsTimeLeft& form,
                                            const Deadline& end) {
  const VirtualClock& clock = call.simulation().clock();
  const Ticks ticks = end.tick - std::min(end.tick, clock.ticks());
  const std::uint64_t left = form.end ? *form.end - std::min(*form.end, nanoseconds_of(clock))
                                      : time_of(ticks, clock.tick_rate());
  const std::uint64_t seconds = left / nanoseconds_per_second;
  const std::uint64_t nanoseconds = left % nanoseconds_per_second;
  switch (form.form) {
    case TellsTimeLeft::Form::result:
      return ticks.value() * form.rate.value() / clock.tick_rate().value();
    case TellsTimeLeft::Form::longs:
      (void)GuestStruct(call).time(seconds).word_long(nanoseconds).store(call, form.address);
      return std::nullopt;
    case TellsTimeLeft::Form::wide_fields:
      (void)GuestStruct(call).wide(seconds).wide(nanoseconds).store(call, form.address);
      return std::nullopt;
  }
  CHECK(false);
}

// nanosleep(time, left): EINTR if a handler ended it; then `left` has the rest of the time.
CallResult nanosleep(Call& call) {
  GuestReader timespec(call, call.address(0));
  const std::int64_t seconds = timespec.time(), nanoseconds = timespec.signed_long();
  if (!timespec.ok()) return CallResult::failure(Errno::efault);
  constexpr std::int64_t longest = 0x7fffffff;
  if (seconds < 0 || seconds > longest || nanoseconds < 0 ||
      nanoseconds >= static_cast<std::int64_t>(nanoseconds_per_second)) {
    return CallResult::failure(Errno::einval);
  }
  if (seconds == 0 && nanoseconds == 0) return CallResult::value(0);
  const Ticks deadline = deadline_after(call, static_cast<std::uint64_t>(seconds),
                                        static_cast<std::uint64_t>(nanoseconds));
  if (call.is_null(1)) return sleep_until(call, deadline, Interruptible{});
  return sleep_until(call, deadline,
                     TellsTimeLeft{.form = TellsTimeLeft::Form::longs, .address = call.address(1)});
}

// sched_yield(2) of POSIX.1b: every other thread that can run does so first.
CallResult sched_yield(Call& call) {
  if (call.thread.wait_before() != nullptr) return CallResult::value(0);
  return CallResult::wait({.event = OthersTurn{}, .on_signal = Interruptible{}});
}

}  // namespace hardclock::posix::calls
