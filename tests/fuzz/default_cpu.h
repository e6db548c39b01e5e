// The processor that a program runs on when none is chosen.
#pragma once

#include <memory>
#include <string>

#include "sim/base/result.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"

namespace hardclock::fuzzing {

// One cycle an instruction. Error: there is none for the program.
Result<std::unique_ptr<Cpu>, std::string> make_default_cpu(const Image& image,
                                                           AddressSpace& memory);

}  // namespace hardclock::fuzzing
