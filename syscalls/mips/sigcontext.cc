#include "syscalls/mips/sigcontext.h"

#include <vector>

#include "isa/mips/abi.h"
#include "syscalls/mips/context.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/state.h"

namespace hardclock::mips_ports {
namespace {

using posix::ExecFailure;
using posix::GuestReader;
using posix::GuestStruct;
using posix::Port;
using posix::SignalInfo;
using posix::UnixSystem;

// The frame: four words that the handler may use for its arguments, then the struct sigcontext.
// Sizes in bytes.
constexpr std::size_t home_size = 16;
constexpr std::size_t register_bytes = 4;
// In the place of register 0, by which sigreturn() knows a sigcontext.
constexpr std::uint32_t magic = 0xacedbade;
constexpr std::uint64_t stack_alignment = 8;

// A sigset_t that is longer than 4.4BSD's one word goes on behind the sigcontext.
void lay_out_sigcontext(auto& members, const UnixSystem& system, Context& context) {
  constexpr std::size_t first_signals = 32;
  SignalSet first = context.mask & SignalSet(0xffffffff), others = context.mask >> first_signals;
  std::uint32_t owned_fp = 1;
  members.skip(4).signal_words(first, 1).word(context.pc);  // sc_onstack
  context.lay_out_gprs(members, register_bytes);
  members.word(context.lo).word(context.hi).word(owned_fp);
  context.lay_out_fprs(members, register_bytes);
  members.word(context.fcsr).skip(4);  // sc_fpc_eir
  members.signal_words(others, system.sigaction.mask_words - 1);
  context.mask = first | others << first_signals;
}

GuestStruct saved(const UnixSystem& system, const Thread& thread) {
  Context context = context_of(thread, posix::mask_to_save(thread));
  context.gpr[0] = magic;
  GuestStruct members(posix::guest_types(thread.process));
  lay_out_sigcontext(members, system, context);
  return members;
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
  const std::vector<std::uint8_t> bytes = saved(system, thread).bytes();
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
  GuestReader reader(posix::guest_types(thread.process), *thread.process.memory, sigcontext);
  Context context;
  lay_out_sigcontext(reader, system, context);
  const auto readable = thread.process.memory->probe(sigcontext, reader.offset(), Access::read);
  if (!readable || context.gpr[0] != magic) return false;
  take_up_registers(context, thread, register_bytes);
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  registers.set_pc(context.pc);
  registers.link_valid = false;
  thread.blocked_signals = posix::blockable(system.signals, context.mask);
  return true;
}

}  // namespace hardclock::mips_ports
