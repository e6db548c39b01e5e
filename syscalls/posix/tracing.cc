// Processes that another one traces: what they stop for, and how they go on. Source: Linux 6.1,
// kernel/ptrace.c and kernel/signal.c. All threads of a process stop together.
#include "syscalls/posix/tracing.h"

#include <utility>

#include "syscalls/posix/kernel.h"

namespace hardclock::posix {
namespace {

constexpr unsigned call_mark = 0x80;

unsigned event_code(TraceEvent event) {
  return sigtrap | static_cast<unsigned>(event) << 8;
}

unsigned call_code(const Tracing& tracing) {
  return tracing.marks_calls ? sigtrap | call_mark : unsigned{sigtrap};
}

// The thread begins its call anew as soon as it may run.
void put_off_call(const Simulation& simulation, Thread& thread) {
  thread.start_waiting({.until = simulation.clock().ticks(), .call = "ptrace"});
}

// What a tracer finds out about a stop that is for no signal (kernel/signal.c, ptrace_do_notify()).
SignalInfo trap_info(const Process& process, unsigned code) {
  SignalInfo info = sent_by(process, state_of(process).credentials.user.real);
  info.code = static_cast<std::int32_t>(code);
  return info;
}

TraceEvent event_of(Kernel::ChildMemory memory) {
  return memory == Kernel::ChildMemory::shared ? TraceEvent::vfork : TraceEvent::fork;
}

}  // namespace

void Kernel::begin_tracing(Simulation& simulation, const Process& tracer, Process& target) {
  target.tracer = tracer.pid;
  state_of(target).tracing = {};
  if (target.stopped_by == 0) return;
  state_of(target).tracing.thread = target.main_thread().id;
  target.stopped_for_tracer = target.stop_to_report = true;
  report_to_parent(
      simulation, target,
      child_info(simulation, target, SignalInfo::Cause::child_trapped, target.stopped_by));
}

void Kernel::continue_traced(Simulation& simulation, Process& target, unsigned signal) {
  const unsigned stop = std::exchange(target.stopped_by, 0);
  target.stopped_for_tracer = target.stop_to_report = false;
  if (signal == 0) return;
  Tracing& tracing = state_of(target).tracing;
  Thread* const stopped = target.thread(tracing.thread);
  Thread& thread = stopped != nullptr ? *stopped : target.main_thread();
  // A signal for another stop is one more, of which the tracer hears before it takes effect.
  const bool passes = target.tracer == 0 || tracing.is_for_signal;
  if (passes) thread_state_of(thread).passed_signal = signal;
  announce(simulation, target, signal);
  queue_of(thread).add(
      signal, passes && signal == stop && tracing.info ? *tracing.info : SignalInfo{}, false);
}

void Kernel::end_tracing(Simulation& simulation, Process& target, unsigned signal) {
  target.tracer = 0;
  if (target.stopped_for_tracer) continue_traced(simulation, target, signal);
  for (const auto& thread : target.threads) thread_state_of(*thread).passed_signal = 0;
  state_of(target).tracing = {};
}

void Kernel::hand_to_parent(Simulation& simulation, Process& zombie) {
  const int tracer = std::exchange(zombie.tracer, 0);
  Process* const parent = simulation.find(zombie.parent);
  if (tracer == 0 || tracer == zombie.parent || parent == nullptr || parent->exit_status) {
    simulation.reap(zombie);
  } else {
    child_exited(simulation, *parent, zombie);
  }
}

void Kernel::leave_tracees(Simulation& simulation, const Process& tracer) {
  for (Process* const tracee : simulation.processes()) {
    if (tracee->tracer != tracer.pid) continue;
    if (tracee->exit_status) {
      hand_to_parent(simulation, *tracee);
      continue;
    }
    const bool ends = state_of(*tracee).tracing.ends_with_tracer;
    end_tracing(simulation, *tracee, 0);
    if (ends) post(simulation, *tracee, sigkill);
  }
}

void Kernel::stop_for_tracer(Simulation& simulation, Thread& thread, unsigned code,
                             const std::optional<SignalInfo>& info) {
  Process& process = thread.process;
  simulation.stop(process, code);
  process.stopped_for_tracer = true;
  Tracing& tracing = state_of(process).tracing;
  tracing.thread = thread.id;
  tracing.is_for_signal = info.has_value();
  tracing.info = info.value_or(trap_info(process, code));
  report_to_parent(simulation, process,
                   child_info(simulation, process, SignalInfo::Cause::child_trapped, code));
}

// Every signal but SIGKILL is first the tracer's, even an ignored one. A call that waits goes on
// waiting unless the tracer lets the signal end that.
bool Kernel::asks_tracer(Simulation& simulation, Thread& thread, unsigned signal,
                         const SignalInfo& info) {
  if (signal == sigkill) return false;
  unsigned& passed = thread_state_of(thread).passed_signal;
  if (passed == signal) {
    passed = 0;
    return false;
  }
  const bool is_traced = thread.process.tracer != 0;
  if (!stops_for_signal(thread, signal, info)) {
    if (!is_traced) return false;
    stop_for_tracer(simulation, thread, signal, info);
  }
  if (thread.wait && thread.wait->stage == Wait::Stage::interrupted) {
    thread.wait->stage = Wait::Stage::repeat;
  }
  return true;
}

// The number of the call that the thread is about to make, if somebody controls that.
std::optional<unsigned> Kernel::controlled_call(Simulation& simulation, Thread& thread) {
  if (state_of(thread.process).control.get() == nullptr) return std::nullopt;
  Call call = make_call(simulation, thread);
  const unsigned number = number_of(call);
  return is_call_controlled(thread, number) ? std::optional(number) : std::nullopt;
}

bool Kernel::stops_at_entry(Simulation& simulation, Thread& thread) {
  TracedCall& stage = thread_state_of(thread).traced_call;
  if (stage == TracedCall::at_entry) {
    thread.wait.reset();
    stage = TracedCall::inside;
    return false;
  }
  if (stage == TracedCall::inside) return false;
  const Tracing& tracing = state_of(thread.process).tracing;
  if (tracing.stops_at_calls) {
    stop_for_tracer(simulation, thread, call_code(tracing));
  } else {
    const auto number = controlled_call(simulation, thread);
    if (!number) return false;
    stage = TracedCall::inside;
    if (!stops_at_call_entry(thread, *number)) return false;
  }
  stage = TracedCall::at_entry;
  put_off_call(simulation, thread);
  return true;
}

bool Kernel::stops_at_exit(Simulation& simulation, Thread& thread) {
  TracedCall& stage = thread_state_of(thread).traced_call;
  if (stage == TracedCall::at_exit || stage == TracedCall::broken_off) stage = TracedCall::none;
  if (stage != TracedCall::inside) return false;
  const Tracing& tracing = state_of(thread.process).tracing;
  if (!tracing.stops_at_calls && thread.wait) return false;
  stage = TracedCall::none;
  if (!tracing.stops_at_calls) return stops_at_call_exit(thread);
  stage = thread.wait ? TracedCall::broken_off : TracedCall::at_exit;
  stop_for_tracer(simulation, thread, call_code(tracing));
  return true;
}

bool Kernel::stops_before_end(Simulation& simulation, Thread& thread, std::uint32_t code) {
  Tracing& tracing = state_of(thread.process).tracing;
  if (!tracing.wants(TraceEvent::end) || std::exchange(tracing.has_told_end, true)) return false;
  tracing.message = std::uint64_t{code} << 8;
  put_off_call(simulation, thread);
  stop_for_tracer(simulation, thread, event_code(TraceEvent::end));
  return true;
}

// A child that is traced from its start stops at it with SIGSTOP.
void Kernel::trace_child(Simulation& simulation, Thread& parent, Process& child,
                         ChildMemory memory) {
  Tracing& tracing = state_of(parent.process).tracing;
  const TraceEvent event = event_of(memory);
  inherit_control(parent, child);
  if (parent.process.tracer == 0 || !tracing.wants(event)) return;
  child.tracer = parent.process.tracer;
  Tracing& of_child = state_of(child).tracing;
  of_child.marks_calls = tracing.marks_calls;
  of_child.ends_with_tracer = tracing.ends_with_tracer;
  of_child.events = tracing.events;
  post(simulation, child, system_.signals.stop);
  tracing.message = static_cast<std::uint64_t>(child.pid);
  stop_for_tracer(simulation, parent, event_code(event));
}

// "If the PTRACE_O_TRACEEXEC option is not in effect, all successful calls to execve(2) by the
// traced process will cause it to be sent a SIGTRAP signal" (ptrace(2)).
void Kernel::trace_exec(Simulation& simulation, const Thread& old, Thread& fresh) {
  Process& process = fresh.process;
  thread_state_of(fresh).traced_call = static_cast<const ThreadState&>(*old.os_state).traced_call;
  if (process.tracer == 0) return;
  Tracing& tracing = state_of(process).tracing;
  if (!tracing.wants(TraceEvent::exec)) {
    post(simulation, process, sigtrap);
    return;
  }
  tracing.message = static_cast<std::uint64_t>(process.pid);
  stop_for_tracer(simulation, fresh, event_code(TraceEvent::exec));
}

}  // namespace hardclock::posix
