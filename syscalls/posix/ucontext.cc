#include "syscalls/posix/ucontext.h"

#include <span>

#include "isa/mips/abi.h"
#include "sim/base/endian.h"
#include "syscalls/posix/calls.h"
#include "syscalls/posix/fields.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sigcontext.h"

namespace hardclock::posix {
namespace {

// Offsets and sizes in bytes. Each structure has what o32's has, with longs, pointers and registers
// as wide as the data model has them, but the size in stack_t, which has 32 bits in n64 too (IRIX
// <sys/ucontext.h>, <sys/siginfo.h>; NetBSD, sys/compat/irix/irix_signal.h).
struct ContextLayout {
  std::size_t size;
  std::size_t flags, sigmask, stack, gregs, fpregs, fpcsr;
  std::size_t register_bytes;  // of gregs and fpregs
  std::size_t long_bytes;
};
constexpr ContextLayout o32_context{512, 0, 8, 24, 40, 184, 312, 4, 4};
constexpr ContextLayout n32_context{792, 0, 8, 24, 40, 336, 592, 8, 4};
constexpr ContextLayout n64_context{992, 0, 16, 32, 48, 344, 600, 8, 8};
// What follows the 32 general registers.
constexpr std::size_t greg_mdlo = 32, greg_mdhi = 33, greg_epc = 35;

constexpr std::uint32_t uc_stack = 2, uc_all = 0xf;
constexpr std::size_t si_signo = 0, si_code = 4;
constexpr std::uint64_t stack_alignment = 16;

Abi abi_of(const Process& process) {
  return state_of(process).convention->abi;
}

const ContextLayout& layout_of(Abi abi) {
  switch (abi) {
    case Abi::o32:
      return o32_context;
    case Abi::n32:
      return n32_context;
    case Abi::n64:
    case Abi::hppa32:
    case Abi::hppa64:
      break;
  }
  return n64_context;
}

// Fields of 4 or 8 bytes.
void put(Fields& fields, std::size_t at, std::uint64_t value, std::size_t bytes) {
  if (bytes == 8) {
    fields.put64(at, value);
  } else {
    fields.put32(at, value);
  }
}

std::uint64_t get(const Fields& fields, std::size_t at, std::size_t bytes) {
  return bytes == 8 ? fields.get64(at) : fields.get32(at);
}

// A register: 32-bit values are sign-extended.
std::uint64_t get_register(const Fields& fields, std::size_t at, std::size_t bytes) {
  return bytes == 8 ? fields.get64(at) : mips::to_register(fields.get32(at));
}

// stack_t {void *ss_sp; uint32_t ss_size; int ss_flags}
void put_stack(Fields& context, const ContextLayout& layout, Thread& thread) {
  const AlternateStack& stack = thread_state_of(thread).alternate_stack;
  const std::uint64_t sp = mips::registers_of(*thread.cpu).gpr[mips::sp];
  put(context, layout.stack, stack.base.value(), layout.long_bytes);
  context.put32(layout.stack + layout.long_bytes, stack.size);
  context.put32(layout.stack + layout.long_bytes + 4, !stack.enabled               ? ss_disable
                                                      : stack.holds(GuestAddr(sp)) ? ss_onstack
                                                                                   : 0);
}

void take_up_stack(const Fields& context, const ContextLayout& layout, Thread& thread) {
  if ((get(context, layout.flags, layout.long_bytes) & uc_stack) == 0) return;
  AlternateStack& stack = thread_state_of(thread).alternate_stack;
  stack.base = GuestAddr(get(context, layout.stack, layout.long_bytes));
  stack.size = context.get32(layout.stack + layout.long_bytes);
  stack.enabled = (context.get32(layout.stack + layout.long_bytes + 4) & ss_disable) == 0;
}

}  // namespace

std::size_t ucontext_size(const Process& process) {
  return layout_of(abi_of(process)).size;
}

std::uint32_t siginfo_code(SignalInfo::Cause cause) {
  using Cause = SignalInfo::Cause;
  constexpr auto si_queue = static_cast<std::uint32_t>(-1),
                 si_timer = static_cast<std::uint32_t>(-3);
  constexpr std::uint32_t fpe_intdiv = 1, fpe_intovf = 2, fpe_fltdiv = 3, fpe_fltovf = 4,
                          fpe_fltund = 5, fpe_fltres = 6, fpe_fltinv = 7;
  constexpr std::uint32_t segv_maperr = 1, segv_accerr = 2;
  constexpr std::uint32_t bus_adraln = 1, bus_adrerr = 2, ill_illopc = 1, trap_brkpt = 1;
  switch (cause) {
    case Cause::sent:
      return 0;  // SI_USER
    case Cause::queued:
      return si_queue;
    case Cause::timer:
      return si_timer;
    case Cause::child_exited:
      return 1;  // CLD_EXITED and so on
    case Cause::child_killed:
      return 2;
    case Cause::child_stopped:
      return 5;
    case Cause::child_continued:
      return 6;
    case Cause::divide_by_zero:
      return fpe_intdiv;
    case Cause::integer_overflow:
      return fpe_intovf;
    case Cause::floating_invalid:
      return fpe_fltinv;
    case Cause::floating_divide_by_zero:
      return fpe_fltdiv;
    case Cause::floating_overflow:
      return fpe_fltovf;
    case Cause::floating_underflow:
      return fpe_fltund;
    case Cause::floating_inexact:
      return fpe_fltres;
    case Cause::not_mapped:
      return segv_maperr;
    case Cause::not_permitted:
      return segv_accerr;
    case Cause::misaligned:
      return bus_adraln;
    case Cause::no_object:
      return bus_adrerr;
    case Cause::illegal_instruction:
      return ill_illopc;
    case Cause::breakpoint:
      return trap_brkpt;
  }
  return 0;
}

std::vector<std::uint8_t> saved_siginfo(const Process& process, unsigned signal,
                                        const SignalInfo& info) {
  using Cause = SignalInfo::Cause;
  const bool is_wide = state_of(process).convention->address_bits == 64;
  // Where the union begins, and of what width pointers and clock_t in it are.
  const std::size_t data = is_wide ? 16 : 12;
  const std::size_t width = is_wide ? 8 : 4;
  std::vector<std::uint8_t> bytes(siginfo_size);
  Fields siginfo(bytes, process.memory->endian());
  siginfo.put32(si_signo, signal);
  siginfo.put32(si_code, info.cause == Cause::queued ? static_cast<std::uint32_t>(info.code)
                                                     : siginfo_code(info.cause));
  switch (info.cause) {
    case Cause::sent:
      siginfo.put32(data, static_cast<std::uint32_t>(info.pid));
      siginfo.put32(data + 4, info.user);
      break;
    case Cause::queued:
    case Cause::timer:
      put(siginfo, data, info.value, width);
      break;
    case Cause::child_exited:
    case Cause::child_killed:
    case Cause::child_stopped:
    case Cause::child_continued:
      // pid; then clock_t utime, int status, clock_t stime, each at its alignment
      siginfo.put32(data, static_cast<std::uint32_t>(info.pid));
      put(siginfo, data + width, info.user_time, width);
      siginfo.put32(data + 2 * width, info.status);
      put(siginfo, data + 3 * width, info.system_time, width);
      break;
    default:
      put(siginfo, data, info.address.value(), width);
  }
  return bytes;
}

std::vector<std::uint8_t> saved_ucontext(Thread& thread, const SignalSet& mask) {
  const ContextLayout& layout = layout_of(abi_of(thread.process));
  const std::size_t width = layout.register_bytes;
  const mips::Registers& registers = mips::registers_of(*thread.cpu);
  std::vector<std::uint8_t> bytes(layout.size);
  Fields context(bytes, thread.process.memory->endian());
  put(context, layout.flags, uc_all, layout.long_bytes);
  context.put_mask(layout.sigmask, mask);
  put_stack(context, layout, thread);
  for (std::size_t i = 0; i < registers.gpr.size(); ++i) {
    put(context, layout.gregs + width * i, registers.gpr[i], width);
    put(context, layout.fpregs + width * i, registers.fpr[i], width);
  }
  put(context, layout.gregs + width * greg_mdlo, registers.lo, width);
  put(context, layout.gregs + width * greg_mdhi, registers.hi, width);
  put(context, layout.gregs + width * greg_epc, registers.epc(), width);
  context.put32(layout.fpcsr, registers.fcsr);
  return bytes;
}

Result<Ok, Fault> take_up_ucontext(const UnixSystem& system, Thread& thread, GuestAddr ucontext) {
  AddressSpace& memory = *thread.process.memory;
  const ContextLayout& layout = layout_of(abi_of(thread.process));
  const std::size_t width = layout.register_bytes;
  std::vector<std::uint8_t> bytes(layout.size);
  const auto read = memory.read_bytes(ucontext, bytes);
  if (!read) return read;
  const Fields context(bytes, memory.endian());
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    registers.gpr[i] = get_register(context, layout.gregs + width * i, width);
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) {
    registers.fpr[i] = get(context, layout.fpregs + width * i, width);
  }
  registers.lo = get_register(context, layout.gregs + width * greg_mdlo, width);
  registers.hi = get_register(context, layout.gregs + width * greg_mdhi, width);
  registers.fcsr = context.get32(layout.fpcsr) & mips::fcsr_writable_mips4;
  registers.set_pc(get(context, layout.gregs + width * greg_epc, width));
  registers.link_valid = false;
  take_up_stack(context, layout, thread);
  thread.blocked_signals = blockable(system.signals, context.get_mask(layout.sigmask));
  return Ok{};
}

Result<Ok, Fault> push_ucontext(const UnixSystem& system, Thread& thread, unsigned signal,
                                const SignalInfo& info, const SignalAction& action) {
  AddressSpace& memory = *thread.process.memory;
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  std::vector<std::uint8_t> bytes = saved_siginfo(thread.process, signal, info);
  const auto context = saved_ucontext(thread, mask_to_save(thread));
  bytes.insert(bytes.end(), context.begin(), context.end());
  const GuestAddr stack =
      handler_stack(thread, GuestAddr(mips::to_word(registers.gpr[mips::sp])), action);
  const auto frame =
      static_cast<std::uint32_t>((stack.value() - bytes.size()) & ~(stack_alignment - 1));
  const auto written = memory.write_bytes(GuestAddr(frame), bytes);
  if (!written) return written;

  block_for_handler(thread, signal, action);
  const std::uint32_t handler = mips::to_word(action.handler.value());
  // The handler may store its register arguments in the 16 bytes above its stack pointer.
  constexpr std::uint32_t home_size = 16;
  registers.gpr[mips::a0] = signal;
  registers.gpr[mips::a1] = action.wants_info ? mips::to_register(frame) : 0;
  registers.gpr[mips::a2] = mips::to_register(frame + siginfo_size);
  registers.gpr[mips::t9] = mips::to_register(handler);
  registers.gpr[mips::ra] = mips::to_register(mips::to_word(system.layout.stack_top.value()));
  registers.gpr[mips::sp] = mips::to_register(frame - home_size);
  registers.set_pc(handler);
  return Ok{};
}

Result<Ok, ExecFailure> map_setcontext(const UnixSystem& system, AddressSpace& memory,
                                       unsigned context_number) {
  constexpr std::uint32_t ucontext_offset = 16 + siginfo_size;
  return map_handler_return(system, memory,
                            {
                                0x24040001,                    // addiu a0, zero, 1: SETCONTEXT
                                0x27a50000 + ucontext_offset,  // addiu a1, sp, 16 + siginfo
                                0x34020000 | context_number,   // ori v0, zero, number
                                0x0000000c,                    // syscall
                                0x0000000d,                    // break 0
                            });
}

// context(SETCONTEXT, ucontext) of System V.4: how handlers return there, and priced as that.
CallResult calls::setcontext(Call& call) {
  call.simulation.charge(call.thread, call.simulation.kernel_costs().signal_return);
  const auto taken = take_up_ucontext(call.system, call.thread, call.address(1));
  if (!taken) return CallResult::failure(Errno::efault);
  return CallResult::no_return();
}

}  // namespace hardclock::posix
