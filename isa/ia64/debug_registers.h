// The registers of an IA-64 processor as GDB numbers them (gdb/ia64-tdep.h), whose 328 and 329,
// frame pointer and return address, are not the processor's.
#pragma once

#include "sim/debug/register_set.h"

namespace hardclock::ia64 {

enum RegisterNumber : unsigned {
  r0 = 0,
  f0 = 128,
  p0 = 256,
  b0 = 320,
  number_of_pr = 330,  // all predicates
  number_of_ip = 331,
  number_of_psr = 332,
  number_of_cfm = 333,
  ar0 = 334,
  nat0 = 462,  // of r0
};

// Registers that rotate have the names that the next instruction has for them; those of `pr` are
// as mov reads them, not renamed. Of the stacked registers those of the current frame are there. ip
// is a bundle's address, psr has the slot (ri) and the user mask. A floating-point register is as
// stf.spill writes it: the significand in bits 63..0, the exponent in 80..64, the sign in 81.
const debug::RegisterSet& debug_registers();

}  // namespace hardclock::ia64
