// Threads that another process traces: what they stop for, and how they go on. Source: Linux 6.1,
// kernel/ptrace.c, kernel/signal.c and kernel/exit.c.
#include "syscalls/posix/signals/ptrace.h"

#include <algorithm>
#include <utility>

#include "sim/state/archive.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/thread_numbers.h"

namespace hardclock::posix {
namespace {

constexpr unsigned call_mark = 0x80;
constexpr unsigned signal_mask = 0x7f;

unsigned event_code(TraceEvent event, unsigned signal = sigtrap) {
  return signal | static_cast<unsigned>(event) << 8;
}

unsigned call_code(const Tracing& tracing) {
  return tracing.marks_calls ? sigtrap | call_mark : unsigned{sigtrap};
}

std::uint64_t status_word(const ExitStatus& status) {
  return status.by_signal ? status.code : std::uint64_t{status.code} << 8;
}

Tracing& tracing_of(Thread& thread) {
  return thread_state_of(thread).tracing;
}

// The thread begins its call anew as soon as it may run.
void put_off_call(const Simulation& simulation, Thread& thread) {
  thread.start_waiting({.until = simulation.clock().ticks(), .call = "ptrace"});
}

// What a tracer finds out about a stop that is for no signal (kernel/signal.c, ptrace_do_notify()).
SignalInfo trap_info(const Thread& thread, unsigned code) {
  SignalInfo info = sent_by(thread.process, state_of(thread.process).credentials.user.real);
  info.pid = thread_number(thread);
  info.code = static_cast<std::int32_t>(code);
  return info;
}

bool is_killed(const Thread& thread) {
  return pending_for(thread).test(sigkill - 1);
}

void set_going(Thread& thread) {
  thread.traced_stop = 0;
  thread.stop_to_report = false;
  Tracing& tracing = tracing_of(thread);
  if (const auto stored = std::exchange(tracing.stored_registers, std::nullopt)) {
    port_of(thread.process).load_registers(thread, *stored);
  }
  tracing.listens = false;
  tracing.message = 0;
}

// A call that waits goes on waiting unless the tracer lets a signal end that.
void keep_waiting(Thread& thread) {
  if (thread.wait && thread.wait->stage == Wait::Stage::interrupted) {
    thread.wait->stage = Wait::Stage::repeat;
  }
}

}  // namespace

void Ptrace::begin(const Thread& tracer, Thread& target, bool is_seized) {
  target.tracer = {tracer.process.pid, tracer.id, ++last_tracing_};
  Tracing& tracing = tracing_of(target);
  tracing = {};
  tracing.is_seized = is_seized;
  tracing.group_signal = target.process.stopped_by;
  tracing.stops_soon = target.process.stopped_by != 0;
  if (tracing.stops_soon) stops_if_due(target);
}

void Ptrace::go_on(Thread& target, unsigned signal) {
  Tracing& tracing = tracing_of(target);
  set_going(target);
  if (signal == 0) return;
  if (tracing.stop == TracedStop::signal) {
    tracing.passed_signal = signal;
  } else if (tracing.stop == TracedStop::call) {
    kernel_.signals().post_to(target, signal, SignalInfo{});
  }
}

void Ptrace::step(Thread& target, unsigned signal, bool is_over) {
  Tracing& tracing = tracing_of(target);
  go_on(target, signal);
  tracing.step_start = target.cpu->counts().instructions;
  tracing.has_stepped = is_over;
  target.steps = true;
}

// The step is over with an instruction, or with the call that it made: not on the way there.
void Ptrace::end_step(Thread& thread) {
  Tracing& tracing = tracing_of(thread);
  if (!tracing.step_start || thread.wait) return;
  const Port& port = port_of(thread.process);
  if (port.enters_kernel != nullptr && port.enters_kernel(thread)) return;
  const bool has_run = thread.cpu->counts().instructions != *tracing.step_start;
  if (!has_run && !tracing.has_stepped) return;
  SignalInfo info;
  info.cause = SignalInfo::Cause::trace;
  info.address = thread.cpu->interrupted_pc();
  queue_of(thread).add(sigtrap, info, false);
}

// The thread takes part in the job control of its process again. A stop that it has not joined is
// whole without it.
void Ptrace::end(Thread& target, unsigned signal) {
  if (target.traced_stop != 0) go_on(target, signal);
  Tracing& tracing = tracing_of(target);
  const unsigned passed = tracing.passed_signal;
  const std::optional<SignalInfo> info = tracing.info;
  join_stop(target);
  target.tracer = {};
  tracing = {};
  tracing.passed_signal = passed;
  tracing.info = info;
}

void Ptrace::interrupt(Thread& target) {
  Tracing& tracing = tracing_of(target);
  tracing.stops_soon = true;
  if (tracing.listens) set_going(target);
}

bool Ptrace::listen(Thread& target) {
  Tracing& tracing = tracing_of(target);
  constexpr auto code = static_cast<std::int32_t>(TraceEvent::stop);
  if (!tracing.info || tracing.info->code >> 8 != code) return false;
  tracing.listens = true;
  if (tracing.has_news) set_going(target);
  return true;
}

void Ptrace::forget_tracee(Process& process, int thread) {
  auto& ended = process.ended_tracees;
  const auto at = std::ranges::find(ended, thread, &EndedTracee::thread);
  ended.erase(at);
  if (!process.exit_status) return;
  if (ended.empty()) {
    simulation().tell_end(process);
  } else if (ended.size() == 1 && ended.front().thread == 1) {
    tracee_ended(process, EndedTracee(ended.front()));
  }
}

void Ptrace::leave_tracee(Thread& tracee) {
  const bool ends = tracing_of(tracee).ends_with_tracer;
  end(tracee, 0);
  if (ends) kernel_.signals().post(tracee.process, sigkill);
}

void Ptrace::leave_tracees(const Thread& tracer) {
  for (Process* const process : simulation().processes()) {
    for (const auto& thread : process->threads) {
      if (thread->tracer.is(tracer)) leave_tracee(*thread);
    }
    for (const EndedTracee& ended : std::vector(process->ended_tracees)) {
      if (ended.tracer.is(tracer)) forget_tracee(*process, ended.thread);
    }
  }
}

void Ptrace::report_to_tracer(const Thread& tracee, SignalInfo::Cause cause) {
  SignalInfo info =
      kernel_.signals().child_info(tracee.process, cause, tracee.traced_stop & signal_mask);
  info.pid = thread_number(tracee);
  kernel_.signals().report_to(tracee.tracer.pid, info);
}

// Any stop ends what made one due; the news that it does not tell are left.
void Ptrace::stop_for_tracer(Thread& thread, TracedStop stop, unsigned code,
                             const std::optional<SignalInfo>& info) {
  Tracing& tracing = tracing_of(thread);
  thread.traced_stop = code;
  thread.stop_to_report = true;
  tracing.stop = stop;
  tracing.info = info;
  tracing.stops_soon = false;
  tracing.step_start.reset();
  thread.steps = false;
  const Port& port = port_of(thread.process);
  if (port.store_registers != nullptr) tracing.stored_registers = port.store_registers(thread);
  if (code >> 8 == static_cast<unsigned>(TraceEvent::stop)) tracing.has_news = false;
  report_to_tracer(thread, stop == TracedStop::group ? SignalInfo::Cause::child_stopped
                                                     : SignalInfo::Cause::child_trapped);
  if (stop == TracedStop::group) join_stop(thread);
}

void Ptrace::stop_for_event(Thread& thread, TraceEvent event, std::uint64_t message) {
  const unsigned code = event_code(event);
  stop_for_tracer(thread, TracedStop::event, code, trap_info(thread, code));
  tracing_of(thread).message = message;
}

// The thread has done its part in the stop of its process.
void Ptrace::join_stop(Thread& thread) {
  if (!std::exchange(tracing_of(thread).joins_group_stop, false)) return;
  const bool is_whole = std::ranges::none_of(thread.process.threads, [](const auto& other) {
    return tracing_of(*other).joins_group_stop;
  });
  if (is_whole) kernel_.jobs().complete_stop(thread.process);
}

void Ptrace::tell_news(Thread& thread) {
  Tracing& tracing = tracing_of(thread);
  tracing.has_news = true;
  if (std::exchange(tracing.listens, false)) thread.traced_stop = 0;
}

void Ptrace::call_off_stop(Thread& thread) {
  Tracing& tracing = tracing_of(thread);
  tracing.joins_group_stop = tracing.may_start_stop = false;
  if (thread.tracer && tracing.is_seized) tell_news(thread);
}

// Stops that are for no signal (kernel/signal.c, do_jobctl_trap()).
bool Ptrace::stops_if_due(Thread& thread) {
  Tracing& tracing = tracing_of(thread);
  if (!thread.tracer || !tracing.stop_is_due() || is_killed(thread)) return false;
  keep_waiting(thread);
  if (!tracing.is_seized) {
    stop_for_tracer(thread, TracedStop::group, tracing.group_signal, std::nullopt);
    return true;
  }
  const bool has_stopped = thread.process.stopped_by != 0;
  const unsigned code = event_code(TraceEvent::stop, has_stopped ? tracing.group_signal : sigtrap);
  stop_for_tracer(thread, TracedStop::group, code, trap_info(thread, code));
  return true;
}

// Every signal but SIGKILL is first the tracer's, even an ignored one.
bool Ptrace::asks_tracer(Thread& thread, unsigned signal, const SignalInfo& info) {
  if (signal == sigkill || is_killed(thread)) return false;
  if (stops_for_signal(thread, signal, info)) {
    keep_waiting(thread);
    return true;
  }
  if (!thread.tracer) return false;
  keep_waiting(thread);
  tracing_of(thread).may_start_stop = true;
  stop_for_tracer(thread, TracedStop::signal, signal, info);
  return true;
}

// What the tracer let through takes effect, unless it is blocked by now. Returns whether the thread
// goes on.
bool Ptrace::takes_passed_signal(Thread& thread) {
  Tracing& tracing = tracing_of(thread);
  const unsigned signal = std::exchange(tracing.passed_signal, 0);
  if (signal == 0) return true;
  const SignalInfo info = std::exchange(tracing.info, std::nullopt).value_or(SignalInfo{});
  if (thread.blocked_signals.test(signal - 1)) {
    queue_of(thread).add(signal, info, false);
    return true;
  }
  using Kind = SignalAction::Kind;
  if (thread.process.signals.action(signal).kind == Kind::handler) tracing.has_stepped = true;
  return kernel_.signals().take_effect(thread, signal, info);
}

// Whether somebody who controls the process wants to hear of the call, before or after it.
bool Ptrace::stops_at_controlled_entry(Thread& thread) {
  if (state_of(thread.process).control.get() == nullptr) return false;
  const unsigned number = kernel_.call_number(thread);
  if (!is_call_controlled(thread, number)) return false;
  thread_state_of(thread).traced_call = TracedCall::inside;
  return stops_at_call_entry(thread, number);
}

bool Ptrace::stops_at_entry(Thread& thread) {
  TracedCall& stage = thread_state_of(thread).traced_call;
  if (stage == TracedCall::at_entry) {
    thread.wait.reset();
    stage = is_killed(thread) ? TracedCall::none : TracedCall::inside;
    return stage == TracedCall::none;
  }
  if (stage == TracedCall::inside) return false;
  const Tracing& tracing = tracing_of(thread);
  const bool is_traced = thread.tracer && tracing.stops_at_calls;
  if (!is_traced && !stops_at_controlled_entry(thread)) return false;
  stage = TracedCall::at_entry;
  put_off_call(simulation(), thread);
  if (!is_traced) return true;
  const unsigned code = call_code(tracing);
  stop_for_tracer(thread, TracedStop::call, code, trap_info(thread, code));
  return true;
}

bool Ptrace::stops_at_exit(Thread& thread) {
  TracedCall& stage = thread_state_of(thread).traced_call;
  if (stage == TracedCall::at_exit || stage == TracedCall::broken_off) stage = TracedCall::none;
  if (stage != TracedCall::inside) return false;
  const Tracing& tracing = tracing_of(thread);
  const bool is_traced = thread.tracer && tracing.stops_at_calls;
  if (!is_traced && thread.wait) return false;
  stage = TracedCall::none;
  if (is_killed(thread)) return false;
  if (!is_traced) return stops_at_call_exit(thread);
  stage = thread.wait ? TracedCall::broken_off : TracedCall::at_exit;
  const unsigned code = call_code(tracing);
  stop_for_tracer(thread, TracedStop::call, code, trap_info(thread, code));
  return true;
}

// The child has left the memory that the thread shares with it.
bool Ptrace::stops_after_vfork(Thread& thread) {
  Tracing& tracing = tracing_of(thread);
  const auto child = std::exchange(tracing.vfork_child, std::nullopt);
  if (!child || !thread.tracer || !tracing.wants(TraceEvent::vfork_end)) return false;
  stop_for_event(thread, TraceEvent::vfork_end, *child);
  return true;
}

bool Ptrace::stops_before_end(Thread& thread, std::uint32_t code) {
  Tracing& tracing = tracing_of(thread);
  const bool wants = thread.tracer && tracing.wants(TraceEvent::end);
  if (!wants || std::exchange(tracing.has_told_end, true)) return false;
  put_off_call(simulation(), thread);
  stop_for_event(thread, TraceEvent::end, status_word({false, code}));
  return true;
}

// A thread that has stopped before is woken for that.
bool Ptrace::stops_before_end(Process& process, ExitStatus status) {
  const auto asks = [](Thread& thread) {
    const Tracing& tracing = tracing_of(thread);
    return thread.tracer && tracing.wants(TraceEvent::end) && !tracing.has_told_end;
  };
  if (std::ranges::none_of(process.threads, [&](const auto& one) { return asks(*one); })) {
    return false;
  }
  state_of(process).ending = status;
  std::vector<Thread*> threads;
  for (const auto& thread : process.threads) threads.push_back(thread.get());
  for (Thread* const thread : threads) {
    if (!asks(*thread)) {
      kernel_.end_thread(*thread, status, status);
      continue;
    }
    thread->wait.reset();
    thread_state_of(*thread).traced_call = TracedCall::none;
    tracing_of(*thread).has_told_end = true;
    stop_for_event(*thread, TraceEvent::end, status_word(status));
  }
  return true;
}

// With the first thread's end its tracer is told twice if others are left then.
void Ptrace::tracee_ended(Process& process, const EndedTracee& tracee) {
  Process* const tracer = simulation().find(tracee.tracer.pid);
  if (tracer == nullptr || system().signals.child == 0) return;
  SignalInfo info = kernel_.signals().child_info(
      process,
      tracee.status.by_signal ? SignalInfo::Cause::child_killed : SignalInfo::Cause::child_exited,
      tracee.status.code);
  info.pid = thread_number(process, tracee.thread);
  kernel_.signals().post(*tracer, system().signals.child, info);
}

// A child that is traced from its start stops at it.
void Ptrace::trace_child(Thread& parent, Thread& child, TraceEvent event, bool is_followed) {
  if (&child.process != &parent.process) inherit_control(parent, child.process);
  Tracing& tracing = tracing_of(parent);
  if (!parent.tracer) return;
  const auto number = static_cast<std::uint64_t>(thread_number(child));
  if (event == TraceEvent::vfork) tracing.vfork_child = number;
  const bool tells = tracing.wants(event);
  if (tells || is_followed) {
    child.tracer = parent.tracer;
    child.tracer.since = ++last_tracing_;
    Tracing& of_child = tracing_of(child);
    of_child.is_seized = of_child.stops_soon = tracing.is_seized;
    of_child.marks_calls = tracing.marks_calls;
    of_child.ends_with_tracer = tracing.ends_with_tracer;
    of_child.events = tracing.events;
    if (!tracing.is_seized) kernel_.signals().post_to(child, system().signals.stop, SignalInfo{});
  }
  if (tells) stop_for_event(parent, event, number);
}

// "If the PTRACE_O_TRACEEXEC option is not in effect, all successful calls to execve(2) by the
// traced process will cause it to be sent a SIGTRAP signal" (ptrace(2)), unless it was seized.
void Ptrace::trace_exec(const Thread& old, Thread& fresh) {
  const ThreadState& before = static_cast<const ThreadState&>(*old.os_state);
  thread_state_of(fresh).traced_call = before.traced_call;
  if (!fresh.tracer) return;
  Tracing& tracing = tracing_of(fresh);
  tracing = before.tracing;
  tracing.stored_registers.reset();
  fresh.steps = old.steps;
  if (tracing.wants(TraceEvent::exec)) {
    stop_for_event(fresh, TraceEvent::exec, static_cast<std::uint64_t>(thread_number(old)));
  } else if (!tracing.is_seized) {
    kernel_.signals().post_to(fresh, sigtrap, SignalInfo{});
  }
}

void Tracing::archive(Archive& to) {
  auto& [seized, at_calls, marks, ends_with, told_end, wanted, soon, news, joins, may_start, group,
         does_listen, child, passed, stepped_from, stepped, registers, why, signal_info, told] =
      *this;
  to.state(seized, at_calls, marks, ends_with, told_end, wanted, soon, news, joins, may_start,
           group, does_listen, child, passed, stepped_from, stepped, registers, why, signal_info,
           told);
}

}  // namespace hardclock::posix
