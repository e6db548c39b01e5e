// Why cycles passed, as coloured bars of the page. A part of page.cc.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/cycle_reason.h"
#include "sim/base/units.h"

namespace hardclock::report {

// 1234567 as "1 234 567", with a narrow space that does not break.
std::string grouped(std::uint64_t number);

// The reasons of all cycles: a heading, a bar, and each colour's reason, cycles and share.
std::string reasons_legend(Cycles cycles, const CyclesByReason& reasons);

// A bar of one function's reasons, which opens to their cycles and shares. The kernel's cycles are
// on top of `cycles`: they are in the list alone.
std::string reasons_bar(Cycles cycles, const CyclesByReason& reasons);

}  // namespace hardclock::report
