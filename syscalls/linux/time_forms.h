// Times as calls have them, in each of their forms.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/result.h"
#include "syscalls/linux/calls.h"
#include "syscalls/posix/guest_struct.h"

namespace hardclock::gnu_linux::calls {

// struct timespec or, of calls with time64 in their names, struct __kernel_timespec. None: the
// address is 0. EFAULT, EINVAL.
Result<TimeLimit, Errno> read_time(Call& call, std::size_t argument, TimeForm form);

TimeSpan to_time(std::uint64_t nanoseconds);

// Stores one of the two. EFAULT.
CallResult write_time(Call& call, std::size_t argument, const TimeSpan& time, TimeForm form);
// Adds one of the two to a structure.
void add_time(posix::GuestStruct& members, const TimeSpan& time, TimeForm form);

// What CLOCK_REALTIME or CLOCK_TAI says, or any other clock, which counts from the machine's start.
TimeSpan time_now(const Call& call, std::uint32_t clock);

// Nothing: `to` is not later than `from`.
TimeLimit difference(const TimeSpan& from, const TimeSpan& to);

}  // namespace hardclock::gnu_linux::calls
