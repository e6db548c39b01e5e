// How signals are sent to processes and take effect in them.
#include <utility>

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

// ---- Traced threads.

bool stands_before_stop(const ThreadState& state) {
  const Tracing& tracing = state.tracing;
  return tracing.stops_soon || tracing.has_news || tracing.joins_group_stop;
}

// Its process has stopped, or goes on; one that listens stops anew (ptrace_trap_notify()).
void tell_news(Thread& thread) {
  Tracing& tracing = thread_state_of(thread).tracing;
  tracing.has_news = true;
  if (std::exchange(tracing.listens, false)) thread.traced_stop = 0;
}

void call_off_stop(Thread& thread) {
  Tracing& tracing = thread_state_of(thread).tracing;
  tracing.joins_group_stop = tracing.may_start_stop = false;
  if (thread.tracer && tracing.is_seized) tell_news(thread);
}

}  // namespace

void drop_pending(Process& process, unsigned signal) {
  queue_of(process).drop(signal);
  for (const auto& thread : process.threads) queue_of(*thread).drop(signal);
}

SignalInfo Kernel::child_info(const Process& child, SignalInfo::Cause cause,
                              unsigned status) const {
  const std::uint64_t rate = simulation().clock().tick_rate().value();
  const std::uint64_t clock_t_rate = system_.clock_t_rate.value();
  SignalInfo info;
  info.cause = cause;
  info.pid = child.pid;
  info.user = state_of(child).credentials.user.real;
  info.status = status;
  info.user_time = child.time.user.value() * clock_t_rate / rate;
  info.system_time = child.time.system.value() * clock_t_rate / rate;
  return info;
}

SignalInfo Kernel::end_info(const Process& zombie) const {
  const ExitStatus status = *zombie.exit_status;
  return child_info(
      zombie, status.by_signal ? SignalInfo::Cause::child_killed : SignalInfo::Cause::child_exited,
      status.code);
}

// SIGCONT and the stop signals cancel each other, whatever their actions, and SIGCONT continues the
// process even when it is blocked or ignored (POSIX.1, 2.4.1 "Signal Generation and Delivery").
void Kernel::announce(Process& process, unsigned signal) {
  const SignalTable& table = system_.signals;
  if (signal == table.cont) {
    for (const unsigned stop : table.stops_by_default) drop_pending(process, stop);
    for (const auto& thread : process.threads) call_off_stop(*thread);
    if (process.stopped_by != 0) resume(process);
  } else if (stops(table, signal) && table.cont != 0) {
    drop_pending(process, table.cont);
  } else if (signal == sigkill) {
    stop_no_more(process);
  }
}

void Kernel::post(Process& process, unsigned signal, const SignalInfo& info) {
  if (process.exit_status) return;
  announce(process, signal);
  const SignalQueue queue = queue_of(process);
  if (is_child_event(info.cause)) queue.infos.forget_child(signal, info.pid);
  queue.add(signal, info, queues(system_.signals, process, signal, info));
}

void Kernel::post_to(Thread& thread, unsigned signal, const SignalInfo& info) {
  if (thread.process.exit_status) return;
  announce(thread.process, signal);
  queue_of(thread).add(signal, info, queues(system_.signals, thread.process, signal, info));
}

SignalInfo Kernel::take_pending(Thread& thread, unsigned signal) {
  const bool is_own = thread.pending_signals.test(signal - 1);
  SignalInfo info = (is_own ? queue_of(thread) : queue_of(thread.process)).take(signal);
  rearm(thread.process, signal, info);
  return info;
}

// Of the signals to the process, those that this thread leaves to the first one. SIGKILL ends all.
SignalSet Kernel::left_to_first(const Thread& thread) const {
  const Thread* const first = thread.process.thread(1);
  if (!system_.signals.first_thread_takes || first == nullptr || first == &thread) return {};
  const bool hears = first->may_run() && !(first->waiting() && first->wait->ends_call());
  return hears ? ~first->blocked_signals & ~SignalSet().set(sigkill - 1) : SignalSet();
}

bool Kernel::interrupts_wait(const Thread& thread) const {
  const auto* const state = static_cast<const ThreadState*>(thread.os_state.get());
  if (state != nullptr && state->tracing.passed_signal != 0) return true;
  if (thread.tracer && stands_before_stop(*state)) return true;
  if ((pending_for(thread) & ~thread.blocked_signals).none()) return false;
  const SignalSet of_process = thread.process.signals.pending & ~left_to_first(thread);
  const SignalSet deliverable = (thread.pending_signals | of_process) & ~thread.blocked_signals;
  for (unsigned signal = 1; signal <= system_.signals.last; ++signal) {
    const bool is_deliverable = deliverable.test(signal - 1);
    if (!is_deliverable) continue;
    // A tracer hears of it all the same.
    if (thread.tracer || is_signal_controlled(thread.process, signal)) return true;
    if (!is_ignored(system_.signals, thread.process, signal)) return true;
  }
  return false;
}

// A thread's own come first (Linux, kernel/signal.c, dequeue_signal()).
void Kernel::deliver_signals(Thread& thread) {
  if (const auto ending = state_of(thread.process).ending) {
    end_thread(thread, *ending, *ending);
    return;
  }
  if (stops_after_vfork(thread) || stops_at_exit(thread)) return;
  if (stops_before_run(thread)) return;
  if (!takes_passed_signal(thread)) return;
  end_traced_step(thread);
  if (stops_if_due(thread)) return;
  const bool goes_on = deliver_from(queue_of(thread), ~SignalSet(), thread) &&
                       deliver_from(queue_of(thread.process), ~left_to_first(thread), thread);
  if (goes_on && meets_watchpoint(thread)) {
    deliver_from(queue_of(thread), ~SignalSet(), thread);
  }
}

// Returns whether the thread goes on.
bool Kernel::deliver_from(SignalQueue queue, const SignalSet& wanted, Thread& thread) {
  for (unsigned signal = 1; signal <= system_.signals.last; ++signal) {
    const SignalSet deliverable = queue.signals & wanted & ~thread.blocked_signals;
    if (deliverable.none()) return true;
    if (!deliverable.test(signal - 1)) continue;
    SignalInfo info = queue.take(signal);
    rearm(thread.process, signal, info);
    if (asks_tracer(thread, signal, info)) return false;
    if (!take_effect(thread, signal, info)) return false;
  }
  return true;
}

// Returns whether the thread goes on.
bool Kernel::take_effect(Thread& thread, unsigned signal, const SignalInfo& info) {
  const Process& process = thread.process;
  if (is_ignored(system_.signals, thread.process, signal)) return true;
  deliver(thread, signal, info);
  return !process.exit_status && !state_of(process).ending && thread.may_run();
}

// A handler ends the call that waits. One that has moved bytes reports them, restartable or not, so
// that they are not moved again (POSIX.1, write()); else it fails with EINTR or, restarting, stays
// where the pc is and is repeated by the handler's return.
void Kernel::interrupt_call(Thread& thread, const Wait& wait, bool restart) {
  const bool restarts = restart && std::holds_alternative<Restartable>(wait.on_signal);
  if (wait.progress == 0 && restarts) return;
  std::optional<std::uint64_t> value;
  if (wait.progress != 0) {
    value = wait.progress;
  } else if (const auto* const tells = std::get_if<TellsTimeLeft>(&wait.on_signal)) {
    Call call = make_call(thread);
    value = calls::tell_time_left(call, *tells, *wait.until);
  }
  const CallResult result = value ? CallResult::value(*value) : CallResult::failure(Errno::eintr);
  trace_interrupted(thread, result);
  set_result(thread, result);
  thread.cpu->complete_system_call();
}

// The signal takes effect: its handler starts, or its default action happens.
void Kernel::deliver(Thread& thread, unsigned signal, const SignalInfo& info) {
  Process& process = thread.process;
  SignalAction& slot = process.signals.action(signal);
  const SignalAction action = slot;
  if (action.kind != SignalAction::Kind::handler) {
    take_default_action(thread, signal);
    return;
  }
  if (const auto wait = thread.take_interrupted_wait()) {
    interrupt_call(thread, *wait, action.restarts_calls);
  }
  thread.wait.reset();  // the handler's calls are others
  charge_before_signal(thread);
  simulation().charge(thread, simulation().kernel_costs().signal_delivery);
  if (action.resets_to_default && !stays_after_delivery(signal)) slot = SignalAction{};
  if (port_of(process).push_handler(system_, thread, signal, info, action)) return;
  options_.notice("pid " + std::to_string(process.pid) +
                  " ends with SIGSEGV: no room on its stack "
                  "for the handler of " +
                  std::string(signal_name(system_.signals, signal)));
  end(process, ExitStatus{true, sigsegv});
}

// A stop that the user typed has no effect where nobody could continue the process (POSIX.1, 2.4.3
// "Signal Actions"). A call that waits goes on waiting when the process is continued.
void Kernel::take_default_action(Thread& thread, unsigned signal) {
  Process& process = thread.process;
  if (!stops(system_.signals, signal)) {
    // The counters may be others', too. A call that waits has no pc behind it yet.
    if (!thread.wait) charge_before_signal(thread);
    end(process, ExitStatus{true, signal});
    return;
  }
  const bool has_effect = signal == system_.signals.stop || !is_orphaned(process);
  if (thread.wait && thread.wait->stage == Wait::Stage::interrupted) {
    thread.wait->stage = has_effect ? Wait::Stage::repeat : Wait::Stage::trap;
  }
  if (!has_effect) return;
  stop(thread, signal);
}

// Threads that are not traced stop at once; the others are told to, and the process has stopped
// when they have, too (Linux, kernel/signal.c, do_signal_stop()). A process may be stopped already
// when a traced thread of it runs.
void Kernel::stop(Thread& thread, unsigned signal) {
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
    if (tracing.is_seized && one.get() != &thread) tell_news(*one);
  }
  if (!has_stopped) {
    process.stop_to_report = false;
    state_of(process).has_begun_stop = true;
  }
  if (is_whole) complete_stop(process);
  stops_if_due(thread);
}

void Kernel::complete_stop(Process& process) {
  if (!std::exchange(state_of(process).has_begun_stop, false) || process.stopped_by == 0) return;
  process.stop_to_report = true;
  if (terminal_ != nullptr && is_first(process)) first_has_stopped_ = true;
  // The parent that traces its child has heard of the stop.
  if (process.tracer() && process.tracer().pid == process.parent) return;
  const unsigned signal = process.stopped_by;
  report_to_parent(process, child_info(process, SignalInfo::Cause::child_stopped, signal));
}

void Kernel::resume(Process& process) {
  simulation().resume(process);
  state_of(process).has_begun_stop = false;
  const SignalInfo info =
      child_info(process, SignalInfo::Cause::child_continued, system_.signals.cont);
  report_to_parent(process, info);
  const Tracer tracer = process.tracer();
  if (tracer && tracer.pid != process.parent) report_to(tracer.pid, info);
}

void Kernel::report_to_parent(const Process& child, const SignalInfo& info) {
  report_to(child.parent, info);
}

// SA_NOCLDSTOP: of a child that stops or goes on the parent hears only by waiting.
void Kernel::report_to(int pid, const SignalInfo& info) {
  Process* const parent = simulation().find(pid);
  const unsigned signal = system_.signals.child;
  if (parent == nullptr || signal == 0) return;
  if (!parent->signals.action(signal).ignores_child_stops) post(*parent, signal, info);
}

void Kernel::timer_expired(Process& process, TimerKind timer) {
  const unsigned signals[timer_kinds] = {sigalrm, system_.signals.virtual_alarm,
                                         system_.signals.profiling_alarm};
  const unsigned signal = signals[static_cast<std::size_t>(timer)];
  if (signal != 0) post(process, signal);
}

void Kernel::child_exited(Process& parent, Process& child) {
  const unsigned signal = state_of(child).end_signal.value_or(system_.signals.child);
  if (signal == 0) return;
  post(parent, signal, end_info(child));
  const SignalAction& action = parent.signals.action(signal);
  const bool is_unwanted = action.discards_children || (system_.signals.ignoring_children_reaps &&
                                                        action.kind == SignalAction::Kind::ignore);
  if (is_unwanted && signal == system_.signals.child) simulation().reap(child);
}

}  // namespace hardclock::posix
