#include <optional>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/rusage.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {

namespace {

constexpr std::uint64_t microseconds_per_second = 1'000'000;

std::uint32_t word(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}

}  // namespace

GuestStruct rusage(const Call& call, const CpuTime& used) {
  constexpr std::size_t counts = 14;
  const std::uint64_t rate = call.simulation().clock().tick_rate().value();
  GuestStruct rusage(call);
  for (const Ticks ticks : {used.user, used.system}) {
    rusage.time(ticks.value() / rate)
        .word_long(ticks.value() % rate * microseconds_per_second / rate);
  }
  return rusage.skip_longs(counts);
}

namespace calls {
namespace {

// struct itimerval {struct timeval it_interval, it_value}
GuestStruct to_guest(const Call& call, const IntervalTimer& timer) {
  GuestStruct itimerval(call);
  for (const std::uint64_t time : {timer.interval, timer.value}) {
    itimerval.time(time / microseconds_per_second).word_long(time % microseconds_per_second);
  }
  return itimerval;
}

// Seconds and microseconds; nullopt if they are not a valid time.
std::optional<std::uint64_t> to_microseconds(std::int64_t seconds, std::int64_t microseconds) {
  constexpr std::int64_t longest = 0x7fffffff;  // of time_t, in every system that this serves
  if (seconds < 0 || seconds > longest || microseconds < 0 ||
      microseconds >= static_cast<std::int64_t>(microseconds_per_second)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(seconds) * microseconds_per_second +
         static_cast<std::uint64_t>(microseconds);
}

Result<IntervalTimer, Errno> read_timer(Call& call, GuestAddr address) {
  GuestReader itimerval(call, address);
  const auto next = [&itimerval] {
    const std::int64_t seconds = itimerval.time();
    return to_microseconds(seconds, itimerval.signed_long());
  };
  const auto interval = next(), value = next();
  if (!itimerval.ok()) return Failure{Errno::efault};
  if (!interval || !value) return Failure{Errno::einval};
  return IntervalTimer{.value = *value, .interval = *interval};
}

}  // namespace

CallResult time(Call& call) {
  return CallResult::value(call.os.time_of_day().first);
}

// time(where): also stored there, unless it is NULL.
CallResult time_store(Call& call) {
  const std::uint32_t seconds[] = {call.os.time_of_day().first};
  const CallResult done = CallResult::value(seconds[0]);
  return call.is_null(0) ? done : write_words(call, call.address(0), seconds, done);
}

// Only the time, for systems that keep no time zone in the kernel.
CallResult BSDgettimeofday(Call& call) {
  if (call.is_null(0)) return CallResult::failure(Errno::efault);
  call.arguments[1] = 0;
  return gettimeofday(call);
}

// The zone is Greenwich's, without summer time.
CallResult gettimeofday(Call& call) {
  const auto [seconds, microseconds] = call.os.time_of_day();
  if (!call.is_null(0)) {
    const CallResult written =
        GuestStruct(call).time(seconds).word_long(microseconds).store(call, call.address(0));
    if (written.kind == CallResult::Kind::error) return written;
  }
  if (call.is_null(1)) return CallResult::value(0);
  return GuestStruct(call).word(0).word(0).store(call, call.address(1));
}

CallResult times(Call& call) {
  const std::uint64_t rate = call.simulation().clock().tick_rate().value();
  const std::uint64_t clock_t_rate = call.system.clock_t_rate.value();
  const auto clock_t_of = [&](Ticks ticks) { return ticks.value() * clock_t_rate / rate; };
  GuestStruct tms(call);
  for (const CpuTime& time : {call.process.time, call.process.children_time}) {
    tms.word_long(clock_t_of(time.user)).word_long(clock_t_of(time.system));
  }
  return tms.store(call, call.address(0),
                   CallResult::value(clock_t_of(call.simulation().clock().ticks())));
}

CallResult getrusage_at(Call& call, std::size_t first) {
  constexpr std::int32_t rusage_self = 0, rusage_children = -1;
  const std::int32_t who = call.signed_argument(first);
  if (who != rusage_self && who != rusage_children) return CallResult::failure(Errno::einval);
  const CpuTime& used = who == rusage_self ? call.process.time : call.process.children_time;
  return rusage(call, used).store(call, call.address(first + 1));
}

// Rounds the remaining time up to seconds, at least 1 while the alarm is armed.
CallResult alarm(Call& call) {
  IntervalTimer& timer = call.process.timer(TimerKind::real);
  const std::uint64_t left = (timer.value + microseconds_per_second - 1) / microseconds_per_second;
  timer = IntervalTimer{.value = call.argument(0) * microseconds_per_second, .interval = 0};
  return CallResult::value(word(left));
}

CallResult setitimer(Call& call) {
  const std::uint32_t which = call.argument(0);
  if (which >= timer_kinds) return CallResult::failure(Errno::einval);
  IntervalTimer& timer = call.process.timers[which];
  std::optional<IntervalTimer> wanted;
  if (!call.is_null(1)) {
    const auto value = read_timer(call, call.address(1));
    if (!value) return CallResult::failure(value.error());
    wanted = *value;
  }
  if (!call.is_null(2)) {
    const CallResult written = to_guest(call, timer).store(call, call.address(2));
    if (written.kind == CallResult::Kind::error) return written;
  }
  if (wanted) timer = *wanted;
  return CallResult::value(0);
}

CallResult getitimer(Call& call) {
  const std::uint32_t which = call.argument(0);
  if (which >= timer_kinds) return CallResult::failure(Errno::einval);
  return to_guest(call, call.process.timers[which]).store(call, call.address(1));
}

}  // namespace calls
}  // namespace hardclock::posix
