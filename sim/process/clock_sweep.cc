#include "sim/process/clock_sweep.h"

#include <algorithm>

#include "sim/base/check.h"

namespace hardclock {
namespace {

// Of host memory, that a pc takes beside its ticks: its place in a table that may be a quarter
// full.
constexpr std::uint64_t bytes_of_place = 128;

void add_each(SweepCounts::ByClock from, std::vector<std::uint64_t>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

}  // namespace

SweepCounts::SweepCounts(std::size_t clocks, std::shared_ptr<MemoryBudget> budget)
    : clocks_(clocks), budget_(std::move(budget)), elsewhere_(clocks), kernel_(clocks) {}

SweepCounts::SweepCounts(const SweepCounts& other)
    : clocks_(other.clocks_),
      rows_(other.rows_),
      ticks_(other.ticks_),
      elsewhere_(other.elsewhere_),
      kernel_(other.kernel_) {}

SweepCounts& SweepCounts::operator=(const SweepCounts& other) {
  if (this != &other) *this = SweepCounts(other);
  return *this;
}

void SweepCounts::swap(SweepCounts& other) noexcept {
  std::swap(clocks_, other.clocks_);
  std::swap(budget_, other.budget_);
  rows_.swap(other.rows_);
  ticks_.swap(other.ticks_);
  elsewhere_.swap(other.elsewhere_);
  kernel_.swap(other.kernel_);
}

void SweepCounts::give_back() {
  if (budget_ != nullptr) budget_->return_profile_bytes(bytes());
}

std::uint64_t* SweepCounts::ticks_at(GuestAddr pc) {
  const auto known = rows_.find(pc.value());
  if (known != rows_.end()) return &ticks_[known->second];
  if (budget_ != nullptr && !budget_->take_profile_bytes(bytes_of_pc())) return elsewhere_.data();
  const std::size_t row = ticks_.size();
  rows_.emplace(pc.value(), row);
  ticks_.resize(row + clocks_);
  return &ticks_[row];
}

// The vector may hold twice what it needs.
std::uint64_t SweepCounts::bytes_of_pc() const {
  return bytes_of_place + 2 * clocks_ * sizeof(std::uint64_t);
}

void SweepCounts::add(const SweepCounts& other) {
  if (clocks_ == 0) *this = SweepCounts(other.clocks_, budget_);
  CHECK(other.clocks_ == 0 || other.clocks_ == clocks_);
  for (const auto& [pc, ticks] : other.by_pc()) {
    std::uint64_t* const sums = ticks_at(pc);
    for (std::size_t i = 0; i < ticks.size(); ++i) sums[i] += ticks[i];
  }
  add_each(other.elsewhere_, elsewhere_);
  add_each(other.kernel_, kernel_);
}

std::vector<std::pair<GuestAddr, SweepCounts::ByClock>> SweepCounts::by_pc() const {
  std::vector<std::pair<GuestAddr, ByClock>> sorted;
  sorted.reserve(rows_.size());
  for (const auto& [pc, row] : rows_) {
    sorted.emplace_back(GuestAddr(pc), ByClock(ticks_).subspan(row, clocks_));
  }
  std::ranges::sort(sorted, {}, [](const auto& entry) { return entry.first; });
  return sorted;
}

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
