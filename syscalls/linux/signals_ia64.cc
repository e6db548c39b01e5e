#include "syscalls/linux/signals_ia64.h"

#include <array>

#include "isa/ia64/abi.h"
#include "syscalls/ia64/abi.h"
#include "syscalls/ia64/backing_store.h"
#include "syscalls/ia64/interruption.h"
#include "syscalls/linux/signals.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using ia64::FrameMarker;
using ia64::Registers;
using ia64::RegisterStack;
using posix::GuestReader;
using posix::GuestStruct;
using posix::SignalInfo;

constexpr unsigned sigbus = 7;

constexpr std::array<const char*, 32> names = {
    "",          "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
    "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
    "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS"};

// SIGCHLD, SIGCONT, SIGURG, SIGWINCH (include/linux/signal.h, SIG_KERNEL_IGNORE_MASK).
constexpr unsigned ignored[] = {17, 18, 23, 28};

// ---- struct sigcontext. Of the general and branch registers it has those that a call does not
// preserve, and of f2 to f31 the trampoline saves such; the handler's code preserves the others.

enum ContextFlag : std::uint64_t { on_stack = 1, fph_valid = 4 };
constexpr std::uint32_t ss_onstack = 1, ss_disable = 2;
constexpr unsigned scratch_branches[] = {0, 6, 7};
constexpr unsigned first_scratch_fr = 6, end_scratch_fr = 16, first_fph = 32;

constexpr bool is_scratch(unsigned gr) {
  return gr != 0 && (gr < 4 || gr > 7);
}

struct Sigcontext {
  std::uint64_t flags = 0;
  std::uint64_t nat = 0;
  GuestAddr stack_base;
  std::uint32_t stack_flags = 0;
  std::uint64_t stack_size = 0;
  std::uint64_t ip = 0, cfm = 0, um = 0, rsc = 0, bsp = 0, rnat = 0, ccv = 0, unat = 0, fpsr = 0,
                pfs = 0, pr = 0;
  std::array<std::uint64_t, 8> br{};
  std::array<std::uint64_t, 32> gr{};
  std::array<ia64::fp::SpillImage, 128> fr{};
  std::uint64_t rbs_base = 0;
  std::uint64_t csd = 0, ssd = 0;
  SignalSet mask;

  void lay_out(auto& members) {
    members.wide(flags).wide(nat).pointer(stack_base).word(stack_flags).wide(stack_size);
    members.wide(ip).wide(cfm).wide(um).wide(rsc).wide(bsp).wide(rnat).wide(ccv).wide(unat);
    members.wide(fpsr).wide(pfs).skip(8).wide(pr);  // sc_ar_lc, which the kernel leaves alone
    for (std::uint64_t& value : br) members.wide(value);
    for (std::uint64_t& value : gr) members.wide(value);
    members.align(16);
    for (auto& [significand, exponent] : fr) members.wide(significand).wide(exponent);
    members.wide(rbs_base).skip(8).wide(csd).wide(ssd).skip(96);  // sc_loadrs, sc_rsvd
    members.signal_longs(mask, ia64_signals);
  }
};

// ---- struct sigframe: three words for unwinders and the handler's address, siginfo_t, struct
// sigcontext. Below it are 16 bytes for the function that the stack pointer is for.
constexpr std::size_t info_offset = 32;
constexpr std::size_t context_offset = info_offset + siginfo_bytes;
constexpr std::size_t frame_bytes = 2816;
constexpr std::uint64_t scratch_bytes = 16, stack_alignment = 16;

// What a handler may not lose, but for the place of the registers in memory.
Sigcontext context_of(Thread& thread, const Registers& registers) {
  const RegisterStack& stack = registers.stack;
  const posix::AlternateStack& alternate = posix::thread_state_of(thread).alternate_stack;
  const bool is_on_stack = alternate.holds(GuestAddr(stack.value(ia64::sp)));
  Sigcontext context;
  context.stack_base = alternate.base;
  context.stack_flags = !alternate.enabled ? ss_disable : is_on_stack ? ss_onstack : 0;
  context.stack_size = alternate.size;
  context.ip = registers.pc;
  context.cfm = pack(stack.marker());
  context.um = registers.user_mask;
  context.rsc = stack.rsc();
  context.ccv = registers.ccv;
  context.unat = registers.unat;
  context.fpsr = registers.fpsr;
  context.pfs = registers.pfs;
  context.pr = ia64::predicates_by_number(registers.predicates, stack.marker().rrb_pr);
  for (const unsigned n : scratch_branches) context.br[n] = registers.br[n];
  for (unsigned n = 0; n < context.gr.size(); ++n) {
    if (!is_scratch(n)) continue;
    context.gr[n] = stack.value(n);
    context.nat |= std::uint64_t{stack.nat(n)} << n;
  }
  const bool uses_fph = (registers.user_mask & ia64::um_mfh) != 0;
  if (uses_fph) context.flags |= fph_valid;
  for (unsigned n = first_scratch_fr; n < context.fr.size(); ++n) {
    if (n < end_scratch_fr || (uses_fph && n >= first_fph))
      context.fr[n] = ia64::fp::spill(registers.fr[n]);
  }
  context.csd = registers.csd;
  context.ssd = registers.ssd;
  context.mask = posix::mask_to_save(thread);
  return context;
}

// The reverse of context_of(), but for the register stack's frame.
void take_up(const Sigcontext& context, unsigned rrb_pr, Registers& registers) {
  RegisterStack& stack = registers.stack;
  constexpr std::uint64_t slot_bits = 15, slots = 3;
  const std::uint64_t slot = context.ip & 3;
  registers.set_pc((context.ip & ~slot_bits) + (slot < slots ? slot : 0));
  registers.user_mask = context.um & ia64::um_bits;
  constexpr std::uint64_t known =
      RegisterStack::rsc_mode | RegisterStack::rsc_be | RegisterStack::rsc_loadrs;
  (void)stack.write_rsc(context.rsc & known);
  registers.ccv = context.ccv;
  registers.unat = context.unat;
  registers.fpsr = context.fpsr;
  registers.pfs = context.pfs;
  registers.predicates = ia64::predicates_by_name(context.pr | 1, rrb_pr);
  for (const unsigned n : scratch_branches) registers.br[n] = context.br[n];
  for (unsigned n = 0; n < context.gr.size(); ++n) {
    if (is_scratch(n)) stack.write(n, context.gr[n], (context.nat >> n & 1) != 0);
  }
  const bool has_fph = (context.flags & fph_valid) != 0;
  for (unsigned n = first_scratch_fr; n < context.fr.size(); ++n) {
    if (n < end_scratch_fr || (has_fph && n >= first_fph))
      registers.fr[n] = ia64::fp::fill(context.fr[n]);
  }
  registers.csd = context.csd;
  registers.ssd = context.ssd;
}

// Linux tells the slot, too, of an instruction (arch/ia64/kernel/traps.c: cr_iip + ri).
SignalInfo told_of(const SignalInfo& info, const Registers& registers) {
  using Cause = SignalInfo::Cause;
  SignalInfo told = info;
  const bool is_of_instruction =
      (info.cause >= Cause::divide_by_zero && info.cause <= Cause::floating_inexact) ||
      info.cause == Cause::illegal_instruction || info.cause == Cause::breakpoint;
  if (is_of_instruction) told.address = GuestAddr(registers.pc);
  return told;
}

// The alternate stack serves both stacks, from its two ends.
void switch_register_stack(Thread& thread, const SignalAction& action, Sigcontext& context,
                           RegisterStack& stack) {
  const posix::AlternateStack& alternate = posix::thread_state_of(thread).alternate_stack;
  const GuestAddr sp(stack.value(ia64::sp));
  const bool switches = posix::handler_stack(thread, sp, action) != sp &&
                        !alternate.holds(GuestAddr(stack.bspstore()));
  if (!switches) return;
  context.rbs_base = (alternate.base.value() + 7) & ~std::uint64_t{7};
  ia64_ports::move_stack(stack, context.rbs_base, 0, *thread.process.memory);
}

Result<Ok, Fault> write_frame(const posix::UnixSystem& system, Thread& thread, GuestAddr at,
                              unsigned signal, const SignalInfo& info, const SignalAction& action,
                              Sigcontext& context) {
  GuestStruct frame(posix::guest_types(thread.process));
  frame.wide(signal).pointer(at + info_offset).pointer(at + context_offset);
  frame.pointer(action.handler);
  frame.append(siginfo_struct(system, thread.process, signal, info));
  frame.skip(context_offset - frame.bytes().size());
  GuestStruct members(posix::guest_types(thread.process));
  context.lay_out(members);
  frame.append(members);
  return thread.process.memory->write_bytes(at, frame.bytes());
}

// The handler is called with three arguments, from a frame that has nothing else.
void call_handler(GuestAddr frame, unsigned signal, const ia64_ports::Descriptor& handler,
                  AddressSpace& memory, Registers& registers) {
  constexpr unsigned arguments = 3, first = ia64::first_rotating_gr;
  RegisterStack& stack = registers.stack;
  ia64_ports::ProgramStore store(memory);
  // Nothing is dirty, so this stores nothing.
  (void)stack.alloc(ia64::ret0, arguments, 0, 0, store);
  stack.write(first, signal, false);
  stack.write(first + 1, (frame + info_offset).value(), false);
  stack.write(first + 2, (frame + context_offset).value(), false);
  stack.write(ia64::sp, frame.value() - scratch_bytes, false);
  stack.write(ia64::gp, handler.global_pointer, false);
  constexpr std::uint8_t user = 3;
  registers.pfs = ia64::pack_pfs(stack.marker(), registers.ec, user);
  registers.br[ia64::rp] = ia64_signal_return.value();
  registers.fpsr = Registers::first_fpsr;
  registers.user_mask &= ~ia64::um_be;
  registers.set_pc(handler.entry & ~std::uint64_t{15});
}

Result<Ok, posix::ExecFailure> no_room() {
  return Failure{posix::ExecFailure{
      posix::Errno::enomem,
      "no room for the kernel's page at 0xa000000000000000 and the register stack at "
      "0x60000fff7fffc000; link the program elsewhere, or raise --max-memory"}};
}

// adds r15 = 1181, r0; then break.m 0x100000: rt_sigreturn. In front of it are two nops, as code
// that a debugger takes for the caller of the handler.
constexpr std::array<std::uint8_t, 48> trampoline = {
    0x11, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20,
    0x11, 0x78, 0x74, 0x00, 0x09, 0x21, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20,
    0x11, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20};

}  // namespace

posix::SignalTable ia64_signal_table() {
  return signal_table(names, ia64_signals, ignored);
}

// ia64_bad_break() has a table of break's codes.
std::optional<unsigned> ia64_trap_signal(const Trap& trap) {
  constexpr std::uint32_t null_pointer = 4, misaligned = 5, stack_overflow = 11, last_known = 11;
  constexpr std::uint32_t first_of_debuggers = 0x80000;
  if (trap.kind == TrapKind::memory) {
    const bool is_bus_error =
        trap.fault.kind == Fault::Kind::misaligned || trap.fault.kind == Fault::Kind::no_object;
    return is_bus_error ? std::optional(sigbus) : std::nullopt;
  }
  if (trap.kind != TrapKind::breakpoint) return std::nullopt;
  if (trap.code == null_pointer || trap.code == misaligned || trap.code == stack_overflow) {
    return posix::sigsegv;
  }
  if (trap.code != 0 && trap.code <= last_known) return posix::sigfpe;
  return trap.code < first_of_debuggers ? posix::sigill : posix::sigtrap;
}

// The register stack grows up as far as the memory stack may grow down.
Result<Ok, posix::ExecFailure> map_ia64_pages(const posix::Port& port, AddressSpace& memory,
                                              const Image&, int) {
  constexpr GuestAddr base = ia64_ports::linux_register_stack;
  const auto stack = memory.map_stack(base, port.layout.page_bytes, base + port.layout.stack_limit);
  const auto gate = memory.map(ia64_gate_page, port.layout.page_bytes,
                               Permissions{.read = true, .execute = true}, "gate");
  if (!stack || !gate || !memory.initialize(ia64_gate_page, trampoline)) return no_room();
  return Ok{};
}

Result<Ok, Fault> push_ia64_handler(const posix::UnixSystem& system, Thread& thread,
                                    unsigned signal, const SignalInfo& info,
                                    const SignalAction& action) {
  AddressSpace& memory = *thread.process.memory;
  Registers registers = ia64::registers_of(*thread.cpu);
  const auto handler = ia64_ports::read_descriptor(memory, action.handler);
  if (!handler) return Failure{handler.error()};
  ia64_ports::move_to_interruption(signal, info, registers);
  Sigcontext context = context_of(thread, registers);
  const auto saved = ia64_ports::save_registers(registers.stack, memory);
  if (!saved) return saved;
  context.bsp = registers.stack.bsp();
  context.rnat = registers.stack.rnat();
  switch_register_stack(thread, action, context, registers.stack);

  const GuestAddr sp(registers.stack.value(ia64::sp));
  const GuestAddr top = posix::handler_stack(thread, sp, action);
  const GuestAddr at((top.value() - frame_bytes) & ~(stack_alignment - 1));
  const posix::AlternateStack& alternate = posix::thread_state_of(thread).alternate_stack;
  if (alternate.holds(at)) context.flags |= on_stack;
  const auto written =
      write_frame(system, thread, at, signal, told_of(info, registers), action, context);
  if (!written) return written;
  registers.predicates = context.pr;
  call_handler(at, signal, *handler, memory, registers);
  posix::block_for_handler(thread, signal, action);
  ia64::registers_of(*thread.cpu) = registers;
  return Ok{};
}

Result<Ok, Fault> pop_ia64_handler(const posix::UnixSystem& system, Thread& thread, bool) {
  AddressSpace& memory = *thread.process.memory;
  Registers registers = ia64::registers_of(*thread.cpu);
  const GuestAddr at = GuestAddr(registers.stack.value(ia64::sp)) + scratch_bytes + context_offset;
  GuestReader members(posix::guest_types(thread.process), memory, at);
  Sigcontext context;
  context.lay_out(members);
  if (!members.ok()) return members.outcome();
  const FrameMarker marker = ia64::unpack_marker(context.cfm);
  if (!is_valid(marker)) return Failure{Fault{Fault::Kind::unmapped, Access::read, at}};
  // The kernel was entered as by a call from the frame.
  registers.stack.call();
  if (registers.stack.bsp() != context.bsp) {
    ia64_ports::move_stack(registers.stack, context.bsp, context.rnat, memory);
  }
  const auto resumed = ia64_ports::resume_frame(registers.stack, marker, memory);
  if (!resumed) return resumed;
  take_up(context, marker.rrb_pr, registers);
  ia64::registers_of(*thread.cpu) = registers;
  thread.blocked_signals = posix::blockable(system.signals, context.mask);
  return Ok{};
}

}  // namespace hardclock::gnu_linux
