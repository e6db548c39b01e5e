// Traps become signals.
#include <cstdio>
#include <optional>

#include "syscalls/posix/kernel.h"
#include "syscalls/posix/signals/signals.h"

namespace hardclock::posix {
namespace {

BreakMeaning meaning_of(const Trap& trap, const SyscallAbi& abi) {
  const bool is_arithmetic =
      trap.kind == TrapKind::conditional_trap && abi.conditions_are_arithmetic;
  return is_arithmetic ? BreakMeaning::integer_overflow : abi.break_meaning(trap.code);
}

unsigned signal_of(const Trap& trap, const SyscallAbi& abi) {
  switch (trap.kind) {
    case TrapKind::breakpoint:
    case TrapKind::conditional_trap:
      return meaning_of(trap, abi) == BreakMeaning::breakpoint ? sigtrap : sigfpe;
    case TrapKind::integer_overflow:
    case TrapKind::floating_point:
      return sigfpe;
    case TrapKind::memory:
      if (trap.fault.kind == Fault::Kind::misaligned || trap.fault.kind == Fault::Kind::no_object) {
        return sigbus;
      }
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

SignalInfo::Cause cause_of(ieee754::Exception exception) {
  switch (exception) {
    case ieee754::Exception::divide_by_zero:
      return SignalInfo::Cause::floating_divide_by_zero;
    case ieee754::Exception::overflow:
      return SignalInfo::Cause::floating_overflow;
    case ieee754::Exception::underflow:
      return SignalInfo::Cause::floating_underflow;
    case ieee754::Exception::inexact:
      return SignalInfo::Cause::floating_inexact;
    case ieee754::Exception::none:
    case ieee754::Exception::invalid:
    case ieee754::Exception::unimplemented:
      break;
  }
  return SignalInfo::Cause::floating_invalid;
}

SignalInfo info_of(const Trap& trap, Cpu& cpu, const SyscallAbi& abi) {
  const GuestAddr pc = cpu.interrupted_pc();
  using Cause = SignalInfo::Cause;
  switch (trap.kind) {
    case TrapKind::breakpoint:
    case TrapKind::conditional_trap:
      return {cause_of(meaning_of(trap, abi)), pc};
    case TrapKind::integer_overflow:
      return {Cause::integer_overflow, pc};
    case TrapKind::floating_point:
      return {cause_of(abi.floating_exception(cpu)), pc};
    case TrapKind::memory:
      if (trap.fault.kind == Fault::Kind::misaligned)
        return {Cause::misaligned, trap.fault.address};
      if (trap.fault.kind == Fault::Kind::no_object) return {Cause::no_object, trap.fault.address};
      return {trap.fault.kind == Fault::Kind::protection ? Cause::not_permitted : Cause::not_mapped,
              trap.fault.address};
    case TrapKind::illegal_instruction:
    case TrapKind::system_call:
      break;
  }
  return {Cause::illegal_instruction, pc};
}

// What the compilers that put it into code mean by a trap, for people; empty: nothing is known.
std::string meaning_text(const Trap& trap, const SyscallAbi& abi) {
  // ADDI,TC and its kin, by which PA-RISC's millicode refuses to divide by zero, too.
  if (trap.kind == TrapKind::conditional_trap && abi.conditions_are_arithmetic) {
    return ", overflow or division by zero";
  }
  switch (meaning_of(trap, abi)) {
    case BreakMeaning::divide_by_zero:
      return ", division by zero";
    case BreakMeaning::integer_overflow:
      return ", overflow";
    case BreakMeaning::breakpoint:
      break;
  }
  return {};
}

std::string reason_of(const Trap& trap, const SyscallAbi& abi) {
  switch (trap.kind) {
    case TrapKind::breakpoint:
      return abi.break_text(trap.code) + meaning_text(trap, abi);
    case TrapKind::conditional_trap:
      return "trap " + std::to_string(trap.code) + meaning_text(trap, abi);
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
                                          "memory limit reached; raise --max-memory",
                                          "beyond the end of the mapped file"};
  char text[120];
  std::snprintf(text, sizeof text, "%s at 0x%08llx: %s",
                verbs[static_cast<std::size_t>(trap.fault.access)],
                static_cast<unsigned long long>(trap.fault.address.value()),
                kinds[static_cast<std::size_t>(trap.fault.kind)]);
  return text;
}

std::string about_instruction(const Trap& trap, const Thread& thread, const Options& options) {
  if (trap.kind != TrapKind::illegal_instruction || !options.reserved_instruction) return {};
  const std::string known = options.reserved_instruction(thread);
  return known.empty() ? known : " (" + known + ")";
}

// What a trap sends cannot be passed over (Linux, kernel/signal.c, force_sig_info_to_task()).
void reset_if_unheard(SignalAction& action, Thread& thread, unsigned signal) {
  const bool is_blocked = thread.blocked_signals.test(signal - 1);
  if (!is_blocked && action.kind != SignalAction::Kind::ignore) return;
  action = SignalAction{};
  thread.blocked_signals.reset(signal - 1);
}

bool is_unaligned_access(const Trap& trap) {
  return trap.kind == TrapKind::memory && trap.fault.kind == Fault::Kind::misaligned &&
         trap.fault.access != Access::execute;
}

bool makes_unaligned_accesses(Thread& thread) {
  const auto& asked = thread_state_of(thread).unaligned;
  return asked ? !asked->are_refused : port_of(thread.process).makes_unaligned_accesses;
}

}  // namespace

void SignalDelivery::trap(Thread& thread, const Trap& trap) {
  const SignalInfo info = info_of(trap, *thread.cpu, abi_of(thread.process));
  if (!is_unaligned_access(trap) || !makes_unaligned_accesses(thread)) {
    raise(thread, trap, info);
  } else if (const auto fault = thread.cpu->split_access(trap.fault)) {
    // Its cause stays: SEGV_MAPERR is the number of BUS_ADRALN, and a kernel that keeps the one to
    // itself keeps the other.
    raise(thread, Trap{trap.kind, trap.code, *fault}, info);
  }
}

void SignalDelivery::raise(Thread& thread, const Trap& trap, SignalInfo info) {
  const Port& port = port_of(thread.process);
  const SyscallAbi& abi = *port.abi;
  const auto own_signal = port.trap_signal == nullptr ? std::nullopt : port.trap_signal(trap);
  const unsigned signal = own_signal.value_or(signal_of(trap, abi));
  if (abi.trap_number != nullptr) info.code = abi.trap_number(trap);
  if (port.tell_trap != nullptr) port.tell_trap(trap, info);
  if (stops_for_fault(thread, trap, signal, info)) return;
  SignalAction& action = thread.process.signals.action(signal);
  if (thread.tracer) reset_if_unheard(action, thread, signal);
  if (kernel_.ptrace().asks_tracer(thread, signal, info)) return;
  const bool caught =
      action.kind == SignalAction::Kind::handler && !thread.blocked_signals.test(signal - 1);
  if (caught) {
    deliver(thread, signal, info);
    return;
  }
  // Blocked or ignored, it would come again for ever: a kernel ends the process then.
  notice("pid " + std::to_string(thread.process.pid) + " ends with " +
         std::string(signal_name(system().signals, signal)) + ": " + reason_of(trap, abi) +
         about_instruction(trap, thread, kernel_.options()) + ", pc " +
         kernel_.describe_place(thread.process, thread.cpu->interrupted_pc()));
  kernel_.end(thread.process, ExitStatus{true, signal});
}

}  // namespace hardclock::posix
