// The registers of an IA-64 processor as GDB numbers them (gdb/ia64-tdep.h, enum ia64_regnum): 0 to
// 127 general, 320 to 327 branch, 330 all predicates, 331 ip, 398 ar.pfs, 399 ar.lc, 400 ar.ec. The
// floating-point registers, which have 82 bits, are not here.
#pragma once

#include "sim/debug/register_set.h"

namespace hardclock::ia64 {

// 64 bits each. Of the stacked registers those of the current frame can be read and written, which
// others are there depends on it. ip is a bundle's address.
const debug::RegisterSet& debug_registers();

}  // namespace hardclock::ia64
