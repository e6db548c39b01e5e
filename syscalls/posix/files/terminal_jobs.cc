// The jobs at a terminal: who is told what is typed (POSIX.1, 11.1 "General Terminal Interface").
#include <algorithm>

#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/signals.h"

namespace hardclock::posix {
namespace {

unsigned signal_for(const SignalTable& table, TerminalSignal signal) {
  switch (signal) {
    case TerminalSignal::interrupt:
      return sigint;
    case TerminalSignal::quit:
      return sigquit;
    case TerminalSignal::stop:
      return table.terminal_stop;
    case TerminalSignal::window_change:
      return table.window_change;
  }
  return 0;
}

}  // namespace

// Every member's parent is in the group too, or in another session. The first process's parent is
// outside the machine, and can continue it if there is a terminal: it is the user's shell.
bool Kernel::is_orphaned(const Process& of) const {
  const auto all = simulation().processes();
  return std::ranges::none_of(all, [&](const Process* member) {
    if (member->group != of.group || member->exit_status) return false;
    if (terminal_ != nullptr && is_first(*member)) return true;
    const Process* const parent = simulation().find(member->parent);
    return parent != nullptr && parent->group != of.group && parent->session == of.session;
  });
}

void Kernel::post_to_group(int group, unsigned signal) {
  for (Process* process : simulation().processes()) {
    if (process->group == group) post(*process, signal);
  }
}

bool Kernel::signal_foreground(TerminalSignal signal) {
  if (signal == TerminalSignal::window_change) terminal_->window_changed();
  const unsigned number = signal_for(system_.signals, signal);
  if (number == 0 || terminal_->foreground == 0) return false;
  post_to_group(terminal_->foreground, number);
  return true;
}

void Kernel::continue_first() {
  const Process* const first = simulation().find(first_pid_);
  if (first != nullptr) post_to_group(first->group, system_.signals.cont);
}

void Kernel::hang_up() {
  if (terminal_->foreground != 0) {
    post_to_group(terminal_->foreground, sighup);
    if (system_.signals.cont != 0) {
      post_to_group(terminal_->foreground, system_.signals.cont);
    }
  }
  terminal_->session = terminal_->foreground = 0;
}

// With the leader of its session the terminal loses the session. When the first process ends, the
// user's shell takes the terminal back: whoever is left is in the background.
void Kernel::leave_terminal(const Process& process) {
  if (process.pid == terminal_->session) hang_up();
  if (is_first(process)) terminal_->foreground = 0;
}

}  // namespace hardclock::posix
