// A processor that also has the instructions of later ones, for `hardclock run --isa=any`.
#pragma once

#include "sim/timing/cpu_description.h"

namespace hardclock::mips {

// The same processor with the instructions of MIPS32 release 2 or, if its registers have 64 bits,
// of MIPS64 release 2. An instruction of a timing class that it has no row for is timed as the
// nearest class that it has: a MUL as its MULT, a MOVZ as its ADD, a MADD.D as its MUL.D. Its
// decoder looks at all bits, for programs rely on what they find there.
CpuDescription with_any_level(const CpuDescription& description);

// The same processor with a row for each such timing class, and its own instructions.
CpuDescription with_nearest_classes(const CpuDescription& description);

}  // namespace hardclock::mips
