// Branch prediction of the kinds of the R10000 and the PA-8000: a table of two-bit counters, or of
// the last outcomes, chosen by the branch's address, a few return addresses, and (R12000, PA-8000)
// a cache of branch targets. All of it learns in program order, when an outcome is known; a chip
// learns a few cycles later (approximate).
#pragma once

#include <cstdint>
#include <vector>

namespace hardclock {

class BranchPredictor {
 public:
  struct Shape {
    std::uint32_t counters = 0;       // power of two; 0: none, conditional branches go straight on
    std::uint32_t counter_shift = 2;  // address bits below the counter's index
    std::uint32_t history = 0;        // odd, below 8: outcomes that an entry keeps; 0: a counter
    std::uint32_t returns = 0;
    std::uint32_t targets = 0;  // power of two; direct mapped
    std::uint32_t target_shift = 2;
    // Any entry will do, replaced in turn; only branches that are predicted taken have one.
    bool associative_targets = false;
  };

  explicit BranchPredictor(const Shape& shape);

  bool predicts_taken(std::uint64_t pc) const;
  // A two-bit counter that saturates; it predicts "taken" from 2 on and begins at 0. Or the last
  // outcomes, none taken at first, of which the majority counts.
  void learn_direction(std::uint64_t pc, bool taken);

  // The return addresses are a ring: a call overwrites the oldest, a return takes the newest and
  // leaves it in its place. One entry is thus a cache of the last call's return address.
  void call(std::uint64_t return_address);
  bool predicts_return(std::uint64_t target);

  bool knows_target(std::uint64_t pc, std::uint64_t target) const;
  void learn_target(std::uint64_t pc, std::uint64_t target, bool predicted_taken);
  void predicted_not_taken(std::uint64_t pc);

 private:
  struct Target {
    std::uint64_t pc = 0;
    std::uint64_t target = 0;
    bool valid = false;
  };

  std::uint64_t counter_index(std::uint64_t pc) const {
    return (pc >> shape_.counter_shift) & (shape_.counters - 1);
  }
  std::uint64_t target_index(std::uint64_t pc) const {
    return (pc >> shape_.target_shift) & (shape_.targets - 1);
  }

  // The branch's entry among the associative ones, or the end.
  std::vector<Target>::const_iterator entry_of(std::uint64_t pc) const;

  Shape shape_;
  std::vector<std::uint8_t> counters_;  // or outcomes, the last one lowest
  std::vector<std::uint64_t> returns_;
  std::uint32_t newest_return_ = 0;
  std::vector<Target> targets_;
  std::size_t replaced_next_ = 0;  // of the associative ones
};

}  // namespace hardclock
