#include "sim/clock/silent_clock.h"

#include "sim/base/check.h"

namespace hardclock {
namespace {

using Wide = unsigned __int128;

}  // namespace

SilentClock::SilentClock(TickPeriod period, std::uint32_t phase, std::uint32_t phases)
    : parts_(period.counts * phases),
      step_whole_(period.cycles / period.counts),
      step_rest_(period.cycles % period.counts * phases) {
  CHECK(phase < phases);
  const Wide first = Wide{period.cycles} * (phase == 0 ? phases : phase);
  whole_ = static_cast<std::uint64_t>(first / parts_);
  rest_ = static_cast<std::uint64_t>(first % parts_);
}

std::uint64_t SilentClock::take_before(Cycles end) {
  if (due() >= end) return 0;
  take();
  if (due() >= end) return 1;  // nearly always, and without a division
  // In parts of a cycle: those that may pass until the last tick, and those between two ticks.
  const Wide left = Wide{end.value() - 1 - whole_} * parts_ - rest_;
  const Wide step = Wide{step_whole_} * parts_ + step_rest_;
  const auto ticks = static_cast<std::uint64_t>(left / step) + 1;
  const Wide passed = rest_ + ticks * step;
  whole_ += static_cast<std::uint64_t>(passed / parts_);
  rest_ = static_cast<std::uint64_t>(passed % parts_);
  return ticks + 1;
}

}  // namespace hardclock
