// Two profiles beside each other, function by function.
#pragma once

#include <string>
#include <vector>

#include "sim/base/terminal.h"
#include "sim/report/flat.h"

namespace hardclock::report {

// What a function took in both: cycles, or ticks.
struct DifferenceRow {
  std::string function;  // as in FlatRow
  double before = 0;
  double after = 0;

  double change() const { return after - before; }

  friend bool operator==(const DifferenceRow&, const DifferenceRow&) = default;
};

// By the size of the change, largest first, then by name. The totals include every row.
struct Difference {
  std::vector<DifferenceRow> rows;
  DifferenceRow total;
  bool of_cycles = false;  // both have exact cycles; else ticks

  // Of ticks: the standard error of a change in counts that are Poisson's, as samples of a program
  // at random are.
  static double standard_error(const DifferenceRow& row);
};

// Functions are the same if their rows have the same name, wherever they lie.
Difference difference(const FlatReport& before, const FlatReport& after);

// An aligned table with a row of totals, each line ended by '\n'.
std::string to_text(const Difference& difference, const Terminal& terminal = {});

}  // namespace hardclock::report
