#include "syscalls/linux/signals_mips.h"

#include <array>
#include <vector>

#include "isa/mips/abi.h"
#include "syscalls/linux/signals.h"
#include "syscalls/linux/vdso_mips.h"
#include "syscalls/mips/context.h"
#include "syscalls/posix/fields.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using mips_ports::DataModel;
using mips_ports::to_address;
using mips_ports::to_register;
using posix::Fields;
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

DataModel model_of(const Thread& thread) {
  return mips_ports::data_model_of(thread.process);
}

// ---- struct sigcontext: 64 bits for each register. Of o32's pairs of floating-point registers the
// kernel saves the even ones as 64 bits (copy_fp_to_sigcontext()).
struct SigcontextLayout {
  std::size_t bytes, pc, used_math;
  mips_ports::ContextLayout registers;
};
constexpr SigcontextLayout o32_sigcontext{592,
                                          8,
                                          540,
                                          {.gpr = 16,
                                           .fpr = 272,
                                           .hi = 552,
                                           .lo = 560,
                                           .fcsr = 532,
                                           .register_bytes = 8,
                                           .has_fpr_pairs = true}};
constexpr SigcontextLayout wide_sigcontext{
    600, 576, 588, {.gpr = 0, .fpr = 256, .hi = 512, .lo = 544, .fcsr = 584, .register_bytes = 8}};

const SigcontextLayout& layout_of(DataModel model) {
  return model == DataModel::o32 ? o32_sigcontext : wide_sigcontext;
}

std::vector<std::uint8_t> saved_sigcontext(Thread& thread) {
  const DataModel model = model_of(thread);
  const SigcontextLayout& layout = layout_of(model);
  const mips::Registers& registers = mips::registers_of(*thread.cpu);
  std::vector<std::uint8_t> bytes(layout.bytes);
  Fields context(bytes, thread.process.memory->endian());
  mips_ports::save_registers(context, layout.registers, registers);
  context.put64(layout.pc, to_register(model, registers.epc()));
  context.put32(layout.used_math, 1);
  return bytes;
}

// An exception that a saved FCSR would raise is not raised again (fcsr_pending() of the same file).
std::uint32_t without_pending(std::uint32_t fcsr) {
  const std::uint32_t enables = fcsr >> mips::fcsr_enables_shift & 0x1f;
  return fcsr & ~(enables << mips::fcsr_cause_shift);
}

void take_up_sigcontext(const Fields& context, DataModel model, mips::Registers& registers) {
  const SigcontextLayout& layout = layout_of(model);
  mips_ports::restore_registers(context, layout.registers, model, registers);
  registers.fcsr = without_pending(registers.fcsr);
  registers.set_pc(to_address(model, context.get64(layout.pc)));
  registers.link_valid = false;
}

// ---- Frames.

Record ucontext_record(Record record, Thread& thread) {
  const posix::AlternateStack& stack = posix::thread_state_of(thread).alternate_stack;
  record.word_long(0).word_long(0);  // uc_flags, uc_link
  record.word_long(stack.base.value()).word_long(stack.size).word(stack.enabled ? 0 : ss_disable);
  record.align(8).append(saved_sigcontext(thread));
  record.signal_set(posix::mask_to_save(thread));
  return record;
}

struct Frame {
  Record bytes;
  std::size_t context;  // what the handler's third argument points to, from the frame on
};

Frame make_frame(const posix::UnixSystem& system, Thread& thread, unsigned signal,
                 const SignalInfo& info, bool with_info) {
  const Record empty(type_sizes_of(system, posix::abi_of(thread.process)),
                     thread.process.memory->endian());
  Frame frame{empty, frame_head_bytes};
  frame.bytes.zeros(frame_head_bytes);
  if (with_info) {
    frame.bytes.append(siginfo_record(system, thread.process, signal, info));
    frame.bytes.append(ucontext_record(empty, thread));
    frame.context += siginfo_bytes;
  } else {
    frame.bytes.append(saved_sigcontext(thread)).signal_set(posix::mask_to_save(thread));
  }
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
  const DataModel model = model_of(thread);
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  // Only o32 has the frame without siginfo (sig_uses_siginfo()).
  const bool with_info = model != DataModel::o32 || action.wants_info;
  const Frame frame = make_frame(system, thread, signal, info, with_info);
  const std::uint64_t at = frame_address(thread, action, frame.bytes.bytes().size());
  const auto written = thread.process.memory->write_bytes(GuestAddr(at), frame.bytes.bytes());
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

namespace {

// Gives the thread the context at this distance from its stack pointer, and the mask behind it.
Result<Ok, Fault> pop_context(const posix::UnixSystem& system, Thread& thread,
                              std::size_t distance) {
  const DataModel model = model_of(thread);
  mips::Registers registers = mips::registers_of(*thread.cpu);
  const GuestAddr at(to_address(model, registers.gpr[mips::sp]) + distance);
  AddressSpace& memory = *thread.process.memory;
  std::vector<std::uint8_t> bytes(layout_of(model).bytes);
  const bool is_read = memory.read_bytes(at, bytes).ok();
  RecordReader record(type_sizes_of(system, posix::abi_of(thread.process)), memory,
                      at + bytes.size());
  const SignalSet mask = record.signal_set();
  if (!is_read || !record.ok()) return Failure{Fault{Fault::Kind::unmapped, Access::read, at}};
  take_up_sigcontext(Fields(bytes, memory.endian()), model, registers);
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
  const std::size_t before = model_of(thread) == DataModel::n64 ? 40 : 24;
  return pop_context(system, thread, frame_head_bytes + siginfo_bytes + before);
}

}  // namespace hardclock::gnu_linux
