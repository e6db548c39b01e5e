// What a user sees of a run while it lasts, and how the user ends it: a status line on a terminal,
// the same line on SIGUSR1, and Ctrl-C. The only place that looks at the host's clock, and nothing
// of it reaches the guest.
#pragma once

#include <chrono>

#include "sim/process/simulation.h"

namespace hardclock {

class Progress {
 public:
  // Installs the signal handlers of SIGUSR1, SIGINT and SIGTERM.
  Progress();
  // Removes a status line that is still on the terminal.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Called often. False: the user wants the run to end.
  bool poll(const Simulation& simulation);
  // The signal that ended the run, or 0.
  int ended_by() const;
  // Processor seconds that hardclock used so far.
  static double host_seconds();

 private:
  void show(const Simulation& simulation, bool keep);
  void clear_line();

  bool terminal_;
  bool line_shown_ = false;
  unsigned polls_ = 0;
  std::chrono::steady_clock::time_point next_line_;
};

}  // namespace hardclock
