// What a run saw, as a profile. Its records must have profiles (SimulationOptions::keep_profiles).
#pragma once

#include <string>

#include "sim/process/simulation.h"
#include "sim/report/profile.h"
#include "syscalls/posix/program_file.h"

namespace hardclock {

// The guest's command line, in one line.
std::string command_line_of(const posix::Program& program);

// The program of a process, and where its code lay; neither cycles nor samples.
report::ProcessProfile process_of(const ProgramRecord& record);

// All programs of the run, of which this was the first.
report::Profile profile_of(const Simulation& simulation, const posix::Program& program,
                           bool has_reasons, bool has_calls);

}  // namespace hardclock
