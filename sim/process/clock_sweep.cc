#include "sim/process/clock_sweep.h"

#include <algorithm>

namespace hardclock {

ClockSweep::ClockSweep(const SweepOptions& options, Hertz cpu,
                       const std::optional<TickCounter>& counter,
                       std::shared_ptr<MemoryBudget> budget)
    : budget_(std::move(budget)), idle_(options.clocks()) {
  for (const Hertz rate : options.rates) {
    const TickPeriod period = PeriodicInterrupt(cpu, rate, counter).period();
    for (std::uint32_t phase = 0; phase < options.phases; ++phase) {
      const auto clock = static_cast<std::uint32_t>(clocks_.size());
      clocks_.emplace_back(period, phase, options.phases);
      pending_.push_back({clocks_.back().due(), clock});
    }
  }
  std::ranges::make_heap(pending_, std::greater());
  if (!pending_.empty()) set_due(pending_.front().due);
}

SweepCounts& ClockSweep::of(int pid) {
  return counts_.try_emplace(pid, clocks_.size(), budget_).first->second;
}

void ClockSweep::enter(int pid) {
  if (current_ != nullptr && entered_ == pid) return;
  entered_ = pid;
  current_ = &of(pid);
}

// Calls found(clock, ticks) for what is due before `end`.
template <class Found>
void ClockSweep::pass(Cycles end, Found found) {
  while (due() < end) {
    const std::uint32_t clock = pending_.front().clock;
    SilentClock& source = clocks_[clock];
    found(clock, source.take_before(end));
    rearm(source.due());
  }
}

// The clock on top ticks next at `due`: it goes down to its place.
void ClockSweep::rearm(Cycles due) {
  const Moment moment{due, pending_.front().clock};
  const std::size_t size = pending_.size();
  std::size_t hole = 0;
  for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size && pending_[child + 1] < pending_[child]) ++child;
    if (moment < pending_[child]) break;
    pending_[hole] = pending_[child];
    hole = child;
  }
  pending_[hole] = moment;
  set_due(pending_.front().due);
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

void ClockSweep::forget(int pid) {
  counts_.erase(pid);
  if (entered_ == pid) current_ = nullptr;
}

}  // namespace hardclock
