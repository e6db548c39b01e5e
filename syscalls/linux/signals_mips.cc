#include "syscalls/linux/signals_mips.h"

#include <array>

#include "isa/mips/abi.h"
#include "syscalls/linux/signals.h"
#include "syscalls/linux/vdso_mips.h"
#include "syscalls/mips/context.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using mips_ports::Context;
using mips_ports::DataModel;
using mips_ports::FprPairs;
using mips_ports::to_address;
using mips_ports::to_register;
using posix::GuestReader;
using posix::GuestStruct;
using posix::SignalInfo;

constexpr std::array<const char*, 32> names = {
    "",        "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",    "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE",  "SIGKILL", "SIGBUS",  "SIGSEGV", "SIGSYS",    "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPWR",  "SIGWINCH",  "SIGURG",  "SIGIO",   "SIGSTOP",
    "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ"};

// SIGCHLD, SIGWINCH, SIGURG, SIGCONT (include/linux/signal.h, SIG_KERNEL_IGNORE_MASK).
constexpr unsigned ignored[] = {18, 20, 21, 25};

// struct sigframe and struct rt_sigframe begin with the argument slots of o32 and the place where
// old kernels had the code that ends the handler.
constexpr std::size_t frame_head_bytes = 24;
// A floating-point emulator may be using the place below the stack pointer
// (arch/mips/kernel/signal.c, get_sigframe()).
constexpr std::uint64_t emulator_bytes = 32;
constexpr std::uint32_t ss_disable = 2;

DataModel model_of(const Thread& thread) {
  return mips_ports::data_model_of(thread.process);
}

// ---- struct sigcontext: 64 bits for each register. Of o32's pairs of floating-point registers the
// kernel saves the even ones as 64 bits (copy_fp_to_sigcontext()).

constexpr std::size_t register_bytes = 8;

FprPairs pairs_of(DataModel model) {
  return model == DataModel::o32 ? FprPairs::in_first : FprPairs::apart;
}

// Behind it the mask of the signals.
void lay_out_sigcontext(auto& members, DataModel model, Context& context) {
  std::uint32_t used_math = 1;
  if (model == DataModel::o32) {
    members.skip(8).wide(context.pc);  // sc_regmask, sc_status
    context.lay_out_gprs(members, register_bytes);
    context.lay_out_fprs(members, register_bytes);
    members.skip(4).word(context.fcsr).skip(4).word(used_math);  // sc_acx, sc_fpc_eir
    members.skip(4).wide(context.hi).wide(context.lo).skip(24);  // sc_dsp, sc_hi1 to sc_lo3
  } else {
    context.lay_out_gprs(members, register_bytes);
    context.lay_out_fprs(members, register_bytes);
    members.wide(context.hi).skip(24).wide(context.lo).skip(24).wide(context.pc);
    members.word(context.fcsr).word(used_math).skip(8);  // sc_dsp
  }
  members.signal_longs(context.mask, mips_signals);
}

Context saved_context(const Thread& thread) {
  const DataModel model = model_of(thread);
  Context context = mips_ports::context_of(thread, posix::mask_to_save(thread), pairs_of(model));
  context.pc = to_register(model, context.pc);
  return context;
}

// An exception that a saved FCSR would raise is not raised again (fcsr_pending() of the same file).
std::uint32_t without_pending(std::uint32_t fcsr) {
  const std::uint32_t enables = fcsr >> mips::fcsr_enables_shift & 0x1f;
  return fcsr & ~(enables << mips::fcsr_cause_shift);
}

// ---- Frames.

struct Frame {
  GuestStruct members;
  std::size_t context;  // what the handler's third argument points to, from the frame on
};

Frame make_frame(const posix::UnixSystem& system, Thread& thread, unsigned signal,
                 const SignalInfo& info, bool with_info) {
  Frame frame{GuestStruct(posix::guest_types(thread.process)), frame_head_bytes};
  GuestStruct& members = frame.members.skip(frame_head_bytes);
  if (with_info) {
    const posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
    members.append(siginfo_struct(system, thread.process, signal, info));
    members.word_long(0).word_long(0);  // uc_flags, uc_link
    members.pointer(stack.base).word_long(stack.size).word(stack.enabled ? 0 : ss_disable);
    members.align(8);
    frame.context += siginfo_bytes;
  }
  Context context = saved_context(thread);
  lay_out_sigcontext(members, model_of(thread), context);
  return frame;
}

// Where a frame of so many bytes goes.
std::uint64_t frame_address(Thread& thread, const SignalAction& action, std::size_t bytes) {
  const DataModel model = model_of(thread);
  const std::uint64_t alignment = model == DataModel::o32 ? 8 : 16;  // ALMASK
  const std::uint64_t sp = to_address(model, mips::registers_of(*thread.cpu).gpr[mips::sp]);
  const GuestAddr end = posix::handler_stack(thread, GuestAddr(sp - emulator_bytes), action);
  return to_address(model, end.value() - bytes) & ~(alignment - 1);
}

// ---- Traps.

constexpr std::uint64_t narrow_end = 0x80000000, wide_end = std::uint64_t{1} << 40;

bool is_beyond(const Trap& trap, std::uint64_t end) {
  return trap.kind == TrapKind::memory && trap.fault.address.value() >= end;
}

std::optional<unsigned> signal_of(const Trap& trap, std::uint64_t end) {
  return is_beyond(trap, end) ? std::optional(unsigned{posix::sigbus}) : std::nullopt;
}

void tell_trap(const Trap& trap, SignalInfo& info, std::uint64_t end) {
  using Cause = SignalInfo::Cause;
  const bool is_nothing_told =
      is_beyond(trap, end) || info.cause == Cause::misaligned ||
      info.cause == Cause::illegal_instruction ||
      (trap.kind == TrapKind::conditional_trap && info.cause == Cause::breakpoint);
  if (is_nothing_told) info = {};
  if (info.cause == Cause::breakpoint) info.address = {};
}

}  // namespace

std::optional<unsigned> narrow_mips_trap_signal(const Trap& trap) {
  return signal_of(trap, narrow_end);
}

std::optional<unsigned> wide_mips_trap_signal(const Trap& trap) {
  return signal_of(trap, wide_end);
}

void tell_narrow_mips_trap(const Trap& trap, SignalInfo& info) {
  tell_trap(trap, info, narrow_end);
}

void tell_wide_mips_trap(const Trap& trap, SignalInfo& info) {
  tell_trap(trap, info, wide_end);
}

posix::SignalTable mips_signal_table() {
  return signal_table(names, mips_signals, ignored);
}

Result<Ok, Fault> push_mips_handler(const posix::UnixSystem& system, Thread& thread,
                                    unsigned signal, const SignalInfo& info,
                                    const SignalAction& action) {
  const DataModel model = model_of(thread);
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  // Only o32 has the frame without siginfo (sig_uses_siginfo()).
  const bool with_info = model != DataModel::o32 || action.wants_info;
  const Frame frame = make_frame(system, thread, signal, info, with_info);
  const std::uint64_t at = frame_address(thread, action, frame.members.bytes().size());
  const auto written = thread.process.memory->write_bytes(GuestAddr(at), frame.members.bytes());
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  const GuestAddr end = mips_vdso_code(model, with_info);
  registers.gpr[mips::a0] = signal;
  registers.gpr[mips::a1] = with_info ? to_register(model, at + frame_head_bytes) : 0;
  registers.gpr[mips::a2] = to_register(model, at + frame.context);
  registers.gpr[mips::t9] = to_register(model, action.handler.value());
  registers.gpr[mips::ra] = to_register(model, end.value());
  registers.gpr[mips::sp] = to_register(model, at);
  registers.set_pc(to_address(model, action.handler.value()));
  return Ok{};
}

Result<Ok, Fault> pop_mips_handler(const posix::UnixSystem& system, Thread& thread,
                                   bool with_info) {
  const DataModel model = model_of(thread);
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  GuestReader frame(posix::guest_types(thread.process), *thread.process.memory,
                    GuestAddr(to_address(model, registers.gpr[mips::sp])));
  frame.skip(frame_head_bytes);
  if (with_info) frame.skip(siginfo_bytes).skip_longs(4).skip(4).align(8);  // up to uc_mcontext
  Context context;
  lay_out_sigcontext(frame, model, context);
  if (!frame.ok()) return frame.outcome();
  mips_ports::take_up_registers(context, thread, register_bytes, pairs_of(model));
  registers.fcsr = without_pending(registers.fcsr);
  registers.set_pc(to_address(model, context.pc));
  registers.link_valid = false;
  thread.blocked_signals = posix::blockable(system.signals, context.mask);
  return Ok{};
}

}  // namespace hardclock::gnu_linux
