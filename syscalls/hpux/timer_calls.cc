// clocks(2) and timers(2). CLOCK_REALTIME is 1 (GNAT, s-osinte__hpux-dce.ads; GNU gzip for HP-UX on
// IA-64); the numbers of the other clocks are not public.
#include "syscalls/posix/timer_calls.h"
#include "syscalls/hpux/calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::hpux::calls {
namespace {

constexpr std::uint64_t clock_realtime = 1;

// A guess, which no program confirms: POSIX.1's members in the order that UnixWare's sigevent(5)
// and Linux's sigevent(7) declare them, {int notify, signo; union sigval value}, and the kinds
// numbered from 0 on. EFAULT, EINVAL.
Result<Ok, Errno> read_event(Call& call, posix::Timer& timer) {
  posix::GuestReader event(call, call.address(1));
  const std::uint32_t notify = event.word(), signal = event.word();
  timer.value = event.word_long();
  if (!event.ok()) return Failure{Errno::efault};
  return posix::set_notification(call, {.none = 0, .signal = 1}, notify, signal, timer);
}

}  // namespace

// Guest time is kept in microseconds.
CallResult clock_gettime(Call& call) {
  if (call.argument(0) != clock_realtime) return CallResult::failure(Errno::einval);
  const auto [seconds, microseconds] = call.os.time_of_day();
  return posix::GuestStruct(call)
      .time(seconds)
      .word_long(microseconds * 1000)
      .store(call, call.address(1));
}

CallResult clock_getres(Call& call) {
  constexpr std::uint64_t nanoseconds = 1000;
  if (call.argument(0) != clock_realtime) return CallResult::failure(Errno::einval);
  if (call.is_null(1)) return CallResult::value(0);
  return posix::GuestStruct(call).time(0).word_long(nanoseconds).store(call, call.address(1));
}

// Only the superuser sets CLOCK_REALTIME, and no guest is it.
CallResult clock_settime(Call& call) {
  posix::GuestReader time(call, call.address(1));
  const std::int64_t seconds = time.time(), nanoseconds = time.signed_long();
  if (!time.ok()) return CallResult::failure(Errno::efault);
  const bool is_time = posix::timer_nanoseconds(seconds, nanoseconds).ok();
  const bool is_known = call.argument(0) == clock_realtime;
  return CallResult::failure(is_known && is_time ? Errno::eperm : Errno::einval);
}

// timer_create(clock, event, timer): without an event CLOCK_REALTIME's timer sends SIGALRM.
CallResult timer_create(Call& call) {
  if (call.argument(0) != clock_realtime) return CallResult::failure(Errno::einval);
  posix::Timer made;
  made.is_real_time = true;
  return posix::create_timer(call, made, read_event);
}

}  // namespace hardclock::hpux::calls
