#include "syscalls/hpux/signals.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "isa/pa_risc/abi.h"
#include "isa/pa_risc/interruptions.h"
#include "syscalls/hpux/gateway.h"
#include "syscalls/pa_risc/status_word.h"
#include "syscalls/posix/fields.h"
#include "syscalls/posix/siginfo.h"

namespace hardclock::hpux {
namespace {

using posix::Fields;
using posix::SyscallAbi;

// ---- struct save_state (offsets in bytes). Behind its narrow part all of that once more in slots
// of eight bytes, in the same order.
constexpr std::size_t save_state_bytes = 1152;
constexpr std::size_t ss_flags = 0, ss_gr1 = 4, ss_sar = 128, ss_pcoq_head = 132,
                      ss_pcoq_tail = 140, ss_ior = 160, ss_ipsw = 164, ss_sr4 = 172, ss_sr0 = 176,
                      ss_sr5 = 192, ss_cr24 = 228, ss_fr0 = 256, ss_wide = 640;
constexpr unsigned saved_temporaries = 4;  // cr24 to cr27
constexpr std::uint32_t ss_in_system_call = 0x02, ss_wide_registers = 0x40;

// ---- The frame: siglocalx, which begins with its ucontext {link, mask, stack, save_state}; the
// siginfo_t behind that; and below the new stack pointer a frame marker.
struct FrameLayout {
  std::size_t mask, stack, save_state, info;
  std::size_t bytes;       // up to the handler's stack pointer
  std::size_t long_bytes;  // also of the pointer to the frame, the last thing in it
};
// From the save_state on it is 1352 bytes, or 1520, to the stack pointer.
constexpr FrameLayout narrow_frame{4, 36, 56, 56 + save_state_bytes, 56 + 1352, 4};
constexpr FrameLayout wide_frame{8, 40, 80, 80 + save_state_bytes, 80 + 1520, 8};
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

// A save_state in a frame.
class SaveState {
 public:
  SaveState(std::span<std::uint8_t> bytes, Endian endian, bool is_wide_program)
      : fields_(bytes, endian), is_wide_program_(is_wide_program) {}

  void put(std::size_t at, std::uint64_t value) {
    fields_.put32(at, value);
    fields_.put64(ss_wide + 2 * at, value);
  }
  std::uint64_t get(std::size_t at) const {
    const std::uint64_t word = fields_.get32(at);
    if ((fields_.get32(ss_flags) & ss_wide_registers) == 0) return word;
    const std::uint64_t wide = fields_.get64(ss_wide + 2 * at);
    // A handler of a 32-bit program changes what it knows: the narrow part.
    return is_wide_program_ ? wide : (wide & ~std::uint64_t{0xffffffff}) | word;
  }
  void put_flags(std::uint32_t flags) { fields_.put32(ss_flags, flags); }
  void put_fr(std::size_t index, std::uint64_t value) { fields_.put64(ss_fr0 + 8 * index, value); }
  std::uint64_t get_fr(std::size_t index) const { return fields_.get64(ss_fr0 + 8 * index); }

 private:
  Fields fields_;
  bool is_wide_program_;
};

std::size_t space_slot(std::size_t index) {
  if (index < 4) return ss_sr0 + 4 * index;
  return index == 4 ? ss_sr4 : ss_sr5 + 4 * (index - 5);
}

// With a call that is to be made again the program counter is in the gateway page.
void save(SaveState state, const Thread& thread, const posix::SignalInfo& info) {
  const pa_risc::Registers& registers = pa_risc::registers_of(*thread.cpu);
  const bool in_call = is_gateway(GuestAddr(registers.pc));
  state.put_flags((in_call ? ss_in_system_call : 0) |
                  (has_wide_registers(thread.process) ? ss_wide_registers : 0));
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    state.put(ss_gr1 + 4 * (i - 1), registers.gpr[i]);
  }
  state.put(ss_sar, registers.shift_amount);
  state.put(ss_pcoq_head, registers.pc | pa_risc::Registers::privilege_bits);
  state.put(ss_pcoq_tail, registers.next_pc | pa_risc::Registers::privilege_bits);
  state.put(ss_ior, info.address.value());
  state.put(ss_ipsw, pa_risc_ports::status_word_of(registers, abi_of(thread).address_bits));
  for (std::size_t i = 0; i < registers.space.size(); ++i) {
    state.put(space_slot(i), registers.space[i]);
  }
  for (std::size_t i = 0; i < saved_temporaries; ++i) {
    state.put(ss_cr24 + 4 * i, registers.temporary[i]);
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) state.put_fr(i, registers.fpr[i]);
}

// The control registers that a program cannot write stay.
void restore(const SaveState& state, pa_risc::Registers& registers) {
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    registers.gpr[i] = state.get(ss_gr1 + 4 * (i - 1));
  }
  registers.shift_amount = state.get(ss_sar) & 0x3f;
  for (std::size_t i = 0; i < 4; ++i) {
    registers.space[i] = static_cast<std::uint32_t>(state.get(space_slot(i)));
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) registers.fpr[i] = state.get_fr(i);
  registers.set_pc(state.get(ss_pcoq_head));
  registers.next_pc = state.get(ss_pcoq_tail) & ~pa_risc::Registers::privilege_bits;
  registers.in_delay_slot = registers.next_pc != registers.pc + 4;
  pa_risc_ports::take_status_word(registers, state.get(ss_ipsw));
}

void put_stack(Fields& fields, const FrameLayout& layout, Thread& thread) {
  const posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
  const GuestAddr sp = abi_of(thread).stack_pointer(*thread.cpu);
  fields.put(layout.stack, stack.base.value(), layout.long_bytes);
  const std::uint32_t flags = !stack.enabled    ? posix::ss_disable
                              : stack.holds(sp) ? posix::ss_onstack
                                                : 0;
  fields.put32(layout.stack + layout.long_bytes, flags);
  fields.put(layout.stack + 2 * layout.long_bytes, stack.size, layout.long_bytes);
}

std::vector<std::uint8_t> frame_bytes(Thread& thread, unsigned signal,
                                      const posix::SignalInfo& info, GuestAddr frame) {
  const FrameLayout& layout = layout_of(thread);
  const Endian endian = thread.process.memory->endian();
  std::vector<std::uint8_t> bytes(layout.bytes);
  Fields fields(bytes, endian);
  fields.put_mask(layout.mask, posix::mask_to_save(thread));
  put_stack(fields, layout, thread);
  save(SaveState(std::span(bytes).subspan(layout.save_state, save_state_bytes), endian,
                 layout.long_bytes == 8),
       thread, info);
  const auto siginfo = posix::saved_siginfo(thread.process, signal, info);
  std::ranges::copy(siginfo, bytes.begin() + static_cast<std::ptrdiff_t>(layout.info));
  fields.put(layout.bytes - layout.long_bytes, frame.value(), layout.long_bytes);
  return bytes;
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
// STOP, TSTP, TTIN, TTOU
constexpr unsigned stops[] = {24, 25, 27, 28};

}  // namespace

posix::SignalTable signal_table() {
  return {.names = names,
          .last = 44,
          .stop = 24,
          .cont = 26,
          .can_block_cont = true,
          .child = 18,
          .virtual_alarm = 20,
          .profiling_alarm = 21,
          .ignored_by_default = ignored,
          .stops_by_default = stops,
          .ignoring_children_reaps = true};
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
      thread.process.memory->write_bytes(frame, frame_bytes(thread, signal, info, frame));
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  pa_risc::Registers& registers = pa_risc::registers_of(*thread.cpu);
  registers.gpr[pa_risc::arg0] = signal;
  registers.gpr[pa_risc::arg1] =
      action.wants_info ? (frame + layout.info).value() : static_cast<std::uint32_t>(info.code);
  registers.gpr[pa_risc::arg2] = frame.value();
  registers.gpr[pa_risc::rp] = back->code | pa_risc::Registers::privilege_bits;
  registers.gpr[pa_risc::sp] = (frame + layout.bytes).value();
  start(thread, *handler);
  return Ok{};
}

Result<Ok, Fault> context_at(const Thread& thread, GuestAddr ucontext) {
  const std::size_t bytes = layout_of(thread).save_state + save_state_bytes;
  return thread.process.memory->probe(ucontext, bytes, Access::read);
}

Result<Ok, Fault> take_up_context(const posix::UnixSystem& system, Thread& thread,
                                  GuestAddr ucontext) {
  const FrameLayout& layout = layout_of(thread);
  AddressSpace& memory = *thread.process.memory;
  std::vector<std::uint8_t> bytes(layout.save_state + save_state_bytes);
  const auto read = memory.read_bytes(ucontext, bytes);
  if (!read) return read;
  const SignalSet mask = Fields(bytes, memory.endian()).get_mask(layout.mask);
  thread.blocked_signals = posix::blockable(system.signals, mask);
  restore(SaveState(std::span(bytes).subspan(layout.save_state), memory.endian(),
                    layout.long_bytes == 8),
          pa_risc::registers_of(*thread.cpu));
  return Ok{};
}

Result<Ok, Fault> pop_frame(const posix::UnixSystem& system, Thread& thread) {
  const GuestAddr sp = abi_of(thread).stack_pointer(*thread.cpu);
  return take_up_context(system, thread, sp - layout_of(thread).bytes);
}

}  // namespace hardclock::hpux
