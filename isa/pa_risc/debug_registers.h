// The registers of a PA-RISC processor as GDB numbers them (gdb/hppa-tdep.h, enum hppa_regnum, and
// the names of `maint print registers`): 1 to 31 general, 32 SAR, 33 and 35 the front and the back
// of the instruction address offset queue, 41 the processor status word, 43 SR4, 44 to 47 SR0 to
// SR3, 48 to 50 SR5 to SR7, 57 to 63 the temporary registers TR0 to TR6. The others below 64 are
// the kernel's. From 64 on come the floating-point registers, the first of which is the status
// register: in 32-bit programs their halves, left then right, 64 to 127; in 64-bit programs the
// whole registers, 64 to 95. TR7 has no number there: 128 here.
#pragma once

#include "isa/pa_risc/mode.h"
#include "sim/debug/register_set.h"

namespace hardclock::pa_risc {

// Of a program that runs in this mode.
const debug::RegisterSet& debug_registers(const Mode& mode = {});

}  // namespace hardclock::pa_risc
