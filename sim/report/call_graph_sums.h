// Order and sums of a call graph. A part of call_graph.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/report/call_graph.h"

namespace hardclock::report {

// Saturated.
inline void add_count(std::uint64_t& sum, std::uint64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = ~std::uint64_t{0};
}

// Puts the functions in their order, for all but points. Returns the new place of each.
std::vector<std::uint32_t> sort_functions(CallGraph& graph);
// Then, with points: puts the rest in the order that CallGraph promises and fills in what are sums
// of it, but for the functions' own costs and the totals. Each path must come behind its parent.
void sort_and_sum(CallGraph& graph);

}  // namespace hardclock::report
