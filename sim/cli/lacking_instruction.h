// The end of a process for want of an instruction, for people.
#pragma once

#include <string>

#include "sim/process/simulation.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

// The line that a kernel says while it ends a process because of an instruction that the processor
// does not carry out: with the instruction, and which processor has it. Any other line as it is.
std::string with_lacking_instruction(const std::string& line, Simulation& simulation,
                                     const CpuDescription& cpu);

}  // namespace hardclock
