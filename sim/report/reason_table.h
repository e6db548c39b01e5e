// Why the cycles of functions, lines and instructions passed: tables and short texts for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/terminal.h"
#include "sim/report/flat.h"
#include "sim/report/reason_names.h"

namespace hardclock::report {

// A column's title in 80 columns: "imiss" of "instruction miss".
std::string_view heading_of(CycleReason reason);

// The reasons that some cycles have, in their order, without the kernel's.
std::vector<CycleReason> reasons_in(const CyclesByReason& reasons);

// The program's own cycles that no reason was told of: those of processes without reasons.
std::uint64_t without_reason(Cycles cycles, const CyclesByReason& reasons);

// The rows by cycles, most first.
std::vector<FlatRow> rows_by_cycles(const FlatReport& report);

// The reasons of all cycles, then a table of each row's shares: of its own cycles, in percent, by
// reason, and what the kernel worked for it, in cycles. Columns are of reasons that occur. `rows`
// is what a row is of, "function".
std::string reasons_text(const FlatReport& report, std::string_view rows,
                         const Terminal& terminal = {});

// "opnd 62 issue 38": the most frequent reasons of an instruction's cycles, two at most and none
// below a percent, in percent of them; "kernel +300" behind these is on top, in cycles. Empty: no
// cycles.
std::string main_reasons(const CyclesByReason& reasons);

// "issue 66.5%, operand (opnd) 33.5%": all reasons of a row's cycles, most first, with their
// headings where these are others.
std::string all_reasons(const FlatRow& row);

}  // namespace hardclock::report
