#include "sim/clock/virtual_clock.h"

namespace hardclock {

namespace {

using Wide = unsigned __int128;

}  // namespace

std::uint64_t multiply_divide_down(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return static_cast<std::uint64_t>(Wide{a} * b / c);
}

std::uint64_t multiply_divide_up(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return static_cast<std::uint64_t>((Wide{a} * b + (c - 1)) / c);
}

void TickSource::skip_to(Cycles now) {
  next_ = multiply_divide_down(now.value(), rate_.value(), cpu_.value()) + 1;
  compute();
}

VirtualClock::Event VirtualClock::take_event() {
  if (tick_.due() <= now_ && (!fast_on_ || tick_.due() <= fast_.due())) {
    tick_.take();
    return Event::tick;
  }
  if (fast_on_ && fast_.due() <= now_) {
    fast_.take();
    return Event::fast_tick;
  }
  return Event::none;
}

}  // namespace hardclock
