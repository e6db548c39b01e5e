// The lab as one page for browsers.
#pragma once

#include <cstdint>
#include <string>

#include "sim/lab/machine.h"

namespace hardclock::lab {

// HTML without network, fonts or libraries, the same bytes for the same run. It has at most
// `frames` instructions, at least 10: some at the program's start, then those around its ticks, one
// tick after the other; it says what lies between. `machine` stands at the program's start and is
// used up.
std::string page_of(Machine& machine, std::uint64_t frames);

}  // namespace hardclock::lab
