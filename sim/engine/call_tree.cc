#include "sim/engine/call_tree.h"

#include <algorithm>
#include <utility>

namespace hardclock {

CallTree::CallTree(std::shared_ptr<FunctionFinder> functions, const AddressSpace& memory)
    : functions_(std::move(functions)),
      memory_(&memory),
      record_(memory.budget(), CallRecord::of_running),
      charge_(memory.budget(), CallRecord::of_running) {}

CallTree CallTree::fork(const AddressSpace& memory) const {
  CallTree child(functions_, memory);
  for (Frame frame : frames_) {
    if (!child.has_room()) {
      child.record_.count_not_kept(frames_.size() - child.frames_.size());
      break;
    }
    const Place& place = place_of(frame);
    const Number of = frame.entry.node;
    const Number parent = child.frames_.empty() ? none : child.frames_.back().entry.node;
    const Number node = child.record_.child(parent, GuestAddr(place.function));
    frame.entry = {.node = node == none ? parent : node,
                   .place = child.place_for(place.range, place.function)};
    if (node != none && record_.nodes()[of].is_beginning)
      child.record_.nodes()[node].is_beginning = true;
    frame.is_outermost = false;
    frame.entered = 0;
    child.frames_.push_back(frame);
  }
  for (const Handler& handler : handlers_) {
    if (handler.frame < child.frames_.size()) child.handlers_.push_back(handler);
  }
  if (!child.frames_.empty()) child.stand();
  return child;
}

void CallTree::arrive(const Arrival& arrival) {
  pass(arrival.cycles);
  if (frames_.empty()) return begin(arrival);
  if (arrival.way == Way::kernel) return go_by_kernel(arrival);
  leave_dead(arrival.depth, arrival.cycles);
  switch (arrival.way) {
    case Way::call:
      return call(arrival);
    case Way::indirect:
      return go_indirect(arrival);
    default:
      go_straight(arrival);
  }
}

void CallTree::tick() {
  if (!frames_.empty()) ++record_.nodes()[frames_.back().entry.node].ticks;
}

CallRecord CallTree::record(std::uint64_t cycles) const {
  CallRecord record;
  record.add(record_);
  if (frames_.empty()) return record;
  record.nodes()[frames_.back().entry.node].cycles += cycles - since_;
  for (const Frame& frame : frames_) {
    if (frame.is_outermost) record.arcs()[frame.entry.arc].second.cycles += cycles - frame.entered;
  }
  return record;
}

void CallTree::begin(const Arrival& arrival) {
  const FunctionRange range = function_at(arrival.pc);
  const std::uint64_t function = range.function.value_or(arrival.pc);
  const Number node = record_.child(none, GuestAddr(function));
  ++record_.nodes()[node].calls;
  record_.nodes()[node].is_beginning = true;
  has_room();  // charges it; the first frame is there in any case
  frames_.push_back(
      {.entry = {.node = node, .place = place_for(range, function)}, .entered = arrival.cycles});
  stand();
}

// What becomes known is a call from anywhere in the caller to where a function begins, for which
// there was room.
void CallTree::call_and_learn(const Arrival& arrival, KnownCall& known) {
  if (frames_.empty()) return arrive(arrival);
  pass(arrival.cycles);
  leave_dead(arrival.depth, arrival.cycles);
  const std::size_t frames = frames_.size();
  const Number caller = frames_.back().entry.node;
  call(arrival);
  known = {};
  // A call of what follows may be a jump to another function.
  if (frames_.size() == frames || frames_.back().kind != Frame::Kind::call) return;
  const Entry& entry = frames_.back().entry;
  if (entry.arc == none || entry.node == none || places_[entry.place].range.low != low_) return;
  known.caller = caller;
  known.pc = arrival.pc;
  known.entry = entry;
}

void CallTree::call(const Arrival& arrival) {
  // A call of what follows, or of some place in the function itself, asks for the pc or is a
  // subroutine that its author did not name.
  if (arrival.pc == arrival.comes_back_to) return go_straight(arrival);
  if (stays_at(arrival.pc)) {
    const Place& place = place_of(frames_.back());
    if (place.range.function && !place.range.is_entry(arrival.pc)) return;
  }
  push(Frame::Kind::call, arrival.comes_back_to, arrival.depth, arrival);
}

// Who calls itself often comes back to one place often: the depths differ.
bool CallTree::is_return(const Arrival& arrival) const {
  const Frame& top = frames_.back();
  if (top.comes_back_to != arrival.pc || top.kind == Frame::Kind::root) return false;
  return arrival.depth <= top.depth || !stays_at(arrival.pc);
}

void CallTree::go_indirect(const Arrival& arrival) {
  if (is_return(arrival)) {
    pop_call(arrival.cycles);
    return go_straight(arrival);
  }
  if (stays_at(arrival.pc)) return go_within(arrival);
  if (!jump_back(arrival)) jump(arrival);
}

// To the middle of a function that called what runs: the thread stands there again.
bool CallTree::jump_back(const Arrival& arrival) {
  const FunctionRange range = function_at(arrival.pc);
  const bool from_other_stack =
      std::ranges::any_of(handlers_, [](const Handler& each) { return each.on_other_stack; });
  const std::size_t most = from_other_stack ? longest_search : usual_search;
  const std::size_t last = frames_.size() - std::min(frames_.size(), most);
  for (std::size_t i = frames_.size(); i-- > last;) {
    const Place& place = place_of(frames_[i]);
    if (!place.is_of(range) || place.function == arrival.pc || range.is_entry(arrival.pc)) continue;
    pop_to(i + 1, arrival.cycles);
    stand_in(range);
    return true;
  }
  return false;
}

// The kernel has begun a handler of a signal, or ended one. It goes on elsewhere if the handler has
// said so, but on the stack as it was.
void CallTree::go_by_kernel(const Arrival& arrival) {
  for (std::size_t i = handlers_.size(); i-- > 0;) {
    const Handler& handler = handlers_[i];
    const bool is_back =
        frames_[handler.frame].comes_back_to == arrival.pc || handler.depth == arrival.depth;
    if (!is_back) continue;
    pop_to(handler.frame, arrival.cycles);
    return go_straight(arrival);
  }
  if (handlers_.size() == most_handlers) {
    leave_dead(arrival.depth, arrival.cycles);
    if (!stays_at(arrival.pc) && !jump_back(arrival)) jump(arrival);
    return;
  }
  const bool on_other_stack = arrival.depth < arrival.depth_before;
  const std::size_t frame = frames_.size();
  push(Frame::Kind::handler, arrival.site, on_other_stack ? 0 : arrival.depth_before, arrival);
  if (frames_.size() > frame) handlers_.push_back({frame, arrival.depth_before, on_other_stack});
}

// Where nobody knows the functions, a jump leads to another one only if what runs has left nothing
// on the stack. Loops go back. Jumps behind one another all stand with the function that was
// called: there are more orders of them than places.
void CallTree::go_within(const Arrival& arrival) {
  const Frame& top = frames_.back();
  const Place& place = place_of(top);
  if (place.range.function || arrival.depth > top.depth) return;
  if (place.function <= arrival.pc && arrival.pc <= arrival.site) return;
  if (top.kind == Frame::Kind::within) pop(arrival.cycles);
  const Frame& caller = frames_.back();
  const GuestAddr function(place_of(caller).function);
  if (GuestAddr(arrival.pc) == function) return;
  if (!record_.add({GuestAddr(arrival.pc), GuestAddr(arrival.site), function})) return;
  push(Frame::Kind::within, caller.comes_back_to, caller.depth, arrival);
}

// To another function, which will return in place of the one that runs; perhaps it has run in this
// call already.
void CallTree::jump(const Arrival& arrival) {
  const FunctionRange range = function_at(arrival.pc);
  for (std::size_t i = frames_.size(); i-- > 0;) {
    if (place_of(frames_[i]).is_of(range)) {
      pop_to(i + 1, arrival.cycles);
      return stand_in(range);
    }
    if (!frames_[i].is_jump()) break;
  }
  const Frame& top = frames_.back();
  push(Frame::Kind::tail, top.comes_back_to, top.depth, arrival);
}

// Calls that found the stack deeper than it is now have ended.
void CallTree::leave_dead(std::uint64_t depth, std::uint64_t cycles) {
  while (frames_.size() > 1 && frames_.back().depth > depth) pop(cycles);
}

bool CallTree::has_room() {
  if (frames_.size() < room_) return true;
  if (room_ >= most_frames) return false;
  // The vector takes up to twice what it holds, and the old one as well while it grows.
  if (!charge_.grow(3 * frames_at_once * sizeof(Frame))) return false;
  room_ += frames_at_once;
  return true;
}

void CallTree::push(Frame::Kind kind, std::uint64_t comes_back_to, std::uint64_t depth,
                    const Arrival& arrival) {
  if (!has_room()) {
    record_.count_not_kept(1);
    return stand_at(function_at(arrival.pc));
  }
  const Entry& entry = entry_for(arrival);
  if (entry.node != none && kind != Frame::Kind::within)
    record_.nodes()[entry.node].is_beginning = true;
  enter(entry, kind, comes_back_to, depth, arrival.cycles);
  // Without memory for its place. Else each instruction would be an arrival in another function.
  if (!stays_at(arrival.pc)) stand_at(function_at(arrival.pc));
}

const CallTree::Entry& CallTree::entry_for(const Arrival& arrival) {
  const Step step{frames_.back().entry.node, arrival.site, arrival.pc};
  const Recent& recent = recent_for(step);
  return recent.step == step ? recent.entry : find_entry(step);
}

const CallTree::Entry& CallTree::find_entry(const Step& step) {
  auto known = steps_.find(step);
  if (known == steps_.end()) {
    make_room_for_step();
    known = steps_.emplace(step, make_entry(step)).first;
    if (steps_.size() > recent_.size() && recent_.size() < most_recent)
      recent_.assign(2 * recent_.size(), Recent());
  }
  Recent& recent = recent_for(step);
  recent = {step, known->second};
  return recent.entry;
}

// Where no memory is left, steps are found anew.
void CallTree::make_room_for_step() {
  if (steps_.size() < step_room_) return;
  if (step_room_ < most_steps && charge_.grow(steps_at_once * step_bytes))
    step_room_ += steps_at_once;
  else
    steps_.clear();
}

CallTree::Entry CallTree::make_entry(const Step& step) {
  const FunctionRange range = function_at(step.pc);
  const std::uint64_t function = range.function.value_or(step.pc);
  Entry entry{.node = record_.child(step.node, GuestAddr(function)),
              .place = place_for(range, function)};
  // Into the middle of a function that nobody has called: a stack was changed by hand, perhaps.
  entry.is_call = !range.function || range.is_entry(step.pc);
  if (entry.node != none && entry.is_call)
    entry.arc = record_.arc({GuestAddr(step.site), GuestAddr(function)});
  active_.resize(record_.arcs().size());
  return entry;
}

// Where no memory is left, that where the thread stands; the first one always has room.
std::uint32_t CallTree::place_for(const FunctionRange& range, std::uint64_t function) {
  const std::pair key(range.low, function);
  const auto known = place_numbers_.find(key);
  if (known != place_numbers_.end()) return known->second;
  if (!charge_.grow(place_bytes) && !places_.empty())
    return frames_.empty() ? 0 : frames_.back().entry.place;
  const auto number = static_cast<std::uint32_t>(places_.size());
  places_.push_back({range, function});
  place_numbers_.emplace(key, number);
  return number;
}

// With the jumps in it.
void CallTree::pop_call(std::uint64_t cycles) {
  while (frames_.back().is_jump()) pop(cycles);
  if (frames_.size() > 1) pop(cycles);
}

void CallTree::pop_to(std::size_t frames, std::uint64_t cycles) {
  while (frames_.size() > frames) pop(cycles);
}

void CallTree::forget_functions(std::uint64_t pc) {
  steps_.clear();
  place_numbers_.clear();
  std::ranges::fill(recent_, Recent());
  if (!frames_.empty()) stand_at(function_at(pc));
}

// In another part of the function.
void CallTree::stand_in(const FunctionRange& range) {
  Frame& top = frames_.back();
  top.entry.place = place_for(range, place_of(top).function);
  stand_at(range);
}

}  // namespace hardclock
