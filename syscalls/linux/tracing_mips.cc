// ptrace(2) of MIPS programs. Source: Linux 6.1, arch/mips/kernel/ptrace.c and ptrace32.c.

#include "syscalls/linux/calls.h"
#include "syscalls/linux/tracing.h"
#include "syscalls/mips/context.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/state.h"

namespace hardclock::gnu_linux {
namespace {

using mips_ports::Context;
using mips_ports::DataModel;
using mips_ports::FprPairs;
using posix::Call;
using posix::CallResult;
using posix::Errno;
using posix::GuestReader;
using posix::GuestStruct;
using posix::TracedCall;

// arch/mips/include/uapi/asm/ptrace.h
enum OwnRequest : std::uint32_t {
  get_registers = 12,
  set_registers = 13,
  get_fp_registers = 14,
  set_fp_registers = 15,
  get_thread_area = 25,
};
// The numbers that are the "offsets" of PTRACE_PEEKUSR.
enum UserNumber : std::uint64_t {
  first_fpr = 32,
  number_of_pc = 64,
  number_of_cause = 65,
  number_of_bad_address = 66,
  number_of_hi = 67,
  number_of_lo = 68,
  number_of_fcsr = 69,
  number_of_fir = 70,
};

constexpr unsigned number_of_result = mips::v0, number_of_error = mips::a3;
constexpr std::uint64_t call_bytes = 4, restart_call = 512;  // ERESTARTSYS
constexpr std::size_t register_bytes = 8;

bool is_o32(const Process& process) {
  return mips_ports::data_model_of(process) == DataModel::o32;
}

TracedCall stage_of(Thread& thread) {
  return posix::thread_state_of(thread).traced_call;
}

// The kernel has moved past a call when its program is stopped there (scall32-o32.S, handle_sys).
bool stands_at_call(Thread& thread) {
  return stage_of(thread) == TracedCall::at_entry || stage_of(thread) == TracedCall::broken_off;
}

// The thread's registers as the tracer sees them.
Context seen(Thread& thread, FprPairs pairs) {
  Context context = mips_ports::context_of(thread, {}, pairs);
  if (stands_at_call(thread)) context.pc += call_bytes;
  if (stage_of(thread) == TracedCall::broken_off) {
    context.gpr[number_of_result] = restart_call;
    context.gpr[number_of_error] = 1;
  }
  return context;
}

// A call that is broken off keeps its number and its fourth argument, by which it is made again.
void take_up(Thread& thread, Context context, FprPairs pairs) {
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  if (stage_of(thread) == TracedCall::broken_off) {
    context.gpr[number_of_result] = registers.gpr[number_of_result];
    context.gpr[number_of_error] = registers.gpr[number_of_error];
  }
  mips_ports::take_up_registers(context, thread, register_bytes, pairs);
  const std::uint64_t pc = context.pc - (stands_at_call(thread) ? call_bytes : 0);
  if (pc != registers.epc()) registers.set_pc(pc);
}

std::optional<std::uint64_t> peek(Thread& thread, std::uint64_t number) {
  const Context context = seen(thread, FprPairs::apart);
  if (number < first_fpr) return context.gpr[number];
  if (number < number_of_pc) return context.fpr[number - first_fpr];
  switch (number) {
    case number_of_pc:
      return context.pc;
    case number_of_cause:
    case number_of_bad_address:
      return 0;  // the kernel's
    case number_of_hi:
      return context.hi;
    case number_of_lo:
      return context.lo;
    case number_of_fcsr:
      return context.fcsr;
    case number_of_fir:
      return mips::registers_of(*thread.cpu).fpu_revision;
    default:
      return std::nullopt;
  }
}

std::uint64_t* place_of(Context& context, std::uint64_t number) {
  if (number < first_fpr) return &context.gpr[number];
  if (number < number_of_pc) return &context.fpr[number - first_fpr];
  if (number == number_of_pc) return &context.pc;
  if (number == number_of_hi) return &context.hi;
  return number == number_of_lo ? &context.lo : nullptr;
}

bool poke(Thread& thread, std::uint64_t number, std::uint64_t value) {
  Context context = seen(thread, FprPairs::apart);
  if (number == number_of_fcsr) {
    context.fcsr = static_cast<std::uint32_t>(value);
  } else if (std::uint64_t* const place = place_of(context, number)) {
    *place = value;
  } else {
    return false;
  }
  take_up(thread, context, FprPairs::apart);
  return true;
}

// struct pt_regs as user space has it: 38 members of 64 bits. badvaddr, status and cause are the
// kernel's.
CallResult write_registers(Call& call, Thread& thread) {
  Context context = seen(thread, FprPairs::apart);
  GuestStruct members(call);
  context.lay_out_gprs(members, register_bytes);
  members.wide(context.lo).wide(context.hi).wide(context.pc).skip(3 * register_bytes);
  return members.store(call, call.address(3));
}

CallResult read_registers(Call& call, Thread& thread) {
  Context context = seen(thread, FprPairs::apart);
  GuestReader members(call, call.address(3));
  context.lay_out_gprs(members, register_bytes);
  context.lo = members.wide();
  context.hi = members.wide();
  context.pc = members.wide();
  if (!members.ok()) return CallResult::failure(Errno::eio);
  take_up(thread, context, FprPairs::apart);
  return CallResult::value(0);
}

// 32 doubles, then the fcsr and the fir.
FprPairs pairs_of(const Thread& thread) {
  return is_o32(thread.process) ? FprPairs::in_first : FprPairs::apart;
}

CallResult write_fp_registers(Call& call, Thread& thread) {
  Context context = seen(thread, pairs_of(thread));
  GuestStruct members(call);
  context.lay_out_fprs(members, register_bytes);
  members.word(context.fcsr).word(mips::registers_of(*thread.cpu).fpu_revision);
  return members.store(call, call.address(3));
}

CallResult read_fp_registers(Call& call, Thread& thread) {
  Context context = seen(thread, pairs_of(thread));
  GuestReader members(call, call.address(3));
  context.lay_out_fprs(members, register_bytes);
  context.fcsr = members.word();
  if (!members.ok()) return CallResult::failure(Errno::eio);
  take_up(thread, context, pairs_of(thread));
  return CallResult::value(0);
}

std::optional<CallResult> own_request(Call& call, Thread& thread, std::uint32_t request) {
  switch (request) {
    case get_registers:
      return write_registers(call, thread);
    case set_registers:
      return read_registers(call, thread);
    case get_fp_registers:
      return write_fp_registers(call, thread);
    case set_fp_registers:
      return read_fp_registers(call, thread);
    case get_thread_area:
      return GuestStruct(call)
          .word_long(mips::registers_of(*thread.cpu).user_local)
          .store(call, call.address(3));
    default:
      return std::nullopt;
  }
}

}  // namespace

namespace calls {

CallResult ptrace_mips(Call& call) {
  static constexpr TracedRegisters registers{peek, poke, own_request};
  return trace_request(call, registers);
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
