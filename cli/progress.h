// What a user sees of a run in progress: a status line on a terminal, and the same line on SIGUSR1.
// It reads the host's clock, of which nothing reaches the guest.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

#include "sim/process/simulation.h"

namespace hardclock {

class Progress {
 public:
  // Without `may_show` only SIGUSR1 shows a line: a log uses the terminal.
  explicit Progress(bool may_show);
  // Removes a status line that is still on the terminal.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Call it often. Without `may_show_unasked` only SIGUSR1 shows a line.
  void poll(const Simulation& simulation, bool may_show_unasked);
  // Removes the status line, which comes back later. Call it before any other output.
  void clear_line();
  // The guest is about to write to one of its standard streams. Its unfinished line on the terminal
  // must not be overwritten.
  void guest_writes(int stream, std::span<const std::uint8_t> bytes);
  // Processor seconds that hardclock has used.
  static double host_seconds();

 private:
  void show(const Simulation& simulation, bool keep);

  bool terminal_;
  bool line_shown_ = false;
  bool guest_line_open_ = false;  // the terminal's cursor is after text of the guest
  unsigned polls_ = 0;
  std::chrono::steady_clock::time_point next_line_;
};

}  // namespace hardclock
