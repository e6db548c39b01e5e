// The simulated machine's time. It counts processor cycles; seconds and clock interrupts follow
// from them by exact rational arithmetic, so nothing drifts and no host clock is involved.
#pragma once

#include <cstdint>

#include "sim/base/units.h"

namespace hardclock {

// floor(a * b / c) and ceil(a * b / c), exact; the result must fit 64 bits.
std::uint64_t multiply_divide_down(std::uint64_t a, std::uint64_t b, std::uint64_t c);
std::uint64_t multiply_divide_up(std::uint64_t a, std::uint64_t b, std::uint64_t c);

// A periodic interrupt. Interrupt k (1, 2, ...) is due at the first cycle at or after k / rate
// seconds.
class TickSource {
 public:
  TickSource(Hertz cpu, Hertz rate) : cpu_(cpu), rate_(rate) { compute(); }

  Hertz rate() const { return rate_; }
  Ticks taken() const { return Ticks(next_ - 1); }
  Cycles due() const { return due_; }
  void take() {
    ++next_;
    compute();
  }
  // Continues with the first interrupt after `now`: the source was off until then.
  void skip_to(Cycles now);

 private:
  void compute() { due_ = Cycles(multiply_divide_up(next_, cpu_.value(), rate_.value())); }

  Hertz cpu_;
  Hertz rate_;
  std::uint64_t next_ = 1;
  Cycles due_;
};

class VirtualClock {
 public:
  // `fast_rate` is the rate of the fast profiling clock, which is off until enabled.
  VirtualClock(Hertz cpu, Hertz tick_rate, Hertz fast_rate)
      : cpu_(cpu), tick_(cpu, tick_rate), fast_(cpu, fast_rate) {}

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
  // The interrupt that is due now; the clock tick comes before a fast one of the same cycle.
  enum class Event : std::uint8_t { none, tick, fast_tick };
  Event take_event();

 private:
  Hertz cpu_;
  TickSource tick_;
  TickSource fast_;
  bool fast_on_ = false;
  Cycles now_;
};

}  // namespace hardclock
