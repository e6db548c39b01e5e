// Flame graphs: each function on each path of calls as a box, as wide as its share, below its
// caller.
#pragma once

#include <string>

#include "sim/report/call_graph.h"

namespace hardclock::report {

// An SVG file: no script, no fonts, no network. Widths are cycles or, without exact cycles, ticks.
// Hovering over a box shows its numbers.
std::string to_flame_graph(const CallGraph& graph);

// The same for a page.
struct FlameDrawing {
  std::string svg;   // as wide as what it stands in; the boxes are in percent of that
  std::string note;  // one sentence on what is drawn together; empty: nothing
};
FlameDrawing flame_drawing(const CallGraph& graph);

}  // namespace hardclock::report
