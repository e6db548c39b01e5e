// The simulation that a run's options ask for.
#pragma once

#include "cli/processor_choice.h"
#include "cli/run_options.h"
#include "sim/process/simulation.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock {

// Whether the run keeps profiles of its programs.
bool keeps_profiles(const RunOptions& options);

// `cpu` is for the program of these options, which runs under `os`.
SimulationOptions simulation_options(const RunOptions& options, const CpuSetup& cpu,
                                     const posix::UnixSystem& os);

}  // namespace hardclock
