// How signals are sent to processes and take effect in them.

#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/signals/signals.h"

namespace hardclock::posix {
namespace {

// SIGILL and SIGTRAP cannot be automatically reset when delivered (sigaction(2)).
bool stays_after_delivery(unsigned signal) {
  return signal == sigill || signal == sigtrap;
}

bool is_child_event(SignalInfo::Cause cause) {
  return cause >= SignalInfo::Cause::child_exited && cause <= SignalInfo::Cause::child_continued;
}

// Whether the signal waits behind a pending one of its number. A real-time one for which there is
// no room does not, and a timer has a place of its own (Linux, kernel/signal.c,
// __send_signal_locked(), send_sigqueue()).
bool queues(const SignalTable& table, const Process& process, unsigned signal,
            const SignalInfo& info) {
  if (info.cause == SignalInfo::Cause::timer) return true;
  if (table.first_real_time != 0) {
    return signal >= table.first_real_time && has_queue_room(table, process);
  }
  return info.cause == SignalInfo::Cause::queued ||
         (is_child_event(info.cause) && table.children_queue);
}

}  // namespace

void drop_pending(Process& process, unsigned signal) {
  queue_of(process).drop(signal);
  for (const auto& thread : process.threads) queue_of(*thread).drop(signal);
}

SignalInfo SignalDelivery::child_info(const Process& child, SignalInfo::Cause cause,
                                      unsigned status) const {
  const std::uint64_t rate = simulation().clock().tick_rate().value();
  const std::uint64_t clock_t_rate = system().clock_t_rate.value();
  SignalInfo info;
  info.cause = cause;
  info.pid = child.pid;
  info.user = state_of(child).credentials.user.real;
  info.status = status;
  info.user_time = child.time.user.value() * clock_t_rate / rate;
  info.system_time = child.time.system.value() * clock_t_rate / rate;
  return info;
}

SignalInfo SignalDelivery::end_info(const Process& zombie) const {
  const ExitStatus status = *zombie.exit_status;
  return child_info(
      zombie, status.by_signal ? SignalInfo::Cause::child_killed : SignalInfo::Cause::child_exited,
      status.code);
}

// SIGCONT and the stop signals cancel each other, whatever their actions, and SIGCONT continues the
// process even when it is blocked or ignored (POSIX.1, 2.4.1 "Signal Generation and Delivery").
void SignalDelivery::announce(Process& process, unsigned signal) {
  const SignalTable& table = system().signals;
  if (signal == table.cont) {
    for (unsigned stop = 1; stop <= table.last; ++stop) {
      if (stops(table, stop)) drop_pending(process, stop);
    }
    for (const auto& thread : process.threads) Ptrace::call_off_stop(*thread);
    if (process.stopped_by != 0) kernel_.jobs().resume(process);
  } else if (stops(table, signal) && table.cont != 0) {
    drop_pending(process, table.cont);
  } else if (signal == sigkill) {
    stop_no_more(process);
  }
}

void SignalDelivery::post(Process& process, unsigned signal, const SignalInfo& info) {
  if (process.exit_status) return;
  announce(process, signal);
  const SignalQueue queue = queue_of(process);
  if (is_child_event(info.cause)) queue.infos.forget_child(signal, info.pid);
  queue.add(signal, info, queues(system().signals, process, signal, info));
}

void SignalDelivery::post_to(Thread& thread, unsigned signal, const SignalInfo& info) {
  if (thread.process.exit_status) return;
  announce(thread.process, signal);
  queue_of(thread).add(signal, info, queues(system().signals, thread.process, signal, info));
}

void SignalDelivery::post_to_group(int group, unsigned signal) {
  for (Process* process : simulation().processes()) {
    if (process->group == group) post(*process, signal);
  }
}

SignalInfo SignalDelivery::take_pending(Thread& thread, unsigned signal) {
  const bool is_own = thread.pending_signals.test(signal - 1);
  SignalInfo info = (is_own ? queue_of(thread) : queue_of(thread.process)).take(signal);
  kernel_.timers().rearm(thread.process, signal, info);
  return info;
}

// Of the signals to the process, those that this thread leaves to the first one. SIGKILL ends all.
SignalSet SignalDelivery::left_to_first(const Thread& thread) const {
  const Thread* const first = thread.process.thread(1);
  if (!system().signals.first_thread_takes || first == nullptr || first == &thread) return {};
  const bool hears = first->may_run() && !(first->waiting() && first->wait->ends_call());
  return hears ? ~first->blocked_signals & ~SignalSet().set(sigkill - 1) : SignalSet();
}

bool SignalDelivery::interrupts_wait(const Thread& thread) const {
  const auto* const state = static_cast<const ThreadState*>(thread.os_state.get());
  if (state != nullptr && state->tracing.passed_signal != 0) return true;
  if (thread.tracer && state->tracing.stop_is_due()) return true;
  if ((pending_for(thread) & ~thread.blocked_signals).none()) return false;
  const SignalSet of_process = thread.process.signals.pending & ~left_to_first(thread);
  const SignalSet deliverable = (thread.pending_signals | of_process) & ~thread.blocked_signals;
  for (unsigned signal = 1; signal <= system().signals.last; ++signal) {
    const bool is_deliverable = deliverable.test(signal - 1);
    if (!is_deliverable) continue;
    // A tracer hears of it all the same.
    if (thread.tracer || is_signal_controlled(thread.process, signal)) return true;
    if (!is_ignored(system().signals, thread.process, signal)) return true;
  }
  return false;
}

// A thread's own come first (Linux, kernel/signal.c, dequeue_signal()).
void SignalDelivery::deliver_signals(Thread& thread) {
  if (const auto ending = state_of(thread.process).ending) {
    kernel_.end_thread(thread, *ending, *ending);
    return;
  }
  if (kernel_.ptrace().stops_after_vfork(thread) || kernel_.ptrace().stops_at_exit(thread)) return;
  if (stops_before_run(thread)) return;
  if (!kernel_.ptrace().takes_passed_signal(thread)) return;
  kernel_.ptrace().end_step(thread);
  if (kernel_.ptrace().stops_if_due(thread)) return;
  const bool goes_on = deliver_from(queue_of(thread), ~SignalSet(), thread) &&
                       deliver_from(queue_of(thread.process), ~left_to_first(thread), thread);
  if (goes_on && meets_watchpoint(thread)) {
    deliver_from(queue_of(thread), ~SignalSet(), thread);
  }
}

// Returns whether the thread goes on.
bool SignalDelivery::deliver_from(SignalQueue queue, const SignalSet& wanted, Thread& thread) {
  for (unsigned signal = 1; signal <= system().signals.last; ++signal) {
    const SignalSet deliverable = queue.signals & wanted & ~thread.blocked_signals;
    if (deliverable.none()) return true;
    if (!deliverable.test(signal - 1)) continue;
    SignalInfo info = queue.take(signal);
    kernel_.timers().rearm(thread.process, signal, info);
    if (kernel_.ptrace().asks_tracer(thread, signal, info)) return false;
    if (!take_effect(thread, signal, info)) return false;
  }
  return true;
}

// Returns whether the thread goes on.
bool SignalDelivery::take_effect(Thread& thread, unsigned signal, const SignalInfo& info) {
  const Process& process = thread.process;
  if (is_ignored(system().signals, thread.process, signal)) return true;
  deliver(thread, signal, info);
  return !process.exit_status && !state_of(process).ending && thread.may_run();
}

// The signal takes effect: its handler starts, or its default action happens.
void SignalDelivery::deliver(Thread& thread, unsigned signal, const SignalInfo& info) {
  Process& process = thread.process;
  SignalAction& slot = process.signals.action(signal);
  const SignalAction action = slot;
  if (action.kind != SignalAction::Kind::handler) {
    take_default_action(thread, signal);
    return;
  }
  if (const auto wait = thread.take_interrupted_wait()) {
    kernel_.interrupt_call(thread, *wait, action.restarts_calls);
  }
  thread.wait.reset();  // the handler's calls are others
  kernel_.profiling().charge_before_signal(thread);
  simulation().charge(thread, simulation().kernel_costs().signal_delivery);
  if (action.resets_to_default && !stays_after_delivery(signal)) slot = SignalAction{};
  if (port_of(process).push_handler(system(), thread, signal, info, action)) return;
  notice("pid " + std::to_string(process.pid) +
         " ends with SIGSEGV: no room on its stack "
         "for the handler of " +
         std::string(signal_name(system().signals, signal)));
  kernel_.end(process, ExitStatus{true, sigsegv});
}

// A stop that the user typed has no effect where nobody could continue the process (POSIX.1, 2.4.3
// "Signal Actions"). A call that waits goes on waiting when the process is continued.
void SignalDelivery::take_default_action(Thread& thread, unsigned signal) {
  Process& process = thread.process;
  if (!stops(system().signals, signal)) {
    // The counters may be others', too. A call that waits has no pc behind it yet.
    if (!thread.wait) kernel_.profiling().charge_before_signal(thread);
    kernel_.end(process, ExitStatus{true, signal});
    return;
  }
  const bool has_effect = signal == system().signals.stop || !kernel_.jobs().is_orphaned(process);
  if (thread.wait && thread.wait->stage == Wait::Stage::interrupted) {
    thread.wait->stage = has_effect ? Wait::Stage::repeat : Wait::Stage::trap;
  }
  if (!has_effect) return;
  kernel_.jobs().stop(thread, signal);
}

// SA_NOCLDSTOP: of a child that stops or goes on the parent hears only by waiting.
void SignalDelivery::report_to(int pid, const SignalInfo& info) {
  Process* const parent = simulation().find(pid);
  const unsigned signal = system().signals.child;
  if (parent == nullptr || signal == 0) return;
  if (!parent->signals.action(signal).ignores_child_stops) post(*parent, signal, info);
}

// A real-time signal that finds no room in the queue becomes SIGIO (fs/fcntl.c,
// send_sigio_to_task()).
void SignalDelivery::post_to_owner(const FileOwner& owner, unsigned wanted,
                                   const SignalInfo& info) {
  if (owner.kind == FileOwner::Kind::nobody) return;
  for (Process* const process : simulation().processes()) {
    const int id = owner.kind == FileOwner::Kind::group ? process->group : process->pid;
    if (id != owner.id || process->exit_status) continue;
    const ProcessState& state = state_of(*process);
    if (!owner.setter.may_signal(state.credentials)) continue;
    const SignalTable& table = system().signals;
    const bool is_full = table.first_real_time != 0 && wanted >= table.first_real_time &&
                         !has_queue_room(table, *process);
    const unsigned signal = is_full ? system().signals.io : wanted;
    const SignalInfo said = is_full ? SignalInfo{} : info;
    if (owner.kind != FileOwner::Kind::thread) {
      post(*process, signal, said);
    } else if (Thread* const thread = process->thread(owner.thread)) {
      post_to(*thread, signal, said);
    }
  }
}

}  // namespace hardclock::posix
