// How Engine tells that control has reached a place. A part of Engine. No block
// goes on into the place. While it is to be reached often still, translated code counts; after that
// the instruction there is stepped, so that what runs in blocks need not ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
struct Engine<Isa>::Watch {
  // While code counts it is left after so many cycles, so that it cannot count further than to the
  // arrivals that are stepped: a cycle has fewer than 16 instructions.
  static constexpr std::uint64_t cycles_in_code = 1 << 12;
  static constexpr std::uint64_t most_stepped = cycles_in_code * 16;

  WatchedPlace place;
  std::shared_ptr<Awaited> awaited;
  bool is_reached = false;  // when the instruction there has run
  bool steps = false;       // it has to be stepped

  bool contains(std::uint64_t pc) const {
    return pc == place.pc.value() || (place.inner_entry && pc == place.inner_entry->value());
  }
  // Which of the block's instructions is the one there; nullopt: none, as far as code counts.
  std::optional<std::size_t> index_in(const Block& block) const {
    if (contains(block.start)) return 0;
    if constexpr (Sequencing::slot_distance != 0) {
      const bool is_in_slot = !place.is_function && block.end.with_delay_slot &&
                              contains(block.start + Sequencing::slot_distance);
      if (is_in_slot) return 1;
    }
    return std::nullopt;
  }
  // Once each time that it is entered. A call leads to a function's entry, and what leads elsewhere
  // to it is no arrival; a slot may not take place.
  bool is_counted_in_code(const Block& block) const {
    if (place.is_function) return false;
    const auto index = index_in(block);
    if constexpr (Sequencing::slot_distance != 0)
      return index && (*index == 0 || !block.end.slot_may_be_nullified);
    else
      return index.has_value();
  }
};

// A delay slot runs in the block of the transfer of control before it.
template <EngineIsa Isa>
void Engine<Isa>::watch(const WatchedPlace& place, std::shared_ptr<Awaited> awaited) {
  code_.blocks.end_blocks_before(place.pc.value(), place.inner_entry.value_or(place.pc).value());
  watch_ = std::make_unique<Watch>(Watch{.place = place, .awaited = std::move(awaited)});
}

// Before a run and between two blocks. Other processors count, too.
template <EngineIsa Isa>
void Engine<Isa>::look_at_watch() {
  const std::uint64_t left = watch_->awaited->left;
  if (left == 0) {
    code_.blocks.go_anywhere();
    watch_.reset();
  } else if (!watch_->steps && (left <= Watch::most_stepped || !code_.runs_blocks)) {
    watch_->steps = true;
    forget_translations();  // which count, and lead to those that do
  }
}

// Whether the block has to be stepped, unless code that counts arrivals can run.
template <EngineIsa Isa>
bool Engine<Isa>::is_to_be_stepped(const Block& block) const {
  return watch_ && (watch_->steps || !watch_->place.is_function) && watch_->index_in(block);
}

// The tree has not been told yet.
template <EngineIsa Isa>
void Engine<Isa>::see(const CallTree::Arrival& arrival) {
  if (!watch_->place.is_function || !watch_->contains(arrival.pc) || !calls_->tree.enters(arrival))
    return;
  if (watch_->steps)
    watch_->is_reached = true;
  else
    --watch_->awaited->left;
}

// The instruction at `pc` has run. Whether to stop behind it.
template <EngineIsa Isa>
bool Engine<Isa>::has_run(std::uint64_t pc) {
  if (!watch_->contains(pc)) return false;
  const bool is_reached = std::exchange(watch_->is_reached, false) || !watch_->place.is_function;
  Awaited& awaited = *watch_->awaited;
  return is_reached && awaited.left != 0 && --awaited.left == 0 && awaited.stops;
}

// Translated code has been left before instruction `index` of a block, in its middle.
template <EngineIsa Isa>
void Engine<Isa>::has_not_run(const Block& block, std::size_t index) const {
  if (watch_ && watch_->is_counted_in_code(block) && index <= watch_->index_in(block))
    ++watch_->awaited->left;
}

}  // namespace hardclock
