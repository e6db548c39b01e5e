#include "syscalls/posix/timer_calls.h"

#include <algorithm>

#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t per_second = 1'000'000'000;  // nanoseconds

// The time that the timer counts; 0: nobody is there any more whose time it is.
std::uint64_t now_of(const Call& call, const Timer& timer) {
  return timer.used ? time_of(call.simulation(), *timer.used).value_or(0) : timer_time(call);
}

// struct itimerspec {struct timespec it_interval, it_value}
Result<TimerSetting, Errno> read_setting(Call& call, GuestAddr address) {
  GuestReader reader(call, address);
  TimerSetting setting;
  for (std::uint64_t* part : {&setting.interval, &setting.value}) {
    const std::int64_t seconds = reader.time(), nanoseconds = reader.signed_long();
    if (!reader.ok()) return Failure{Errno::efault};
    const auto time = timer_nanoseconds(seconds, nanoseconds);
    if (!time) return Failure{time.error()};
    *part = *time;
  }
  return setting;
}

CallResult write_setting(Call& call, GuestAddr address, const TimerSetting& setting) {
  GuestStruct members(call);
  for (const std::uint64_t part : {setting.interval, setting.value}) {
    members.time(part / per_second).word_long(part % per_second);
  }
  return members.store(call, address);
}

}  // namespace

Result<std::uint64_t, Errno> timer_nanoseconds(std::int64_t seconds, std::int64_t nanoseconds) {
  constexpr std::int64_t far = 4'000'000'000, longest = 100'000'000;  // seconds
  if (seconds < 0 || nanoseconds < 0 || nanoseconds >= static_cast<std::int64_t>(per_second)) {
    return Failure{Errno::einval};
  }
  if (seconds > far) return static_cast<std::uint64_t>(longest) * per_second;
  return static_cast<std::uint64_t>(seconds) * per_second + static_cast<std::uint64_t>(nanoseconds);
}

std::uint64_t timer_time(const Call& call) {
  return nanoseconds_of(call.simulation().clock());
}

std::uint64_t first_expiry(const Call& call, std::uint64_t value, bool is_absolute, bool is_date,
                           std::uint64_t now) {
  if (value == 0) return 0;
  if (!is_absolute) return now + value;
  if (!is_date) return value;
  const host::GuestTime date = call.os.date();
  const std::uint64_t today =
      static_cast<std::uint64_t>(date.seconds) * per_second + date.nanoseconds;
  return now + (value > today ? value - today : 0);
}

std::uint64_t timer_left(std::uint64_t next, std::uint64_t now) {
  if (next == 0) return 0;
  return next > now ? next - now : 1;
}

// One whose signal waits, or that sends none, has gone on to its next expiry.
TimerSetting setting_of(const Call& call, const Timer& timer) {
  const std::uint64_t now = now_of(call, timer);
  std::uint64_t next = timer.next;
  if (timer.is_sent || timer.signal == 0) (void)expirations(now, next, timer.interval);
  return {timer.interval, timer_left(next, now)};
}

void set_timer(const Call& call, Timer& timer, const TimerSetting& setting, bool is_absolute) {
  timer.next =
      first_expiry(call, setting.value, is_absolute, timer.is_real_time, now_of(call, timer));
  timer.interval = setting.interval;
  timer.is_sent = false;
  timer.overruns = 0;
  call.simulation().update_alarm();
}

Result<Ok, Errno> set_notification(const Call& call, const NotifyNumbers& numbers,
                                   std::uint32_t notify, std::uint32_t signal, Timer& timer) {
  if (notify == numbers.none) return Ok{};
  if (notify != numbers.signal || signal == 0 || signal > call.system.signals.last) {
    return Failure{Errno::einval};
  }
  timer.signal = signal;
  return Ok{};
}

CallResult create_timer(Call& call, Timer made,
                        Result<Ok, Errno> (*read_event)(Call& call, Timer& timer)) {
  const bool has_event = !call.is_null(1);
  if (has_event) {
    if (const auto read = read_event(call, made); !read) return CallResult::failure(read.error());
  } else {
    made.signal = sigalrm;
  }
  if (!call.memory.probe(call.address(2), sizeof(std::uint32_t), Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  Timer* const timer = call.state.timers.add();
  if (timer == nullptr) return CallResult::failure(Errno::eagain);
  made.id = timer->id;
  if (!has_event) made.value = static_cast<std::uint64_t>(made.id);
  *timer = made;
  const std::uint32_t number[] = {static_cast<std::uint32_t>(made.id)};
  return write_words(call, call.address(2), number, CallResult::value(0));
}

namespace calls {

// timer_settime(timer, flags, value, old_value)
CallResult timer_settime(Call& call) {
  Timer* const timer = call.state.timers.find(call.signed_argument(0));
  if (call.is_null(2) || timer == nullptr) return CallResult::failure(Errno::einval);
  const auto setting = read_setting(call, call.address(2));
  if (!setting) return CallResult::failure(setting.error());
  const TimerSetting old = setting_of(call, *timer);
  set_timer(call, *timer, *setting, (call.argument(1) & timer_abstime) != 0);
  if (call.is_null(3)) return CallResult::value(0);
  return write_setting(call, call.address(3), old);
}

// timer_gettime(timer, value)
CallResult timer_gettime(Call& call) {
  const Timer* const timer = call.state.timers.find(call.signed_argument(0));
  if (timer == nullptr) return CallResult::failure(Errno::einval);
  return write_setting(call, call.address(1), setting_of(call, *timer));
}

CallResult timer_getoverrun(Call& call) {
  const Timer* const timer = call.state.timers.find(call.signed_argument(0));
  if (timer == nullptr) return CallResult::failure(Errno::einval);
  return CallResult::value(std::min<std::uint64_t>(timer->overruns, 0x7fffffff));
}

CallResult timer_delete(Call& call) {
  const bool was_there = call.state.timers.remove(call.signed_argument(0));
  return was_there ? CallResult::value(0) : CallResult::failure(Errno::einval);
}

}  // namespace calls
}  // namespace hardclock::posix
