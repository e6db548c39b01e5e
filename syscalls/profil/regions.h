// Common parts of the systems with sprofil(2): exact arithmetic and the choice among regions.
#pragma once

#include <cstddef>

#include "sim/base/units.h"
#include "syscalls/profil/profil.h"

namespace hardclock::profil {

// (pc - offset) * scale >> 16 without the loss of any bit. The caller has checked that pc is not
// below the region's offset.
Steps exact_steps(const Region& region, GuestAddr pc);

// The lookup of a pc in the region of this index, as if it were alone.
using FindCounter = Lookup (*)(const State& state, std::size_t index, GuestAddr pc);

// Among the regions that have a counter for pc, the one with the largest offset counts; of equal
// offsets, the first: HP-UX sprofil(2), "If overlapping text regions are specified". A region whose
// buffer ends before this pc leaves it to the others.
Lookup find_in_regions(const State& state, GuestAddr pc, FindCounter find);

}  // namespace hardclock::profil
