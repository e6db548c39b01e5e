// What the calls of POSIX.1b's timers have in common: how they are set, and what is left of them.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/timers.h"

namespace hardclock::posix {

inline constexpr std::uint32_t timer_abstime = 1;  // timer_settime()'s flag

// struct itimerspec, in nanoseconds.
struct TimerSetting {
  std::uint64_t interval = 0, value = 0;
};

// One of its times; one of many years is cut to three. EINVAL.
Result<std::uint64_t, Errno> timer_nanoseconds(std::int64_t seconds, std::int64_t nanoseconds);

// Nanoseconds since the machine's start.
std::uint64_t timer_time(const Call& call);
// When a timer set to this value expires first, by `now`, the time that it counts; 0: never. An
// absolute value is a date if `is_date`, else such a time.
std::uint64_t first_expiry(const Call& call, std::uint64_t value, bool is_absolute, bool is_date,
                           std::uint64_t now);
// What is left until `next`. One whose tick is still to come is not over.
std::uint64_t timer_left(std::uint64_t next, std::uint64_t now);

TimerSetting setting_of(const Call& call, const Timer& timer);
void set_timer(const Call& call, Timer& timer, const TimerSetting& setting, bool is_absolute);

// How struct sigevent says that no signal is sent, or one.
struct NotifyNumbers {
  std::uint32_t none, signal;
};
// What it says of the timer. EINVAL: neither of the two, or no signal of the system.
Result<Ok, Errno> set_notification(const Call& call, const NotifyNumbers& numbers,
                                   std::uint32_t notify, std::uint32_t signal, Timer& timer);
// The rest of timer_create(clock, event, timer), with what the system knows of the clock in `made`:
// reads the event, keeps the timer and stores its number. Without an event SIGALRM is sent with
// that number (POSIX.1b). EFAULT, EAGAIN, and what read_event() says.
CallResult create_timer(Call& call, Timer made,
                        Result<Ok, Errno> (*read_event)(Call& call, Timer& timer));

namespace calls {

CallResult timer_settime(Call& call);
CallResult timer_gettime(Call& call);
CallResult timer_getoverrun(Call& call);
CallResult timer_delete(Call& call);

}  // namespace calls
}  // namespace hardclock::posix
