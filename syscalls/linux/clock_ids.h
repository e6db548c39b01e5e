// The numbers of clocks: include/uapi/linux/time.h and include/linux/posix-timers.h.
#pragma once

#include <cstdint>
#include <optional>

#include "syscalls/linux/calls.h"
#include "syscalls/posix/cpu_clock.h"

namespace hardclock::gnu_linux::calls {

enum Clock : std::uint32_t {
  clock_realtime = 0,
  clock_monotonic,
  clock_process_cputime,
  clock_thread_cputime,
  clock_monotonic_raw,
  clock_realtime_coarse,
  clock_monotonic_coarse,
  clock_boottime,
  clock_realtime_alarm,
  clock_boottime_alarm,
  clock_tai = 11,
};

// Whose time the clock counts that the processor gives; nullopt: it is no such clock, or nobody
// has that number. To be read, a process's may also be named by the caller's own thread.
std::optional<posix::CpuClock> used_clock(const Call& call, std::uint32_t clock,
                                          bool is_to_be_read);

// The clock counts time that passes for all: how timers may count it.
inline bool is_real_time(std::uint32_t clock) {
  return clock == clock_realtime || clock == clock_tai;
}
inline bool is_wall_clock(std::uint32_t clock) {
  return is_real_time(clock) || clock == clock_monotonic || clock == clock_boottime;
}
// It can be read, and no timer goes by it (kernel/time/posix-timers.c: no timer_create).
inline bool is_only_read(std::uint32_t clock) {
  return clock == clock_monotonic_raw || clock == clock_realtime_coarse ||
         clock == clock_monotonic_coarse;
}

}  // namespace hardclock::gnu_linux::calls
