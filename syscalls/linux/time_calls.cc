#include "syscalls/linux/calls.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
using posix::Call;
using posix::CallResult;
using posix::Errno;

namespace {

using posix::GuestStruct;

// include/uapi/linux/time.h
enum Clock : std::uint32_t {
  clock_realtime = 0,
  clock_monotonic,
  clock_process_cputime,
  clock_thread_cputime,
  clock_monotonic_raw,
  clock_realtime_coarse,
  clock_monotonic_coarse,
  clock_boottime,
  clock_tai = 11,
};
// Guest time is kept in microseconds.
constexpr std::uint64_t resolution = 1000;

struct Time {
  std::uint64_t seconds = 0;
  std::uint64_t nanoseconds = 0;
};

Time of_microseconds(std::uint64_t microseconds) {
  constexpr std::uint64_t per_second = 1'000'000;
  return {microseconds / per_second, microseconds % per_second * 1000};
}

Time of_cycles(const Call& call, Cycles used) {
  return of_microseconds(
      multiply_divide_down(used.value(), 1'000'000, call.simulation.clock().cpu_rate().value()));
}

// What the process's program has used so far.
Time cpu_time(const Call& call) {
  Cycles used = call.process.ended_threads.counts.cycles;
  for (const auto& thread : call.process.threads) used += thread->cpu->counts().cycles;
  return of_cycles(call, used);
}

Result<Time, Errno> now(const Call& call) {
  switch (call.argument(0)) {
    case clock_realtime:
    case clock_realtime_coarse:
    case clock_tai: {
      const auto [seconds, microseconds] = call.os.time_of_day(call.simulation);
      return Time{seconds, std::uint64_t{microseconds} * 1000};
    }
    case clock_monotonic:
    case clock_monotonic_raw:
    case clock_monotonic_coarse:
    case clock_boottime:
      return of_microseconds(call.simulation.clock().microseconds());
    case clock_process_cputime:
      return cpu_time(call);
    case clock_thread_cputime:
      return of_cycles(call, call.thread.cpu->counts().cycles);
    default:
      return Failure{Errno::einval};
  }
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
  return timespec(call, Time{0, resolution}, wide).store(call, call.address(1));
}

}  // namespace

namespace calls {
namespace {

// clock_settime(clock, time): only a superuser sets the time of day, and nobody any other clock.
CallResult refuse_to_set(Call& call, TimeForm form) {
  if (call.argument(0) != clock_realtime) return CallResult::failure(Errno::einval);
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

}  // namespace calls
}  // namespace hardclock::gnu_linux
