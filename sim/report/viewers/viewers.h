// Call graphs in the formats of viewers that people have. Equal graphs give equal bytes. Each
// answers the file's bytes or, as one line, what the format cannot hold.
#pragma once

#include <string>

#include "sim/base/result.h"
#include "sim/report/by_line.h"
#include "sim/report/call_graph.h"
#include "sim/report/flat.h"

namespace hardclock::report {

using Written = Result<std::string, std::string>;

// "main;sort;less 42": a line for each path with costs, by FlameGraph's stackcollapse programs.
// Cycles, or ticks of profiles without exact cycles. A ';' in a name becomes ':'.
Written to_folded(const CallGraph& graph);
Written to_folded_ticks(const CallGraph& graph);

// What `perf script` prints: the event "cycles" with the cycles of each path as its period, then
// the event "ticks". In brackets what is no function.
Written to_perf_script(const CallGraph& graph);

// https://www.speedscope.app/file-format-schema.json: a sampled profile for cycles and one for
// ticks.
Written to_speedscope(const CallGraph& graph);

// Firefox Profiler's processed profile of version 60: a thread for cycles and one for ticks, both
// as weights of samples.
Written to_firefox(const CallGraph& graph);

// Google's profile.proto, compressed by gzip: cycles and ticks of each path. Locations are
// functions or, in a profile without call trees, instructions. Cycles by reason are those of
// instructions. `lines` give each location its source file and line.
Written to_pprof(const CallGraph& graph, const Lines& lines = {});

}  // namespace hardclock::report
