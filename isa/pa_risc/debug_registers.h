// The registers of a PA-RISC processor as GDB numbers them (gdb/hppa-tdep.h, enum hppa_regnum): 1
// to 31 general, 32 SAR, 33 and 35 the front and the back of the instruction address offset queue,
// 57 to 63 the temporary registers TR0 to TR6. The others are the kernel's, or spaces.
#pragma once

#include "sim/debug/register_set.h"

namespace hardclock::pa_risc {

// 64 bits each. Floating-point registers, which GDB numbers by halves in 32-bit programs, are not
// among them.
const debug::RegisterSet& debug_registers();

}  // namespace hardclock::pa_risc
