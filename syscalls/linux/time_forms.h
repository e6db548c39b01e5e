// Times as calls have them, in each of their forms.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/result.h"
#include "syscalls/linux/calls.h"

namespace hardclock::gnu_linux::calls {

enum class TimeForm : std::uint8_t { longs, wide };

// struct timespec or, of calls with time64 in their names, struct __kernel_timespec. None: the
// address is 0. EFAULT, EINVAL.
Result<TimeLimit, Errno> read_time(Call& call, std::size_t argument, TimeForm form);

// What CLOCK_REALTIME or CLOCK_TAI says, or any other clock, which counts from the machine's start.
TimeSpan time_now(const Call& call, std::uint32_t clock);

// Nothing: `to` is not later than `from`.
TimeLimit difference(const TimeSpan& from, const TimeSpan& to);

}  // namespace hardclock::gnu_linux::calls
