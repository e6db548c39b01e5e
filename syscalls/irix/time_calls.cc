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
  enum Notify : std::uint32_t { by_none = 128, by_signal = 129 };
  posix::GuestReader event(call, call.address(1));
  const std::uint32_t notify = event.word();
  event.align(event.long_bytes());
  const std::uint32_t signal = event.word();
  (void)event.pointer();
  timer.value = event.word_long();
  if (!event.ok()) return Failure{Errno::efault};
  if (notify == by_none) return Ok{};
  if (notify != by_signal || signal == 0 || signal > call.system.signals.last) {
    return Failure{Errno::einval};
  }
  timer.signal = signal;
  return Ok{};
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
  if (!call.is_null(1)) {
    if (const auto read = read_event(call, made); !read) return CallResult::failure(read.error());
  }
  if (!call.memory.probe(call.address(2), sizeof(std::uint32_t), Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  posix::Timer* const timer = call.state.timers.add();
  if (timer == nullptr) return CallResult::failure(Errno::eagain);
  made.id = timer->id;
  if (call.is_null(1)) {
    made.signal = posix::sigalrm;
    made.value = static_cast<std::uint64_t>(made.id);
  }
  *timer = made;
  const std::uint32_t id[] = {static_cast<std::uint32_t>(made.id)};
  return write_words(call, call.address(2), id, CallResult::value(0));
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
