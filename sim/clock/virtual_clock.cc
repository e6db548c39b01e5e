#include "sim/clock/virtual_clock.h"

#include <algorithm>

#include "sim/state/archive.h"

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

// Without a counter: like one that counts once an interrupt.
PeriodicInterrupt::PeriodicInterrupt(Hertz cpu, Hertz rate,
                                     const std::optional<TickCounter>& counter)
    : rate_(rate), counter_(counter.value_or(TickCounter{cpu.value(), rate.value()})) {
  const Wide counts = Wide{cpu.value()} * counter_.counts / (Wide{counter_.cycles} * rate.value());
  interval_ = std::max<std::uint64_t>(static_cast<std::uint64_t>(counts), 1);
  compute();
}

void PeriodicInterrupt::skip_to(Cycles now) {
  next_ = multiply_divide_down(now.value(), counter_.counts, counter_.cycles) / interval_ + 1;
  compute();
}

Ticks VirtualClock::skip_to(Cycles when) {
  const Ticks before = ticks();
  if (when <= now_) return Ticks(0);
  now_ = when;
  tick_.skip_to(now_);
  if (fast_on_) fast_.skip_to(now_);
  return ticks() - before;
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

void PeriodicInterrupt::archive(Archive& to) {
  auto& [rate, counter, interval, next, due] = *this;
  to.state(next);
  to.derived(due);
  if (to.loads()) compute();
  to.wiring(rate, counter, interval);
}

void VirtualClock::archive(Archive& to) {
  auto& [cpu, tick, fast, fast_on, now] = *this;
  to.state(tick, fast, fast_on, now);
  to.wiring(cpu);
}

}  // namespace hardclock
