#include "sim/process/clock_sweep.h"

#include <bit>
#include <limits>

namespace hardclock {

ClockSweep::ClockSweep(const SweepOptions& options, Hertz cpu,
                       const std::optional<TickCounter>& counter,
                       std::shared_ptr<MemoryBudget> budget)
    : budget_(std::move(budget)), idle_(options.clocks()) {
  for (const Hertz rate : options.rates) {
    const TickPeriod period = PeriodicInterrupt(cpu, rate, counter).period();
    for (std::uint32_t phase = 0; phase < options.phases; ++phase) {
      clocks_.emplace_back(period, phase, options.phases);
    }
  }
  if (!clocks_.empty()) start_tournament();
}

void ClockSweep::start_tournament() {
  const std::size_t places = std::bit_ceil(clocks_.size());
  next_.resize(places, Cycles(std::numeric_limits<std::uint64_t>::max()));
  for (std::size_t clock = 0; clock < clocks_.size(); ++clock) next_[clock] = clocks_[clock].due();
  first_.resize(2 * places);
  for (std::size_t i = 0; i < places; ++i) first_[places + i] = static_cast<std::uint32_t>(i);
  for (std::size_t i = places - 1; i >= 1; --i)
    first_[i] = earlier(first_[2 * i], first_[2 * i + 1]);
  look_ahead();
}

std::uint32_t ClockSweep::earlier(std::uint32_t a, std::uint32_t b) const {
  return next_[b] < next_[a] ? b : a;
}

SweepCounts& ClockSweep::of(int pid) {
  return counts_.try_emplace(pid, clocks_.size(), budget_).first->second;
}

void ClockSweep::enter(int pid) {
  if (current_ != nullptr && entered_ == pid) return;
  entered_ = pid;
  current_ = &of(pid);
}

// Takes so many ticks from the clocks that few calls take others.
void ClockSweep::look_ahead() {
  constexpr std::size_t most = 256, least = 32;
  if (ticks_.size() < passed_ + least) {
    ticks_.erase(ticks_.begin(), ticks_.begin() + static_cast<std::ptrdiff_t>(passed_));
    clock_of_.erase(clock_of_.begin(), clock_of_.begin() + static_cast<std::ptrdiff_t>(passed_));
    passed_ = 0;
    while (ticks_.size() < most) {
      const std::uint32_t clock = first_[1];
      ticks_.push_back(next_[clock]);
      clock_of_.push_back(clock);
      clocks_[clock].take();
      rearm(clock);
    }
  }
  set_upcoming(std::span(ticks_).subspan(passed_));
}

// Calls found(clock, ticks) for what is due before `end`.
template <class Found>
void ClockSweep::pass(Cycles end, Found found) {
  if (due() >= end) return;
  for (; passed_ < ticks_.size() && ticks_[passed_] < end; ++passed_) found(clock_of_[passed_], 1);
  while (due_behind() < end) {
    const std::uint32_t clock = first_[1];
    found(clock, clocks_[clock].take_before(end));
    rearm(clock);
  }
  look_ahead();
}

// It has won the tournament, and has to win it anew with its next tick.
void ClockSweep::rearm(std::uint32_t clock) {
  next_[clock] = clocks_[clock].due();
  std::uint32_t winner = clock;
  for (std::size_t i = next_.size() + clock; i > 1; i /= 2) {
    winner = earlier(winner, first_[i ^ 1]);
    first_[i / 2] = winner;
  }
}

void ClockSweep::take(GuestAddr pc, Cycles end) {
  pass(end,
       [&](std::uint32_t clock, std::uint64_t ticks) { current_->add_user(pc, clock, ticks); });
}

void ClockSweep::pass_kernel(int pid, Cycles end) {
  pass(end, [&](std::uint32_t clock, std::uint64_t ticks) { of(pid).add_kernel(clock, ticks); });
}

void ClockSweep::pass_idle(Cycles end) {
  pass(end, [&](std::uint32_t clock, std::uint64_t ticks) { idle_[clock] += ticks; });
}

SweepCounts ClockSweep::counts_of(int pid) const {
  const auto known = counts_.find(pid);
  return known == counts_.end() ? SweepCounts(clocks_.size(), nullptr) : known->second;
}

SweepCounts ClockSweep::take_counts_of(int pid) {
  if (entered_ == pid) current_ = nullptr;
  auto known = counts_.extract(pid);
  if (known.empty()) return SweepCounts(clocks_.size(), nullptr);
  known.mapped().charge_to(nullptr);
  return std::move(known.mapped());
}

}  // namespace hardclock
