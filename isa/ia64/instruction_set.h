#pragma once

#include "isa/instruction_set.h"

namespace hardclock::ia64 {

extern const InstructionSet instruction_set;

}  // namespace hardclock::ia64
