#include "sim/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>

#include "syscalls/host/host_file.h"

namespace hardclock {
namespace {

volatile std::sig_atomic_t status_wanted = 0;
volatile std::sig_atomic_t end_signal = 0;

// A run shows its status once it has lasted this long, and then at this interval.
constexpr auto line_interval = std::chrono::seconds(2);
// Looking at the host's clock costs more than a poll, and polls come with every system call.
constexpr unsigned polls_per_look = 16;

extern "C" void want_status(int) {
  status_wanted = 1;
}
// A second Ctrl-C ends hardclock at once, should the run not come to a poll.
extern "C" void want_end(int signal) {
  if (end_signal != 0) std::_Exit(128 + signal);
  end_signal = signal;
  host::stop_waiting();
}

// System calls of the host that wait are interrupted, so that Ctrl-C works while the guest reads.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = signal == SIGUSR1 ? SA_RESTART : 0;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

Progress::Progress(bool may_show)
    : terminal_(may_show && ::isatty(STDERR_FILENO) == 1),
      next_line_(std::chrono::steady_clock::now() + line_interval) {
  handle(SIGUSR1, want_status);
  handle(SIGINT, want_end);
  handle(SIGTERM, want_end);
}

Progress::~Progress() {
  clear_line();
}

int Progress::ended_by() const {
  return end_signal;
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
  const std::string line =
      fmt::format("hardclock: {:.1f} s simulated, {} million instructions, {:.0f} million a second",
                  static_cast<double>(simulation.clock().microseconds()) / 1e6,
                  simulation.instructions().value() / 1'000'000,
                  static_cast<double>(simulation.instructions().value()) / 1e6 / host_seconds());
  clear_line();
  std::fputs(line.c_str(), stderr);
  if (keep) std::fputs("\n", stderr);
  line_shown_ = !keep;
  std::fflush(stderr);
}

bool Progress::poll(const Simulation& simulation) {
  if (end_signal != 0) return false;
  if (status_wanted != 0) {
    status_wanted = 0;
    show(simulation, true);
  }
  if (terminal_ && !guest_line_open_ && ++polls_ % polls_per_look == 0) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= next_line_) {
      next_line_ = now + line_interval;
      show(simulation, false);
    }
  }
  return true;
}

}  // namespace hardclock
