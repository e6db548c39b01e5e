// The answer of `hardclock sweep`, and what is common to it and a run's profile.
#pragma once

#include <optional>
#include <string>

#include "sim/base/result.h"
#include "sim/cli/run_options.h"
#include "sim/process/simulation.h"
#include "sim/report/profile.h"
#include "syscalls/posix/kernel.h"

namespace hardclock {

// The guest's command line, in one line.
std::string command_line_of(const posix::Program& program);

report::CyclesByPc cycles_by_pc(const CycleProfile& profile);
// Exact cycles by pc and where the code lay; without samples. The record must have a profile.
report::ProcessProfile process_profile_of(const ProgramRecord& record);

// In the format that the options ask for. The simulation, of this program, must have a sweep. The
// error is one line.
Result<std::string, std::string> sweep_answer(const Simulation& simulation,
                                              const posix::Program& program,
                                              const RunOptions& options);

// What the answer lacks because more code ran than there is memory for; nullopt: nothing.
std::optional<std::string> lacking_in_sweep(const Simulation& simulation);

}  // namespace hardclock
