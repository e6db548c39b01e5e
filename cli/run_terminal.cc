#include "cli/run_terminal.h"

#include <csignal>
#include <utility>

#include "cli/run_signals.h"

namespace hardclock {
namespace {

// The guest goes on with hardclock, also where only hardclock had stopped.
void stop_with_guest(posix::Kernel& kernel) {
  host::suspend_at_terminal();
  kernel.jobs().continue_first();
}

}  // namespace

RunTerminal::RunTerminal(std::shared_ptr<host::Terminal> terminal)
    : terminal_(std::move(terminal)) {
  if (terminal_ != nullptr) give_signals_to_guest();
}

void RunTerminal::attach(Simulation& simulation,
                         const std::shared_ptr<host::Internet>& internet) const {
  const bool has_terminal = terminal_ != nullptr;
  if (!has_terminal && internet == nullptr) return;
  simulation.on_outside_wait(
      [internet, has_terminal](std::optional<std::chrono::microseconds> most) {
        const auto is_over = [] { return is_to_end() || is_to_be_polled(); };
        return internet != nullptr ? internet->wait(most, is_over, has_terminal)
                                   : host::Terminal::wait(most, is_over);
      },
      {.brings_signals = has_terminal, .keeps_pace = internet != nullptr});
}

void RunTerminal::poll(posix::Kernel& kernel) const {
  if (terminal_ == nullptr) return;
  if (kernel.jobs().take_stop_of_first()) stop_with_guest(kernel);
  if (!is_to_be_polled()) return;
  using posix::TerminalSignal;
  const auto pass_on = [&](int signal, TerminalSignal as) {
    return !take_for_guest(signal) || kernel.jobs().signal_foreground(as);
  };
  if (take_for_guest(SIGCONT)) host::resume_at_terminal();
  if (!pass_on(SIGINT, TerminalSignal::interrupt)) end_run(SIGINT);
  if (!pass_on(SIGQUIT, TerminalSignal::quit)) end_run(SIGQUIT);
  (void)pass_on(SIGWINCH, TerminalSignal::window_change);
  const bool is_told_to_stop = pass_on(SIGTSTP, TerminalSignal::stop);
  if (take_stop_request() || !is_told_to_stop) stop_with_guest(kernel);
}

}  // namespace hardclock
