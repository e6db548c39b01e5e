// The counter that makes a machine's clock interrupts, as rows of .timing and .machine files name
// it (cpu_description.h has the grammar):
//
//   tick_source NAME cycles N      a register that counts every N cycles, 1 to 1000, of the
//                                  processor
//   tick_source NAME hz N          a register that counts N times a second, 100000 to 10^9,
//                                  whatever the processor's clock
//   tick_source NAME               (machines only) the processor's counter of that name
//
// A processor may have several. A machine has one or none; with none, its timer is unknown, and
// ticks come at the exact multiples of their period. PeriodicInterrupt (sim/clock/virtual_clock.h)
// says how a counter affects ticks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/clock/virtual_clock.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

// The counter of a machine with these rows and this processor, whose clock is `clock`. Also checks
// the processor's rows that the machine does not name. Error: "line N: what is wrong"; "machine,
// line N: ..." for one of the machine's rows.
Result<std::optional<TickCounter>, std::string> tick_counter(
    const CpuDescription& cpu, const std::vector<TimingRow>& machine_rows, Hertz clock);

}  // namespace hardclock
