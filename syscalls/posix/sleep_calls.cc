// Waiting for time to pass, and leaving the processor to others. Time passes in clock ticks, as in
// the kernels' timeouts: a sleep ends with the first tick at which it has lasted long enough.
#include <array>
#include <optional>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/longs.h"

namespace hardclock::posix::calls {
namespace {

constexpr std::uint64_t nanoseconds_per_second = 1'000'000'000;

std::uint64_t nanoseconds_of(const Call& call, Ticks ticks) {
  return ticks.value() * nanoseconds_per_second / call.simulation.clock().tick_rate().value();
}

}  // namespace

Ticks deadline_after(const Call& call, std::uint64_t seconds, std::uint64_t nanoseconds) {
  const std::uint64_t rate = call.simulation.clock().tick_rate().value();
  const std::uint64_t part =
      (nanoseconds * rate + nanoseconds_per_second - 1) / nanoseconds_per_second;
  // One more: the tick that is under way may be almost over.
  return call.simulation.clock().ticks() + Ticks(seconds * rate + part + 1);
}

CallResult sleep_until(Call& call, Ticks deadline,
                       std::function<std::optional<std::uint64_t>(Ticks left)> when_interrupted) {
  std::optional<Ticks>& until = call.thread.call_deadline;
  if (!until) until = deadline;
  const VirtualClock& clock = call.simulation.clock();
  if (clock.ticks() >= *until) return CallResult::value(0);
  CallResult result = CallResult::wait_until(
      *until, [] { return false; }, false);
  result.when_interrupted = [&clock, end = *until, then = std::move(when_interrupted)] {
    return then(clock.ticks() < end ? end - clock.ticks() : Ticks(0));
  };
  return result;
}

// nanosleep(time, left): EINTR when a handler ended it, and then `left` has what remains.
CallResult nanosleep(Call& call) {
  const auto time = read_times(call, call.address(0), 1);
  if (!time) return CallResult::failure(time.error());
  const std::int64_t seconds = (*time)[0], nanoseconds = (*time)[1];
  constexpr std::int64_t longest = 0x7fffffff;
  if (seconds < 0 || seconds > longest || nanoseconds < 0 ||
      nanoseconds >= static_cast<std::int64_t>(nanoseconds_per_second)) {
    return CallResult::failure(Errno::einval);
  }
  if (seconds == 0 && nanoseconds == 0) return CallResult::value(0);
  const Ticks deadline = deadline_after(call, static_cast<std::uint64_t>(seconds),
                                        static_cast<std::uint64_t>(nanoseconds));
  return sleep_until(call, deadline, [call](Ticks left) mutable -> std::optional<std::uint64_t> {
    if (call.address(1) == GuestAddr(0)) return std::nullopt;
    const std::uint64_t rest = nanoseconds_of(call, left);
    const std::array<std::uint64_t, 2> fields = {rest / nanoseconds_per_second,
                                                 rest % nanoseconds_per_second};
    write_times(call, call.address(1), fields, 1, CallResult::value(0));
    return std::nullopt;
  });
}

// sched_yield(2) of POSIX.1b: every other thread that can run does so first.
CallResult sched_yield(Call& call) {
  std::optional<Ticks>& until = call.thread.call_deadline;
  if (until) return CallResult::value(0);
  until = call.simulation.clock().ticks();
  return CallResult::wait([] { return true; }, false);
}

}  // namespace hardclock::posix::calls
