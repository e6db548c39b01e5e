#include "syscalls/hpux/signals.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "isa/pa_risc/abi.h"
#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/interruptions.h"
#include "isa/pa_risc/status_word.h"
#include "sim/state/archive.h"
#include "syscalls/hpux/gateway.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/signals/siginfo.h"

namespace hardclock::hpux {
namespace {

using posix::GuestReader;
using posix::GuestStruct;
using posix::SyscallAbi;

// ---- struct save_state: the registers of a 32-bit processor, and behind the floating-point ones
// all of that once more in slots of eight bytes.

constexpr std::size_t narrow_slot = 4, wide_slot = 8;
constexpr unsigned saved_temporaries = 4;  // cr24 to cr27
constexpr std::uint32_t ss_in_system_call = 0x02, ss_wide_registers = 0x40;

struct SavedRegisters {
  std::uint32_t flags = 0;  // in the narrow part alone
  std::array<std::uint64_t, 32> gr = {};
  std::uint64_t shift_amount = 0, pc = 0, next_pc = 0, address = 0, status_word = 0;
  std::array<std::uint64_t, 8> sr = {};
  std::array<std::uint64_t, saved_temporaries> cr = {};

  // In a GuestStruct or a GuestReader.
  void lay_out(auto& members, std::size_t slot) {
    const auto put = [&](auto values) {
      for (std::uint64_t& value : values) members.member(slot, value);
    };
    members.member(slot, flags);
    put(std::span(gr).subspan(1));
    members.member(slot, shift_amount).member(slot, pc).skip(slot);      // ss_pcsq_head
    members.member(slot, next_pc).skip(4 * slot).member(slot, address);  // ss_pcsq_tail, ...
    members.member(slot, status_word).skip(slot);
    put(std::span(sr).subspan(4, 1));
    put(std::span(sr).first(4));
    put(std::span(sr).subspan(5));
    members.skip(6 * slot);
    put(std::span(cr));
    members.skip(3 * slot);
  }
};

struct SaveState {
  SavedRegisters narrow, wide;
  std::array<std::uint64_t, 32> fr = {};

  void lay_out(auto& members) {
    narrow.lay_out(members, narrow_slot);
    for (std::uint64_t& value : fr) members.wide(value);
    members.skip(128);
    wide.lay_out(members, wide_slot);
  }
};

// ---- The frame: siglocalx, which begins with its ucontext {link, mask, stack, save_state}; the
// siginfo_t behind that; and below the new stack pointer a frame marker.
struct FrameLayout {
  std::size_t info;
  std::size_t bytes;       // up to the handler's stack pointer
  std::size_t long_bytes;  // also of the pointer to the frame, the last thing in it
};
// From the save_state on it is 1352 bytes, or 1520, to the stack pointer.
constexpr FrameLayout narrow_frame{ucontext_bytes_32, 56 + 1352, 4};
constexpr FrameLayout wide_frame{ucontext_bytes_64, 80 + 1520, 8};
constexpr std::uint64_t stack_alignment = 64;
static_assert(narrow_frame.bytes % stack_alignment == 0);
static_assert(wide_frame.bytes % stack_alignment == 0);

const SyscallAbi& abi_of(const Thread& thread) {
  return posix::abi_of(thread.process);
}

const FrameLayout& layout_of(const Thread& thread) {
  return abi_of(thread).address_bits == 64 ? wide_frame : narrow_frame;
}

// Whether there may be something in the upper halves of registers: in programs for PA-RISC 2.0.
bool has_wide_registers(const Process& process) {
  constexpr std::uint32_t architecture = 0xffff, pa_risc_20 = 0x214;
  return (process.image->flags & architecture) == pa_risc_20;
}

// With a call that is to be made again the program counter is in the gateway page.
SaveState saved_state(const Thread& thread, const posix::SignalInfo& info) {
  const pa_risc::Registers& registers = pa_risc::registers_of(*thread.cpu);
  SavedRegisters saved{
      .gr = registers.gpr,
      .shift_amount = registers.shift_amount,
      .pc = registers.pc | pa_risc::Registers::privilege_bits,
      .next_pc = registers.next_pc | pa_risc::Registers::privilege_bits,
      .address = info.address.value(),
      .status_word = pa_risc::status_word_of(registers, abi_of(thread).address_bits)};
  std::ranges::copy(registers.space, saved.sr.begin());
  std::ranges::copy(std::span(registers.temporary).first(saved_temporaries), saved.cr.begin());
  SaveState state{.narrow = saved, .wide = saved, .fr = registers.fpr};
  const bool in_call = is_gateway(GuestAddr(registers.pc));
  state.narrow.flags = (in_call ? ss_in_system_call : 0) |
                       (has_wide_registers(thread.process) ? ss_wide_registers : 0);
  return state;
}

// The control registers that a program cannot write stay.
void restore(const SaveState& state, Thread& thread) {
  const bool is_wide_program = layout_of(thread).long_bytes == 8;
  const auto value = [&](std::uint64_t narrow, std::uint64_t wide) {
    if ((state.narrow.flags & ss_wide_registers) == 0) return narrow;
    // A handler of a 32-bit program changes what it knows: the narrow part.
    return is_wide_program ? wide : (wide & ~std::uint64_t{0xffffffff}) | narrow;
  };
  const SavedRegisters &narrow = state.narrow, &wide = state.wide;
  pa_risc::Registers& registers = pa_risc::registers_of(*thread.cpu);
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    registers.gpr[i] = value(narrow.gr[i], wide.gr[i]);
  }
  registers.shift_amount = value(narrow.shift_amount, wide.shift_amount) & 0x3f;
  for (std::size_t i = 0; i < 4; ++i) {
    registers.space[i] = static_cast<std::uint32_t>(value(narrow.sr[i], wide.sr[i]));
  }
  registers.fpr = state.fr;
  registers.set_pc(value(narrow.pc, wide.pc));
  registers.next_pc = value(narrow.next_pc, wide.next_pc) & ~pa_risc::Registers::privilege_bits;
  registers.in_delay_slot = registers.next_pc != registers.pc + 4;
  pa_risc::take_status_word(registers, value(narrow.status_word, wide.status_word));
}

struct Ucontext {
  SignalSet mask;
  GuestAddr stack_base;
  std::uint64_t stack_size = 0;
  std::uint32_t stack_flags = 0;
  SaveState state;

  // In a GuestStruct or a GuestReader.
  void lay_out(auto& members) {
    members.skip_longs(1).signal_words(mask, posix::sigset_words).skip(16);  // link
    members.pointer(stack_base).word(stack_flags).word_long(stack_size).skip_longs(2);
    state.lay_out(members);
  }
};

std::uint32_t flags_of(const posix::AlternateStack& stack, GuestAddr sp) {
  if (!stack.enabled) return posix::ss_disable;
  return stack.holds(sp) ? posix::ss_onstack : 0;
}

GuestStruct frame_of(Thread& thread, unsigned signal, const posix::SignalInfo& info,
                     GuestAddr frame) {
  const FrameLayout& layout = layout_of(thread);
  const posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
  Ucontext ucontext{posix::mask_to_save(thread), stack.base, stack.size,
                    flags_of(stack, abi_of(thread).stack_pointer(*thread.cpu)),
                    saved_state(thread, info)};
  GuestStruct members(posix::guest_types(thread.process));
  ucontext.lay_out(members);
  members.append(posix::saved_siginfo(thread.process, signal, info));
  return members.skip(layout.bytes - layout.long_bytes - members.bytes().size()).pointer(frame);
}

struct Function {
  std::uint64_t code = 0;
  std::uint64_t linkage = 0;  // its linkage table pointer; 0: it needs none
};

// What a function pointer points to. In 32 bits a plabel has bit 30 set and is the address of two
// words; without that bit it is the code's address. In 64 bits it is the address of a descriptor of
// four doublewords, the last two of which count.
Result<Function, Fault> function_at(Thread& thread, std::uint64_t pointer) {
  AddressSpace& memory = *thread.process.memory;
  if (layout_of(thread).long_bytes == 8) {
    const auto code = memory.read<std::uint64_t>(GuestAddr(pointer + 16));
    const auto linkage = memory.read<std::uint64_t>(GuestAddr(pointer + 24));
    if (!code || !linkage) return Failure{code ? linkage.error() : code.error()};
    return Function{*code, *linkage};
  }
  constexpr std::uint64_t plabel_bit = 2;
  if ((pointer & plabel_bit) == 0) return Function{pointer, 0};
  const GuestAddr pair(pointer & ~pa_risc::Registers::privilege_bits);
  const auto code = memory.read<std::uint32_t>(pair);
  const auto linkage = memory.read<std::uint32_t>(pair + 4);
  if (!code || !linkage) return Failure{code ? linkage.error() : code.error()};
  return Function{*code, *linkage};
}

void start(Thread& thread, const Function& function) {
  constexpr unsigned narrow_linkage = 19;
  pa_risc::Registers& registers = pa_risc::registers_of(*thread.cpu);
  const bool is_wide = layout_of(thread).long_bytes == 8;
  if (function.linkage != 0) {
    registers.gpr[is_wide ? unsigned{pa_risc::dp} : narrow_linkage] = function.linkage;
  }
  registers.set_pc(function.code);
}

constexpr const char* names[] = {
    "",        "SIGHUP",  "SIGINT",  "SIGQUIT",   "SIGILL",    "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE",  "SIGKILL", "SIGBUS",  "SIGSEGV",   "SIGSYS",    "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPWR",    "SIGVTALRM", "SIGPROF", "SIGIO",   "SIGWINCH",
    "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGTTIN",   "SIGTTOU",   "SIGURG",  "SIGLOST", "",
    "",        "SIGXCPU", "SIGXFSZ", "SIGCANCEL", "SIGGFAULT"};
// signal(5): CHLD, PWR, IO, WINCH, CONT, URG and, of threads, CANCEL.
constexpr unsigned ignored[] = {18, 19, 22, 23, 26, 29, 35};

}  // namespace

posix::SignalTable signal_table() {
  return posix::job_control_signals(names, 44, ignored);
}

std::optional<unsigned> trap_signal(const Trap& trap) {
  // BREAK 4,8 and BREAK 4,9 are the debuggers' (the codes as Trap has them).
  constexpr std::uint32_t breakpoints[] = {8 << 5 | 4, 9 << 5 | 4};
  if (trap.kind == TrapKind::breakpoint) {
    const bool is_debuggers = std::ranges::find(breakpoints, trap.code) != std::end(breakpoints);
    return is_debuggers ? posix::sigtrap : posix::sigill;
  }
  if (trap.kind == TrapKind::illegal_instruction && trap.code == pa_risc::assist_emulation_trap) {
    return posix::sigfpe;
  }
  return std::nullopt;
}

HpuxState& hpux_state_of(Process& process) {
  auto& own = posix::state_of(process).own;
  if (own == nullptr) own = std::make_unique<HpuxState>();
  return static_cast<HpuxState&>(*own);
}

Result<Ok, Fault> push_handler(const posix::UnixSystem&, Thread& thread, unsigned signal,
                               const posix::SignalInfo& info, const SignalAction& action) {
  const SyscallAbi& abi = abi_of(thread);
  const FrameLayout& layout = layout_of(thread);
  const std::uint64_t from =
      posix::handler_stack(thread, abi.stack_pointer(*thread.cpu), action).value();
  const GuestAddr frame((from + stack_alignment - 1) & ~(stack_alignment - 1));
  const auto handler = function_at(thread, action.handler.value());
  if (!handler) return Failure{handler.error()};
  const auto back = function_at(thread, hpux_state_of(thread.process).handler_return.value());
  if (!back) return Failure{back.error()};
  const auto written =
      thread.process.memory->write_bytes(frame, frame_of(thread, signal, info, frame).bytes());
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  pa_risc::Registers& registers = pa_risc::registers_of(*thread.cpu);
  registers.gpr[pa_risc::arg0] = signal;
  registers.gpr[pa_risc::arg1] =
      action.wants_info ? (frame + layout.info).value() : static_cast<std::uint32_t>(info.code);
  registers.gpr[pa_risc::arg2] = frame.value();
  registers.gpr[pa_risc::rp] = back->code | pa_risc::Registers::privilege_bits;
  registers.gpr[pa_risc::sp] = (frame + layout.bytes).value();
  // Storing the status register, as the kernel does, clears T in it.
  registers.fpr[0] &= ~pa_risc::fp::delayed_trap;
  start(thread, *handler);
  return Ok{};
}

Result<Ok, Fault> take_up_ucontext(const posix::UnixSystem& system, Thread& thread,
                                   GuestAddr ucontext) {
  const auto readable =
      thread.process.memory->probe(ucontext, layout_of(thread).info, Access::read);
  if (!readable) return readable;
  GuestReader reader(posix::guest_types(thread.process), *thread.process.memory, ucontext);
  Ucontext saved;
  saved.lay_out(reader);
  thread.blocked_signals = posix::blockable(system.signals, saved.mask);
  restore(saved.state, thread);
  return Ok{};
}

Result<Ok, Fault> pop_handler(const posix::UnixSystem& system, Thread& thread, bool) {
  const GuestAddr sp = abi_of(thread).stack_pointer(*thread.cpu);
  return take_up_ucontext(system, thread, sp - layout_of(thread).bytes);
}

void HpuxState::archive(Archive& to) {
  to.state(handler_return);
}

}  // namespace hardclock::hpux
