// Traps become signals, and signals take effect.
#include <cstdio>
#include <utility>

#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals.h"

namespace hardclock::posix {
namespace {

unsigned signal_of(const Trap& trap, const Convention& convention) {
  switch (trap.kind) {
    case TrapKind::breakpoint:
    case TrapKind::conditional_trap:
      return convention.break_meaning(trap.code) == BreakMeaning::breakpoint ? sigtrap : sigfpe;
    case TrapKind::integer_overflow:
    case TrapKind::floating_point:
      return sigfpe;
    case TrapKind::memory:
      if (trap.fault.kind == Fault::Kind::misaligned) return sigbus;
      return trap.fault.kind == Fault::Kind::out_of_memory ? sigkill : sigsegv;
    case TrapKind::illegal_instruction:
    case TrapKind::system_call:
      break;
  }
  return sigill;
}

SignalInfo::Cause cause_of(BreakMeaning meaning) {
  switch (meaning) {
    case BreakMeaning::breakpoint:
      return SignalInfo::Cause::breakpoint;
    case BreakMeaning::divide_by_zero:
      return SignalInfo::Cause::divide_by_zero;
    case BreakMeaning::integer_overflow:
      return SignalInfo::Cause::integer_overflow;
  }
  return SignalInfo::Cause::breakpoint;
}

SignalInfo info_of(const Trap& trap, GuestAddr pc, const Convention& convention) {
  using Cause = SignalInfo::Cause;
  switch (trap.kind) {
    case TrapKind::breakpoint:
    case TrapKind::conditional_trap:
      return {cause_of(convention.break_meaning(trap.code)), pc};
    case TrapKind::integer_overflow:
      return {Cause::integer_overflow, pc};
    case TrapKind::floating_point:
      return {Cause::floating_point, pc};
    case TrapKind::memory:
      if (trap.fault.kind == Fault::Kind::misaligned)
        return {Cause::misaligned, trap.fault.address};
      return {trap.fault.kind == Fault::Kind::protection ? Cause::not_permitted : Cause::not_mapped,
              trap.fault.address};
    case TrapKind::illegal_instruction:
    case TrapKind::system_call:
      break;
  }
  return {Cause::illegal_instruction, pc};
}

std::string reason_of(const Trap& trap, const Convention& convention) {
  switch (trap.kind) {
    case TrapKind::breakpoint:
      return convention.break_text(trap.code);
    case TrapKind::conditional_trap:
      return "trap " + std::to_string(trap.code);
    case TrapKind::integer_overflow:
      return "integer overflow";
    case TrapKind::floating_point:
      return "floating-point exception";
    case TrapKind::illegal_instruction:
    case TrapKind::system_call:
      return "reserved instruction";
    case TrapKind::memory:
      break;
  }
  static constexpr const char* verbs[] = {"read", "write", "fetch"};
  static constexpr const char* kinds[] = {"not mapped", "not permitted", "not aligned",
                                          "memory limit reached; raise --max-memory"};
  char text[120];
  std::snprintf(text, sizeof text, "%s at 0x%08llx: %s",
                verbs[static_cast<std::size_t>(trap.fault.access)],
                static_cast<unsigned long long>(trap.fault.address.value()),
                kinds[static_cast<std::size_t>(trap.fault.kind)]);
  return text;
}

}  // namespace

void Kernel::trap(Simulation& simulation, Thread& thread, const Trap& trap) {
  const Convention& convention = *state_of(thread.process).convention;
  const unsigned signal = signal_of(trap, convention);
  const SignalAction& action = thread.process.signals.action(signal);
  const bool caught =
      action.kind == SignalAction::Kind::handler && !thread.blocked_signals.test(signal - 1);
  if (caught) {
    deliver(simulation, thread, signal, info_of(trap, thread.cpu->interrupted_pc(), convention));
    return;
  }
  // Blocked or ignored, it would come again for ever: a kernel ends the process then.
  options_.notice("pid " + std::to_string(thread.process.pid) + " ends with " +
                  std::string(signal_name(system_.signals, signal)) + ": " +
                  reason_of(trap, convention) + ", pc " +
                  describe(thread.process.image->symbols, thread.cpu->interrupted_pc()));
  simulation.exit(thread.process, ExitStatus{true, signal});
}

bool Kernel::interrupts_wait(const Thread& thread) const {
  Process& process = thread.process;
  const SignalSet deliverable = process.signals.pending & ~thread.blocked_signals;
  if (deliverable.none()) return false;
  for (unsigned signal = 1; signal <= system_.signals.last; ++signal) {
    if (deliverable.test(signal - 1) && !is_ignored(system_.signals, process, signal)) return true;
  }
  return false;
}

void Kernel::deliver_signals(Simulation& simulation, Thread& thread) {
  Process& process = thread.process;
  for (unsigned signal = 1; signal <= system_.signals.last; ++signal) {
    const SignalSet deliverable = process.signals.pending & ~thread.blocked_signals;
    if (deliverable.none()) return;
    if (!deliverable.test(signal - 1)) continue;
    process.signals.pending.reset(signal - 1);
    if (is_ignored(system_.signals, process, signal)) continue;
    deliver(simulation, thread, signal, SignalInfo{});
    if (process.exit_status) return;
  }
}

// A handler ends the call that waits. One that has moved bytes reports them, restartable or not, so
// that they are not moved again (POSIX.1, write()); else it fails with EINTR or, restarting, stays
// where the pc is and is repeated by the handler's return.
void Kernel::interrupt_call(Simulation& simulation, Thread& thread, bool restart) {
  const std::uint64_t moved = std::exchange(thread.call_progress, 0);
  if (moved == 0 && thread.restarts && restart) return;
  const CallResult result =
      moved != 0 ? CallResult::value(moved) : CallResult::failure(Errno::eintr);
  trace_interrupted(simulation, thread, result);
  set_result(thread, result);
  thread.cpu->complete_system_call();
}

// The signal takes effect: its handler starts, or the process ends.
void Kernel::deliver(Simulation& simulation, Thread& thread, unsigned signal,
                     const SignalInfo& info) {
  Process& process = thread.process;
  SignalAction& slot = process.signals.action(signal);
  const SignalAction action = slot;
  if (action.kind != SignalAction::Kind::handler) {
    simulation.exit(process, ExitStatus{true, signal});
    return;
  }
  if (std::exchange(thread.interrupted_call, false)) {
    interrupt_call(simulation, thread, action.restarts_calls);
  }
  if (action.resets_to_default) slot = SignalAction{};
  if (system_.push_handler(system_, thread, signal, info, action)) return;
  options_.notice("pid " + std::to_string(process.pid) +
                  " ends with SIGSEGV: no room on its stack "
                  "for the handler of " +
                  std::string(signal_name(system_.signals, signal)));
  simulation.exit(process, ExitStatus{true, sigsegv});
}

void Kernel::timer_expired(Simulation& simulation, Process& process, TimerKind timer) {
  const unsigned signals[timer_kinds] = {sigalrm, system_.signals.virtual_alarm,
                                         system_.signals.profiling_alarm};
  const unsigned signal = signals[static_cast<std::size_t>(timer)];
  if (signal != 0) simulation.post_signal(process, signal);
}

void Kernel::child_exited(Simulation& simulation, Process& parent, Process&) {
  if (system_.signals.child != 0) simulation.post_signal(parent, system_.signals.child);
}

}  // namespace hardclock::posix
