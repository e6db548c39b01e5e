// What a MIPS thread's next instruction does to memory, for those who watch parts of it.
#pragma once

#include "sim/process/process.h"
#include "syscalls/posix/watched_areas.h"

namespace hardclock::mips_ports {

// Without data if the instruction cannot be read. A store that is conditional counts as one.
posix::NextInstruction next_instruction(const Thread& thread);

}  // namespace hardclock::mips_ports
