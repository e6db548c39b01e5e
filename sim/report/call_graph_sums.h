// Order and sums of a call graph. A part of call_graph.cc.
#pragma once

#include "sim/report/call_graph.h"

namespace hardclock::report {

// Saturated.
inline void add_count(std::uint64_t& sum, std::uint64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = ~std::uint64_t{0};
}

// Puts everything in the order that CallGraph promises and fills in what are sums of the rest. Each
// path must come behind its parent.
void sort_and_sum(CallGraph& graph);

}  // namespace hardclock::report
