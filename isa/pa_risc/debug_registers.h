// The registers of a PA-RISC processor as GDB numbers them (gdb/hppa-tdep.h, enum hppa_regnum, and
// the names of `maint print registers`): 1 to 31 general, 32 SAR, 33 and 35 the front and the back
// of the instruction address offset queue, 57 to 63 the temporary registers TR0 to TR6. The others
// below 64 are the kernel's, or spaces. From 64 on come the floating-point registers, the first of
// which is the status register: in 32-bit programs their halves, left then right, 64 to 127; in
// 64-bit programs the whole registers, 64 to 95.
#pragma once

#include "isa/pa_risc/mode.h"
#include "sim/debug/register_set.h"

namespace hardclock::pa_risc {

// Of a program that runs in this mode. 64 bits each, but for the halves, which have 32.
const debug::RegisterSet& debug_registers(const Mode& mode = {});

}  // namespace hardclock::pa_risc
