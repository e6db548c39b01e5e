// Why a profile's shares differ from the exact ones: counters that several functions share, or the
// ticks themselves.
#pragma once

#include <string>
#include <vector>

#include "sim/base/terminal.h"
#include "sim/report/flat.h"

namespace hardclock::report {

// A function's shares, in percent. They are of different totals: a program may count only some of
// the ticks.
struct ErrorSources {
  std::string function;
  double counters = 0;  // as the profile's counters divide their ticks among the functions
  double samples = 0;   // of the ticks by pc
  double exact = 0;     // of the cycles

  double binning() const { return counters - samples; }
  double chance_and_beat() const { return samples - exact; }

  friend bool operator==(const ErrorSources&, const ErrorSources&) = default;
};

// `counters` is the profile; `samples` are ticks by pc and exact cycles of the same run. Rows by
// exact share, largest first, then as in `samples`.
std::vector<ErrorSources> error_sources(const FlatReport& counters, const FlatReport& samples);

// A table of them. `ticks`: how many samples there are; their standard error is that of independent
// ones. How many of these a function is off stands only where enough ticks are expected of it
// (chance.h).
std::string error_sources_text(const std::vector<ErrorSources>& rows, Ticks ticks,
                               const Terminal& terminal = {});

}  // namespace hardclock::report
