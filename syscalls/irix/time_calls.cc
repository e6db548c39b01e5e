// The call about time that only IRIX has.
#include "syscalls/irix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {

// sginap(ticks): sleeps for clock ticks of 1/100 s, or with 0 leaves the processor to others; the
// result is what was left of them when a signal ended it.
CallResult sginap(Call& call) {
  const std::int64_t ticks = call.offset(0);
  if (ticks < 0) return CallResult::failure(Errno::einval);
  if (ticks == 0) return sched_yield(call);
  constexpr std::uint64_t nanoseconds_per_tick = 10'000'000, ticks_per_second = 100;
  const auto count = static_cast<std::uint64_t>(ticks);
  const Ticks deadline = deadline_after(call, count / ticks_per_second,
                                        count % ticks_per_second * nanoseconds_per_tick);
  const std::uint64_t rate = call.simulation.clock().tick_rate().value();
  return sleep_until(call, deadline, [rate](Ticks left) -> std::optional<std::uint64_t> {
    return left.value() * ticks_per_second / rate;
  });
}

}  // namespace hardclock::irix::calls
