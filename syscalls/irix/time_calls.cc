// The calls about time that IRIX has in a form of its own.
#include "syscalls/irix/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/timers.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::irix::calls {
namespace {

// GNAT, gcc/ada/s-osinte-irix.ads.
enum Clock : std::uint32_t { clock_realtime = 1, clock_sgi_cycle = 2, clock_sgi_fast = 3 };

// struct sigevent {int notify; struct {int signo; void* function}; union sigval value}: a fork of
// QEMU for IRIX's programs, linux-user/syscall_defs.h. How it notifies, and the code of the signal:
// Linux 2.6, include/asm-mips/siginfo.h, whose numbers are IRIX's. EFAULT, EINVAL.
Result<Ok, Errno> read_event(Call& call, posix::Timer& timer) {
  posix::GuestReader event(call, call.address(1));
  const std::uint32_t notify = event.word();
  event.align(event.long_bytes());
  const std::uint32_t signal = event.word();
  (void)event.pointer();
  timer.value = event.word_long();
  if (!event.ok()) return Failure{Errno::efault};
  return posix::set_notification(call, {.none = 128, .signal = 129}, notify, signal, timer);
}

}  // namespace

// timer_create(clock, event, timer): "CLOCK_SGI_FAST is available to privileged users only".
// Without an event the timer sends SIGALRM with its number (POSIX.1b).
CallResult timer_create(Call& call) {
  constexpr std::int32_t by_timer = -3;  // SI_TIMER
  if (call.argument(0) == clock_sgi_fast) return CallResult::failure(Errno::eperm);
  if (call.argument(0) != clock_realtime) return CallResult::failure(Errno::einval);
  posix::Timer made;
  made.code = by_timer;
  made.is_real_time = true;
  return posix::create_timer(call, made, read_event);
}

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
