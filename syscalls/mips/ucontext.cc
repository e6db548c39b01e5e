#include "syscalls/mips/ucontext.h"

#include <span>

#include "isa/mips/abi.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "syscalls/mips/context.h"
#include "syscalls/mips/sigcontext.h"
#include "syscalls/posix/fields.h"
#include "syscalls/posix/siginfo.h"
#include "syscalls/posix/state.h"

namespace hardclock::mips_ports {
namespace {

using posix::ExecFailure;
using posix::Fields;
using posix::Port;
using posix::SignalInfo;
using posix::UnixSystem;

// Offsets and sizes in bytes. Each structure has what o32's has, with longs, pointers and registers
// as wide as the data model has them, but the size in stack_t, which has 32 bits in n64 too (IRIX
// <sys/ucontext.h>, <sys/siginfo.h>; NetBSD, sys/compat/irix/irix_signal.h).
struct UcontextLayout {
  std::size_t size;
  std::size_t flags, sigmask, stack, pc;
  ContextLayout registers;
  std::size_t long_bytes;
};

// The 32 general registers are followed by mdlo, mdhi, the cause and the pc.
constexpr UcontextLayout make_layout(std::size_t size, std::size_t long_bytes,
                                     std::size_t register_bytes, std::size_t gregs,
                                     std::size_t fpregs, std::size_t fpcsr) {
  const std::size_t sigmask = 2 * long_bytes, stack = sigmask + 16;
  return {size,
          0,
          sigmask,
          stack,
          gregs + register_bytes * 35,
          {.gpr = gregs,
           .fpr = fpregs,
           .hi = gregs + register_bytes * 33,
           .lo = gregs + register_bytes * 32,
           .fcsr = fpcsr,
           .register_bytes = register_bytes},
          long_bytes};
}
constexpr UcontextLayout o32_context = make_layout(512, 4, 4, 40, 184, 312);
constexpr UcontextLayout n32_context = make_layout(792, 4, 8, 40, 336, 592);
constexpr UcontextLayout n64_context = make_layout(992, 8, 8, 48, 344, 600);

constexpr std::uint32_t uc_stack = 2, uc_all = 0xf;
constexpr std::uint64_t stack_alignment = 16;

const UcontextLayout& layout_of(DataModel model) {
  switch (model) {
    case DataModel::o32:
      return o32_context;
    case DataModel::n32:
      return n32_context;
    case DataModel::n64:
      return n64_context;
  }
  CHECK(false);
  return n64_context;
}

// stack_t {void *ss_sp; uint32_t ss_size; int ss_flags}
void put_stack(Fields& context, const UcontextLayout& layout, Thread& thread) {
  const posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
  const std::uint64_t sp = mips::registers_of(*thread.cpu).gpr[mips::sp];
  context.put(layout.stack, stack.base.value(), layout.long_bytes);
  context.put32(layout.stack + layout.long_bytes, stack.size);
  context.put32(layout.stack + layout.long_bytes + 4, !stack.enabled ? posix::ss_disable
                                                      : stack.holds(GuestAddr(sp))
                                                          ? posix::ss_onstack
                                                          : 0);
}

void take_up_stack(const Fields& context, const UcontextLayout& layout, Thread& thread) {
  if ((context.get(layout.flags, layout.long_bytes) & uc_stack) == 0) return;
  posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
  stack.base = GuestAddr(context.get(layout.stack, layout.long_bytes));
  stack.size = context.get32(layout.stack + layout.long_bytes);
  stack.enabled = (context.get32(layout.stack + layout.long_bytes + 4) & posix::ss_disable) == 0;
}

}  // namespace

std::size_t ucontext_bytes(DataModel model) {
  return layout_of(model).size;
}

std::vector<std::uint8_t> saved_ucontext(Thread& thread, const SignalSet& mask) {
  const UcontextLayout& layout = layout_of(data_model_of(thread.process));
  const mips::Registers& registers = mips::registers_of(*thread.cpu);
  std::vector<std::uint8_t> bytes(layout.size);
  Fields context(bytes, thread.process.memory->endian());
  context.put(layout.flags, uc_all, layout.long_bytes);
  context.put_mask(layout.sigmask, mask);
  put_stack(context, layout, thread);
  save_registers(context, layout.registers, registers);
  context.put(layout.pc, registers.epc(), layout.registers.register_bytes);
  return bytes;
}

Result<Ok, Fault> take_up_ucontext(const UnixSystem& system, Thread& thread, GuestAddr ucontext) {
  AddressSpace& memory = *thread.process.memory;
  const UcontextLayout& layout = layout_of(data_model_of(thread.process));
  std::vector<std::uint8_t> bytes(layout.size);
  const auto read = memory.read_bytes(ucontext, bytes);
  if (!read) return read;
  const Fields context(bytes, memory.endian());
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  restore_registers(context, layout.registers, data_model_of(thread.process), registers);
  registers.set_pc(context.get(layout.pc, layout.registers.register_bytes));
  registers.link_valid = false;
  take_up_stack(context, layout, thread);
  thread.blocked_signals = posix::blockable(system.signals, context.get_mask(layout.sigmask));
  return Ok{};
}

Result<Ok, Fault> push_ucontext(const UnixSystem&, Thread& thread, unsigned signal,
                                const SignalInfo& info, const SignalAction& action) {
  AddressSpace& memory = *thread.process.memory;
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  std::vector<std::uint8_t> bytes = posix::saved_siginfo(thread.process, signal, info);
  const auto context = saved_ucontext(thread, posix::mask_to_save(thread));
  bytes.insert(bytes.end(), context.begin(), context.end());
  const GuestAddr stack =
      posix::handler_stack(thread, GuestAddr(mips::to_word(registers.gpr[mips::sp])), action);
  const auto frame =
      static_cast<std::uint32_t>((stack.value() - bytes.size()) & ~(stack_alignment - 1));
  const auto written = memory.write_bytes(GuestAddr(frame), bytes);
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  const std::uint32_t handler = mips::to_word(action.handler.value());
  // The handler may store its register arguments in the 16 bytes above its stack pointer.
  constexpr std::uint32_t home_size = 16;
  registers.gpr[mips::a0] = signal;
  registers.gpr[mips::a1] = action.wants_info ? mips::to_register(frame) : 0;
  registers.gpr[mips::a2] = mips::to_register(frame + posix::siginfo_size);
  registers.gpr[mips::t9] = mips::to_register(handler);
  registers.gpr[mips::ra] =
      mips::to_register(mips::to_word(posix::port_of(thread.process).layout.stack_top.value()));
  registers.gpr[mips::sp] = mips::to_register(frame - home_size);
  registers.set_pc(handler);
  return Ok{};
}

Result<Ok, ExecFailure> map_setcontext(const Port& port, AddressSpace& memory,
                                       unsigned context_number) {
  constexpr std::uint32_t ucontext_offset = 16 + posix::siginfo_size;
  return map_handler_return(port, memory,
                            {
                                0x24040001,                    // addiu a0, zero, 1: SETCONTEXT
                                0x27a50000 + ucontext_offset,  // addiu a1, sp, 16 + siginfo
                                0x34020000 | context_number,   // ori v0, zero, number
                                0x0000000c,                    // syscall
                                0x0000000d,                    // break 0
                            });
}

}  // namespace hardclock::mips_ports
