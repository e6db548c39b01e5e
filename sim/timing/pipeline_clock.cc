#include "sim/timing/pipeline_clock.h"

#include <algorithm>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock {

TimedBlock::Entry* PipelineClock::entry_in(TimedBlock& block, PipelineStates::Id state) {
  if (block.entry.state == state) return &block.entry;
  for (TimedBlock::Entry& entry : block.more_entries()) {
    if (entry.state == state) return &entry;
  }
  return nullptr;
}

TimedBlock::Entry& PipelineClock::enter_otherwise(TimedBlock& block) {
  for (TimedBlock::Entry& entry : block.more_entries()) {
    if (entry.state == id_) return entry;
  }
  return enter_first(block);
}

TimedBlock::Entry& PipelineClock::enter_first(TimedBlock& block) {
  entry_bytes_ -= block.entry_bytes();
  TimedBlock::Entry& entry = add_entry(block);
  entry_bytes_ += block.entry_bytes();
  TimedBlock::Details& details = block.details(entry);
  entry.any_continues = states_[id_].any_continues();
  details.issued.reserve(block.rest->instructions.size());
  compute(block, entry, BlockExit::straight);
  entry.longest = entry.edges[0].cycles;
  find_spared_waits(block, entry);
  if (block.rest->last_may_be_nullified) {
    compute(block, entry, BlockExit::nullified);
    entry.longest =
        std::max<std::uint32_t>(entry.longest, block.edge(entry, BlockExit::nullified).cycles);
  }
  entry.longest += slow_cycles_ * static_cast<std::uint32_t>(block.rest->instructions.size());
  return entry;
}

TimedBlock::Entry& PipelineClock::add_entry(TimedBlock& block) {
  TimedBlock::Entry* entry = &block.entry;
  if (entry->state != TimedBlock::Entry::no_state) {
    std::unique_ptr<TimedBlock::More>& more = block.rest->more;
    if (more == nullptr) more = std::make_unique<TimedBlock::More>();
    more->details.emplace_back();
    entry = &more->entries.emplace_back();
  }
  entry->state = id_;
  return *entry;
}

void PipelineClock::compute(const TimedBlock& block, TimedBlock::Entry& entry, BlockExit exit) {
  const TimedBlock::Rest& rest = *block.rest;
  TimedBlock::Details& details = block.details(entry);
  PipelineState state = states_[entry.state];
  std::uint32_t cycles = 0;
  for (std::size_t i = 0; i < rest.instructions.size() - (is_nullified(exit) ? 1 : 0); ++i) {
    cycles += pipeline_->issue(state, *rest.instructions[i]);
    entry.any_continues |= state.any_continues();
    if (exit == BlockExit::straight) details.issued.push_back(cycles);
  }
  // Up to its end the block is the same when the transfer of control is taken.
  if (exit == BlockExit::straight && rest.followed) {
    end_edge(block, entry, BlockExit::taken, cycles, state);
  }
  end_edge(block, entry, exit, cycles, std::move(state));
}

void PipelineClock::end_edge(const TimedBlock& block, TimedBlock::Entry& entry, BlockExit exit,
                             std::uint32_t cycles, PipelineState state) {
  TimedBlock::Edge& edge = block.edge(entry, exit);
  edge.cycles = cycles + end_block(*block.rest, exit, state);
  edge.exit = states_.intern(state);
}

bool PipelineClock::starts_what_continues(const InstructionTiming& instruction) const {
  PipelineState state;
  pipeline_->issue(state, instruction);
  return state.any_continues();
}

// As long as nothing has continued, waits have held everything. What alone continues is over no
// later than without waits, from the view of what they hold: that issues no later, and what had to
// wait for it finds it over. Of several, one may begin earlier while another is waited for, and be
// over later than that.
std::vector<bool> PipelineClock::mere_delays(const TimedBlock& block,
                                             const TimedBlock::Entry& entry) const {
  const auto& instructions = block.rest->instructions;
  std::vector<bool> are_mere(instructions.size() + 1, !entry.any_continues);
  PipelineState state = states_[entry.state];
  if (!entry.any_continues || state.any_continues()) return are_mere;
  are_mere[0] = true;
  const unsigned most = issues_together_ ? 0 : 1;
  unsigned started = 0;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    pipeline_->issue(state, *instructions[i]);
    if (starts_what_continues(*instructions[i])) ++started;
    are_mere[i + 1] = started <= most && !state.any_continues();
  }
  return are_mere;
}

std::uint32_t PipelineClock::leave_delayed(const TimedBlock& block, const TimedBlock::Entry& entry,
                                           BlockExit exit, std::uint64_t slow) {
  TimedBlock::Delayed& known = block.details(entry).place_of(slow, exit);
  if (known.slow != slow || known.way != exit) known = compute_delayed(block, entry, exit, slow);
  be_at(known.exit);
  return known.cycles;
}

TimedBlock::Delayed PipelineClock::compute_delayed(const TimedBlock& block,
                                                   const TimedBlock::Entry& entry, BlockExit exit,
                                                   std::uint64_t slow) {
  const TimedBlock::Rest& rest = *block.rest;
  PipelineState state = states_[entry.state];
  std::uint32_t cycles = 0;
  for (std::size_t i = 0; i < rest.instructions.size() - (is_nullified(exit) ? 1 : 0); ++i) {
    const InstructionTiming& instruction = *rest.instructions[i];
    cycles += issue_one(state, instruction, is_off(instruction, slow, i));
    if ((slow >> i & 1) == 0) continue;
    pipeline_->freeze(state, slow_cycles_);
    cycles += slow_cycles_;
  }
  cycles += end_block(rest, exit, state);
  return {slow, exit, cycles, states_.intern(state)};
}

std::uint32_t PipelineClock::end_block(const TimedBlock::Rest& block, BlockExit exit,
                                       PipelineState& state) const {
  std::uint32_t cycles = 0;
  if (is_nullified(exit)) {
    cycles = pipeline_->nullified_cycles();
    pipeline_->pass(state, cycles);
  }
  if (is_overruled(exit)) state.predicted_taken = !state.predicted_taken;
  if (block.followed) pipeline_->redirect(state, *block.followed, is_taken(exit));
  return cycles;
}

std::uint64_t PipelineClock::issued_with_stalls(const TimedBlock& block,
                                                const TimedBlock::Entry& entry, std::size_t index,
                                                std::span<const Stall> stalls,
                                                std::uint64_t are_off) const {
  PipelineState state = states_[entry.state];
  std::uint64_t cycles = 0;
  for (std::size_t i = 0; i <= index; ++i) {
    const InstructionTiming& instruction = *block.rest->instructions[i];
    cycles += issue_one(state, instruction, is_off(instruction, are_off, i));
    for (; !stalls.empty() && stalls.front().index == i; stalls = stalls.subspan(1)) {
      pipeline_->freeze(state, stalls.front().cycles);
      cycles += stalls.front().cycles;
    }
  }
  return cycles;
}

// Follows all ways in which the block's predicates can be. Most lead to the same state soon; if
// there are too many, the rest of the block is taken to differ as much as can be.
void PipelineClock::find_spared_waits(const TimedBlock& block, TimedBlock::Entry& entry) const {
  constexpr std::size_t most_ways = 64;
  constexpr std::uint32_t longest_wait = 1000;  // that a description may have
  const auto& instructions = block.rest->instructions;
  const auto has_predicate = [](const InstructionTiming* each) {
    return each->predicate.has_value();
  };
  if (std::ranges::none_of(instructions, has_predicate)) return;
  std::vector<Way> ways = {{states_[entry.state], 0}};
  std::uint64_t spares = 0;
  std::uint32_t longer = 0;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const InstructionTiming& instruction = *instructions[i];
    if (ways.size() > most_ways) {
      spares |= std::uint64_t{instruction.predicate.has_value()} << i;
      longer += longest_wait;
      continue;
    }
    std::vector<Way> next;
    for (const Way& way : ways) add_way(next, behind(way, instruction));
    if (instruction.predicate) {
      const InstructionTiming if_off = off(instruction);
      for (const Way& way : ways) {
        const Way other = behind(way, if_off);
        if (other != behind(way, instruction)) spares |= std::uint64_t{1} << i;
        add_way(next, other);
      }
    }
    ways = std::move(next);
  }
  entry.may_spare_waits = spares != 0;
  block.details(entry).spares = spares;
  for (const auto& [state, cycles] : ways)
    entry.longest = std::max<std::uint32_t>(entry.longest, cycles + longer);
}

PipelineClock::Way PipelineClock::behind(const Way& way,
                                         const InstructionTiming& instruction) const {
  auto [state, cycles] = way;
  cycles += pipeline_->issue(state, instruction);
  return {std::move(state), cycles};
}

void PipelineClock::add_way(std::vector<Way>& ways, const Way& way) {
  const auto same = std::ranges::find(ways, way.first, &Way::first);
  if (same == ways.end())
    ways.push_back(way);
  else
    same->second = std::max(same->second, way.second);
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

void PipelineClock::archive(Archive& to) {
  auto& [pipeline, together, waits, slow, states, bytes, interned, id, state, after] = *this;
  if (to.loads()) interned = false;
  PipelineState now = this->state();
  to.state(now);
  if (to.loads()) change() = now;
  to.derived(together, states, bytes, interned, id, state, after);
  to.wiring(pipeline, waits, slow);
}

}  // namespace hardclock
