#include "sim/process/sweep_counts.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace hardclock {
namespace {

// Of host memory, that a pc takes without counters: its place in a table that may be a quarter
// full, and what has found it, in a vector that may hold twice what it needs.
constexpr std::uint64_t bytes_of_pc(std::uint32_t few) {
  return 128 + 2 * few * sizeof(SweepTicks);
}

void add_each(SweepCounts::ByClock from, std::vector<std::uint64_t>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

// Adds up what neighbours have that were found by the same clock at the same pc.
void unite(std::vector<SweepTicks>& sorted) {
  std::size_t united = 0;
  for (const SweepTicks& each : sorted) {
    SweepTicks* const last = united == 0 ? nullptr : &sorted[united - 1];
    if (last != nullptr && last->pc == each.pc && last->clock == each.clock)
      last->ticks += each.ticks;
    else
      sorted[united++] = each;
  }
  sorted.resize(united);
}

}  // namespace

SweepCounts::SweepCounts(std::size_t clocks, std::shared_ptr<MemoryBudget> budget)
    : budget_(std::move(budget)), elsewhere_(clocks), kernel_(clocks) {}

SweepCounts::SweepCounts(const SweepCounts& other)
    : pcs_(other.pcs_),
      few_(other.few_),
      counters_(other.counters_),
      elsewhere_(other.elsewhere_),
      kernel_(other.kernel_) {}

SweepCounts& SweepCounts::operator=(const SweepCounts& other) {
  if (this != &other) *this = SweepCounts(other);
  return *this;
}

void SweepCounts::swap(SweepCounts& other) noexcept {
  std::swap(budget_, other.budget_);
  pcs_.swap(other.pcs_);
  few_.swap(other.few_);
  counters_.swap(other.counters_);
  elsewhere_.swap(other.elsewhere_);
  kernel_.swap(other.kernel_);
}

// Of a pc's counters. The vector may hold twice what it needs.
std::uint64_t SweepCounts::bytes_of_counters() const {
  return 2 * clocks() * sizeof(std::uint64_t);
}

std::uint64_t SweepCounts::bytes() const {
  const std::uint64_t rows = clocks() == 0 ? 0 : counters_.size() / clocks();
  return pcs_.size() * bytes_of_pc(few) + rows * bytes_of_counters();
}

bool SweepCounts::take(std::uint64_t bytes) {
  return budget_ == nullptr || budget_->take_profile_bytes(bytes);
}

void SweepCounts::give_back() {
  if (budget_ != nullptr) budget_->return_profile_bytes(bytes());
}

bool SweepCounts::charge_to(std::shared_ptr<MemoryBudget> budget) {
  give_back();
  budget_ = std::move(budget);
  if (take(bytes())) return true;
  budget_ = nullptr;
  return false;
}

// Null: there is no room.
auto SweepCounts::find_or_add(std::uint64_t pc) -> OfPc* {
  if (const auto known = pcs_.find(pc); known != pcs_.end()) return &known.value();
  if (!take(bytes_of_pc(few))) return nullptr;
  return &pcs_.emplace(pc, OfPc()).first.value();
}

// False: there is no room.
bool SweepCounts::add_counters(OfPc& of) {
  if (!take(bytes_of_counters())) return false;
  of.row = counters_.size();
  counters_.resize(of.row + clocks());
  return true;
}

void SweepCounts::add_user(GuestAddr pc, std::uint32_t clock, std::uint64_t ticks) {
  OfPc* const of = find_or_add(pc.value());
  if (of == nullptr) {
    elsewhere_[clock] += ticks;
  } else if (of->row != OfPc::none) {
    counters_[of->row + clock] += ticks;
  } else if (of->found < few) {
    ++of->found;
    few_.push_back({pc, clock, ticks});
  } else {
    (add_counters(*of) ? counters_[of->row + clock] : elsewhere_[clock]) += ticks;
  }
}

void SweepCounts::add(const SweepCounts& other) {
  if (clocks() == 0) *this = SweepCounts(other.clocks(), budget_);
  CHECK(other.clocks() == 0 || other.clocks() == clocks());
  for (const SweepTicks& each : other.user()) add_user(each.pc, each.clock, each.ticks);
  add_each(other.elsewhere_, elsewhere_);
  add_each(other.kernel_, kernel_);
}

std::vector<SweepTicks> SweepCounts::user() const {
  std::vector<SweepTicks> sorted = few_;
  for (const auto& [pc, of] : pcs_) {
    if (of.row == OfPc::none) continue;
    for (std::uint32_t clock = 0; clock < clocks(); ++clock) {
      const std::uint64_t ticks = counters_[of.row + clock];
      if (ticks != 0) sorted.push_back({GuestAddr(pc), clock, ticks});
    }
  }
  std::ranges::sort(sorted, {}, [](const SweepTicks& at) { return std::pair(at.pc, at.clock); });
  unite(sorted);
  return sorted;
}

}  // namespace hardclock
