// What each instruction took, as it is collected for a call graph. A part of call_graph.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cycle_reason.h"
#include "sim/report/call_graph.h"

namespace hardclock::report {

// Costs by function and address, 24 bytes each: a profile may have millions.
class PointTable {
 public:
  // A point that is added is there, even without costs.
  void add(std::uint32_t function, GuestAddr address, const Cost& cost);
  void add(std::uint32_t function, GuestAddr address, CycleReason reason, std::uint64_t cycles);
  // From now on the function i is places[i].
  void renumber(std::span<const std::uint32_t> places);
  // Hands over all of it, as CallGraph has it.
  void move_to(CallGraph& graph);

 private:
  using Kind = std::uint8_t;  // cycles, ticks, or a reason
  struct Entry {
    GuestAddr address;
    std::uint64_t amount = 0;
    std::uint32_t function = 0;
    Kind kind = 0;
  };

  void append(std::uint32_t function, GuestAddr address, Kind kind, std::uint64_t amount);
  void sum_up();

  std::vector<Entry> entries_;
  std::size_t summed_ = 0;  // the number that was left when they were summed up last
};

}  // namespace hardclock::report
