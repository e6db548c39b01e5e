#include "syscalls/posix/signals.h"

#include <algorithm>

namespace hardclock::posix {

std::string_view signal_name(const SignalTable& table, unsigned signal) {
  return signal < table.names.size() ? table.names[signal] : "";
}

bool is_ignored(const SignalTable& table, Process& process, unsigned signal) {
  const SignalAction& action = process.signals.action(signal);
  if (action.kind == SignalAction::Kind::ignore) return true;
  return action.kind == SignalAction::Kind::default_action &&
         std::ranges::find(table.ignored_by_default, signal) != table.ignored_by_default.end();
}

bool is_uncatchable(const SignalTable& table, unsigned signal) {
  return signal == sigkill || signal == table.stop;
}

SignalSet blockable(const SignalTable& table, SignalSet set) {
  set.reset(sigkill - 1);
  if (table.stop != 0) set.reset(table.stop - 1);
  if (table.cont != 0) set.reset(table.cont - 1);
  return set;
}

SignalSet mask_to_save(const Thread& thread) {
  return thread.mask_after_wait.value_or(thread.blocked_signals);
}

void block_for_handler(Thread& thread, unsigned signal, const SignalAction& action) {
  thread.mask_after_wait.reset();
  thread.blocked_signals |= action.mask;
  if (action.defers_itself) thread.blocked_signals.set(signal - 1);
}

}  // namespace hardclock::posix
