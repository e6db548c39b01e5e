// What instructions and ends of blocks do to a pipeline, remembered: blocks that are met for the
// first time are made of instructions that others have had, in states that others have been in.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/timing/pipeline.h"

namespace hardclock {

// How a block was left: past its end, by a transfer of control that was taken, or without running
// the slot that it ends with; or both of these. Or in one of the first two ways, where a predictor
// had overruled what the branch says of itself. With a transfer that was taken they are odd.
enum class BlockExit : std::uint8_t {
  straight,
  taken,
  nullified,
  taken_nullified,
  overruled,
  taken_overruled
};
constexpr bool is_taken(BlockExit exit) {
  return (static_cast<unsigned>(exit) & 1) != 0;
}
constexpr bool is_overruled(BlockExit exit) {
  return exit >= BlockExit::overruled;
}
// Of a transfer of control without a slot.
constexpr BlockExit predicted_exit(bool taken, bool overruled) {
  if (overruled) return taken ? BlockExit::taken_overruled : BlockExit::overruled;
  return taken ? BlockExit::taken : BlockExit::straight;
}
constexpr bool is_nullified(BlockExit exit) {
  return exit == BlockExit::nullified || exit == BlockExit::taken_nullified;
}

// How a block ends, as far as its pipeline cares.
struct BlockEnding {
  // The timing class of the instruction that the pipeline follows when the block has been left: a
  // transfer of control, or what may nullify the last instruction. None: control goes straight on.
  std::optional<std::uint8_t> followed;
  BlockExit exit = BlockExit::straight;
};

// Moves `state` behind a block that ends so. Returns the cycles that a nullified instruction takes.
std::uint32_t leave_block(const Pipeline& pipeline, const BlockEnding& ending,
                          PipelineState& state);

// Of one pipeline. States have numbers of their own here: those within blocks are many. When they
// become too many, all are forgotten: numbers are good as long as generation() says the same.
class Transitions : public std::enable_shared_from_this<Transitions> {
 public:
  struct To {
    PipelineStates::Id state = 0;
    std::uint32_t cycles = 0;
  };

  explicit Transitions(std::shared_ptr<const Pipeline> pipeline);

  const std::shared_ptr<const Pipeline>& pipeline() const { return pipeline_; }

  // Nobody needs the numbers so far any more, unless they are still good.
  void make_room();
  std::uint64_t generation() const { return generation_; }

  PipelineStates::Id number(const PipelineState& state);
  const PipelineState& state(PipelineStates::Id number) const { return states_[number]; }
  bool any_continues(PipelineStates::Id number) const { return continue_[number]; }

  // As Pipeline::issue(). The instruction must stay where it is as long as this lives.
  To issue(PipelineStates::Id from, const InstructionTiming& instruction);
  // As leave_block().
  To leave(PipelineStates::Id from, const BlockEnding& ending);

  // Of host memory, about.
  std::uint64_t bytes() const;

 private:
  struct Issue {
    const InstructionTiming* instruction = nullptr;
    PipelineStates::Id from = 0;

    bool operator==(const Issue&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Issue& issue) const;
    std::size_t operator()(std::uint64_t end) const;
  };

  static constexpr std::size_t most_states = std::size_t{1} << 15;
  static constexpr std::size_t most_issues = std::size_t{1} << 18;

  std::shared_ptr<const Pipeline> pipeline_;
  std::uint64_t generation_ = 0;
  PipelineStates states_;
  std::vector<bool> continue_;  // by number
  tsl::robin_map<Issue, To, Hash> issues_;
  tsl::robin_map<std::uint64_t, To, Hash> ends_;  // by state and ending
};

}  // namespace hardclock
