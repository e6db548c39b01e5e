// setitimer(2) and alarm(2). Source: Linux 6.1, kernel/time/itimer.c.
#include <algorithm>

#include "syscalls/linux/calls.h"
#include "syscalls/posix/cpu_clock.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/timers.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::CpuClock;
using One = posix::IntervalTimers::One;

constexpr std::uint64_t per_second = 1'000'000'000, per_microsecond = 1000;  // nanoseconds

enum Which : std::uint32_t { real_timer, virtual_timer, prof_timer, timer_count };

One& timer_of(Call& call, std::uint32_t which) {
  posix::IntervalTimers& timers = call.state.interval_timers;
  if (which == real_timer) return timers.real;
  return which == virtual_timer ? timers.virtual_ : timers.prof;
}

std::uint64_t tick_of(const Call& call) {
  return per_second / call.simulation().clock().tick_rate().value();
}

// The time that the timer counts.
std::uint64_t now_of(const Call& call, std::uint32_t which) {
  if (which == real_timer) return posix::nanoseconds_of(call.simulation().clock());
  const auto what = which == virtual_timer ? CpuClock::What::user_ticks : CpuClock::What::ticks;
  return *posix::time_of(call.simulation(), {.what = what, .pid = call.process.pid});
}

// The real timer stands still until its signal is taken. One of used time that is late says a tick;
// if `at_once` also when it is due just now.
std::uint64_t left_of(Call& call, std::uint32_t which, bool at_once) {
  const One& timer = timer_of(call, which);
  const std::uint64_t now = now_of(call, which);
  if (timer.next == 0 || timer.is_sent) return 0;
  if (which == real_timer) return timer.next > now ? timer.next - now : per_microsecond;
  const bool is_late = timer.next < now || (at_once && timer.next == now);
  return is_late ? tick_of(call) : timer.next - now;
}

// A timer of used time lasts a tick longer, for the one under way may be almost over.
void set_timer(Call& call, std::uint32_t which, const One& setting) {
  One& timer = timer_of(call, which);
  timer = {};
  if (setting.next != 0) {
    timer.next = now_of(call, which) + setting.next + (which == real_timer ? 0 : tick_of(call));
  }
  if (setting.next != 0 || which != real_timer) timer.interval = setting.interval;
  call.simulation().update_alarm();
}

// struct itimerval {struct timeval it_interval, it_value}
CallResult write_setting(Call& call, std::size_t argument, std::uint64_t interval,
                         std::uint64_t value) {
  posix::GuestStruct members(call);
  for (const std::uint64_t time : {interval, value}) {
    members.time(time / per_second).word_long(time % per_second / per_microsecond);
  }
  return members.store(call, call.address(argument));
}

// What is to be set, as `next` from now on. An address of 0 is a setting of zeros.
Result<One, Errno> read_setting(Call& call, std::size_t argument) {
  constexpr std::int64_t microseconds_per_second = 1'000'000, longest = 4'000'000'000;
  One setting;
  if (call.is_null(argument)) return setting;
  posix::GuestReader reader(call, call.address(argument));
  bool is_valid = true;
  for (std::uint64_t* const time : {&setting.interval, &setting.next}) {
    const std::int64_t seconds = reader.time(), microseconds = reader.signed_long();
    is_valid =
        is_valid && seconds >= 0 && microseconds >= 0 && microseconds < microseconds_per_second;
    *time = static_cast<std::uint64_t>(std::clamp<std::int64_t>(seconds, 0, longest)) * per_second +
            static_cast<std::uint64_t>(microseconds) * per_microsecond;
  }
  if (!reader.ok()) return Failure{Errno::efault};
  if (!is_valid) return Failure{Errno::einval};
  return setting;
}

}  // namespace

// setitimer(which, value, old_value)
CallResult setitimer(Call& call) {
  const std::uint32_t which = call.argument(0);
  const auto setting = read_setting(call, 1);
  if (!setting) return CallResult::failure(setting.error());
  if (which >= timer_count) return CallResult::failure(Errno::einval);
  const std::uint64_t interval = timer_of(call, which).interval, left = left_of(call, which, true);
  set_timer(call, which, *setting);
  return call.is_null(2) ? CallResult::value(0) : write_setting(call, 2, interval, left);
}

// getitimer(which, value)
CallResult getitimer(Call& call) {
  const std::uint32_t which = call.argument(0);
  if (which >= timer_count) return CallResult::failure(Errno::einval);
  return write_setting(call, 1, timer_of(call, which).interval, left_of(call, which, false));
}

// alarm(seconds): the result is rounded, but to 1 at least while an alarm is set.
CallResult alarm(Call& call) {
  const std::uint64_t left = left_of(call, real_timer, true);
  const std::uint64_t seconds = std::min<std::uint64_t>(call.argument(0), 0x7fffffff);
  set_timer(call, real_timer, {.next = seconds * per_second});
  const bool is_rounded_up =
      left % per_second >= per_second / 2 || (left != 0 && left < per_second);
  return CallResult::value(left / per_second + (is_rounded_up ? 1 : 0));
}

}  // namespace hardclock::gnu_linux::calls
