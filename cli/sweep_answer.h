// The answer of `hardclock sweep`.
#pragma once

#include <optional>
#include <string>

#include "cli/run_options.h"
#include "sim/base/result.h"
#include "sim/process/simulation.h"
#include "sim/report/profile.h"
#include "syscalls/posix/kernel.h"

namespace hardclock {

// In the format that the options ask for. The simulation, of this program, must have a sweep. The
// error is one line.
Result<std::string, std::string> sweep_answer(const Simulation& simulation,
                                              const posix::Program& program,
                                              const RunOptions& options);

// What the answer lacks because more code ran than there is memory for; nullopt: nothing.
std::optional<std::string> lacking_in_sweep(const Simulation& simulation);

}  // namespace hardclock
