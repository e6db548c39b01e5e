#include "sim/timing/pipeline.h"

#include <algorithm>

namespace hardclock {

std::uint32_t PipelineState::remaining(Resource resource) const {
  for (const Pending& pending : pending_) {
    if (pending.resource == resource) return pending.cycles;
  }
  return 0;
}

void PipelineState::set(Resource resource, std::uint32_t cycles) {
  const auto at = std::find_if(pending_.begin(), pending_.end(),
                               [&](const Pending& p) { return p.resource >= resource; });
  const bool present = at != pending_.end() && at->resource == resource;
  if (cycles == 0) {
    if (present) pending_.erase(at);
  } else if (present) {
    at->cycles = cycles;
  } else {
    pending_.insert(at, Pending{resource, cycles});
  }
}

void PipelineState::advance(std::uint32_t cycles) {
  std::erase_if(pending_, [&](const Pending& p) { return p.cycles <= cycles; });
  for (Pending& pending : pending_) pending.cycles -= cycles;
}

std::uint32_t InOrderPipeline::issue(PipelineState& state,
                                     const InstructionTiming& instruction) const {
  const Class& timing = classes_[instruction.timing_class];
  std::uint32_t wait = timing.unit == 0 ? 0 : state.remaining(timing.unit);
  for (const Resource read : instruction.reads) wait = std::max(wait, state.remaining(read));
  for (const Resource write : instruction.writes) {
    const std::uint32_t older = state.remaining(write);
    if (older > timing.latency) wait = std::max(wait, older - timing.latency);
  }
  state.advance(wait + 1);
  for (const Resource write : instruction.writes) state.set(write, timing.latency - 1);
  if (timing.unit != 0) state.set(timing.unit, timing.repeat - 1);
  return wait;
}

PipelineStates::Id PipelineStates::intern(const PipelineState& state) {
  const auto [at, is_new] = ids_.try_emplace(state, static_cast<Id>(states_.size()));
  if (is_new) states_.push_back(&at->first);
  return at->second;
}

}  // namespace hardclock
