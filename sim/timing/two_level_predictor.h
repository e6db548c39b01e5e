// Two-level prediction of directions, as T.-Y. Yeh and Y. N. Patt describe it ("Two-Level Adaptive
// Training Branch Prediction", MICRO-24, 1991; PAs): a table of branches with their last outcomes,
// and, for each set of it, a table of two-bit counters by these outcomes. It learns in program
// order, when an outcome is known; a chip learns some cycles later (approximate).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/state/archive.h"

namespace hardclock {

class TwoLevelPredictor {
 public:
  struct Shape {
    std::uint32_t sets = 0;     // of the table of branches; a power of two
    std::uint32_t ways = 1;     // the least recently used branch gives way
    std::uint32_t history = 1;  // outcomes of each, 1 to 8
  };

  explicit TwoLevelPredictor(const Shape& shape);

  // What is predicted of the branch at `pc`, a bundle's address plus the slot's number; then learns
  // that it was, or was not, taken. Of a branch that the table does not have, `hint` is predicted.
  // It is entered as if it had always gone this way; a counter begins weakly on the side of the
  // last outcome (both are assumptions).
  bool predict(std::uint64_t pc, bool hint, bool taken);

  // Its tables, for whoever does what predict() does for the first branch of a set: Branch by
  // Branch, a set behind another; and the counters of a set by outcomes. They stay where they are.
  struct Branch {
    std::uint64_t pc = ~std::uint64_t{0};
    std::uint8_t outcomes = 0;  // the last one lowest

    static constexpr std::size_t state_members = 2;
  };
  const Shape& shape() const { return shape_; }
  Branch* branches() { return branches_.data(); }
  std::uint8_t* counters() { return counters_.data(); }
  std::uint64_t set_of(std::uint64_t pc) const { return pc >> bundle_shift & (shape_.sets - 1); }
  // A counter says that the branch is taken from this value on; 0 to 3.
  static constexpr std::uint8_t weakly_taken = 2, strongly_taken = 3;

  void archive(Archive& to);

 private:
  static constexpr unsigned bundle_shift = 4;

  Branch* find(std::uint64_t set, std::uint64_t pc);

  Shape shape_;
  std::vector<Branch> branches_;        // by set; in each the last used one first
  std::vector<std::uint8_t> counters_;  // by set and outcomes
};

}  // namespace hardclock
