// Commands whose processor time a benchmark measures.
#pragma once

#include <string>
#include <vector>

namespace hardclock::benchmarks {

using Command = std::vector<std::string>;

// Processor seconds, user and system, of one run of the command and all that it started; negative
// if it cannot be run or fails. Its output goes nowhere.
double seconds_of(const Command& command);

// The instructions that `hardclock run OPTIONS...` executes, 0 if that fails.
double instructions_of(const std::string& hardclock, const Command& options);

// A benchmark of the command, at the rate of so many instructions a run; 0: it is skipped with
// `reason`.
void add(const std::string& name, const Command& command, double instructions,
         const std::string& reason);

}  // namespace hardclock::benchmarks
