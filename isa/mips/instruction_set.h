#pragma once

#include "isa/instruction_set.h"

namespace hardclock::mips {

extern const InstructionSet instruction_set;

}  // namespace hardclock::mips
