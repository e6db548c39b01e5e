#include "syscalls/mips/sigcontext.h"

#include <span>
#include <vector>

#include "isa/mips/abi.h"
#include "sim/base/endian.h"
#include "syscalls/mips/context.h"
#include "syscalls/posix/fields.h"
#include "syscalls/posix/state.h"

namespace hardclock::mips_ports {
namespace {

using posix::ExecFailure;
using posix::Fields;
using posix::Port;
using posix::SignalInfo;
using posix::UnixSystem;

// The frame: four words that the handler may use for its arguments, then the struct sigcontext.
// Offsets and sizes in bytes.
constexpr std::size_t home_size = 16;
constexpr std::size_t sigcontext_size = 288;
constexpr std::size_t sc_mask = 4, sc_pc = 8, sc_regs = 12, sc_mullo = sc_regs + 4 * 32,
                      sc_mulhi = sc_mullo + 4, sc_fpused = 148, sc_fpregs = 152,
                      sc_fpcsr = sc_fpregs + 4 * 32;
constexpr ContextLayout registers_layout{.gpr = sc_regs,
                                         .fpr = sc_fpregs,
                                         .hi = sc_mulhi,
                                         .lo = sc_mullo,
                                         .fcsr = sc_fpcsr,
                                         .register_bytes = 4};
// In the place of register 0, by which sigreturn() knows a sigcontext.
constexpr std::uint32_t magic = 0xacedbade;
constexpr std::uint64_t stack_alignment = 8;

// A sigset_t that is longer than 4.4BSD's one word goes on behind the sigcontext.
std::size_t context_size(const UnixSystem& system) {
  return sigcontext_size + 4 * (system.sigaction.mask_words - 1);
}

std::size_t mask_word(std::size_t index) {
  return index == 0 ? sc_mask : sigcontext_size + 4 * (index - 1);
}

std::vector<std::uint8_t> saved(const UnixSystem& system, const mips::Registers& registers,
                                const SignalSet& mask, Endian endian) {
  std::vector<std::uint8_t> bytes(context_size(system));
  Fields context(bytes, endian);
  for (std::size_t i = 0; i < system.sigaction.mask_words; ++i) {
    context.put32(mask_word(i), ((mask >> (32 * i)) & SignalSet(0xffffffff)).to_ulong());
  }
  context.put32(sc_pc, registers.epc());
  context.put32(sc_regs, magic);
  context.put32(sc_fpused, 1);
  save_registers(context, registers_layout, registers);
  return bytes;
}

SignalSet restored_mask(const UnixSystem& system, const Fields& context) {
  SignalSet mask;
  for (std::size_t i = 0; i < system.sigaction.mask_words; ++i) {
    mask |= SignalSet(context.get32(mask_word(i))) << (32 * i);
  }
  return posix::blockable(system.signals, mask);
}

// The code of the second argument: 4.4BSD passes the processor's cause, which portable programs do
// not look at.
constexpr std::uint32_t no_code = 0;

}  // namespace

Result<Ok, ExecFailure> map_handler_return(const Port& port, AddressSpace& memory,
                                           const std::vector<std::uint32_t>& code) {
  const GuestAddr page = port.layout.stack_top;
  const auto mapped =
      memory.map(page, page_size, Permissions{.read = true, .execute = true}, "sigcode");
  std::vector<std::uint8_t> bytes(4 * code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    store_bytes(&bytes[4 * i], code[i], memory.endian());
  }
  if (mapped && memory.initialize(page, bytes)) return Ok{};
  return Failure{ExecFailure{posix::Errno::enomem,
                             "no room for the code that ends signal handlers; link the program "
                             "below the stack, or raise --max-memory"}};
}

Result<Ok, ExecFailure> map_sigcode(const Port& port, AddressSpace& memory,
                                    unsigned sigreturn_number) {
  return map_handler_return(port, memory,
                            {
                                0x27a40000 + home_size,         // addiu a0, sp, 16
                                0x34020000 | sigreturn_number,  // ori v0, zero, number
                                0x0000000c,                     // syscall
                                0x0000000d,                     // break 0
                            });
}

Result<Ok, Fault> push_sigcontext(const UnixSystem& system, Thread& thread, unsigned signal,
                                  const SignalInfo&, const SignalAction& action) {
  AddressSpace& memory = *thread.process.memory;
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  const std::vector<std::uint8_t> bytes =
      saved(system, registers, posix::mask_to_save(thread), memory.endian());
  const std::uint64_t stack =
      posix::handler_stack(thread, GuestAddr(mips::to_word(registers.gpr[mips::sp])), action)
          .value();
  const auto frame =
      static_cast<std::uint32_t>((stack - home_size - bytes.size()) & ~(stack_alignment - 1));
  const std::uint32_t context = frame + home_size;
  const auto written = memory.write_bytes(GuestAddr(context), bytes);
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  const std::uint32_t handler = mips::to_word(action.handler.value());
  registers.gpr[mips::a0] = signal;
  registers.gpr[mips::a1] = no_code;
  registers.gpr[mips::a2] = mips::to_register(context);
  registers.gpr[mips::a3] = mips::to_register(handler);
  registers.gpr[mips::t9] = mips::to_register(handler);
  registers.gpr[mips::ra] =
      mips::to_register(mips::to_word(posix::port_of(thread.process).layout.stack_top.value()));
  registers.gpr[mips::sp] = mips::to_register(frame);
  // A trampoline of the program's own finds the handler in a3.
  const bool has_trampoline = action.trampoline != GuestAddr(0);
  registers.set_pc(has_trampoline ? mips::to_word(action.trampoline.value()) : handler);
  return Ok{};
}

bool take_up_sigcontext(const UnixSystem& system, Thread& thread, GuestAddr sigcontext) {
  AddressSpace& memory = *thread.process.memory;
  std::vector<std::uint8_t> bytes(context_size(system));
  if (!memory.read_bytes(sigcontext, bytes)) return false;
  const Fields context(bytes, memory.endian());
  if (context.get32(sc_regs) != magic) return false;
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  restore_registers(context, registers_layout, data_model_of(thread.process), registers);
  registers.set_pc(context.get32(sc_pc));
  registers.link_valid = false;
  thread.blocked_signals = restored_mask(system, context);
  return true;
}

}  // namespace hardclock::mips_ports
