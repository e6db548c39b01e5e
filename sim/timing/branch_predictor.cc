#include "sim/timing/branch_predictor.h"

#include <algorithm>
#include <bit>

#include "sim/state/archive.h"

namespace hardclock {
namespace {

constexpr std::uint8_t strongly_taken = 3;
constexpr std::uint8_t weakly_taken = 2;

}  // namespace

BranchPredictor::BranchPredictor(const Shape& shape)
    : shape_(shape), counters_(shape.counters), returns_(shape.returns), targets_(shape.targets) {
  for (unsigned entry = 0; entry < is_taken_.size(); ++entry) {
    const auto taken = static_cast<std::uint32_t>(std::popcount(entry));
    is_taken_[entry] = shape_.history == 0 ? entry >= weakly_taken : taken > shape_.history / 2;
  }
}

void BranchPredictor::learn_direction(std::uint64_t pc, bool taken) {
  if (counters_.empty()) return;
  std::uint8_t& counter = counters_[counter_index(pc)];
  if (shape_.history != 0) {
    const unsigned outcomes = counter * 2U + (taken ? 1U : 0U);
    counter = static_cast<std::uint8_t>(outcomes & ((1U << shape_.history) - 1));
    return;
  }
  if (taken && counter < strongly_taken) ++counter;
  if (!taken && counter > 0) --counter;
}

void BranchPredictor::call(std::uint64_t return_address) {
  if (returns_.empty()) return;
  newest_return_ = (newest_return_ + 1) % shape_.returns;
  returns_[newest_return_] = return_address;
}

bool BranchPredictor::predicts_return(std::uint64_t target) {
  if (returns_.empty()) return false;
  const bool right = returns_[newest_return_] == target;
  newest_return_ = (newest_return_ + shape_.returns - 1) % shape_.returns;
  return right;
}

std::vector<BranchPredictor::Target>::const_iterator BranchPredictor::entry_of(
    std::uint64_t pc) const {
  const std::size_t place = place_of(pc);
  if (present_[place] == 0) return targets_.end();
  const Target& last = targets_[found_[place]];
  if (last.valid && last.pc == pc) return targets_.begin() + found_[place];
  const auto entry = std::find_if(targets_.begin(), targets_.end(), [pc](const Target& known) {
    return known.valid && known.pc == pc;
  });
  if (entry != targets_.end()) {
    found_[place] = static_cast<std::uint32_t>(entry - targets_.begin());
  }
  return entry;
}

bool BranchPredictor::knows_target(std::uint64_t pc, std::uint64_t target) const {
  if (targets_.empty()) return false;
  if (shape_.associative_targets) {
    const auto entry = entry_of(pc);
    return entry != targets_.end() && entry->target == target;
  }
  const Target& entry = targets_[target_index(pc)];
  return entry.valid && entry.pc == pc && entry.target == target;
}

void BranchPredictor::learn_target(std::uint64_t pc, std::uint64_t target, bool predicted_taken) {
  if (targets_.empty()) return;
  std::size_t index = target_index(pc);
  if (shape_.associative_targets) {
    if (!predicted_taken) return;
    const auto entry = entry_of(pc);
    index = static_cast<std::size_t>(entry - targets_.begin());
    if (entry == targets_.end()) {
      index = replaced_next_;
      replaced_next_ = (replaced_next_ + 1) % targets_.size();
      if (targets_[index].valid) --present_[place_of(targets_[index].pc)];
      ++present_[place_of(pc)];
    }
  }
  targets_[index] = {pc, target, true};
}

void BranchPredictor::predicted_not_taken(std::uint64_t pc) {
  if (!shape_.associative_targets) return;
  const auto entry = entry_of(pc);
  if (entry == targets_.end()) return;
  --present_[place_of(pc)];
  targets_[static_cast<std::size_t>(entry - targets_.begin())].valid = false;
}

void BranchPredictor::archive(Archive& to) {
  auto& [shape, counters, is_taken, returns, newest, targets, next, present, found] = *this;
  to.state(counters, returns, newest, targets, next);
  to.derived(is_taken, present, found);
  to.wiring(shape);
}

}  // namespace hardclock
