#include "syscalls/irix/signals.h"

#include <array>
#include <span>
#include <vector>

#include "isa/mips/abi.h"
#include "sim/base/endian.h"
#include "syscalls/posix/fields.h"
#include "syscalls/posix/state.h"
#include "syscalls/posix/ucontext.h"

namespace hardclock::irix {
namespace {

// Offsets and sizes in bytes (IRIX <sys/signal.h>, <sys/siginfo.h>, <sys/ucontext.h>).
// struct sigcontext: registers are 64-bit slots, 32-bit values sign-extended.
constexpr std::size_t sigcontext_size = 856;
constexpr std::size_t sc_regmask = 0, sc_pc = 8, sc_regs = 16, sc_fpregs = 272, sc_ownedfp = 528,
                      sc_fpc_csr = 532, sc_mdhi = 544, sc_mdlo = 552, sc_sigset = 584;

constexpr std::uint32_t all_registers = 0xfffffffe;
constexpr std::uint32_t siginfo_handler = 0x80000000;  // in a0, for the trampoline
constexpr std::uint64_t stack_alignment = 16;

using posix::Abi;
using posix::Fields;

Abi abi_of(const Thread& thread) {
  return posix::state_of(thread.process).convention->abi;
}

// An address as a register holds it, and back.
std::uint64_t to_register(Abi abi, std::uint64_t address) {
  return abi == Abi::n64 ? address : mips::to_register(mips::to_word(address));
}
std::uint64_t to_address(Abi abi, std::uint64_t held) {
  return abi == Abi::n64 ? held : mips::to_word(held);
}

// All three data models have this structure. o32 programs see 32 bits of a register, sign-extended.
void save_sigcontext(Fields context, Thread& thread, const SignalSet& mask) {
  const mips::Registers& registers = mips::registers_of(*thread.cpu);
  context.put32(sc_regmask, all_registers);
  context.put64(sc_pc, to_register(abi_of(thread), registers.epc()));
  for (std::size_t i = 0; i < registers.gpr.size(); ++i) {
    context.put64(sc_regs + 8 * i, registers.gpr[i]);
    context.put64(sc_fpregs + 8 * i, registers.fpr[i]);
  }
  context.put32(sc_ownedfp, 1);
  context.put32(sc_fpc_csr, registers.fcsr);
  context.put64(sc_mdhi, registers.hi);
  context.put64(sc_mdlo, registers.lo);
  context.put_mask(sc_sigset, mask);
}

SignalSet restore_sigcontext(const Fields& context, Thread& thread) {
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  const Abi abi = abi_of(thread);
  const auto get = [&](std::size_t at) {
    const std::uint64_t value = context.get64(at);
    return abi == Abi::o32 ? mips::to_register(mips::to_word(value)) : value;
  };
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    registers.gpr[i] = get(sc_regs + 8 * i);
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) {
    registers.fpr[i] = context.get64(sc_fpregs + 8 * i);
  }
  registers.fcsr = context.get32(sc_fpc_csr) & mips::fcsr_writable_mips4;
  registers.hi = get(sc_mdhi);
  registers.lo = get(sc_mdlo);
  registers.set_pc(to_address(abi, context.get64(sc_pc)));
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
  const auto context = posix::saved_ucontext(thread, mask);
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
  const Abi abi = abi_of(thread);
  const GuestAddr stack =
      posix::handler_stack(thread, GuestAddr(to_address(abi, registers.gpr[mips::sp])), action);
  const std::uint64_t frame = (stack.value() - bytes.size()) & ~(stack_alignment - 1);
  const auto written = thread.process.memory->write_bytes(GuestAddr(frame), bytes);
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  // The trampoline's contract: a0 signal, a1 siginfo or code, a2 context, a3 the handler.
  const std::uint64_t context = with_info ? frame + posix::siginfo_size : frame;
  registers.gpr[mips::a0] = mips::to_register(with_info ? signal | siginfo_handler : signal);
  registers.gpr[mips::a1] = with_info ? to_register(abi, frame) : posix::siginfo_code(info.cause);
  registers.gpr[mips::a2] = to_register(abi, context);
  registers.gpr[mips::a3] = to_register(abi, action.handler.value());
  registers.gpr[mips::t9] = to_register(abi, action.trampoline.value());
  registers.gpr[mips::sp] = to_register(abi, frame);
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
