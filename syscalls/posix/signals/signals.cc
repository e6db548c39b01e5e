#include "syscalls/posix/signals/signals.h"

#include <algorithm>

#include "sim/state/archive.h"
#include "syscalls/posix/state.h"

namespace hardclock::posix {

unsigned signal_number(std::span<const char* const> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? 0 : static_cast<unsigned>(found - names.begin());
}

SignalTable job_control_signals(std::span<const char* const> names, unsigned last,
                                std::span<const unsigned> ignored_by_default) {
  const auto number = [&](std::string_view name) { return signal_number(names, name); };
  return {.names = names,
          .last = last,
          .stop = number("SIGSTOP"),
          .cont = number("SIGCONT"),
          .can_block_cont = true,
          .child = number("SIGCHLD"),
          .virtual_alarm = number("SIGVTALRM"),
          .profiling_alarm = number("SIGPROF"),
          .terminal_stop = number("SIGTSTP"),
          .terminal_input = number("SIGTTIN"),
          .terminal_output = number("SIGTTOU"),
          .window_change = number("SIGWINCH"),
          .ignored_by_default = ignored_by_default,
          .has_job_control = true,
          .ignoring_children_reaps = true,
          .file_size = number("SIGXFSZ"),
          .cpu_time = number("SIGXCPU")};
}

std::string_view signal_name(const SignalTable& table, unsigned signal) {
  return signal < table.names.size() ? table.names[signal] : "";
}

bool is_ignored(const SignalTable& table, const Process& process, unsigned signal) {
  const SignalAction& action = process.signals.action(signal);
  if (action.kind == SignalAction::Kind::ignore) return true;
  return action.kind == SignalAction::Kind::default_action &&
         std::ranges::find(table.ignored_by_default, signal) != table.ignored_by_default.end();
}

bool stops(const SignalTable& table, unsigned signal) {
  return table.has_job_control &&
         (signal == table.stop || signal == table.terminal_stop || signal == table.terminal_input ||
          signal == table.terminal_output);
}

SignalInfo sent_by(const Process& sender, std::uint32_t real_user) {
  SignalInfo info;
  info.pid = sender.pid;
  info.user = real_user;
  return info;
}

void PendingSignals::add(unsigned signal, const SignalInfo& info, bool is_queued) {
  std::deque<SignalInfo>& waiting = infos_[signal];
  if (waiting.empty() || is_queued) waiting.push_back(info);
}

SignalInfo PendingSignals::take(unsigned signal, bool& more) {
  more = false;
  const auto at = infos_.find(signal);
  if (at == infos_.end()) return {};
  const SignalInfo info = at->second.front();
  at->second.pop_front();
  more = !at->second.empty();
  if (!more) infos_.erase(at);
  return info;
}

bool PendingSignals::forget_child(unsigned signal, int pid) {
  const auto at = infos_.find(signal);
  if (at == infos_.end()) return false;
  std::erase_if(at->second, [&](const SignalInfo& info) {
    return info.pid == pid && info.cause >= SignalInfo::Cause::child_exited &&
           info.cause <= SignalInfo::Cause::child_continued;
  });
  if (!at->second.empty()) return false;
  infos_.erase(at);
  return true;
}

bool PendingSignals::has_of_timer(unsigned signal, int timer) const {
  const auto at = infos_.find(signal);
  return at != infos_.end() && std::ranges::any_of(at->second, [&](const SignalInfo& info) {
           return info.cause == SignalInfo::Cause::timer && info.pid == timer;
         });
}

std::size_t PendingSignals::queued() const {
  std::size_t count = 0;
  for (const auto& [signal, waiting] : infos_) {
    count += static_cast<std::size_t>(
        std::ranges::count(waiting, SignalInfo::Cause::queued, &SignalInfo::cause));
  }
  return count;
}

std::size_t PendingSignals::size() const {
  std::size_t count = 0;
  for (const auto& [signal, waiting] : infos_) count += waiting.size();
  return count;
}

bool is_uncatchable(const SignalTable& table, unsigned signal) {
  return signal == sigkill || signal == table.stop;
}

SignalSet blockable(const SignalTable& table, SignalSet set) {
  set.reset(sigkill - 1);
  if (table.stop != 0) set.reset(table.stop - 1);
  if (table.cont != 0 && !table.can_block_cont) set.reset(table.cont - 1);
  return set;
}

GuestAddr handler_stack(Thread& thread, GuestAddr stack_pointer, const SignalAction& action) {
  const AlternateStack& alternate = thread_state_of(thread).alternate_stack;
  const bool switches =
      action.on_alternate_stack && alternate.enabled && !alternate.holds(stack_pointer);
  if (!switches) return stack_pointer;
  const bool grows_up = abi_of(thread.process).stack_grows_up;
  return grows_up ? alternate.base : alternate.base + alternate.size;
}

SignalSet mask_to_save(const Thread& thread) {
  return thread.mask_after_wait.value_or(thread.blocked_signals);
}

void block_for_handler(Thread& thread, unsigned signal, const SignalAction& action) {
  thread.mask_after_wait.reset();
  thread.blocked_signals |= action.mask;
  if (action.defers_itself) thread.blocked_signals.set(signal - 1);
}

void PendingSignals::archive(Archive& to) {
  to.state(infos_);
}

}  // namespace hardclock::posix
