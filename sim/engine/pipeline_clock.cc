#include "sim/engine/pipeline_clock.h"

#include <algorithm>

namespace hardclock {

TimedBlock::Entry& PipelineClock::enter_first(TimedBlock& block) {
  entry_bytes_ -= block.entry_bytes();
  TimedBlock::Entry& entry = block.entries.emplace_back();
  entry_bytes_ += block.entry_bytes();
  entry.state = id_;
  compute(block, entry, Way::straight);
  entry.longest = entry[Way::straight].cycles;
  if (block.ends_with_slot) {
    TimedBlock::Entry without_slot = entry;
    compute(block, without_slot, Way::nullified);
    entry.longest = std::max(entry.longest, without_slot[Way::nullified].cycles);
  }
  return entry;
}

void PipelineClock::compute(const TimedBlock& block, TimedBlock::Entry& entry, Way way) {
  const std::size_t size = block.instructions.size();
  PipelineState state = states_[entry.state];
  TimedBlock::Edge& edge = entry[way];
  edge.known = true;
  for (std::size_t i = 0; i < size - (is_nullified(way) ? 1 : 0); ++i) {
    edge.cycles += pipeline_->issue(state, block.instructions[i]);
    entry.any_continues |= state.any_continues();
  }
  if (is_nullified(way)) {
    pipeline_->pass(state, pipeline_->nullified_cycles());
    edge.cycles += pipeline_->nullified_cycles();
  }
  if (block.ends_with_slot) {
    pipeline_->redirect(state, block.instructions[size - 2].timing_class, is_taken(way));
  }
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
