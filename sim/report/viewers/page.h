// A profile as one page for browsers.
#pragma once

#include <string>

#include "sim/report/call_graph.h"
#include "sim/report/flat.h"

namespace hardclock::report {

// HTML without network, fonts or libraries: headline numbers, the table by function with the exact
// and the sampled shares and how far these may be off, the flame graph and the tree of calls. It
// can be read without JavaScript, which adds zooming, searching and the keyboard to the flame
// graph. `table` is of the same profile as `graph`.
std::string to_page(const CallGraph& graph, const FlatReport& table);

}  // namespace hardclock::report
