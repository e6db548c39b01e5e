// What a user sees of a run while it lasts: a status line on a terminal, and the same line on
// SIGUSR1. Nothing of the host's clock, which it looks at, reaches the guest.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

#include "sim/process/simulation.h"

namespace hardclock {

class Progress {
 public:
  // Without `may_show` only SIGUSR1 shows a line: a log has the terminal.
  explicit Progress(bool may_show);
  // Removes a status line that is still on the terminal.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Called often.
  void poll(const Simulation& simulation);
  // Takes the status line away; it comes back with time. To be called before anything else is said.
  void clear_line();
  // The guest is about to write to one of its standard streams. On the terminal its unfinished line
  // is not to be written over.
  void guest_writes(int stream, std::span<const std::uint8_t> bytes);
  // Processor seconds that hardclock used so far.
  static double host_seconds();

 private:
  void show(const Simulation& simulation, bool keep);

  bool terminal_;
  bool line_shown_ = false;
  bool guest_line_open_ = false;  // the terminal's cursor is behind text of the guest
  unsigned polls_ = 0;
  std::chrono::steady_clock::time_point next_line_;
};

}  // namespace hardclock
