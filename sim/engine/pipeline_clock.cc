#include "sim/engine/pipeline_clock.h"

#include <algorithm>

namespace hardclock {

TimedBlock::Entry& PipelineClock::enter_first(TimedBlock& block) {
  entry_bytes_ -= block.entry_bytes();
  TimedBlock::Entry& entry = block.entries.emplace_back();
  entry_bytes_ += block.entry_bytes();
  entry.state = id_;
  compute(block, entry, BlockExit::straight);
  entry.longest = entry[BlockExit::straight].cycles;
  if (block.last_may_be_nullified) {
    TimedBlock::Entry without_last = entry;
    compute(block, without_last, BlockExit::nullified);
    entry.longest = std::max(entry.longest, without_last[BlockExit::nullified].cycles);
  }
  return entry;
}

void PipelineClock::compute(const TimedBlock& block, TimedBlock::Entry& entry, BlockExit exit) {
  const std::size_t size = block.instructions.size();
  PipelineState state = states_[entry.state];
  TimedBlock::Edge& edge = entry[exit];
  edge.known = true;
  for (std::size_t i = 0; i < size - (is_nullified(exit) ? 1 : 0); ++i) {
    edge.cycles += pipeline_->issue(state, block.instructions[i]);
    entry.any_continues |= state.any_continues();
  }
  if (is_nullified(exit)) {
    pipeline_->pass(state, pipeline_->nullified_cycles());
    edge.cycles += pipeline_->nullified_cycles();
  }
  if (block.followed) pipeline_->redirect(state, *block.followed, is_taken(exit));
  edge.exit = states_.intern(state);
}

std::uint32_t PipelineClock::issued(const TimedBlock& block, TimedBlock::Entry& entry,
                                    std::size_t index) const {
  if (entry.issued.empty()) {
    PipelineState state = states_[entry.state];
    std::uint32_t cycles = 0;
    for (const InstructionTiming& instruction : block.instructions) {
      cycles += pipeline_->issue(state, instruction);
      entry.issued.push_back(cycles);
    }
  }
  return entry.issued[index];
}

std::uint64_t PipelineClock::issued_with_stalls(const TimedBlock& block,
                                                const TimedBlock::Entry& entry, std::size_t index,
                                                std::span<const Stall> stalls) const {
  PipelineState state = states_[entry.state];
  std::uint64_t cycles = 0;
  for (std::size_t i = 0; i <= index; ++i) {
    cycles += pipeline_->issue(state, block.instructions[i]);
    for (; !stalls.empty() && stalls.front().index == i; stalls = stalls.subspan(1)) {
      pipeline_->freeze(state, stalls.front().cycles);
      cycles += stalls.front().cycles;
    }
  }
  return cycles;
}

}  // namespace hardclock
