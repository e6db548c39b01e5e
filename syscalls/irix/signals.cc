#include "syscalls/irix/signals.h"

#include <array>
#include <span>
#include <vector>

#include "isa/mips/abi.h"
#include "sim/base/endian.h"
#include "syscalls/posix/fields.h"
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

using posix::Fields;

void save_sigcontext(Fields context, const mips::Registers& registers, const SignalSet& mask) {
  context.put32(sc_regmask, all_registers);
  context.put64(sc_pc, mips::to_register(mips::to_word(registers.epc())));
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

SignalSet restore_sigcontext(const Fields& context, mips::Registers& registers) {
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    registers.gpr[i] = mips::to_register(mips::to_word(context.get64(sc_regs + 8 * i)));
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) {
    registers.fpr[i] = mips::to_word(context.get64(sc_fpregs + 8 * i));
  }
  registers.fcsr = context.get32(sc_fpc_csr) & mips::fcsr_writable;
  registers.hi = mips::to_register(mips::to_word(context.get64(sc_mdhi)));
  registers.lo = mips::to_register(mips::to_word(context.get64(sc_mdlo)));
  registers.set_pc(mips::to_word(context.get64(sc_pc)));
  return context.get_mask(sc_sigset);
}

// The bytes that go on the stack: a sigcontext, or a siginfo and behind it a ucontext.
std::vector<std::uint8_t> frame_bytes(Thread& thread, unsigned signal,
                                      const posix::SignalInfo& info, bool with_info) {
  const Endian endian = thread.process.memory->endian();
  const SignalSet mask = posix::mask_to_save(thread);
  if (!with_info) {
    std::vector<std::uint8_t> bytes(sigcontext_size);
    save_sigcontext(Fields(bytes, endian), mips::registers_of(*thread.cpu), mask);
    return bytes;
  }
  std::vector<std::uint8_t> bytes = posix::saved_siginfo(signal, info, endian);
  const auto context = posix::saved_ucontext(thread, mask);
  bytes.insert(bytes.end(), context.begin(), context.end());
  return bytes;
}

constexpr std::array<const char*, 32> names = {
    "",        "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",    "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE",  "SIGKILL", "SIGBUS",  "SIGSEGV", "SIGSYS",    "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1", "SIGUSR2", "SIGCLD",  "SIGPWR",  "SIGWINCH",  "SIGURG",  "SIGPOLL", "SIGSTOP",
    "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ"};

// CLD, PWR, WINCH, URG, CONT; and STOP, TSTP, TTIN, TTOU on a machine without job control.
constexpr unsigned ignored[] = {18, 19, 20, 21, 25, 23, 24, 26, 27};

}  // namespace

posix::SignalTable signal_table() {
  return {.names = names,
          .last = 64,  // NSIG is 65
          .stop = 23,
          .child = 18,
          .virtual_alarm = 28,
          .profiling_alarm = 29,
          .ignored_by_default = ignored};
}

Result<Ok, Fault> push_handler(const posix::UnixSystem&, Thread& thread, unsigned signal,
                               const posix::SignalInfo& info, const SignalAction& action) {
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  const bool with_info = action.wants_info;
  const std::vector<std::uint8_t> bytes = frame_bytes(thread, signal, info, with_info);
  const std::uint64_t stack = mips::to_word(registers.gpr[mips::sp]);
  const auto frame = static_cast<std::uint32_t>((stack - bytes.size()) & ~(stack_alignment - 1));
  const auto written = thread.process.memory->write_bytes(GuestAddr(frame), bytes);
  if (!written) return written;

  posix::block_for_handler(thread, signal, action);
  // The trampoline's contract: a0 signal, a1 siginfo or code, a2 context, a3 the handler.
  const std::uint32_t context = with_info ? frame + posix::siginfo_size : frame;
  registers.gpr[mips::a0] = mips::to_register(with_info ? signal | siginfo_handler : signal);
  registers.gpr[mips::a1] = mips::to_register(with_info ? frame : posix::siginfo_code(info.cause));
  registers.gpr[mips::a2] = mips::to_register(context);
  registers.gpr[mips::a3] = mips::to_register(mips::to_word(action.handler.value()));
  registers.gpr[mips::t9] = mips::to_register(mips::to_word(action.trampoline.value()));
  registers.gpr[mips::sp] = mips::to_register(frame);
  registers.set_pc(action.trampoline.value());
  return Ok{};
}

Result<Ok, Fault> pop_sigcontext(Thread& thread, GuestAddr sigcontext) {
  AddressSpace& memory = *thread.process.memory;
  std::vector<std::uint8_t> context(sigcontext_size);
  const auto read = memory.read_bytes(sigcontext, context);
  if (!read) return read;
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  thread.blocked_signals = posix::blockable(
      signal_table(), restore_sigcontext(Fields(context, memory.endian()), registers));
  registers.link_valid = false;
  return Ok{};
}

}  // namespace hardclock::irix
