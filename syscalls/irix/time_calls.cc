// The call about time that only IRIX has.
#include "syscalls/irix/calls.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {

// sginap(ticks): sleeps for clock ticks of 1/100 s, or with 0 yields the processor; the result is
// the number of ticks left when a signal ended it.
CallResult sginap(Call& call) {
  const std::int64_t ticks = call.offset(0);
  if (ticks < 0) return CallResult::failure(Errno::einval);
  if (ticks == 0) return sched_yield(call);
  constexpr std::uint64_t nanoseconds_per_tick = 10'000'000, ticks_per_second = 100;
  const auto count = static_cast<std::uint64_t>(ticks);
  const Ticks deadline = deadline_after(call, count / ticks_per_second,
                                        count % ticks_per_second * nanoseconds_per_tick);
  return sleep_until(
      call, deadline,
      TellsTimeLeft{.form = TellsTimeLeft::Form::result, .rate = Hertz(ticks_per_second)});
}

}  // namespace hardclock::irix::calls
