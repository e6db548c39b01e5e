#include "sim/engine/call_record.h"

namespace hardclock {

CallRecord& CallRecord::operator=(const CallRecord& other) {
  if (this != &other) *this = CallRecord(other);
  return *this;
}

// Where the function's call belongs that is on the path up to `parent` as often as it may be; none:
// it is a new place.
CallRecord::Number CallRecord::place_on_path(Number parent, GuestAddr function) const {
  unsigned places = 0;
  Number last = none;
  for (Number at = parent; at != none; at = nodes_[at].parent) {
    if (nodes_[at].function != function) continue;
    if (last == none) last = at;
    if (++places == most_on_path) return last;
  }
  return none;
}

CallRecord::Number CallRecord::child(Number parent, GuestAddr function) {
  const auto known = children_.find({parent, function});
  if (known != children_.end()) return known->second;
  const unsigned length = parent == none ? 1 : lengths_[parent] + 1u;
  Number number = place_on_path(parent, function);
  if (number == none && length > longest_path) return none;
  // Each thread has a root.
  if (!charge_.grow(node_bytes) && parent != none) return none;
  if (number == none) {
    number = static_cast<Number>(nodes_.size());
    nodes_.push_back({.parent = parent, .function = function});
    lengths_.push_back(static_cast<std::uint16_t>(length));
  }
  children_.emplace(std::pair(parent, function), number);
  return number;
}

CallRecord::Number CallRecord::arc(const ArcKey& key) {
  const auto known = arc_numbers_.find(key);
  if (known != arc_numbers_.end()) return known->second;
  if (!charge_.grow(arc_bytes)) return none;
  const auto number = static_cast<Number>(arcs_.size());
  arcs_.push_back({key, {}});
  arc_numbers_.emplace(key, number);
  return number;
}

bool CallRecord::add(const Jump& jump) {
  if (jumps_.contains(jump)) return true;
  if (!charge_.grow(jump_bytes)) return false;
  jumps_.insert(jump);
  return true;
}

void CallRecord::add(const CallRecord& other) {
  std::vector<Number> here;  // by the other's numbers
  here.reserve(other.nodes_.size());
  for (const Node& node : other.nodes_) {
    const Number parent = node.parent == none ? none : here[node.parent];
    Number number = child(parent, node.function);
    const bool has_room = number != none;
    if (!has_room) number = parent;
    here.push_back(number);
    if (!has_room) not_kept_ += node.calls;
    nodes_[number].calls += has_room ? node.calls : 0;
    if (has_room && node.is_beginning) nodes_[number].is_beginning = true;
    nodes_[number].cycles += node.cycles;
    nodes_[number].ticks += node.ticks;
  }
  for (const auto& [key, arc] : other.arcs_) {
    const Number number = this->arc(key);
    if (number == none) continue;
    arcs_[number].second.calls += arc.calls;
    arcs_[number].second.cycles += arc.cycles;
  }
  for (const Jump& jump : other.jumps_) add(jump);
  not_kept_ += other.not_kept_;
}

}  // namespace hardclock
