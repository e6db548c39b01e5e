#include "syscalls/mips/ucontext.h"

#include "isa/mips/abi.h"
#include "sim/base/check.h"
#include "syscalls/mips/context.h"
#include "syscalls/mips/sigcontext.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/signals/siginfo.h"
#include "syscalls/posix/state.h"

namespace hardclock::mips_ports {
namespace {

using posix::ExecFailure;
using posix::GuestReader;
using posix::GuestStruct;
using posix::Port;
using posix::SignalInfo;
using posix::UnixSystem;

constexpr std::uint32_t uc_stack = 2, uc_all = 0xf;
constexpr std::uint64_t stack_alignment = 16;

std::size_t register_bytes(DataModel model) {
  return model == DataModel::o32 ? 4 : 8;
}

// Each structure has what o32's has, with longs, pointers and registers as wide as the data model
// has them, but the size in stack_t, which has 32 bits in n64 too (IRIX <sys/ucontext.h>,
// <sys/siginfo.h>; NetBSD, sys/compat/irix/irix_signal.h).
struct Ucontext {
  std::uint32_t flags = 0;
  GuestAddr stack_base;
  std::uint32_t stack_size = 0, stack_flags = 0;
  Context context;

  void lay_out(auto& members, DataModel model) {
    const std::size_t bytes = register_bytes(model);
    members.word_long(flags).skip_longs(1);  // uc_link
    members.signal_words(context.mask, posix::sigset_words);
    members.pointer(stack_base).word(stack_size).word(stack_flags).align(8);
    // The 32 general registers are followed by mdlo, mdhi, the cause and the pc; where they have 64
    // bits there is one more.
    context.lay_out_gprs(members, bytes);
    members.member(bytes, context.lo).member(bytes, context.hi).skip(bytes);
    members.member(bytes, context.pc);
    if (model != DataModel::o32) members.skip(bytes);
    context.lay_out_fprs(members, bytes);
    members.word(context.fcsr);
  }
};

std::uint32_t flags_of(const posix::AlternateStack& stack, GuestAddr sp) {
  if (!stack.enabled) return posix::ss_disable;
  return stack.holds(sp) ? posix::ss_onstack : 0;
}

void take_up_stack(const Ucontext& ucontext, Thread& thread) {
  if ((ucontext.flags & uc_stack) == 0) return;
  posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
  stack.base = ucontext.stack_base;
  stack.size = ucontext.stack_size;
  stack.enabled = (ucontext.stack_flags & posix::ss_disable) == 0;
}

}  // namespace

std::size_t ucontext_bytes(DataModel model) {
  switch (model) {
    case DataModel::o32:
      return 512;
    case DataModel::n32:
      return 792;
    case DataModel::n64:
      return 992;
  }
  CHECK(false);
  return 0;
}

std::vector<std::uint8_t> saved_ucontext(Thread& thread, const SignalSet& mask) {
  const DataModel model = data_model_of(thread.process);
  const posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
  const GuestAddr sp(mips::registers_of(*thread.cpu).gpr[mips::sp]);
  Ucontext ucontext{uc_all, stack.base, static_cast<std::uint32_t>(stack.size), flags_of(stack, sp),
                    context_of(thread, mask)};
  GuestStruct members(posix::guest_types(thread.process));
  ucontext.lay_out(members, model);
  return members.skip(ucontext_bytes(model) - members.bytes().size()).bytes();
}

Result<Ok, Fault> take_up_ucontext(const UnixSystem& system, Thread& thread, GuestAddr ucontext) {
  AddressSpace& memory = *thread.process.memory;
  const DataModel model = data_model_of(thread.process);
  const auto readable = memory.probe(ucontext, ucontext_bytes(model), Access::read);
  if (!readable) return readable;
  GuestReader reader(posix::guest_types(thread.process), memory, ucontext);
  Ucontext saved;
  saved.lay_out(reader, model);
  take_up_registers(saved.context, thread, register_bytes(model));
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  registers.set_pc(saved.context.pc);
  registers.link_valid = false;
  take_up_stack(saved, thread);
  thread.blocked_signals = posix::blockable(system.signals, saved.context.mask);
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
