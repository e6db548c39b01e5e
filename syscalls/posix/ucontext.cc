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

// Offsets in bytes; registers are 32-bit words.
constexpr std::size_t uc_flags = 0, uc_sigmask = 8, uc_gregs = 40, uc_mdlo = 168, uc_mdhi = 172,
                      uc_epc = 180, uc_fpregs = 184, uc_fpcsr = 312;
constexpr std::uint32_t uc_all = 0xf;
constexpr std::size_t si_signo = 0, si_code = 4, si_addr = 12;
constexpr std::uint64_t stack_alignment = 16;

}  // namespace

std::uint32_t siginfo_code(SignalInfo::Cause cause) {
  using Cause = SignalInfo::Cause;
  constexpr std::uint32_t fpe_intdiv = 1, fpe_intovf = 2, fpe_fltinv = 7;
  constexpr std::uint32_t segv_maperr = 1, segv_accerr = 2;
  constexpr std::uint32_t bus_adraln = 1, ill_illopc = 1, trap_brkpt = 1;
  switch (cause) {
    case Cause::sent:
      return 0;
    case Cause::divide_by_zero:
      return fpe_intdiv;
    case Cause::integer_overflow:
      return fpe_intovf;
    case Cause::floating_point:
      return fpe_fltinv;
    case Cause::not_mapped:
      return segv_maperr;
    case Cause::not_permitted:
      return segv_accerr;
    case Cause::misaligned:
      return bus_adraln;
    case Cause::illegal_instruction:
      return ill_illopc;
    case Cause::breakpoint:
      return trap_brkpt;
  }
  return 0;
}

std::vector<std::uint8_t> saved_siginfo(unsigned signal, const SignalInfo& info, Endian endian) {
  std::vector<std::uint8_t> bytes(siginfo_size);
  Fields siginfo(bytes, endian);
  siginfo.put32(si_signo, signal);
  siginfo.put32(si_code, siginfo_code(info.cause));
  siginfo.put32(si_addr, info.address.value());
  return bytes;
}

std::vector<std::uint8_t> saved_ucontext(Thread& thread, const SignalSet& mask) {
  const mips::Registers& registers = mips::registers_of(*thread.cpu);
  std::vector<std::uint8_t> bytes(ucontext_size);
  Fields context(bytes, thread.process.memory->endian());
  context.put32(uc_flags, uc_all);
  context.put_mask(uc_sigmask, mask);
  for (std::size_t i = 0; i < registers.gpr.size(); ++i) {
    context.put32(uc_gregs + 4 * i, registers.gpr[i]);
    context.put32(uc_fpregs + 4 * i, registers.fpr[i]);
  }
  context.put32(uc_mdlo, registers.lo);
  context.put32(uc_mdhi, registers.hi);
  context.put32(uc_epc, registers.epc());
  context.put32(uc_fpcsr, registers.fcsr);
  return bytes;
}

Result<Ok, Fault> take_up_ucontext(const UnixSystem& system, Thread& thread, GuestAddr ucontext) {
  AddressSpace& memory = *thread.process.memory;
  std::vector<std::uint8_t> bytes(ucontext_size);
  const auto read = memory.read_bytes(ucontext, bytes);
  if (!read) return read;
  const Fields context(bytes, memory.endian());
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    registers.gpr[i] = mips::to_register(context.get32(uc_gregs + 4 * i));
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) {
    registers.fpr[i] = context.get32(uc_fpregs + 4 * i);
  }
  registers.lo = mips::to_register(context.get32(uc_mdlo));
  registers.hi = mips::to_register(context.get32(uc_mdhi));
  registers.fcsr = context.get32(uc_fpcsr) & mips::fcsr_writable;
  registers.set_pc(context.get32(uc_epc));
  registers.link_valid = false;
  thread.blocked_signals = blockable(system.signals, context.get_mask(uc_sigmask));
  return Ok{};
}

Result<Ok, Fault> push_ucontext(const UnixSystem& system, Thread& thread, unsigned signal,
                                const SignalInfo& info, const SignalAction& action) {
  AddressSpace& memory = *thread.process.memory;
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  std::vector<std::uint8_t> bytes = saved_siginfo(signal, info, memory.endian());
  const auto context = saved_ucontext(thread, mask_to_save(thread));
  bytes.insert(bytes.end(), context.begin(), context.end());
  const std::uint64_t stack = mips::to_word(registers.gpr[mips::sp]);
  const auto frame = static_cast<std::uint32_t>((stack - bytes.size()) & ~(stack_alignment - 1));
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

// context(SETCONTEXT, ucontext) of System V.4
CallResult calls::setcontext(Call& call) {
  const auto taken = take_up_ucontext(call.system, call.thread, call.address(1));
  if (!taken) return CallResult::failure(Errno::efault);
  return CallResult::no_return();
}

}  // namespace hardclock::posix
