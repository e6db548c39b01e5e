// How a run ended, for the statistics, the user and the process that started hardclock.
#pragma once

#include <string>

#include "sim/process/simulation.h"

namespace hardclock {

struct RunEnding {
  std::string name;            // in the statistics: "exited", "instruction limit"
  int status = 0;              // of hardclock
  std::string line;            // for the user; empty: none
  bool has_no_memory = false;  // then complain_of_memory() says it
};

// The end of a run that had no memory left.
RunEnding end_without_memory();

// `log_failed`: a log could not be written; its own line reports that.
RunEnding ending_of(const SimulationEnd& outcome, bool log_failed);

}  // namespace hardclock
