// Branch prediction as in the R10000 and the PA-8000: a table, indexed by the branch's address, of
// two-bit counters or of the last outcomes; a few return addresses; and (R12000, PA-8000) a cache
// of branch targets. All of them learn in program order, when an outcome is known; a chip learns a
// few cycles later (approximate).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/state/archive.h"

namespace hardclock {

class BranchPredictor {
 public:
  struct Shape {
    std::uint32_t counters = 0;       // power of two; 0: none, conditional branches fall through
    std::uint32_t counter_shift = 2;  // address bits below the counter's index
    std::uint32_t history = 0;        // outcomes in an entry, odd, below 8; 0: a counter instead
    std::uint32_t returns = 0;
    std::uint32_t targets = 0;  // power of two; direct mapped
    std::uint32_t target_shift = 2;
    // Fully associative, replaced in turn; only branches predicted taken have an entry.
    bool associative_targets = false;
  };

  explicit BranchPredictor(const Shape& shape);

  bool predicts_taken(std::uint64_t pc) const {
    return !counters_.empty() && is_taken_[counters_[counter_index(pc)]];
  }
  // An entry is a saturating two-bit counter, which predicts "taken" from 2 on and begins at 0; or
  // the last outcomes, initially not taken, of which the majority counts.
  void learn_direction(std::uint64_t pc, bool taken);

  // The return addresses are a ring: a call overwrites the oldest, a return takes the newest and
  // leaves it in its place. So a ring of one entry caches the last call's return address.
  void call(std::uint64_t return_address);
  bool predicts_return(std::uint64_t target);

  bool knows_target(std::uint64_t pc, std::uint64_t target) const;
  void learn_target(std::uint64_t pc, std::uint64_t target, bool predicted_taken);
  void predicted_not_taken(std::uint64_t pc);

  void archive(Archive& to);

 private:
  struct Target {
    std::uint64_t pc = 0;
    std::uint64_t target = 0;
    bool valid = false;

    static constexpr std::size_t state_members = 3;
  };

  std::uint64_t counter_index(std::uint64_t pc) const {
    return (pc >> shape_.counter_shift) & (shape_.counters - 1);
  }
  std::uint64_t target_index(std::uint64_t pc) const {
    return (pc >> shape_.target_shift) & (shape_.targets - 1);
  }

  // A branch's place in the tables below.
  static std::size_t place_of(std::uint64_t pc) { return pc / 4 % places; }
  // The branch's entry in the associative table, or its end.
  std::vector<Target>::const_iterator entry_of(std::uint64_t pc) const;

  Shape shape_;
  std::vector<std::uint8_t> counters_;  // or outcomes, the last one lowest
  std::array<bool, 256> is_taken_{};    // what an entry predicts
  std::vector<std::uint64_t> returns_;
  std::uint32_t newest_return_ = 0;
  std::vector<Target> targets_;
  std::size_t replaced_next_ = 0;  // in the associative table
  // Most branches are found, or known to be absent, without a look at all entries: by place, how
  // many valid entries there are, and the one that was found last.
  static constexpr std::size_t places = 256;
  std::array<std::uint32_t, places> present_{};
  mutable std::array<std::uint32_t, places> found_{};
};

}  // namespace hardclock
