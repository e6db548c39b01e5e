#include "syscalls/posix/signals/job_control.h"

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

void JobControl::begin(const Process& first) {
  first_pid_ = first.pid;
  if (terminal_ == nullptr) return;
  terminal_->session = first.session;
  terminal_->foreground = first.group;
}

// Every member's parent is in the group too, or in another session. The first process's parent is
// outside the machine, and can continue it if there is a terminal: it is the user's shell.
bool JobControl::is_orphaned(const Process& of) const {
  const auto all = simulation().processes();
  return std::ranges::none_of(all, [&](const Process* member) {
    if (member->group != of.group || member->exit_status) return false;
    if (terminal_ != nullptr && is_first(*member)) return true;
    const Process* const parent = simulation().find(member->parent);
    return parent != nullptr && parent->group != of.group && parent->session == of.session;
  });
}

bool JobControl::signal_foreground(TerminalSignal signal) {
  if (signal == TerminalSignal::window_change) terminal_->window_changed();
  const unsigned number = signal_for(system().signals, signal);
  if (number == 0 || terminal_->foreground == 0) return false;
  kernel_.signals().post_to_group(terminal_->foreground, number);
  return true;
}

void JobControl::continue_first() {
  const Process* const first = simulation().find(first_pid_);
  if (first != nullptr) kernel_.signals().post_to_group(first->group, system().signals.cont);
}

void JobControl::hang_up() {
  if (terminal_->foreground != 0) {
    kernel_.signals().post_to_group(terminal_->foreground, sighup);
    if (system().signals.cont != 0) {
      kernel_.signals().post_to_group(terminal_->foreground, system().signals.cont);
    }
  }
  terminal_->session = terminal_->foreground = 0;
}

// With the leader of its session the terminal loses the session. When the first process ends, the
// user's shell takes the terminal back: whoever is left is in the background.
void JobControl::leave_terminal(const Process& process) {
  if (process.pid == terminal_->session) hang_up();
  if (is_first(process)) terminal_->foreground = 0;
}

// Threads that are not traced stop at once; the others are told to, and the process has stopped
// when they have, too (Linux, kernel/signal.c, do_signal_stop()). A process may be stopped already
// when a traced thread of it runs.
void JobControl::stop(Thread& thread, unsigned signal) {
  Process& process = thread.process;
  if (thread.tracer && !thread_state_of(thread).tracing.may_start_stop) return;
  const bool has_stopped = process.stopped_by != 0;
  bool is_whole = true;
  if (!has_stopped) simulation().stop(process, signal);
  for (const auto& one : process.threads) {
    if (!one->tracer) continue;
    is_whole = false;
    Tracing& tracing = thread_state_of(*one).tracing;
    tracing.joins_group_stop = true;
    tracing.group_signal = signal;
    if (tracing.is_seized && one.get() != &thread) Ptrace::tell_news(*one);
  }
  if (!has_stopped) {
    process.stop_to_report = false;
    state_of(process).has_begun_stop = true;
  }
  if (is_whole) complete_stop(process);
  kernel_.ptrace().stops_if_due(thread);
}

void JobControl::complete_stop(Process& process) {
  if (!std::exchange(state_of(process).has_begun_stop, false) || process.stopped_by == 0) return;
  process.stop_to_report = true;
  if (terminal_ != nullptr && is_first(process)) first_has_stopped_ = true;
  // The parent that traces its child has heard of the stop.
  if (process.tracer() && process.tracer().pid == process.parent) return;
  const unsigned signal = process.stopped_by;
  kernel_.signals().report_to(
      process.parent,
      kernel_.signals().child_info(process, SignalInfo::Cause::child_stopped, signal));
}

void JobControl::resume(Process& process) {
  simulation().resume(process);
  state_of(process).has_begun_stop = false;
  const SignalInfo info = kernel_.signals().child_info(process, SignalInfo::Cause::child_continued,
                                                       system().signals.cont);
  kernel_.signals().report_to(process.parent, info);
  const Tracer tracer = process.tracer();
  if (tracer && tracer.pid != process.parent) kernel_.signals().report_to(tracer.pid, info);
}

void JobControl::archive(Archive& to) {
  to.state(terminal_, first_pid_, first_has_stopped_);
}

}  // namespace hardclock::posix
