// What a run saw, as a profile. Its records must have profiles (SimulationOptions::keep_profiles).
#pragma once

#include <optional>
#include <string>

#include "sim/process/simulation.h"
#include "sim/report/profile.h"
#include "syscalls/posix/program_file.h"

namespace hardclock {

// The guest's command line, in one line.
std::string command_line_of(const posix::Program& program);

// The program of a process, and where its code lay; neither cycles nor samples.
report::ProcessProfile process_of(const ProgramRecord& record);

// Whether the file's format exists, before the guest has run for an hour; the error is one line.
std::optional<std::string> error_in_profile_name(const std::string& name);

// Of a profile's file; nullopt: there is none.
bool shows_calls(const std::optional<std::string>& file);

// All programs of the run, of which this was the first.
report::Profile profile_of(const Simulation& simulation, const posix::Program& program,
                           bool has_reasons, bool has_calls);

}  // namespace hardclock
