#include "sim/timing/transitions.h"

#include <utility>

namespace hardclock {

std::uint32_t leave_block(const Pipeline& pipeline, const BlockEnding& ending,
                          PipelineState& state) {
  std::uint32_t cycles = 0;
  if (is_nullified(ending.exit)) {
    cycles = pipeline.nullified_cycles();
    pipeline.pass(state, cycles);
  }
  if (is_overruled(ending.exit)) state.predicted_taken = !state.predicted_taken;
  if (ending.followed) pipeline.redirect(state, *ending.followed, is_taken(ending.exit));
  return cycles;
}

Transitions::Transitions(std::shared_ptr<const Pipeline> pipeline)
    : pipeline_(std::move(pipeline)) {
  number(PipelineState());
}

void Transitions::make_room() {
  if (continue_.size() < most_states && issues_.size() < most_issues) return;
  ++generation_;
  issues_.clear();
  ends_.clear();
  continue_.clear();
  states_ = PipelineStates();
  number(PipelineState());
}

PipelineStates::Id Transitions::number(const PipelineState& state) {
  const PipelineStates::Id number = states_.intern(state);
  if (number == continue_.size()) continue_.push_back(state.any_continues());
  return number;
}

auto Transitions::issue(PipelineStates::Id from, const InstructionTiming& instruction) -> To {
  const Issue issue{&instruction, from};
  const auto known = issues_.find(issue);
  if (known != issues_.end()) return known->second;
  PipelineState state = states_[from];
  const std::uint32_t cycles = pipeline_->issue(state, instruction);
  return issues_.emplace(issue, To{number(state), cycles}).first->second;
}

auto Transitions::leave(PipelineStates::Id from, const BlockEnding& ending) -> To {
  constexpr unsigned exit_bits = 3, class_bits = 9;
  const std::uint64_t followed = ending.followed ? *ending.followed + 1u : 0;
  const std::uint64_t key = (std::uint64_t{from} << class_bits | followed) << exit_bits |
                            static_cast<std::uint64_t>(ending.exit);
  const auto known = ends_.find(key);
  if (known != ends_.end()) return known->second;
  PipelineState state = states_[from];
  const std::uint32_t cycles = leave_block(*pipeline_, ending, state);
  return ends_.emplace(key, To{number(state), cycles}).first->second;
}

std::uint64_t Transitions::bytes() const {
  constexpr std::uint64_t places = 2;  // at least half of them are taken
  return states_.bytes() +
         places * (issues_.size() * (sizeof(Issue) + sizeof(To) + sizeof(std::uint64_t)) +
                   ends_.size() * (2 * sizeof(std::uint64_t) + sizeof(To)));
}

std::size_t Transitions::Hash::operator()(const Issue& issue) const {
  const auto address = reinterpret_cast<std::uintptr_t>(issue.instruction);
  return (*this)(address ^ std::uint64_t{issue.from} << 44);
}

std::size_t Transitions::Hash::operator()(std::uint64_t end) const {
  return static_cast<std::size_t>(end * 0x9e3779b97f4a7c15 >> 32);
}

}  // namespace hardclock
