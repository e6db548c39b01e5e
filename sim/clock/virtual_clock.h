// The simulated machine's time. It counts processor cycles; seconds and clock interrupts follow
// from them by exact rational arithmetic, so nothing drifts and no host clock is involved.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "sim/state/archive.h"

namespace hardclock {

// floor(a * b / c) and ceil(a * b / c), exact; the result must fit 64 bits.
std::uint64_t multiply_divide_down(std::uint64_t a, std::uint64_t b, std::uint64_t c);
std::uint64_t multiply_divide_up(std::uint64_t a, std::uint64_t b, std::uint64_t c);

// The counter that drives a machine's clock interrupts: it counts `counts` times in `cycles` cycles
// of the processor, evenly, from cycle 0 on. Neither is 0.
struct TickCounter {
  std::uint64_t cycles;
  std::uint64_t counts;

  bool operator==(const TickCounter&) const = default;
};

// The time between two interrupts of a clock: cycles / counts, in cycles. Neither is 0.
struct TickPeriod {
  std::uint64_t cycles;
  std::uint64_t counts;

  bool operator==(const TickPeriod&) const = default;
};

// A periodic interrupt. Interrupt k (1, 2, ...) is due at the first cycle at or after k / rate
// seconds. With a counter, it is due at or after the end of count number k * n, where n is the
// number of whole counts in 1 / rate seconds, but at least 1: a kernel adds n to a compare register
// or loads it into a timer.
class PeriodicInterrupt {
 public:
  PeriodicInterrupt(Hertz cpu, Hertz rate, const std::optional<TickCounter>& counter = {});

  // The requested rate: where n is rounded down, interrupts come somewhat more often.
  Hertz rate() const { return rate_; }
  TickPeriod period() const { return {interval_ * counter_.cycles, counter_.counts}; }
  Ticks taken() const { return Ticks(next_ - 1); }
  Cycles due() const { return due_; }
  // When interrupt `number` is due.
  Cycles due(Ticks number) const { return due_at(number.value()); }
  void take() {
    ++next_;
    compute();
  }
  // Continues with the first interrupt after `now`: the source was off until then.
  void skip_to(Cycles now);

  void archive(Archive& to);

 private:
  Cycles due_at(std::uint64_t number) const {
    return Cycles(multiply_divide_up(number * interval_, counter_.cycles, counter_.counts));
  }
  void compute() { due_ = due_at(next_); }

  Hertz rate_;
  TickCounter counter_;
  std::uint64_t interval_;  // counts
  std::uint64_t next_ = 1;
  Cycles due_;
};

class VirtualClock {
 public:
  // `fast_rate` is the rate of the fast profiling clock, which is off until enabled. Both clocks
  // use the machine's `counter`, if it has one.
  VirtualClock(Hertz cpu, Hertz tick_rate, Hertz fast_rate,
               const std::optional<TickCounter>& counter = {})
      : cpu_(cpu), tick_(cpu, tick_rate, counter), fast_(cpu, fast_rate, counter) {}

  Hertz cpu_rate() const { return cpu_; }
  Hertz tick_rate() const { return tick_.rate(); }
  Hertz fast_rate() const { return fast_.rate(); }
  // Clock interrupts so far: what the kernels call lbolt.
  Ticks ticks() const { return tick_.taken(); }

  Cycles now() const { return now_; }
  // The engine moves time forward through this.
  Cycles& now() { return now_; }
  void advance_to(Cycles when) {
    if (when > now_) now_ = when;
  }
  // Advances to `when` without taking the interrupts that are due until then, which nobody would
  // notice. Returns the number of clock ticks among them.
  Ticks skip_to(Cycles when);
  // When the number of clock ticks reaches `ticks`.
  Cycles when_ticks_are(Ticks ticks) const { return tick_.due(ticks); }
  // Whole microseconds since the machine started.
  std::uint64_t microseconds() const {
    return multiply_divide_down(now_.value(), 1'000'000, cpu_.value());
  }

  void enable_fast_clock(bool on) {
    if (on && !fast_on_) fast_.skip_to(now_);
    fast_on_ = on;
  }

  Cycles next_event() const {
    return fast_on_ && fast_.due() < tick_.due() ? fast_.due() : tick_.due();
  }
  // The interrupt that is due now; a clock tick precedes a fast one of the same cycle.
  enum class Event : std::uint8_t { none, tick, fast_tick };
  Event take_event();

  void archive(Archive& to);

 private:
  Hertz cpu_;
  PeriodicInterrupt tick_;
  PeriodicInterrupt fast_;
  bool fast_on_ = false;
  Cycles now_;
};

}  // namespace hardclock
