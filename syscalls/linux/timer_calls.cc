// Timers of POSIX.1b and timerfd_create(2).
#include <memory>

#include "sim/state/archive.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/clock_ids.h"
#include "syscalls/linux/thread_ids.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/linux/timer_file.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/timer_calls.h"
#include "syscalls/posix/timers.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestReader;
using posix::GuestStruct;
using posix::Timer;
using posix::TimerSetting;

// struct itimerspec
Result<TimerSetting, Errno> read_setting(Call& call, std::size_t argument, TimeForm form) {
  GuestReader reader(call, call.address(argument));
  const auto next = [&] {
    return form == TimeForm::wide ? static_cast<std::int64_t>(reader.wide()) : reader.signed_long();
  };
  TimerSetting setting;
  for (std::uint64_t* part : {&setting.interval, &setting.value}) {
    const std::int64_t seconds = next(), nanoseconds = next();
    if (!reader.ok()) return Failure{Errno::efault};
    const auto time = posix::timer_nanoseconds(seconds, nanoseconds);
    if (!time) return Failure{time.error()};
    *part = *time;
  }
  return setting;
}

CallResult write_setting(Call& call, std::size_t argument, const TimerSetting& setting,
                         TimeForm form) {
  if (call.is_null(argument)) return CallResult::value(0);
  GuestStruct members(call);
  for (const std::uint64_t part : {setting.interval, setting.value}) {
    add_time(members, to_time(part), form);
  }
  return members.store(call, call.address(argument));
}

std::uint64_t left_of(const TimerFile& timer, std::uint64_t now) {
  std::uint64_t next = timer.next();
  (void)posix::expirations(now, next, timer.interval());
  return next == 0 ? 0 : next - now;
}

// ---- timer_create(2)

// struct sigevent {union sigval value; int signo, notify; pid_t thread}. EINVAL.
Result<Ok, Errno> read_event(Call& call, Timer& timer) {
  enum Notify : std::uint32_t { by_signal = 0, by_none = 1, by_thread_id = 4 };
  GuestReader reader(call, call.address(1));
  timer.value = reader.word_long();
  const std::uint32_t signal = reader.word(), notify = reader.word(), thread = reader.word();
  if (!reader.ok()) return Failure{Errno::efault};
  if (notify == by_none) return Ok{};
  if (notify != by_signal && notify != by_thread_id) return Failure{Errno::einval};
  if (signal == 0 || signal > call.system.signals.last) return Failure{Errno::einval};
  timer.signal = signal;
  if (notify == by_signal) return Ok{};
  const Thread* const target = find_thread(call.process, static_cast<std::int32_t>(thread));
  if (target == nullptr) return Failure{Errno::einval};
  timer.thread = target->id;
  return Ok{};
}

}  // namespace

// timer_create(clock, event, timer). The alarm clocks want a clock of the machine's that wakes it.
CallResult timer_create(Call& call) {
  const std::uint32_t clock = call.argument(0);
  const bool is_alarm = clock == clock_realtime_alarm || clock == clock_boottime_alarm;
  if (is_only_read(clock) || is_alarm) return CallResult::failure(Errno::eopnotsupp);
  Timer made;
  made.code = uapi_of(call.system).timer_code;
  made.used = used_clock(call, clock, false);
  if (!is_wall_clock(clock) && !made.used) return CallResult::failure(Errno::einval);
  made.is_real_time = is_real_time(clock);
  return posix::create_timer(call, made, read_event);
}

CallResult set_timer(Call& call, TimeForm form) {
  Timer* const timer = call.state.timers.find(call.signed_argument(0));
  if (call.is_null(2) || timer == nullptr) return CallResult::failure(Errno::einval);
  const auto setting = read_setting(call, 2, form);
  if (!setting) return CallResult::failure(setting.error());
  const TimerSetting old = posix::setting_of(call, *timer);
  posix::set_timer(call, *timer, *setting, (call.argument(1) & posix::timer_abstime) != 0);
  return write_setting(call, 3, old, form);
}

CallResult get_timer(Call& call, TimeForm form) {
  const Timer* const timer = call.state.timers.find(call.signed_argument(0));
  if (timer == nullptr) return CallResult::failure(Errno::einval);
  if (call.is_null(1)) return CallResult::failure(Errno::efault);
  return write_setting(call, 1, posix::setting_of(call, *timer), form);
}

// ---- timerfd_create(2)

// timerfd_create(clock, flags)
CallResult timerfd_create(Call& call) {
  const posix::OpenFlags& known = call.system.open_flags;
  const std::uint32_t clock = call.argument(0), flags = new_file_flags(call, 1);
  const bool is_known =
      clock == clock_realtime || clock == clock_monotonic || clock == clock_boottime;
  if (!is_known || (flags & ~(known.non_block | known.close_on_exec)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  return add_anonymous_file(
      call,
      std::make_shared<TimerFile>(*call.os.files().records(), call.simulation().clock(),
                                  call.memory.endian(), is_real_time(clock),
                                  call.port().timers_interrupt),
      flags);
}

CallResult set_timer_file(Call& call, TimeForm form) {
  constexpr std::uint32_t cancel_on_set = 2;
  const auto timer = posix::file_of_kind_at<TimerFile>(call);
  if ((call.argument(1) & ~(posix::timer_abstime | cancel_on_set)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  if (!timer) return CallResult::failure(timer.error());
  const auto setting = read_setting(call, 2, form);
  if (!setting) return CallResult::failure(setting.error());
  const std::uint64_t now = posix::timer_time(call);
  const TimerSetting old{(*timer)->interval(), left_of(**timer, now)};
  const bool is_absolute = (call.argument(1) & posix::timer_abstime) != 0;
  (*timer)->set(
      posix::first_expiry(call, setting->value, is_absolute, (*timer)->is_real_time(), now),
      setting->interval);
  call.simulation().update_alarm();
  return write_setting(call, 3, old, form);
}

CallResult get_timer_file(Call& call, TimeForm form) {
  const auto timer = posix::file_of_kind_at<TimerFile>(call);
  if (!timer) return CallResult::failure(timer.error());
  return write_setting(call, 1, {(*timer)->interval(), left_of(**timer, posix::timer_time(call))},
                       form);
}

}  // namespace hardclock::gnu_linux::calls

namespace hardclock::gnu_linux {

void TimerFile::archive(Archive& to) {
  AnonymousFile::archive(to);
  to.state(is_real_time_, next_, interval_);
  to.saved(endian_, interrupts_);
  to.wiring(clock_);
}

}  // namespace hardclock::gnu_linux
