#include "syscalls/irix/signals.h"

#include <array>
#include <span>
#include <vector>

#include "isa/mips/abi.h"
#include "sim/base/endian.h"

namespace hardclock::irix {
namespace {

// Offsets and sizes in bytes (IRIX <sys/signal.h>, <sys/siginfo.h>, <sys/ucontext.h>).
// struct sigcontext: registers are 64-bit slots, 32-bit values sign-extended.
constexpr std::size_t sigcontext_size = 856;
constexpr std::size_t sc_regmask = 0, sc_pc = 8, sc_regs = 16, sc_fpregs = 272, sc_ownedfp = 528,
                      sc_fpc_csr = 532, sc_mdhi = 544, sc_mdlo = 552, sc_sigset = 584;
// struct siginfo
constexpr std::size_t siginfo_size = 128;
constexpr std::size_t si_signo = 0, si_code = 4, si_addr = 12;
// ucontext_t of an o32 program: registers are 32-bit words.
constexpr std::size_t ucontext_size = 512;
constexpr std::size_t uc_flags = 0, uc_sigmask = 8, uc_gregs = 40, uc_mdlo = 168, uc_mdhi = 172,
                      uc_epc = 180, uc_fpregs = 184, uc_fpcsr = 312;
constexpr std::uint32_t uc_all = 0xf;

constexpr std::uint32_t all_registers = 0xfffffffe;
constexpr std::uint32_t siginfo_handler = 0x80000000;  // in a0, for the trampoline
constexpr unsigned sigset_words = 4;
constexpr std::uint64_t stack_alignment = 16;

// Reads and writes fields of a structure image in guest byte order.
class Fields {
 public:
  Fields(std::span<std::uint8_t> bytes, Endian endian) : bytes_(bytes), endian_(endian) {}
  void put32(std::size_t at, std::uint32_t value) { store_bytes(&bytes_[at], value, endian_); }
  void put64(std::size_t at, std::uint64_t value) { store_bytes(&bytes_[at], value, endian_); }
  std::uint32_t get32(std::size_t at) const {
    return load_bytes<std::uint32_t>(&bytes_[at], endian_);
  }
  std::uint64_t get64(std::size_t at) const {
    return load_bytes<std::uint64_t>(&bytes_[at], endian_);
  }
  void put_mask(std::size_t at, const SignalSet& mask) {
    for (unsigned word = 0; word < sigset_words; ++word) {
      const SignalSet part = (mask >> (32 * word)) & SignalSet(0xffffffff);
      put32(at + 4 * word, static_cast<std::uint32_t>(part.to_ulong()));
    }
  }
  SignalSet get_mask(std::size_t at) const {
    SignalSet mask;
    for (unsigned word = 0; word < sigset_words; ++word) {
      mask |= SignalSet(get32(at + 4 * word)) << (32 * word);
    }
    return mask;
  }

 private:
  std::span<std::uint8_t> bytes_;
  Endian endian_;
};

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

void save_ucontext(Fields context, const mips::Registers& registers, const SignalSet& mask) {
  context.put32(uc_flags, uc_all);
  context.put_mask(uc_sigmask, mask);
  for (std::size_t i = 0; i < registers.gpr.size(); ++i) {
    context.put32(uc_gregs + 4 * i, mips::to_word(registers.gpr[i]));
    context.put32(uc_fpregs + 4 * i, registers.fpr[i]);
  }
  context.put32(uc_mdlo, mips::to_word(registers.lo));
  context.put32(uc_mdhi, mips::to_word(registers.hi));
  context.put32(uc_epc, mips::to_word(registers.epc()));
  context.put32(uc_fpcsr, registers.fcsr);
}

SignalSet restore_ucontext(const Fields& context, mips::Registers& registers) {
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    registers.gpr[i] = mips::to_register(context.get32(uc_gregs + 4 * i));
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) {
    registers.fpr[i] = context.get32(uc_fpregs + 4 * i);
  }
  registers.lo = mips::to_register(context.get32(uc_mdlo));
  registers.hi = mips::to_register(context.get32(uc_mdhi));
  registers.fcsr = context.get32(uc_fpcsr) & mips::fcsr_writable;
  registers.set_pc(context.get32(uc_epc));
  return context.get_mask(uc_sigmask);
}

// The bytes that go on the stack: a sigcontext, or a siginfo and behind it a ucontext.
std::vector<std::uint8_t> frame_bytes(const Thread& thread, const mips::Registers& registers,
                                      unsigned signal, const SignalInfo& info, bool with_info) {
  const Endian endian = thread.process.memory->endian();
  // sigsuspend's temporary mask ends with the handler.
  const SignalSet mask = thread.mask_after_wait.value_or(thread.blocked_signals);
  std::vector<std::uint8_t> bytes(with_info ? siginfo_size + ucontext_size : sigcontext_size);
  if (!with_info) {
    save_sigcontext(Fields(bytes, endian), registers, mask);
    return bytes;
  }
  Fields siginfo(bytes, endian);
  siginfo.put32(si_signo, signal);
  siginfo.put32(si_code, info.code);
  siginfo.put32(si_addr, mips::to_word(info.address.value()));
  save_ucontext(Fields(std::span(bytes).subspan(siginfo_size), endian), registers, mask);
  return bytes;
}

using Restore = SignalSet (*)(const Fields&, mips::Registers&);

Result<Ok, Fault> pop(Thread& thread, GuestAddr address, std::size_t size, Restore restore) {
  AddressSpace& memory = *thread.process.memory;
  std::vector<std::uint8_t> context(size);
  const auto read = memory.read_bytes(address, context);
  if (!read) return read;
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  thread.blocked_signals = restore(Fields(context, memory.endian()), registers);
  thread.blocked_signals.reset(sigkill - 1);
  thread.blocked_signals.reset(sigstop - 1);
  registers.link_valid = false;
  return Ok{};
}

constexpr std::array<const char*, 32> names = {
    "",        "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",    "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE",  "SIGKILL", "SIGBUS",  "SIGSEGV", "SIGSYS",    "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1", "SIGUSR2", "SIGCLD",  "SIGPWR",  "SIGWINCH",  "SIGURG",  "SIGPOLL", "SIGSTOP",
    "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ"};

}  // namespace

std::string_view signal_name(unsigned signal) {
  return signal < names.size() ? names[signal] : "";
}

bool ignored_by_default(unsigned signal) {
  switch (signal) {
    case sigcld:
    case sigpwr:
    case sigwinch:
    case sigurg:
    case sigcont:
    case sigstop:
    case sigtstp:
    case sigttin:
    case sigttou:
      return true;
    default:
      return false;
  }
}

bool is_ignored(Process& process, unsigned signal) {
  const SignalAction& action = process.signals.action(signal);
  return action.kind == SignalAction::Kind::ignore ||
         (action.kind == SignalAction::Kind::default_action && ignored_by_default(signal));
}

bool is_uncatchable(unsigned signal) {
  return signal == sigkill || signal == sigstop;
}

Result<Ok, Fault> push_handler(Thread& thread, unsigned signal, const SignalInfo& info,
                               const SignalAction& action) {
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  const bool with_info = (action.flags & sa_siginfo) != 0;
  const std::vector<std::uint8_t> bytes = frame_bytes(thread, registers, signal, info, with_info);
  const std::uint64_t stack = mips::to_word(registers.gpr[mips::sp]);
  const auto frame = static_cast<std::uint32_t>((stack - bytes.size()) & ~(stack_alignment - 1));
  const auto written = thread.process.memory->write_bytes(GuestAddr(frame), bytes);
  if (!written) return written;

  thread.mask_after_wait.reset();
  thread.blocked_signals |= action.mask;
  if ((action.flags & sa_nodefer) == 0) thread.blocked_signals.set(signal - 1);
  // The trampoline's contract: a0 signal, a1 siginfo or code, a2 context, a3 the handler.
  const std::uint32_t context = with_info ? frame + siginfo_size : frame;
  registers.gpr[mips::a0] = mips::to_register(with_info ? signal | siginfo_handler : signal);
  registers.gpr[mips::a1] = mips::to_register(with_info ? frame : info.code);
  registers.gpr[mips::a2] = mips::to_register(context);
  registers.gpr[mips::a3] = mips::to_register(mips::to_word(action.handler.value()));
  registers.gpr[mips::t9] = mips::to_register(mips::to_word(action.trampoline.value()));
  registers.gpr[mips::sp] = mips::to_register(frame);
  registers.set_pc(action.trampoline.value());
  return Ok{};
}

Result<Ok, Fault> pop_sigcontext(Thread& thread, GuestAddr sigcontext) {
  return pop(thread, sigcontext, sigcontext_size, restore_sigcontext);
}

Result<Ok, Fault> pop_ucontext(Thread& thread, GuestAddr ucontext) {
  return pop(thread, ucontext, ucontext_size, restore_ucontext);
}

}  // namespace hardclock::irix
