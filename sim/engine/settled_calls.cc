#include "sim/engine/settled_calls.h"

#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace hardclock {
namespace {

using Number = CallRecord::Number;
constexpr Number none = CallRecord::none;

class Beginnings {
 public:
  explicit Beginnings(const CallRecord& record) {
    for (const CallRecord::Node& node : record.nodes()) {
      if (node.is_beginning) called_.insert(node.function);
    }
    all_ = called_;
    // A new one may show that others are: those of jumps back. Few are; the bound is for programs
    // that were made to take long.
    constexpr int most_passes = 16;
    for (int pass = 0; pass < most_passes && add_of(record.jumps()); ++pass) {
    }
  }

  bool is_called(GuestAddr pc) const { return called_.contains(pc); }
  // Of the function that `pc` is in; nullopt: before all.
  std::optional<GuestAddr> of(GuestAddr pc) const {
    const auto above = all_.upper_bound(pc);
    return above == all_.begin() ? std::nullopt : std::optional(*std::prev(above));
  }

 private:
  // By where they lead. Whether there are new ones.
  bool add_of(const std::set<CallRecord::Jump>& jumps) {
    const std::size_t before = all_.size();
    for (const CallRecord::Jump& jump : jumps) {
      const auto function = of(jump.to);
      // One that goes back to the function that was called is none.
      if (!function || (function != of(jump.site) && function != of(jump.within)))
        all_.insert(jump.to);
    }
    return all_.size() > before;
  }

  std::set<GuestAddr> called_;
  std::set<GuestAddr> all_;
};

void add_nodes(const CallRecord& from, const Beginnings& beginnings, CallRecord& to) {
  std::vector<Number> here;  // by from's numbers
  here.reserve(from.nodes().size());
  for (const CallRecord::Node& node : from.nodes()) {
    const GuestAddr function = beginnings.of(node.function).value_or(node.function);
    const Number parent = node.parent == none ? none : here[node.parent];
    const bool stays =
        !node.is_beginning && parent != none && to.nodes()[parent].function == function;
    const Number number = stays ? parent : to.child(parent, function);
    here.push_back(number);
    CallRecord::Node& sum = to.nodes()[number];
    if (!stays && function == node.function) sum.calls += node.calls;
    sum.is_beginning = true;
    sum.cycles += node.cycles;
    sum.ticks += node.ticks;
  }
}

// What passes behind jumps within a function belongs to the jump that led to it; to the first, if
// there are more.
void add_arcs(const CallRecord& from, const Beginnings& beginnings, CallRecord& to) {
  std::map<GuestAddr, Number> first;  // by function
  // A jump to the beginning of its own function is one within it.
  const auto is_call = [&](const CallRecord::ArcKey& key) {
    return beginnings.of(key.function) == key.function &&
           (beginnings.is_called(key.function) || beginnings.of(key.site) != key.function);
  };
  for (const auto& [key, arc] : from.arcs()) {
    if (!is_call(key)) continue;
    const Number number = to.arc(key);
    to.arcs()[number].second = arc;
    first.emplace(key.function, number);
  }
  for (const auto& [key, arc] : from.arcs()) {
    const auto function = beginnings.of(key.function);
    if (is_call(key) || !function || beginnings.is_called(*function)) continue;
    const auto led = first.find(*function);
    if (led != first.end()) to.arcs()[led->second].second.cycles += arc.cycles;
  }
}

}  // namespace

CallRecord settled(const CallRecord& record) {
  const Beginnings beginnings(record);
  CallRecord found;
  add_nodes(record, beginnings, found);
  add_arcs(record, beginnings, found);
  found.count_not_kept(record.not_kept());
  return found;
}

}  // namespace hardclock
