// The part of a call graph that people can look at: a graph may be larger than any page. A part of
// the viewers' formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/call_graph.h"

namespace hardclock::report {

// "cycles" or, without exact cycles, "ticks": what shares are of.
std::string_view unit_of(const CallGraph& graph);
std::uint64_t weight_of(const CallGraph& graph, const Cost& cost);
// Of all; 0 of nothing.
double share_of(const CallGraph& graph, const Cost& cost);

// A path, or the sum of the others that one function called.
struct ShownCall {
  std::uint32_t depth = 0;
  std::uint32_t function = 0;  // an index; of a path
  std::uint64_t calls = 0;     // of a path
  Cost own;                    // of a path
  Cost inclusive;
  std::size_t summed = 0;  // paths in a sum; 0: this is a path
};

struct ShownLimits {
  std::size_t most = 0;       // paths
  std::uint32_t deepest = 0;  // calls; what is deeper is part of sums
  double least = 0;           // share
};

struct ShownCalls {
  // In preorder; a sum behind the others of its caller. Without those that took nothing.
  std::vector<ShownCall> calls;
  double least = 0;        // the share from which paths are shown: more than asked for if need be
  std::size_t summed = 0;  // all paths in sums
};

ShownCalls shown_calls(const CallGraph& graph, const ShownLimits& limits);

// "1 call", "2 calls"
std::string counted(std::uint64_t number, std::string_view what);
// "5 cycles, 1 tick, 12.50 %, 3 calls"
std::string numbers_text(const CallGraph& graph, const ShownCall& call);
// The name of a path's function; "(3 small)" of a sum.
std::string label_of(const CallGraph& graph, const ShownCall& call);

}  // namespace hardclock::report
