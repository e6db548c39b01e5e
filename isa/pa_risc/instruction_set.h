#pragma once

#include "isa/instruction_set.h"

namespace hardclock::pa_risc {

extern const InstructionSet instruction_set;

}  // namespace hardclock::pa_risc
