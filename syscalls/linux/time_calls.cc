#include "syscalls/linux/calls.h"
#include "syscalls/linux/clock_ids.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/rusage.h"
#include "syscalls/posix/timers.h"

namespace hardclock::gnu_linux {
using posix::Call;
using posix::CallResult;
using posix::Errno;

namespace {

using posix::GuestStruct;

constexpr std::uint64_t per_second = 1'000'000'000;  // nanoseconds

struct Time {
  std::uint64_t seconds = 0;
  std::uint64_t nanoseconds = 0;
};

Time to_time(std::uint64_t nanoseconds) {
  return {nanoseconds / per_second, nanoseconds % per_second};
}

Time to_time(const host::GuestTime& date) {
  return {static_cast<std::uint64_t>(date.seconds), date.nanoseconds};
}

// That of the last tick (kernel/time/posix-timers.c, posix_get_monotonic_coarse()).
std::uint64_t coarse_time(const Call& call) {
  const VirtualClock& clock = call.simulation().clock();
  return posix::time_of(clock.ticks(), clock.tick_rate());
}

Result<Time, Errno> now(const Call& call) {
  const std::uint32_t clock = call.argument(0);
  switch (clock) {
    case calls::clock_realtime:
    case calls::clock_tai:
      return to_time(call.os.date());
    case calls::clock_realtime_coarse:
      return to_time(call.os.date_at(coarse_time(call)));
    case calls::clock_monotonic:
    case calls::clock_monotonic_raw:
    case calls::clock_boottime:
      return to_time(posix::nanoseconds_of(call.simulation().clock()));
    case calls::clock_monotonic_coarse:
      return to_time(coarse_time(call));
    default:
      break;
  }
  const auto used = calls::used_clock(call, clock, true);
  const auto time = used ? posix::time_of(call.simulation(), *used) : std::nullopt;
  if (!time) return Failure{Errno::einval};
  return to_time(*time);
}

// Nanoseconds: 1, or those of a tick for clocks that go by it, which timers do where none
// interrupts (kernel/time/hrtimer.c, hrtimer_resolution; posix-cpu-timers.c,
// posix_cpu_clock_getres()).
std::uint64_t resolution(const Call& call) {
  const std::uint32_t clock = call.argument(0);
  const auto used = calls::used_clock(call, clock, false);
  const bool is_coarse =
      clock == calls::clock_realtime_coarse || clock == calls::clock_monotonic_coarse;
  const bool is_exact = used ? used->what == posix::CpuClock::What::cycles
                             : !is_coarse && call.port().timers_interrupt;
  const std::uint64_t rate = call.simulation().clock().tick_rate().value();
  return is_exact ? 1 : (per_second + rate - 1) / rate;
}

// struct timespec with longs, or struct __kernel_timespec with 64 bits each.
GuestStruct timespec(const Call& call, const Time& time, bool wide) {
  GuestStruct members(call);
  if (wide) return members.wide(time.seconds).wide(time.nanoseconds);
  return members.word_long(time.seconds).word_long(time.nanoseconds);
}

CallResult write_now(Call& call, bool wide) {
  const auto time = now(call);
  if (!time) return CallResult::failure(time.error());
  return timespec(call, *time, wide).store(call, call.address(1));
}

CallResult write_resolution(Call& call, bool wide) {
  const auto known = now(call);
  if (!known) return CallResult::failure(known.error());
  if (call.address(1) == GuestAddr(0)) return CallResult::value(0);
  return timespec(call, Time{0, resolution(call)}, wide).store(call, call.address(1));
}

}  // namespace

namespace calls {
namespace {

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

}  // namespace

CallResult clock_gettime(Call& call) {
  return write_now(call, false);
}

CallResult clock_gettime64(Call& call) {
  return write_now(call, true);
}

CallResult clock_getres(Call& call) {
  return write_resolution(call, false);
}

CallResult clock_getres_time64(Call& call) {
  return write_resolution(call, true);
}

CallResult clock_settime(Call& call) {
  return refuse_to_set(call, TimeForm::longs);
}

CallResult clock_settime64(Call& call) {
  return refuse_to_set(call, TimeForm::wide);
}

// getrusage(who, usage), which also knows of the caller's own thread.
CallResult getrusage(Call& call) {
  constexpr std::int32_t rusage_thread = 1;
  if (call.signed_argument(0) != rusage_thread) return posix::calls::getrusage(call);
  return posix::rusage(call, call.thread.time).store(call, call.address(1));
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
