// A profile as callgrind's format, version 1, which callgrind_annotate and KCachegrind read
// (Valgrind's manual, "Callgrind Format Specification"). Calls are not among it.
#pragma once

#include <string>

#include "sim/report/by_line.h"
#include "sim/report/flat.h"

namespace hardclock::report {

// Cycles, if there are exact ones, and ticks of each instruction by its address in its file, below
// its function and its object: a guest path, or where the profile has none the name in `program`.
// `lines` give each its source file and line; the others have "???" and line 0.
// What has no function is "(no function)"; what has no file, at the addresses of the run, is in the
// object "(outside)". A counter's ticks stand at its first whole address. The arguments are
// flat()'s; processes that ran other programs are left out.
std::string to_callgrind(const Profile& sampled, const SymbolTable& symbols, const Profile* exact,
                         const Identity& program, const Objects& objects, const Lines& lines = {});

}  // namespace hardclock::report
