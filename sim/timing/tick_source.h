// Which counter makes a machine's clock interrupts, as rows of .timing and .machine files name it
// (cpu_description.h has the grammar):
//
//   tick_source NAME cycles N      a register that counts every N cycles, 1 to 1000, of the
//                                  processor
//   tick_source NAME hz N          one that counts N times a second, 100000 to 10^9, whatever the
//                                  processor's clock
//   tick_source NAME               (machines alone) the processor's of that name
//
// A processor may have several; a machine has one, or none: then nobody knows its timer, and ticks
// come at the exact multiples of their period. What a counter does to ticks is TickSource's
// (sim/clock/virtual_clock.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/clock/virtual_clock.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

// The counter of a machine with these rows and this processor, whose clock is `clock`. Also reads
// the rows of the processor that the machine does not name. Error: "line N: what is wrong";
// "machine, line N: ..." for a row of the machine's.
Result<std::optional<TickCounter>, std::string> tick_counter(
    const CpuDescription& cpu, const std::vector<TimingRow>& machine_rows, Hertz clock);

}  // namespace hardclock
