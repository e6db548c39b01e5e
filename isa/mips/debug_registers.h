// The registers of a MIPS processor as GDB numbers them (gdb/mips-tdep.h, struct mips_regnum, and
// gdb/features/mips-cpu.xml, mips-cp0.xml, mips-fpu.xml): 0 to 31 general, 33 lo, 34 hi, 37 pc, 38
// to 69 floating-point, 70 fcsr, 71 fir. 32, 35 and 36 are the kernel's: status, badvaddr, cause.
// The user local register, RDHWR's ULR, has none there: 72 here.
#pragma once

#include "isa/mips/mode.h"
#include "sim/debug/register_set.h"

namespace hardclock::mips {

// Of a program that runs in this mode: with as many bits as its operations, and 32 floating-point
// registers of 32 bits where FR = 0. In a delay slot pc is the branch's, as a trap reports it.
const debug::RegisterSet& debug_registers(const Mode& mode = {});

}  // namespace hardclock::mips
