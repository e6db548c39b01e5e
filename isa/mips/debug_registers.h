// The registers of a MIPS processor as GDB numbers them (gdb/mips-tdep.h, struct mips_regnum, and
// gdb/features/mips-cpu.xml, mips-cp0.xml, mips-fpu.xml): 0 to 31 general, 33 lo, 34 hi, 37 pc, 38
// to 69 floating-point, 70 fcsr, 71 fir. 32, 35 and 36 are the kernel's: status, badvaddr, cause.
#pragma once

#include "sim/debug/register_set.h"

namespace hardclock::mips {

// 64 bits each. In a delay slot pc is the branch's, as a trap reports it.
const debug::RegisterSet& debug_registers();

}  // namespace hardclock::mips
