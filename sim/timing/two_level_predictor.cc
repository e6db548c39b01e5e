#include "sim/timing/two_level_predictor.h"

#include <algorithm>
#include <cstddef>

#include "sim/state/archive.h"

namespace hardclock {
namespace {

constexpr std::uint8_t weakly_not_taken = 1;

}  // namespace

TwoLevelPredictor::TwoLevelPredictor(const Shape& shape)
    : shape_(shape),
      branches_(std::size_t{shape.sets} * shape.ways),
      counters_(std::size_t{shape.sets} << shape.history) {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    counters_[i] = (i & 1) != 0 ? weakly_taken : weakly_not_taken;
  }
}

bool TwoLevelPredictor::predict(std::uint64_t pc, bool hint, bool taken) {
  const std::uint64_t set = set_of(pc);
  const auto all_outcomes = static_cast<std::uint8_t>((1u << shape_.history) - 1);
  Branch* const branch = find(set, pc);
  if (branch->pc != pc) {
    *branch = {pc, taken ? all_outcomes : std::uint8_t{0}};
    return hint;
  }
  std::uint8_t& counter = counters_[(set << shape_.history) + branch->outcomes];
  const bool predicted = counter >= weakly_taken;
  if (taken && counter < strongly_taken) ++counter;
  if (!taken && counter > 0) --counter;
  branch->outcomes = (branch->outcomes << 1 | (taken ? 1 : 0)) & all_outcomes;
  return predicted;
}

// The branch, or the one that gives way to it, which is the first of its set now.
TwoLevelPredictor::Branch* TwoLevelPredictor::find(std::uint64_t set, std::uint64_t pc) {
  Branch* const first = branches_.data() + set * shape_.ways;
  if (first->pc == pc) return first;
  Branch* const last = first + shape_.ways - 1;
  Branch* const found =
      std::find_if(first, last, [pc](const Branch& branch) { return branch.pc == pc; });
  std::rotate(first, found, found + 1);
  return first;
}

void TwoLevelPredictor::archive(Archive& to) {
  auto& [shape, branches, counters] = *this;
  to.state(branches, counters);
  to.wiring(shape);
}

}  // namespace hardclock
