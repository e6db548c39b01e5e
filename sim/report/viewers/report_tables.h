// The tables of reports as data.
#pragma once

#include "sim/report/difference.h"
#include "sim/report/flat.h"
#include "sim/report/viewers/data_table.h"

namespace hardclock::report {

// Columns: function, object, address, ticks, ticks_percent, seconds, cycles, cycles_percent,
// difference, standard_error.
DataTable table_of(const FlatReport& report);

// Of a report with reasons, by cycles, most first. Columns: `row`, as "function" or "line", object,
// address, cycles, cycles_percent; then for each reason its cycles, "instruction_miss", and but for
// the kernel's their share of the row's, "instruction_miss_percent"; not_known, cycles without a
// reason.
DataTable reasons_table(const FlatReport& report, std::string_view row);

// The columns of all reasons' cycles, in their order, and what stands in them.
std::vector<std::string_view> reason_columns();
std::vector<DataCell> reason_cells(const CyclesByReason& reasons);

// Columns: function, unit ("cycles" or "ticks"), before, after, change, standard_error (of ticks).
DataTable table_of(const Difference& difference);

}  // namespace hardclock::report
