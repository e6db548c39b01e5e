#include "syscalls/linux/signals_pa_risc.h"

#include <array>
#include <optional>

#include "isa/pa_risc/abi.h"
#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/status_word.h"
#include "syscalls/linux/gateway.h"
#include "syscalls/linux/signals.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using posix::GuestReader;
using posix::GuestStruct;
using posix::SignalInfo;

constexpr std::array<const char*, 32> names = {
    "",        "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",    "SIGTRAP", "SIGABRT", "SIGSTKFLT",
    "SIGFPE",  "SIGKILL", "SIGBUS",  "SIGSEGV", "SIGXCPU",   "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPWR",  "SIGVTALRM", "SIGPROF", "SIGIO",   "SIGWINCH",
    "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU",   "SIGURG",  "SIGXFSZ", "SIGSYS"};

// SIGCHLD, SIGWINCH, SIGURG, SIGCONT (include/linux/signal.h, SIG_KERNEL_IGNORE_MASK).
constexpr unsigned ignored[] = {18, 23, 26, 29};

constexpr std::uint64_t privilege_bits = pa_risc::Registers::privilege_bits;

// ---- struct compat_rt_sigframe: two words for a call that is restarted, siginfo_t, ucontext_t and
// struct compat_regfile, which holds the upper halves of registers; then the frame marker of a
// procedure call, all of it rounded up to more than a multiple of 64 bytes.
constexpr std::size_t info_offset = 8;
constexpr std::size_t ucontext_offset = info_offset + siginfo_bytes;
constexpr std::size_t mcontext_offset = ucontext_offset + 24;  // behind uc_flags, uc_link, uc_stack
constexpr std::uint64_t stack_alignment = 64;
constexpr std::uint64_t frame_bytes = 832;
static_assert(mcontext_offset - frame_bytes == static_cast<std::uint64_t>(context_distance));
constexpr std::uint32_t sc_onstack = 1;  // sc_flags
constexpr std::uint32_t ss_onstack = 1, ss_disable = 2;

// Whether there may be something in the upper halves of registers, and in what else only
// PA-RISC 2.0 has: in programs that are compiled for it. In those of others a frame brings nothing
// back there.
bool has_wide_registers(const Process& process) {
  constexpr std::uint32_t architecture = 0xffff, pa_risc_20 = 0x214;  // e_flags
  return (process.image->flags & architecture) == pa_risc_20;
}

// ---- Frames.

// Where a frame that starts now begins: stacks grow up, and on an alternate one there is room for
// the handler's frame marker below it (get_sigframe()).
std::uint64_t frame_address(Thread& thread, std::uint64_t sp, const SignalAction& action) {
  std::uint64_t from = posix::handler_stack(thread, GuestAddr(sp), action).value();
  if (from != sp) from += stack_alignment;
  return (from + stack_alignment - 1) & ~(stack_alignment - 1);
}

void put_ucontext(GuestStruct& members, Thread& thread) {
  const pa_risc::Registers& registers = pa_risc::registers_of(*thread.cpu);
  const posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
  const bool is_on_stack = stack.holds(GuestAddr(pa_risc::to_word(registers.gpr[pa_risc::sp])));
  members.word(0).word(0).word(stack.base.value());  // uc_flags, uc_link
  members.word(!stack.enabled ? ss_disable : is_on_stack ? ss_onstack : 0).word(stack.size);
  members.skip(4).word(is_on_stack ? sc_onstack : 0).word(pa_risc::status_word_of(registers, 32));
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) members.word(registers.gpr[i]);
  for (const std::uint64_t value : registers.fpr) members.wide(value);
  members.word(0).word(0);  // sc_iasq: there is one space
  members.word(registers.pc | privilege_bits).word(registers.next_pc | privilege_bits);
  members.word(registers.shift_amount)
      .align(8)
      .signal_longs(posix::mask_to_save(thread), pa_risc_signals);
  members.word(pa_risc::status_word_of(registers, 32) >> 32);
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) members.word(registers.gpr[i] >> 32);
  members.skip(20);  // the upper halves of sc_iasq, sc_iaoq and sc_sar
}

// What a handler's address stands for: a code address, and the global pointer that belongs to it.
struct Code {
  std::uint32_t address;
  std::optional<std::uint32_t> global_pointer;
};

Result<Code, Fault> code_of(AddressSpace& memory, GuestAddr handler) {
  constexpr std::uint64_t is_descriptor = 2;
  const auto word = static_cast<std::uint32_t>(handler.value());
  if ((word & is_descriptor) == 0) return Code{word, std::nullopt};
  const GuestAddr descriptor(word & ~privilege_bits);
  const auto address = memory.read<std::uint32_t>(descriptor);
  if (!address) return Failure{address.error()};
  const auto pointer = memory.read<std::uint32_t>(descriptor + 4);
  if (!pointer) return Failure{pointer.error()};
  return Code{*address, *pointer};
}

// A call that the handler's return repeats: the program's branch to the gateway page is made again,
// as the kernel has it, who is not seen to be on that page (signal.c, syscall_restart()).
void leave_gateway(pa_risc::Registers& registers) {
  constexpr std::uint64_t branch_and_slot = 8;
  if (!is_gateway_entry(GuestAddr(registers.pc))) return;
  registers.set_pc(pa_risc::to_word(registers.gpr[pa_risc::ble_link] - branch_and_slot));
}

// Of the page at address 0, where only instructions can be fetched, a program is told that there is
// none: a real machine has it in a space of its own.
SignalInfo told_of(const SignalInfo& info) {
  SignalInfo told = info;
  const bool is_page_zero =
      info.cause == SignalInfo::Cause::not_permitted && info.address.value() < page_size;
  if (is_page_zero) told.cause = SignalInfo::Cause::not_mapped;
  return told;
}

}  // namespace

posix::SignalTable pa_risc_signal_table() {
  return signal_table(names, pa_risc_signals, ignored);
}

void tell_pa_risc_trap(const Trap& trap, SignalInfo& info) {
  const bool is_front = trap.kind == TrapKind::memory ? trap.fault.access == Access::execute
                                                      : trap.kind != TrapKind::breakpoint;
  if (is_front) info.address = GuestAddr(info.address.value() | privilege_bits);
}

Result<Ok, Fault> push_pa_risc_handler(const posix::UnixSystem& system, Thread& thread,
                                       unsigned signal, const SignalInfo& info,
                                       const SignalAction& action) {
  AddressSpace& memory = *thread.process.memory;
  pa_risc::Registers& registers = pa_risc::registers_of(*thread.cpu);
  const auto code = code_of(memory, action.handler);
  if (!code) return Failure{code.error()};
  leave_gateway(registers);
  const std::uint64_t at =
      frame_address(thread, pa_risc::to_word(registers.gpr[pa_risc::sp]), action);
  GuestStruct frame(posix::guest_types(thread.process));
  frame.skip(info_offset).append(siginfo_struct(system, thread.process, signal, told_of(info)));
  put_ucontext(frame, thread);
  const auto written = memory.write_bytes(GuestAddr(at), frame.bytes());
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  registers.gpr[pa_risc::arg0] = signal;
  registers.gpr[pa_risc::arg1] = at + info_offset;
  registers.gpr[pa_risc::arg2] = at + ucontext_offset;
  registers.gpr[pa_risc::rp] = signal_return.value() | privilege_bits;
  registers.gpr[pa_risc::sp] = at + frame_bytes;
  constexpr unsigned linkage_table = 19;
  if (code->global_pointer) registers.gpr[linkage_table] = *code->global_pointer;
  // Storing the status register, as the kernel does, clears T in it.
  registers.fpr[0] &= ~pa_risc::fp::delayed_trap;
  pa_risc::take_status_word(registers, pa_risc::status_word::user);
  registers.set_pc(code->address);
  return Ok{};
}

Result<Ok, Fault> pop_pa_risc_handler(const posix::UnixSystem& system, Thread& thread, bool) {
  AddressSpace& memory = *thread.process.memory;
  pa_risc::Registers registers = pa_risc::registers_of(*thread.cpu);
  const GuestAddr at(pa_risc::to_word(registers.gpr[pa_risc::sp] - frame_bytes + mcontext_offset));
  GuestReader members(posix::guest_types(thread.process), memory, at);
  members.skip(4);  // sc_flags
  std::uint64_t psw = members.word();
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) registers.gpr[i] = members.word();
  for (std::uint64_t& value : registers.fpr) value = members.wide();
  members.skip(8);  // sc_iasq
  const std::uint64_t pc = members.word() & ~privilege_bits;
  const std::uint64_t next_pc = members.word() & ~privilege_bits;
  const std::uint64_t shift_amounts = has_wide_registers(thread.process) ? 64 : 32;
  registers.shift_amount = members.word() % shift_amounts;
  members.align(8);
  const SignalSet mask = members.signal_longs(pa_risc_signals);
  if (has_wide_registers(thread.process)) {
    psw |= std::uint64_t{members.word()} << 32;
    for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
      registers.gpr[i] |= std::uint64_t{members.word()} << 32;
    }
  }
  if (!members.ok()) return Failure{Fault{Fault::Kind::unmapped, Access::read, at}};
  registers.set_pc(pc);
  registers.next_pc = next_pc;
  registers.in_delay_slot = next_pc != pc + 4;
  pa_risc::take_status_word(registers, psw);
  pa_risc::registers_of(*thread.cpu) = registers;
  thread.blocked_signals = posix::blockable(system.signals, mask);
  return Ok{};
}

}  // namespace hardclock::gnu_linux
