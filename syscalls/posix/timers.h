// A process's timers of POSIX.1b: timer_create(2). They count in nanoseconds of the time since the
// machine's start, or of the time that a process or a thread has used, and expire with a clock tick
// or, those that count since the start, when the clock interrupts for them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/clock/virtual_clock.h"
#include "sim/state/archive.h"
#include "syscalls/posix/cpu_clock.h"

namespace hardclock::posix {

struct Timer {
  int id = 0;
  std::optional<CpuClock> used;  // whose time it counts; nullopt: the time since the start
  bool is_real_time = false;     // its absolute times are dates
  unsigned signal = 0;           // 0: none is sent
  std::int32_t code = 0;         // the origin that siginfo names: SI_TIMER
  int thread = 0;                // to this one alone, by its id in the process; 0: to the process
  std::uint64_t value = 0;       // that comes with the signal
  std::uint64_t next = 0;        // nanoseconds; 0: not armed
  std::uint64_t interval = 0;    // nanoseconds; 0: it expires once
  bool is_sent = false;          // its signal waits to be taken; until then it expires no more
  std::uint64_t overruns = 0;    // of the signal that was taken last: expirations besides it

  static constexpr std::size_t state_members = 11;
};

// The child of a fork gets none.
class Timers {
 public:
  Timers() = default;
  Timers(const Timers&) {}
  Timers& operator=(const Timers&) = delete;

  // With the lowest free id; nullptr: there are as many as there may be.
  Timer* add();
  Timer* find(int id);
  bool remove(int id);
  void clear() { all_.clear(); }
  std::vector<Timer>& all() { return all_; }
  const std::vector<Timer>& all() const { return all_; }
  void archive(Archive& to);

 private:
  static constexpr std::size_t most = 1024;

  std::vector<Timer> all_;  // by id
};

// setitimer(2) of a system with exact timers. Times are in nanoseconds: of the real timer since the
// machine's start, of the others as CpuClock has it. A fork's child has none set.
struct IntervalTimers {
  struct One {
    std::uint64_t next = 0;      // 0: not armed
    std::uint64_t interval = 0;  // 0: it expires once
    bool is_sent = false;        // the real one's signal waits to be taken, as Timer's

    static constexpr std::size_t state_members = 3;
  };
  IntervalTimers() = default;
  IntervalTimers(const IntervalTimers&) {}
  IntervalTimers& operator=(const IntervalTimers&) = delete;

  One real, virtual_, prof;

  static constexpr std::size_t state_members = 3;
};

// Counts what a timer has expired at `now`: nothing, or how often. It is armed anew, or no more.
std::uint64_t expirations(std::uint64_t now, std::uint64_t& next, std::uint64_t interval);
// Whole nanoseconds since the machine's start, and the first cycle at which so many have passed.
std::uint64_t nanoseconds_of(const VirtualClock& clock);
Cycles cycle_of(std::uint64_t nanoseconds, const VirtualClock& clock);
// The first tick at which so many nanoseconds have passed since the machine's start.
Ticks tick_of(std::uint64_t nanoseconds, Hertz rate);
// When a tick comes, in nanoseconds since then.
std::uint64_t time_of(Ticks tick, Hertz rate);

}  // namespace hardclock::posix
