// The tables of reports as data.
#pragma once

#include "sim/report/difference.h"
#include "sim/report/flat.h"
#include "sim/report/viewers/data_table.h"

namespace hardclock::report {

// Columns: function, object, address, ticks, ticks_percent, seconds, cycles, cycles_percent,
// difference, standard_error.
DataTable table_of(const FlatReport& report);

// Columns: function, unit ("cycles" or "ticks"), before, after, change, standard_error (of ticks).
DataTable table_of(const Difference& difference);

}  // namespace hardclock::report
