// A clock that interrupts nobody: it only says when its ticks are due.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/clock/virtual_clock.h"

namespace hardclock {

// Tick k is due at the first cycle at or after (k + phase / phases) periods. The first one is that
// of phase 0 with k = 1, of the others with k = 0: together the ticks of all phases are those of a
// clock that is `phases` times as fast, the period divided exactly.
class SilentClock {
 public:
  // phase < phases; phases is at least 1. Neither number of the period is 0.
  SilentClock(TickPeriod period, std::uint32_t phase, std::uint32_t phases);

  // Of the next tick.
  Cycles due() const { return Cycles(whole_ + (rest_ != 0 ? 1 : 0)); }
  void take() {
    whole_ += step_whole_;
    rest_ += step_rest_;
    if (rest_ < parts_) return;
    rest_ -= parts_;
    ++whole_;
  }
  // Takes all ticks that are due before `end`, however many, at once. Returns their
  // number, which must fit 64 bits.
  std::uint64_t take_before(Cycles end);

 private:
  // The next tick is due at whole_ + rest_ / parts_ cycles, the one after it step_... later.
  std::uint64_t parts_;
  std::uint64_t step_whole_;
  std::uint64_t step_rest_;
  std::uint64_t whole_;
  std::uint64_t rest_;
};

}  // namespace hardclock
