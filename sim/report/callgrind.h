// A profile in callgrind's format, version 1, which callgrind_annotate and KCachegrind read
// (Valgrind's manual, "Callgrind Format Specification").
#pragma once

#include <iosfwd>

#include "sim/report/by_line.h"
#include "sim/report/call_graph.h"

namespace hardclock::report {

// Cycles, if there are exact ones, ticks, and cycles by reason, if they are known, of each
// instruction by its address in its file, below its function and its object; then what the function
// called, from where, how often and what that took. Reasons are not known of calls, whose events
// beyond the first two are left out: readers take them for 0. `lines` give each its source file and
// line; the others have "???" and line 0. Code in no file, at the addresses of the run, and other
// programs are in the object
// "(outside)".
void to_callgrind(const CallGraph& graph, const Lines& lines, std::ostream& out);

}  // namespace hardclock::report
