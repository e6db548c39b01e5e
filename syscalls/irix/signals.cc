#include "syscalls/irix/signals.h"

#include <array>
#include <span>
#include <vector>

#include "isa/mips/abi.h"
#include "sim/base/endian.h"
#include "syscalls/mips/context.h"
#include "syscalls/mips/ucontext.h"
#include "syscalls/posix/fields.h"
#include "syscalls/posix/siginfo.h"
#include "syscalls/posix/state.h"

namespace hardclock::irix {
namespace {

// Offsets and sizes in bytes (IRIX <sys/signal.h>, <sys/siginfo.h>, <sys/ucontext.h>).
// struct sigcontext: registers are 64-bit slots, 32-bit values sign-extended.
constexpr std::size_t sigcontext_size = 856;
constexpr std::size_t sc_regmask = 0, sc_pc = 8, sc_ownedfp = 528, sc_sigset = 584;
constexpr mips_ports::ContextLayout sc_registers{
    .gpr = 16, .fpr = 272, .hi = 544, .lo = 552, .fcsr = 532, .register_bytes = 8};

constexpr std::uint32_t all_registers = 0xfffffffe;
constexpr std::uint32_t siginfo_handler = 0x80000000;  // in a0, for the trampoline
constexpr std::uint64_t stack_alignment = 16;

using mips_ports::DataModel;
using mips_ports::to_address;
using mips_ports::to_register;
using posix::Fields;

DataModel model_of(const Thread& thread) {
  return mips_ports::data_model_of(thread.process);
}

// All three data models have this structure.
void save_sigcontext(Fields context, Thread& thread, const SignalSet& mask) {
  const mips::Registers& registers = mips::registers_of(*thread.cpu);
  context.put32(sc_regmask, all_registers);
  context.put64(sc_pc, to_register(model_of(thread), registers.epc()));
  mips_ports::save_registers(context, sc_registers, registers);
  context.put32(sc_ownedfp, 1);
  context.put_mask(sc_sigset, mask);
}

SignalSet restore_sigcontext(const Fields& context, Thread& thread) {
  const DataModel model = model_of(thread);
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  mips_ports::restore_registers(context, sc_registers, model, registers);
  registers.set_pc(to_address(model, context.get64(sc_pc)));
  return context.get_mask(sc_sigset);
}

// The bytes that go on the stack: a sigcontext, or a siginfo and behind it a ucontext.
std::vector<std::uint8_t> frame_bytes(Thread& thread, unsigned signal,
                                      const posix::SignalInfo& info, bool with_info) {
  const SignalSet mask = posix::mask_to_save(thread);
  if (!with_info) {
    std::vector<std::uint8_t> bytes(sigcontext_size);
    save_sigcontext(Fields(bytes, thread.process.memory->endian()), thread, mask);
    return bytes;
  }
  std::vector<std::uint8_t> bytes = posix::saved_siginfo(thread.process, signal, info);
  const auto context = mips_ports::saved_ucontext(thread, mask);
  bytes.insert(bytes.end(), context.begin(), context.end());
  return bytes;
}

constexpr std::array<const char*, 32> names = {
    "",        "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",    "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE",  "SIGKILL", "SIGBUS",  "SIGSEGV", "SIGSYS",    "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1", "SIGUSR2", "SIGCLD",  "SIGPWR",  "SIGWINCH",  "SIGURG",  "SIGPOLL", "SIGSTOP",
    "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ"};

// signal(5) of IRIX: CLD, PWR, WINCH, URG, CONT; STOP, TSTP, TTIN, TTOU.
constexpr unsigned ignored[] = {18, 19, 20, 21, 25};
constexpr unsigned stops[] = {23, 24, 26, 27};

}  // namespace

posix::SignalTable signal_table() {
  return {.names = names,
          .last = 64,  // NSIG is 65
          .stop = 23,
          .cont = 25,
          .can_block_cont = true,
          .child = 18,
          .virtual_alarm = 28,
          .profiling_alarm = 29,
          .ignored_by_default = ignored,
          .stops_by_default = stops,
          .ignoring_children_reaps = true,
          .children_queue = true,
          .broadcast_reaches_sender = true};
}

Result<Ok, Fault> push_handler(const posix::UnixSystem&, Thread& thread, unsigned signal,
                               const posix::SignalInfo& info, const SignalAction& action) {
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  const bool with_info = action.wants_info;
  const std::vector<std::uint8_t> bytes = frame_bytes(thread, signal, info, with_info);
  const DataModel model = model_of(thread);
  const GuestAddr stack =
      posix::handler_stack(thread, GuestAddr(to_address(model, registers.gpr[mips::sp])), action);
  const std::uint64_t frame = (stack.value() - bytes.size()) & ~(stack_alignment - 1);
  const auto written = thread.process.memory->write_bytes(GuestAddr(frame), bytes);
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  // The trampoline's contract: a0 signal, a1 siginfo or code, a2 context, a3 the handler.
  const std::uint64_t context = with_info ? frame + posix::siginfo_size : frame;
  registers.gpr[mips::a0] = mips::to_register(with_info ? signal | siginfo_handler : signal);
  registers.gpr[mips::a1] = with_info ? to_register(model, frame) : posix::siginfo_code(info.cause);
  registers.gpr[mips::a2] = to_register(model, context);
  registers.gpr[mips::a3] = to_register(model, action.handler.value());
  registers.gpr[mips::t9] = to_register(model, action.trampoline.value());
  registers.gpr[mips::sp] = to_register(model, frame);
  registers.set_pc(action.trampoline.value());
  return Ok{};
}

Result<Ok, Fault> pop_sigcontext(Thread& thread, GuestAddr sigcontext) {
  AddressSpace& memory = *thread.process.memory;
  std::vector<std::uint8_t> context(sigcontext_size);
  const auto read = memory.read_bytes(sigcontext, context);
  if (!read) return read;
  thread.blocked_signals = posix::blockable(
      signal_table(), restore_sigcontext(Fields(context, memory.endian()), thread));
  mips::registers_of(*thread.cpu).link_valid = false;
  return Ok{};
}

}  // namespace hardclock::irix
