// The processor that the command runs a program on when none is chosen.
#pragma once

#include <memory>
#include <string>

#include "sim/base/result.h"
#include "sim/engine/cpu.h"
#include "sim/memory/address_space.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/program_file.h"

namespace hardclock::fuzzing {

// One cycle an instruction. Error: there is none for the program.
Result<std::unique_ptr<Cpu>, std::string> make_default_cpu(const posix::Program& program,
                                                           const posix::Port& port,
                                                           AddressSpace& memory);

}  // namespace hardclock::fuzzing
