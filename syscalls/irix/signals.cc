#include "syscalls/irix/signals.h"

#include <array>
#include <vector>

#include "isa/mips/abi.h"
#include "syscalls/irix/irix.h"
#include "syscalls/mips/context.h"
#include "syscalls/mips/ucontext.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/signals/siginfo.h"
#include "syscalls/posix/state.h"

namespace hardclock::irix {
namespace {

constexpr std::uint32_t siginfo_handler = 0x80000000;  // in a0, for the trampoline
constexpr std::uint64_t stack_alignment = 16;

using mips_ports::Context;
using mips_ports::DataModel;
using mips_ports::to_address;
using mips_ports::to_register;

DataModel model_of(const Thread& thread) {
  return mips_ports::data_model_of(thread.process);
}

// struct sigcontext (IRIX <sys/signal.h>), which all three data models have: the registers are
// slots of 64 bits, 32-bit values sign-extended.
void lay_out_sigcontext(auto& members, Context& context) {
  constexpr std::size_t register_bytes = 8;
  std::uint32_t regmask = 0xfffffffe, owned_fp = 1;
  members.word(regmask).skip(4).wide(context.pc);  // sc_status
  context.lay_out_gprs(members, register_bytes);
  context.lay_out_fprs(members, register_bytes);
  members.word(owned_fp).word(context.fcsr).skip(8);  // sc_fpc_eir, sc_ssflags
  members.wide(context.hi).wide(context.lo).skip(24);
  members.signal_words(context.mask, posix::sigset_words);
}

// That of IRIX 4, up to the floating-point registers as gdb's config/mips/tm-irix3.h has it. What
// is behind them is not known, and only sigreturn() goes by it.
void lay_out_old_sigcontext(auto& members, Context& context) {
  constexpr std::size_t register_bytes = 4;
  std::uint32_t regmask = 0xfffffffe, owned_fp = 1;
  members.word(regmask).skip(4).member(register_bytes, context.pc);
  context.lay_out_gprs(members, register_bytes);
  members.word(owned_fp);
  context.lay_out_fprs(members, register_bytes);
  members.word(context.fcsr).skip(4);
  members.member(register_bytes, context.hi).member(register_bytes, context.lo);
  members.signal_words(context.mask, posix::sigset_words);
}

// Programs for IRIX 4 are ECOFF files, later ones ELF files.
bool is_for_irix4(const Thread& thread) {
  return thread.process.image->format == FileFormat::ecoff;
}

// How much of the stack it takes, and how much of it sigreturn() reads.
constexpr std::size_t sigcontext_size = 856, old_sigcontext_size = 304;

std::size_t size_of_sigcontext(const Thread& thread) {
  return is_for_irix4(thread) ? old_sigcontext_size : sigcontext_size;
}

void lay_out_sigcontext_of(const Thread& thread, auto& members, Context& context) {
  if (is_for_irix4(thread)) {
    lay_out_old_sigcontext(members, context);
  } else {
    lay_out_sigcontext(members, context);
  }
}

std::vector<std::uint8_t> saved_sigcontext(const Thread& thread) {
  Context context = mips_ports::context_of(thread, posix::mask_to_save(thread));
  context.pc = to_register(model_of(thread), context.pc);
  posix::GuestStruct members(posix::guest_types(thread.process));
  lay_out_sigcontext_of(thread, members, context);
  return members.skip(size_of_sigcontext(thread) - members.bytes().size()).bytes();
}

// The bytes that go on the stack: a sigcontext, or a siginfo and behind it a ucontext.
std::vector<std::uint8_t> frame_bytes(Thread& thread, unsigned signal,
                                      const posix::SignalInfo& info, bool with_info) {
  if (!with_info) return saved_sigcontext(thread);
  std::vector<std::uint8_t> bytes = posix::saved_siginfo(thread.process, signal, info);
  const auto context = mips_ports::saved_ucontext(thread, posix::mask_to_save(thread));
  bytes.insert(bytes.end(), context.begin(), context.end());
  return bytes;
}

constexpr std::array<const char*, 32> names = {
    "",        "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",    "SIGTRAP", "SIGABRT", "SIGEMT",
    "SIGFPE",  "SIGKILL", "SIGBUS",  "SIGSEGV", "SIGSYS",    "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGUSR1", "SIGUSR2", "SIGCLD",  "SIGPWR",  "SIGWINCH",  "SIGURG",  "SIGPOLL", "SIGSTOP",
    "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ"};

// signal(5) of IRIX: CLD, PWR, WINCH, URG, CONT.
constexpr unsigned ignored[] = {18, 19, 20, 21, 25};

}  // namespace

posix::SignalTable signal_table() {
  posix::SignalTable table = posix::job_control_signals(names, 64, ignored);  // NSIG is 65
  table.child = posix::signal_number(names, "SIGCLD");
  table.children_queue = true;
  table.broadcast_reaches_sender = true;
  return table;
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
  const auto readable = memory.probe(sigcontext, size_of_sigcontext(thread), Access::read);
  if (!readable) return readable;
  posix::GuestReader reader(posix::guest_types(thread.process), memory, sigcontext);
  Context context;
  lay_out_sigcontext_of(thread, reader, context);
  // o32 programs, as those for IRIX 4 are, see 32 bits of each in any case.
  mips_ports::take_up_registers(context, thread, sizeof(std::uint64_t));
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  registers.set_pc(to_address(model_of(thread), context.pc));
  registers.link_valid = false;
  thread.blocked_signals = posix::blockable(irix_system().signals, context.mask);
  return Ok{};
}

}  // namespace hardclock::irix
