// Clocks that count what a process or one of its threads has used of the processor: Linux 6.1,
// kernel/time/posix-cpu-timers.c.
#pragma once

#include <cstdint>
#include <optional>

namespace hardclock {
class Simulation;
}

namespace hardclock::posix {

struct CpuClock {
  // What it counts: clock ticks that found it at work, those in user mode alone, or all its cycles.
  enum class What : std::uint8_t { ticks, user_ticks, cycles };
  What what = What::cycles;
  int pid = 0;
  int thread = 0;  // by its id in the process; 0: all of them
  static constexpr std::size_t state_members = 3;
};

// Nanoseconds; nullopt: there is no such process or thread any more.
std::optional<std::uint64_t> time_of(const Simulation& simulation, const CpuClock& clock);

}  // namespace hardclock::posix
