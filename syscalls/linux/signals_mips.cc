#include "syscalls/linux/signals_mips.h"

#include <array>
#include <vector>

#include "isa/mips/abi.h"
#include "syscalls/linux/signals.h"
#include "syscalls/linux/vdso_mips.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using posix::Abi;
using posix::SignalInfo;

constexpr std::array<const char*, 32> names = {
    "",        "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",    "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE",  "SIGKILL", "SIGBUS",  "SIGSEGV", "SIGSYS",    "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPWR",  "SIGWINCH",  "SIGURG",  "SIGIO",   "SIGSTOP",
    "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ"};

// SIGCHLD, SIGWINCH, SIGURG, SIGCONT (include/linux/signal.h, SIG_KERNEL_IGNORE_MASK).
constexpr unsigned ignored[] = {18, 20, 21, 25};
// SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU
constexpr unsigned stops[] = {23, 24, 26, 27};

// struct sigframe and struct rt_sigframe begin with the argument slots of o32 and the place where
// old kernels had the code that ends the handler.
constexpr std::size_t frame_head_bytes = 24;
// A floating-point emulator may be using the place below the stack pointer
// (arch/mips/kernel/signal.c, get_sigframe()).
constexpr std::uint64_t emulator_bytes = 32;
constexpr std::uint32_t ss_disable = 2;

Abi abi_of(const Thread& thread) {
  return posix::state_of(thread.process).convention->abi;
}

// An address as a register of the program holds it.
std::uint64_t to_register(Abi abi, std::uint64_t address) {
  return abi == Abi::n64 ? address : mips::to_register(mips::to_word(address));
}
std::uint64_t to_address(Abi abi, std::uint64_t value) {
  return abi == Abi::n64 ? value : mips::to_word(value);
}

// ---- struct sigcontext. o32 processes use pairs of 32-bit registers, of which the kernel saves
// the even ones as 64 bits (copy_fp_to_sigcontext()).

std::uint64_t saved_fpr(Abi abi, const mips::Registers& registers, std::size_t index) {
  if (abi != Abi::o32) return registers.fpr[index];
  if (index % 2 != 0) return 0;
  return std::uint64_t{mips::to_word(registers.fpr[index + 1])} << 32 |
         mips::to_word(registers.fpr[index]);
}

void restore_fpr(Abi abi, mips::Registers& registers, std::size_t index, std::uint64_t value) {
  if (abi != Abi::o32) {
    registers.fpr[index] = value;
  } else if (index % 2 == 0) {
    registers.fpr[index] = value & 0xffffffff;
    registers.fpr[index + 1] = value >> 32;
  }
}

constexpr std::size_t acc_pad_bytes = 3 * 8;  // sc_hi1 to sc_hi3, sc_lo1 to sc_lo3: the DSP ASE's

void put_sigcontext(Record& record, Abi abi, const mips::Registers& registers) {
  const auto put_registers = [&] {
    for (const std::uint64_t value : registers.gpr) record.wide(value);
    for (std::size_t i = 0; i < registers.fpr.size(); ++i) {
      record.wide(saved_fpr(abi, registers, i));
    }
  };
  if (abi == Abi::o32) {
    record.word(0).word(0).wide(to_register(abi, registers.epc()));  // sc_regmask, sc_status, sc_pc
    put_registers();
    record.word(0).word(registers.fcsr).word(0).word(1).word(0);  // sc_acx ... sc_dsp
    record.wide(registers.hi).wide(registers.lo).zeros(acc_pad_bytes);
    return;
  }
  put_registers();
  record.wide(registers.hi).zeros(acc_pad_bytes);
  record.wide(registers.lo).zeros(acc_pad_bytes);
  record.wide(to_register(abi, registers.epc()));
  record.word(registers.fcsr).word(1).word(0).word(0);  // sc_fpc_csr, sc_used_math, sc_dsp
}

// An exception that a saved FCSR would raise is not raised again (fcsr_pending() of the same file).
std::uint32_t restored_fcsr(std::uint32_t saved) {
  const std::uint32_t enables = saved >> mips::fcsr_enables_shift & 0x1f;
  return saved & mips::fcsr_writable_mips4 & ~(enables << mips::fcsr_cause_shift);
}

void take_sigcontext(RecordReader& record, Abi abi, mips::Registers& registers) {
  std::uint64_t pc = 0;
  if (abi == Abi::o32) {
    record.skip(8);
    pc = record.wide();
  }
  const auto narrow = [&](std::uint64_t value) {
    return abi == Abi::o32 ? mips::to_register(mips::to_word(value)) : value;
  };
  for (std::size_t i = 0; i < registers.gpr.size(); ++i) {
    const std::uint64_t value = record.wide();
    if (i != mips::zero) registers.gpr[i] = narrow(value);
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) {
    restore_fpr(abi, registers, i, record.wide());
  }
  if (abi == Abi::o32) {
    record.skip(4);
    registers.fcsr = restored_fcsr(record.word());
    record.skip(12);
    registers.hi = narrow(record.wide());
    registers.lo = narrow(record.wide());
    record.skip(acc_pad_bytes);
  } else {
    registers.hi = record.wide();
    record.skip(acc_pad_bytes);
    registers.lo = record.wide();
    record.skip(acc_pad_bytes);
    pc = record.wide();
    registers.fcsr = restored_fcsr(record.word());
    record.skip(12);
  }
  registers.set_pc(to_address(abi, pc));
  registers.link_valid = false;
}

// ---- Frames.

Record ucontext_record(Thread& thread, Endian endian) {
  const Abi abi = abi_of(thread);
  const mips::Registers& registers = mips::registers_of(*thread.cpu);
  const posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
  Record record(abi, endian);
  record.word_long(0).word_long(0);  // uc_flags, uc_link
  record.word_long(stack.base.value()).word_long(stack.size).word(stack.enabled ? 0 : ss_disable);
  record.align(8);
  put_sigcontext(record, abi, registers);
  record.signal_set(posix::mask_to_save(thread));
  return record;
}

struct Frame {
  Record bytes;
  std::size_t context;  // what the handler's third argument points to, from the frame on
};

Frame make_frame(const posix::UnixSystem& system, Thread& thread, unsigned signal,
                 const SignalInfo& info, bool with_info) {
  const Abi abi = abi_of(thread);
  const Endian endian = thread.process.memory->endian();
  Frame frame{Record(abi, endian), frame_head_bytes};
  frame.bytes.zeros(frame_head_bytes);
  if (with_info) {
    frame.bytes.append(siginfo_record(system, thread.process, signal, info));
    frame.bytes.append(ucontext_record(thread, endian));
    frame.context += siginfo_bytes;
  } else {
    put_sigcontext(frame.bytes, abi, mips::registers_of(*thread.cpu));
    frame.bytes.signal_set(posix::mask_to_save(thread));
  }
  return frame;
}

// Where a frame of so many bytes goes.
std::uint64_t frame_address(Thread& thread, const SignalAction& action, std::size_t bytes) {
  const Abi abi = abi_of(thread);
  const std::uint64_t alignment = abi == Abi::o32 ? 8 : 16;  // ALMASK
  const std::uint64_t sp = to_address(abi, mips::registers_of(*thread.cpu).gpr[mips::sp]);
  const GuestAddr end = posix::handler_stack(thread, GuestAddr(sp - emulator_bytes), action);
  return to_address(abi, end.value() - bytes) & ~(alignment - 1);
}

}  // namespace

posix::SignalTable mips_signal_table() {
  return {.names = names,
          .last = mips_signals,
          .stop = 23,
          .cont = 25,
          .can_block_cont = true,
          .child = 18,
          .virtual_alarm = 28,
          .profiling_alarm = 29,
          .ignored_by_default = ignored,
          .stops_by_default = stops,
          .ignoring_children_reaps = true};
}

Result<Ok, Fault> push_mips_handler(const posix::UnixSystem& system, Thread& thread,
                                    unsigned signal, const SignalInfo& info,
                                    const SignalAction& action) {
  const Abi abi = abi_of(thread);
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  // Only o32 has the frame without siginfo (sig_uses_siginfo()).
  const bool with_info = abi != Abi::o32 || action.wants_info;
  const Frame frame = make_frame(system, thread, signal, info, with_info);
  const std::uint64_t at = frame_address(thread, action, frame.bytes.bytes().size());
  const auto written = thread.process.memory->write_bytes(GuestAddr(at), frame.bytes.bytes());
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  const GuestAddr end = mips_vdso_code(abi, with_info);
  registers.gpr[mips::a0] = signal;
  registers.gpr[mips::a1] = with_info ? to_register(abi, at + frame_head_bytes) : 0;
  registers.gpr[mips::a2] = to_register(abi, at + frame.context);
  registers.gpr[mips::t9] = to_register(abi, action.handler.value());
  registers.gpr[mips::ra] = to_register(abi, end.value());
  registers.gpr[mips::sp] = to_register(abi, at);
  registers.set_pc(to_address(abi, action.handler.value()));
  return Ok{};
}

namespace {

// Gives the thread the context at this distance from its stack pointer, and the mask behind it.
Result<Ok, Fault> pop_context(const posix::UnixSystem& system, Thread& thread,
                              std::size_t distance) {
  const Abi abi = abi_of(thread);
  mips::Registers registers = mips::registers_of(*thread.cpu);
  const GuestAddr at(to_address(abi, registers.gpr[mips::sp]) + distance);
  AddressSpace& memory = *thread.process.memory;
  RecordReader record(abi, memory, at);
  take_sigcontext(record, abi, registers);
  const SignalSet mask = record.signal_set();
  if (!record.ok()) return Failure{Fault{Fault::Kind::unmapped, Access::read, at}};
  mips::registers_of(*thread.cpu) = registers;
  thread.blocked_signals = posix::blockable(system.signals, mask);
  return Ok{};
}

}  // namespace

Result<Ok, Fault> pop_mips_sigframe(const posix::UnixSystem& system, Thread& thread) {
  return pop_context(system, thread, frame_head_bytes);
}

Result<Ok, Fault> pop_mips_rt_sigframe(const posix::UnixSystem& system, Thread& thread) {
  // uc_flags, uc_link and uc_stack lie in front of uc_mcontext.
  const std::size_t before = abi_of(thread) == Abi::n64 ? 40 : 24;
  return pop_context(system, thread, frame_head_bytes + siginfo_bytes + before);
}

}  // namespace hardclock::gnu_linux
