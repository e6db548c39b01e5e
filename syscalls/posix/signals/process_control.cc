// Sources: proc(4) of IRIX and of System V.4.
#include "syscalls/posix/signals/process_control.h"

#include <utility>

#include "sim/base/check.h"
#include "sim/state/archive.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/state.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

// Null: nobody has ever asked for it.
ProcessControl* control_of(const Process& process) {
  return state_of(process).control.get();
}

// wait(2) has nothing to report of it.
void stand_still(ProcessControl& control, StopCause cause, unsigned what) {
  Process& process = *control.process;
  control.is_directed = false;
  control.stands_still = true;
  control.cause = cause;
  control.what = what;
  control.is_stepping = false;
  for (const auto& thread : process.threads) {
    thread->steps = false;
    thread->traced_stop = sigtrap;
  }
}

const UnixSystem& system_of(const Process& process) {
  return static_cast<const Kernel&>(*process.os).system();
}

bool has(const CallSet& set, unsigned call) {
  return call < set.size() && set.test(call);
}

HardwareFault fault_of(const Trap& trap, const SyscallAbi& abi) {
  switch (trap.kind) {
    case TrapKind::breakpoint:
    case TrapKind::conditional_trap:
      if (abi.break_meaning(trap.code) == BreakMeaning::divide_by_zero) {
        return HardwareFault::zero_divide;
      }
      return abi.break_meaning(trap.code) == BreakMeaning::integer_overflow
                 ? HardwareFault::integer_overflow
                 : HardwareFault::breakpoint;
    case TrapKind::integer_overflow:
      return HardwareFault::integer_overflow;
    case TrapKind::floating_point:
      return HardwareFault::floating_point;
    case TrapKind::memory:
      return trap.fault.kind == Fault::Kind::unmapped ? HardwareFault::bounds
                                                      : HardwareFault::access;
    case TrapKind::illegal_instruction:
    case TrapKind::system_call:
      break;
  }
  return HardwareFault::illegal_instruction;
}

// Whether the thread stops for it; otherwise the signal is on its way.
bool incurs(Thread& thread, HardwareFault fault, unsigned signal, const SignalInfo& info) {
  ProcessControl& control = *control_of(thread.process);
  const auto number = static_cast<unsigned>(fault);
  if (!control.events.faults.test(number - 1)) return false;
  control.fault = fault;
  control.signal = signal;
  control.info = info;
  control.is_at_fault = true;
  stand_still(control, StopCause::faulted, number);
  return true;
}

// EINTR, unless nothing may end the wait.
void abort_call(Thread& thread) {
  ThreadState& state = thread_state_of(thread);
  const bool is_at_entry = state.traced_call == TracedCall::at_entry;
  if (!is_at_entry && (!thread.waiting() || thread.wait->ends_call())) return;
  Process& process = thread.process;
  abi_of(process).set_error(*thread.cpu, system_of(process).errnos.of(Errno::eintr));
  thread.cpu->complete_system_call();
  thread.wait.reset();
  if (is_at_entry) state.traced_call = TracedCall::inside;
}

void begin_step(ProcessControl& control, Thread& thread) {
  control.is_stepping = true;
  control.step_pc = thread.cpu->interrupted_pc();
  control.step_start = thread.cpu->counts().instructions;
}

bool is_stepping(const ProcessControl& control, const Thread& thread) {
  return control.is_stepping && &thread == &control.process->main_thread();
}

// A branch and the instruction in its delay slot are one step: in between, the thread would go on
// at the branch.
bool has_stepped(const ProcessControl& control, const Thread& thread) {
  const Instructions done = thread.cpu->counts().instructions - control.step_start;
  return thread.cpu->interrupted_pc() != control.step_pc || done > Instructions(1);
}

void end_step(ProcessControl& control, Thread& thread) {
  control.is_stepping = false;
  SignalInfo info;
  info.cause = SignalInfo::Cause::trace;
  info.address = thread.cpu->interrupted_pc();
  if (incurs(thread, HardwareFault::trace, sigtrap, info)) return;
  queue_of(thread).add(sigtrap, info, false);
}

// While somebody watches memory, each instruction is looked at before it runs. A tracer's step is
// none of the control's.
bool needs_steps(ProcessControl& control, Thread& thread) {
  return is_stepping(control, thread) || !control.watched_areas().empty() ||
         thread_state_of(thread).tracing.step_start.has_value();
}

// The signal takes effect; if it is a fault's, somebody may want to stop the process for it first.
void pass(Thread& thread, unsigned signal, const SignalInfo& info, bool is_of_fault) {
  if (is_of_fault) return queue_of(thread).add(signal, info, false);
  Tracing& tracing = thread_state_of(thread).tracing;
  tracing.passed_signal = signal;
  tracing.info = info;
}

}  // namespace

std::shared_ptr<ProcessControl> OwnControl::shared(Process& process, unsigned first_call) {
  if (control_ == nullptr) control_ = std::make_shared<ProcessControl>(process, first_call);
  return control_;
}

WatchedAreas& ProcessControl::watched_areas() {
  const std::uint32_t number = process->memory == nullptr ? 0 : process->memory->number();
  if (std::exchange(watched_memory_, number) != number) watched_areas_.clear();
  return watched_areas_;
}

void direct_stop(ProcessControl& control) {
  if (control.stands_still) return;
  control.is_directed = true;
  if (control.process->stopped_by == 0) stand_still(control, StopCause::requested, 0);
}

void go_on(ProcessControl& control, const GoOn& how) {
  Process& process = *control.process;
  Thread& thread = process.main_thread();
  control.stands_still = false;
  for (const auto& each : process.threads) each->traced_stop = 0;
  control.is_directed = how.stops_again;
  const bool was_at_fault = std::exchange(control.is_at_fault, false);
  control.fault = HardwareFault::none;
  const unsigned signal = std::exchange(control.signal, 0);
  if (signal != 0 && !(was_at_fault ? how.clears_fault : how.clears_signal)) {
    pass(thread, signal, control.info, was_at_fault);
  }
  if (how.aborts_call) abort_call(thread);
  if (how.steps) begin_step(control, thread);
}

void stop_no_more(Process& process) {
  process.stopped_by = 0;
  process.blocked = false;
  for (const auto& thread : process.threads) thread->traced_stop = thread->stop_to_report = 0;
  ProcessControl* const control = control_of(process);
  if (control == nullptr) return;
  control->events = {};
  control->watched_areas().clear();
  control->stands_still = control->is_directed = false;
}

void kill(ProcessControl& control) {
  stop_no_more(*control.process);
  queue_of(*control.process).add(sigkill, {}, false);
}

void lose_controller(ProcessControl& control) {
  if (--control.controllers != 0) return;
  control.is_exclusive = false;
  if (control.process == nullptr || control.process->exit_status) return;
  const ControlledEvents events = control.events;
  if (events.run_on_last_close || events.kill_on_last_close) {
    control.events = {};
    control.watched_areas().clear();
  }
  if (events.kill_on_last_close) {
    kill(control);
  } else if (events.run_on_last_close) {
    control.is_directed = false;
    if (control.stands_still) go_on(control, {});
  }
}

bool stops_for_signal(Thread& thread, unsigned signal, const SignalInfo& info) {
  if (!is_signal_controlled(thread.process, signal)) return false;
  ProcessControl& control = *control_of(thread.process);
  control.signal = signal;
  control.info = info;
  control.is_at_fault = false;
  stand_still(control, StopCause::signalled, signal);
  return true;
}

bool stops_for_fault(Thread& thread, const Trap& trap, unsigned signal, const SignalInfo& info) {
  if (control_of(thread.process) == nullptr) return false;
  return incurs(thread, fault_of(trap, abi_of(thread.process)), signal, info);
}

bool stops_before_run(Thread& thread) {
  ProcessControl* const control = control_of(thread.process);
  if (control == nullptr) return false;
  if (is_stepping(*control, thread) && has_stepped(*control, thread)) end_step(*control, thread);
  if (control->is_directed) stand_still(*control, StopCause::requested, 0);
  thread.steps = !control->stands_still && needs_steps(*control, thread);
  return control->stands_still;
}

bool meets_watchpoint(Thread& thread) {
  ProcessControl* const control = control_of(thread.process);
  if (control == nullptr || control->watched_areas().empty()) return false;
  const auto address = control->watched_areas().touched_by(thread.cpu->next_instruction());
  if (!address) return false;
  SignalInfo info;
  info.cause = SignalInfo::Cause::trace;
  info.address = *address;
  if (!incurs(thread, HardwareFault::watchpoint, sigtrap, info)) {
    queue_of(thread).add(sigtrap, info, false);
  }
  return true;
}

bool is_call_controlled(Thread& thread, unsigned number) {
  const ProcessControl* const control = control_of(thread.process);
  if (control == nullptr) return false;
  const unsigned call = number - control->first_call;
  return has(control->events.entries, call) || has(control->events.exits, call);
}

bool stops_at_call_entry(Thread& thread, unsigned number) {
  ProcessControl& control = *control_of(thread.process);
  control.call = number - control.first_call;
  if (!has(control.events.entries, control.call)) return false;
  stand_still(control, StopCause::call_entry, control.call + 1);
  return true;
}

bool stops_at_call_exit(Thread& thread) {
  ProcessControl* const control = control_of(thread.process);
  if (control == nullptr || !has(control->events.exits, control->call)) return false;
  stand_still(*control, StopCause::call_exit, control->call + 1);
  return true;
}

bool is_signal_controlled(const Process& process, unsigned signal) {
  const ProcessControl* const control = control_of(process);
  return control != nullptr && signal != sigkill && control->events.signals.test(signal - 1);
}

void inherit_control(Thread& parent, Process& child) {
  const ProcessControl* const control = control_of(parent.process);
  if (control == nullptr || !control->events.are_inherited) return;
  ProcessControl& own = *state_of(child).control.shared(child, control->first_call);
  own.events = control->events;
  own.call = control->call;
  // It leaves the call that made it.
  thread_state_of(child.main_thread()).traced_call = thread_state_of(parent).traced_call;
}

void ProcessControl::archive(Archive& to) {
  auto& [of, first, wanted, count, exclusive, directed, still, why, which, entered, sent, told,
         incurred, at_fault, steps, stepped_pc, stepped_from, areas, memory] = *this;
  const int pid = to.value(of == nullptr ? 0 : of->pid);
  if (to.loads()) to.later([this, &to, pid] { process = to.provided<Simulation>().find(pid); });
  to.state(wanted, count, exclusive, directed, still, why, which, entered, sent, told, incurred,
           at_fault, steps, stepped_pc, stepped_from, areas, memory);
  to.saved(first);
}

void OwnControl::archive(Archive& to) {
  to.state(control_);
}

}  // namespace hardclock::posix
