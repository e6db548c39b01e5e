#include "sim/engine/pipeline_clock.h"

#include <algorithm>

namespace hardclock {

TimedBlock::Entry& PipelineClock::enter_otherwise(TimedBlock& block) {
  for (TimedBlock::Entry& entry : block.more_entries) {
    if (entry.state == id_) return entry;
  }
  return enter_first(block);
}

TimedBlock::Entry& PipelineClock::enter_first(TimedBlock& block) {
  entry_bytes_ -= block.entry_bytes();
  const bool is_first = block.entry.details == nullptr;
  TimedBlock::Entry& entry = is_first ? block.entry : block.more_entries.emplace_back();
  entry.details = std::make_unique<TimedBlock::Details>();
  entry_bytes_ += block.entry_bytes();
  entry.state = id_;
  entry.details->any_continues = states_[id_].any_continues();
  entry.details->issued.reserve(block.instructions.size());
  compute(block, entry, BlockExit::straight);
  entry.longest = entry[BlockExit::straight].cycles;
  if (block.last_may_be_nullified) {
    compute(block, entry, BlockExit::nullified);
    entry.longest = std::max(entry.longest, entry[BlockExit::nullified].cycles);
  }
  return entry;
}

void PipelineClock::compute(const TimedBlock& block, TimedBlock::Entry& entry, BlockExit exit) {
  const std::size_t size = block.instructions.size();
  PipelineState state = states_[entry.state];
  TimedBlock::Edge& edge = entry[exit];
  for (std::size_t i = 0; i < size - (is_nullified(exit) ? 1 : 0); ++i) {
    edge.cycles += pipeline_->issue(state, *block.instructions[i]);
    entry.details->any_continues |= state.any_continues();
    if (exit == BlockExit::straight) entry.details->issued.push_back(edge.cycles);
  }
  if (is_nullified(exit)) {
    pipeline_->pass(state, pipeline_->nullified_cycles());
    edge.cycles += pipeline_->nullified_cycles();
  }
  if (block.followed) pipeline_->redirect(state, *block.followed, is_taken(exit));
  edge.exit = states_.intern(state);
}

std::uint64_t PipelineClock::issued_with_stalls(const TimedBlock& block,
                                                const TimedBlock::Entry& entry, std::size_t index,
                                                std::span<const Stall> stalls) const {
  PipelineState state = states_[entry.state];
  std::uint64_t cycles = 0;
  for (std::size_t i = 0; i <= index; ++i) {
    cycles += pipeline_->issue(state, *block.instructions[i]);
    for (; !stalls.empty() && stalls.front().index == i; stalls = stalls.subspan(1)) {
      pipeline_->freeze(state, stalls.front().cycles);
      cycles += stalls.front().cycles;
    }
  }
  return cycles;
}

void PipelineClock::wait_for_fetch(std::uint32_t cycles) {
  if (!is_interned_) return stand_still(cycles);
  const PipelineStates::Id before = id_;
  if (before < after_wait_.size() && after_wait_[before]) return be_at(*after_wait_[before]);
  const bool depends_on_length = states_[before].any_continues();
  stand_still(cycles);
  if (depends_on_length) return;
  be_at(states_.intern(state_));
  if (after_wait_.size() <= before) after_wait_.resize(before + 1);
  after_wait_[before] = id_;
}

}  // namespace hardclock
