// How Engine tells that control has reached a place. A part of Engine. The
// instructions there are stepped, so that what runs in blocks need not ask.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
struct Engine<Isa>::Watch {
  WatchedPlace place;
  std::function<bool()> reached;
  bool is_reached = false;  // when the instruction there has run

  bool contains(std::uint64_t pc) const {
    return pc == place.pc.value() || (place.inner_entry && pc == place.inner_entry->value());
  }
};

// A delay slot runs in the block of the transfer of control before it.
template <EngineIsa Isa>
void Engine<Isa>::watch(const WatchedPlace& place, std::function<bool()> reached) {
  const std::uint64_t pc = place.pc.value();
  const std::uint64_t low = place.is_function ? pc : pc - Sequencing::slot_distance;
  code_.blocks.leave_out(low, place.inner_entry.value_or(place.pc).value() + 1);
  watch_ = std::make_unique<Watch>(Watch{.place = place, .reached = std::move(reached)});
}

// The tree has not been told yet.
template <EngineIsa Isa>
void Engine<Isa>::see(const CallTree::Arrival& arrival) {
  if (watch_->place.is_function && watch_->contains(arrival.pc) && calls_->tree.enters(arrival))
    watch_->is_reached = true;
}

// The instruction at `pc` has run. Whether to stop behind it.
template <EngineIsa Isa>
bool Engine<Isa>::has_run(std::uint64_t pc) {
  if (!watch_->contains(pc)) return false;
  const bool is_reached = std::exchange(watch_->is_reached, false);
  return (is_reached || !watch_->place.is_function) && watch_->reached();
}

}  // namespace hardclock
