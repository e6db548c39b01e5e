#include "sim/timing/branch_predictor.h"

namespace hardclock {
namespace {

constexpr std::uint8_t strongly_taken = 3;
constexpr std::uint8_t weakly_taken = 2;

}  // namespace

BranchPredictor::BranchPredictor(const Shape& shape)
    : shape_(shape), counters_(shape.counters), returns_(shape.returns), targets_(shape.targets) {}

bool BranchPredictor::predicts_taken(std::uint64_t pc) const {
  return !counters_.empty() && counters_[counter_index(pc)] >= weakly_taken;
}

void BranchPredictor::learn_direction(std::uint64_t pc, bool taken) {
  if (counters_.empty()) return;
  std::uint8_t& counter = counters_[counter_index(pc)];
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

bool BranchPredictor::knows_target(std::uint64_t pc, std::uint64_t target) const {
  if (targets_.empty()) return false;
  const Target& entry = targets_[target_index(pc)];
  return entry.valid && entry.pc == pc && entry.target == target;
}

void BranchPredictor::learn_target(std::uint64_t pc, std::uint64_t target) {
  if (!targets_.empty()) targets_[target_index(pc)] = {pc, target, true};
}

}  // namespace hardclock
