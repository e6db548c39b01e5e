#include "sim/timing/pipeline.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "sim/state/archive.h"

namespace hardclock {
namespace {

using Words = std::array<std::uint64_t, 2>;

Words shifted_down(const Words& words, unsigned bits) {
  if (bits >= BusyCycles::most) return {};
  if (bits >= 64) return {words[1] >> (bits - 64), 0};
  if (bits == 0) return words;
  return {words[0] >> bits | words[1] << (64 - bits), words[1] >> bits};
}

}  // namespace

InstructionTiming off(const InstructionTiming& instruction) {
  InstructionTiming timing = instruction;
  timing.reads = {*instruction.predicate};
  timing.addresses.clear();
  timing.stored.clear();
  timing.is_off = true;
  return timing;
}

bool BusyCycles::collides(const BusyCycles& that, unsigned later) const {
  const Words left = shifted_down(that.words_, later);
  return (words_[0] & left[0]) != 0 || (words_[1] & left[1]) != 0;
}

void BusyCycles::add(const BusyCycles& that) {
  words_[0] |= that.words_[0];
  words_[1] |= that.words_[1];
}

void BusyCycles::advance(unsigned cycles) {
  words_ = shifted_down(words_, cycles);
}

const PipelineState::Pending* PipelineState::find(Resource resource) const {
  for (const Pending& pending : pending_) {
    if (pending.resource == resource) return &pending;
  }
  return nullptr;
}

void PipelineState::set(const Pending& pending) {
  const auto at = std::find_if(pending_.begin(), pending_.end(),
                               [&](const Pending& p) { return p.resource >= pending.resource; });
  if (at != pending_.end() && at->resource == pending.resource) {
    *at = pending;
  } else {
    pending_.insert(at, pending);
  }
}

void PipelineState::set_longer(const Pending& pending) {
  const Pending* const known = find(pending.resource);
  if (known == nullptr || known->cycles < pending.cycles) set(pending);
}

void PipelineState::forget_within(unsigned cycles) {
  std::erase_if(pending_, [&](const Pending& p) { return p.cycles <= cycles; });
}

BusyCycles PipelineState::stage(std::size_t index) const {
  return index < stages_.size() ? stages_[index] : BusyCycles{};
}

void PipelineState::reserve(std::size_t index, const BusyCycles& cycles) {
  if (index >= stages_.size()) stages_.resize(index + 1);
  stages_[index].add(cycles);
}

void PipelineState::close_group() {
  open_group = 0;
  open_word = 0;
  group = {};
  forget_within(1);
  for (Pending& pending : pending_) pending.of_group = pending.may_be_off = false;
}

void PipelineState::delay_group(std::uint32_t cycles) {
  std::erase_if(pending_, [&](const Pending& p) { return !p.of_group && p.cycles <= cycles; });
  for (Pending& pending : pending_) {
    if (!pending.of_group) pending.cycles = static_cast<std::uint16_t>(pending.cycles - cycles);
  }
}

void PipelineState::rename(const Renaming& renaming) {
  for (const Renaming::Range& range : renaming.ranges) {
    const auto is_in = [&](const Pending& p) {
      return p.resource >= range.first && p.resource < range.first + range.count;
    };
    if (renaming.to == Renaming::To::nowhere) {
      std::erase_if(pending_, is_in);
      continue;
    }
    // The last register's new name is the first's, where the range is that of the rotation.
    const auto first = std::find_if(pending_.begin(), pending_.end(), is_in);
    const auto end = std::find_if_not(first, pending_.end(), is_in);
    for (Pending& pending : std::span(first, end)) {
      pending.resource = pending.resource + 1 < range.first + range.count
                             ? static_cast<Resource>(pending.resource + 1)
                             : range.first;
    }
    if (first != end && std::prev(end)->resource == range.first) {
      std::rotate(first, std::prev(end), end);
    }
  }
}

void PipelineState::advance(std::uint32_t cycles) {
  std::erase_if(pending_, [&](const Pending& p) { return p.cycles <= cycles; });
  for (Pending& pending : pending_)
    pending.cycles = static_cast<std::uint16_t>(pending.cycles - cycles);
  for (BusyCycles& stage : stages_) stage.advance(cycles);
  while (!stages_.empty() && stages_.back().none()) stages_.pop_back();
}

void PipelineState::freeze(std::uint32_t cycles) {
  std::erase_if(pending_, [&](const Pending& p) { return p.continues && p.cycles <= cycles; });
  for (Pending& pending : pending_) {
    if (pending.continues) pending.cycles = static_cast<std::uint16_t>(pending.cycles - cycles);
  }
}

bool PipelineState::any_continues() const {
  return std::any_of(pending_.begin(), pending_.end(),
                     [](const Pending& p) { return p.continues; });
}

PipelineStates::Id PipelineStates::intern(const PipelineState& state) {
  if (!states_.empty() && state == *states_.front()) return 0;  // as most are
  const auto [at, is_new] = ids_.try_emplace(state, static_cast<Id>(states_.size()));
  if (is_new) states_.push_back(&at->first);
  return at->second;
}

void BusyCycles::archive(Archive& to) {
  auto& [words] = *this;
  to.state(words);
}

void PipelineState::archive(Archive& to) {
  auto& [target, open, word, issued, room, taken, renaming, pending, stages] = *this;
  to.state(target, open, word, issued, room, taken, pending, stages);
  if (!to.is_digest()) return to.constant(renaming);
  (void)to.value(renaming != nullptr);
  if (renaming != nullptr) renaming->tell(to);
}

}  // namespace hardclock
