#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "cli/run_signals.h"
#include "cli/terminal.h"

namespace hardclock {
namespace {

// A run shows its status once it has lasted this long, and then at this interval.
constexpr auto line_interval = std::chrono::seconds(2);
// Reading the host's clock costs more than a poll, and every system call polls.
constexpr unsigned polls_per_look = 16;

}  // namespace

Progress::Progress(bool may_show)
    : terminal_(may_show && ::isatty(STDERR_FILENO) == 1),
      next_line_(std::chrono::steady_clock::now() + line_interval) {}

Progress::~Progress() {
  clear_line();
}

double Progress::host_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void Progress::clear_line() {
  if (!line_shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  line_shown_ = false;
}

void Progress::guest_writes(int stream, std::span<const std::uint8_t> bytes) {
  if (!terminal_ || bytes.empty() || ::isatty(stream) != 1) return;
  clear_line();
  guest_line_open_ = bytes.back() != '\n';
}

void Progress::show(const Simulation& simulation, bool keep) {
  std::string line =
      fmt::format("hardclock: {:.1f} s simulated, {} million instructions, {:.0f} million a second",
                  static_cast<double>(simulation.clock().microseconds()) / 1e6,
                  simulation.instructions().value() / 1'000'000,
                  static_cast<double>(simulation.instructions().value()) / 1e6 / host_seconds());
  // A line that is removed again must not be wrapped.
  const Terminal terminal = terminal_of(STDERR_FILENO);
  if (!keep && !terminal.fits(line.size() + 1)) line.resize(terminal.columns - 1);
  clear_line();
  std::fputs(line.c_str(), stderr);
  if (keep) std::fputs("\n", stderr);
  line_shown_ = !keep;
  std::fflush(stderr);
}

void Progress::poll(const Simulation& simulation, bool may_show_unasked) {
  if (take_status_request()) show(simulation, true);
  if (terminal_ && may_show_unasked && !guest_line_open_ && ++polls_ % polls_per_look == 0) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= next_line_) {
      next_line_ = now + line_interval;
      show(simulation, false);
    }
  }
}

}  // namespace hardclock
