#include "syscalls/linux/calls.h"
#include "syscalls/linux/clock_ids.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/rusage.h"
#include "syscalls/posix/timers.h"

namespace hardclock::gnu_linux::calls {
namespace {

TimeSpan time_of(const host::GuestTime& date) {
  return {static_cast<std::uint64_t>(date.seconds), date.nanoseconds};
}

// That of the last tick (kernel/time/posix-timers.c, posix_get_monotonic_coarse()).
std::uint64_t coarse_time(const Call& call) {
  const VirtualClock& clock = call.simulation().clock();
  return posix::time_of(clock.ticks(), clock.tick_rate());
}

Result<TimeSpan, Errno> now(const Call& call) {
  const std::uint32_t clock = call.argument(0);
  switch (clock) {
    case clock_realtime:
    case clock_tai:
      return time_of(call.os.date());
    case clock_realtime_coarse:
      return time_of(call.os.date_at(coarse_time(call)));
    case clock_monotonic:
    case clock_monotonic_raw:
    case clock_boottime:
      return to_time(posix::nanoseconds_of(call.simulation().clock()));
    case clock_monotonic_coarse:
      return to_time(coarse_time(call));
    default:
      break;
  }
  const auto used = used_clock(call, clock, true);
  const auto time = used ? posix::time_of(call.simulation(), *used) : std::nullopt;
  if (!time) return Failure{Errno::einval};
  return to_time(*time);
}

// Nanoseconds: 1, or those of a tick for clocks that go by it, which timers do where none
// interrupts (kernel/time/hrtimer.c, hrtimer_resolution; posix-cpu-timers.c,
// posix_cpu_clock_getres()).
std::uint64_t resolution(const Call& call) {
  constexpr std::uint64_t per_second = 1'000'000'000;
  const std::uint32_t clock = call.argument(0);
  const auto used = used_clock(call, clock, false);
  const bool is_coarse = clock == clock_realtime_coarse || clock == clock_monotonic_coarse;
  const bool is_exact = used ? used->what == posix::CpuClock::What::cycles
                             : !is_coarse && call.port().timers_interrupt;
  const std::uint64_t rate = call.simulation().clock().tick_rate().value();
  return is_exact ? 1 : (per_second + rate - 1) / rate;
}

}  // namespace

CallResult write_now(Call& call, TimeForm form) {
  const auto time = now(call);
  if (!time) return CallResult::failure(time.error());
  return write_time(call, 1, *time, form);
}

CallResult write_resolution(Call& call, TimeForm form) {
  const auto known = now(call);
  if (!known) return CallResult::failure(known.error());
  if (call.address(1) == GuestAddr(0)) return CallResult::value(0);
  return write_time(call, 1, {0, resolution(call)}, form);
}

// clock_settime(clock, time): only a superuser sets the time of day, and nobody any other clock.
// The numbered ones of used time say so in their own way (posix_cpu_clock_set()).
CallResult refuse_to_set(Call& call, TimeForm form) {
  const std::uint32_t clock = call.argument(0);
  const bool is_numbered = clock > clock_tai && used_clock(call, clock, false);
  if (clock != clock_realtime && !is_numbered) return CallResult::failure(Errno::einval);
  const auto time = read_time(call, 1, form);
  if (!time) return CallResult::failure(time.error());
  return CallResult::failure(*time ? Errno::eperm : Errno::efault);
}

// getrusage(who, usage), which also knows of the caller's own thread.
CallResult getrusage(Call& call) {
  constexpr std::int32_t rusage_thread = 1;
  if (call.signed_argument(0) != rusage_thread) return posix::calls::getrusage(call);
  return posix::rusage(call, call.thread.time).store(call, call.address(1));
}

}  // namespace hardclock::gnu_linux::calls
