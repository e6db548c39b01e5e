#include "syscalls/hpux/signals_ia64.h"

#include <array>
#include <cstdint>

#include "isa/ia64/abi.h"
#include "sim/base/check.h"
#include "syscalls/hpux/gateway_ia64.h"
#include "syscalls/ia64/abi.h"
#include "syscalls/ia64/backing_store.h"
#include "syscalls/ia64/interruption.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/signals/siginfo.h"

namespace hardclock::hpux {
namespace {

using ia64::Registers;
using ia64::RegisterStack;
using posix::GuestReader;
using posix::GuestStruct;

constexpr unsigned static_registers = 32;

// A ucontext_t: the mask and the alternate stack where PA-RISC's has them, then all that a program
// can see of the processor. The frame's registers are in the backing store, below bsp.
struct Ucontext {
  SignalSet mask;
  GuestAddr stack_base;
  std::uint64_t stack_size = 0;
  std::uint32_t stack_flags = 0;
  std::uint64_t pc = 0, cfm = 0, bsp = 0, rnat = 0, rsc = 0;
  std::uint64_t user_mask = 0, ccv = 0, unat = 0, fpsr = 0, pfs = 0, lc = 0, ec = 0;
  std::uint64_t csd = 0, ssd = 0, predicates = 0, nats = 0;
  std::array<std::uint64_t, 8> br{};
  std::array<std::uint64_t, static_registers> gr{};
  std::array<ia64::fp::SpillImage, 128> fr{};

  // In a GuestStruct or a GuestReader.
  void lay_out(auto& members) {
    members.skip_longs(1).signal_words(mask, posix::sigset_words).skip(16);  // link
    members.pointer(stack_base).word(stack_flags).word_long(stack_size).skip_longs(2);
    members.align(16);
    for (std::uint64_t* const value : {&pc, &cfm, &bsp, &rnat, &rsc, &user_mask, &ccv, &unat, &fpsr,
                                       &pfs, &lc, &ec, &csd, &ssd, &predicates, &nats}) {
      members.wide(*value);
    }
    for (std::uint64_t& value : br) members.wide(value);
    for (std::uint64_t& value : gr) members.wide(value);
    for (auto& [significand, exponent] : fr) members.wide(significand).wide(exponent);
  }
};

// siginfo_t comes first, and below it are 16 bytes for the function that the stack pointer is for.
constexpr std::size_t info_bytes = 128;
static_assert(info_bytes == posix::siginfo_size);
constexpr std::uint64_t scratch_bytes = 16, stack_alignment = 16;
constexpr std::size_t frame_bytes = info_bytes + ia64_ucontext_bytes;

Ucontext context_of(Thread& thread, const Registers& registers) {
  const RegisterStack& stack = registers.stack;
  const posix::AlternateStack& alternate = posix::thread_state_of(thread).alternate_stack;
  const bool is_on_stack = alternate.holds(GuestAddr(stack.value(ia64::sp)));
  Ucontext context;
  context.mask = posix::mask_to_save(thread);
  context.stack_base = alternate.base;
  context.stack_size = alternate.size;
  context.stack_flags = !alternate.enabled ? posix::ss_disable
                        : is_on_stack      ? posix::ss_onstack
                                           : 0;
  context.pc = registers.pc;
  context.cfm = pack(stack.marker());
  context.rsc = stack.rsc();
  context.user_mask = registers.user_mask;
  context.ccv = registers.ccv;
  context.unat = registers.unat;
  context.fpsr = registers.fpsr;
  context.pfs = registers.pfs;
  context.lc = registers.lc;
  context.ec = registers.ec;
  context.csd = registers.csd;
  context.ssd = registers.ssd;
  context.predicates = ia64::predicates_by_number(registers.predicates, stack.marker().rrb_pr);
  context.br = registers.br;
  for (unsigned n = 0; n < static_registers; ++n) {
    context.gr[n] = stack.value(n);
    context.nats |= std::uint64_t{stack.nat(n)} << n;
  }
  for (unsigned n = 0; n < context.fr.size(); ++n) context.fr[n] = ia64::fp::spill(registers.fr[n]);
  return context;
}

// The reverse, but for the register stack's frame.
void take_up(const Ucontext& context, unsigned rrb_pr, Registers& registers) {
  constexpr std::uint64_t slot_bits = 15, slots = 3;
  const std::uint64_t slot = context.pc & slot_bits;
  registers.set_pc((context.pc & ~slot_bits) + (slot < slots ? slot : 0));
  RegisterStack& stack = registers.stack;
  (void)stack.write_rsc(context.rsc & (RegisterStack::rsc_mode | RegisterStack::rsc_be));
  registers.user_mask = context.user_mask & ia64::um_bits;
  registers.ccv = context.ccv;
  registers.unat = context.unat;
  registers.fpsr = context.fpsr;
  registers.pfs = context.pfs;
  registers.lc = context.lc;
  registers.ec = context.ec & 0x3f;
  registers.csd = context.csd;
  registers.ssd = context.ssd;
  registers.predicates = ia64::predicates_by_name(context.predicates | 1, rrb_pr);
  registers.br = context.br;
  for (unsigned n = 1; n < static_registers; ++n) {
    stack.write(n, context.gr[n], (context.nats >> n & 1) != 0);
  }
  constexpr unsigned first_writable = 2;
  for (unsigned n = first_writable; n < context.fr.size(); ++n) {
    registers.fr[n] = ia64::fp::fill(context.fr[n]);
  }
}

Result<Ok, Fault> write_frame(Thread& thread, GuestAddr at, unsigned signal,
                              const posix::SignalInfo& info, Ucontext& context) {
  GuestStruct frame(posix::guest_types(thread.process));
  frame.append(posix::saved_siginfo(thread.process, signal, info));
  GuestStruct members(posix::guest_types(thread.process));
  context.lay_out(members);
  CHECK(members.bytes().size() <= ia64_ucontext_bytes);
  frame.append(members);
  return thread.process.memory->write_bytes(at, frame.bytes());
}

// The handler is called with three arguments, from a frame that has nothing else.
void call_handler(GuestAddr frame, unsigned signal, std::uint64_t second,
                  const ia64_ports::Descriptor& handler, AddressSpace& memory,
                  Registers& registers) {
  constexpr unsigned arguments = 3, first = ia64::first_rotating_gr;
  RegisterStack& stack = registers.stack;
  ia64_ports::ProgramStore store(memory);
  // Nothing is dirty, so this stores nothing.
  (void)stack.alloc(ia64::ret0, arguments, 0, 0, store);
  stack.write(first, signal, false);
  stack.write(first + 1, second, false);
  stack.write(first + 2, (frame + info_bytes).value(), false);
  stack.write(ia64::sp, frame.value() - scratch_bytes, false);
  stack.write(ia64::gp, handler.global_pointer, false);
  constexpr std::uint8_t user = 3;
  registers.pfs = ia64::pack_pfs(stack.marker(), registers.ec, user);
  registers.br[ia64::rp] = ia64_handler_return.value();
  registers.fpsr = Registers::first_fpsr;
  registers.user_mask |= ia64::um_be;
  registers.set_pc(handler.entry & ~std::uint64_t{15});
}

}  // namespace

std::optional<unsigned> ia64_trap_signal(const Trap& trap) {
  constexpr std::uint32_t first_of_debuggers = 0x80000;
  if (trap.kind != TrapKind::breakpoint) return std::nullopt;
  return trap.code < first_of_debuggers ? posix::sigill : posix::sigtrap;
}

Result<Ok, Fault> push_ia64_handler(const posix::UnixSystem&, Thread& thread, unsigned signal,
                                    const posix::SignalInfo& info, const SignalAction& action) {
  AddressSpace& memory = *thread.process.memory;
  Registers registers = ia64::registers_of(*thread.cpu);
  const auto handler = ia64_ports::read_descriptor(memory, action.handler);
  if (!handler) return Failure{handler.error()};
  ia64_ports::move_to_interruption(signal, info, registers);
  Ucontext context = context_of(thread, registers);
  const auto saved = ia64_ports::save_registers(registers.stack, memory);
  if (!saved) return saved;
  context.bsp = registers.stack.bsp();
  context.rnat = registers.stack.rnat();

  const GuestAddr sp(registers.stack.value(ia64::sp));
  const GuestAddr top = posix::handler_stack(thread, sp, action);
  const GuestAddr at((top.value() - frame_bytes) & ~(stack_alignment - 1));
  const auto written = write_frame(thread, at, signal, info, context);
  if (!written) return written;
  const std::uint64_t second =
      action.wants_info ? at.value() : static_cast<std::uint64_t>(info.code);
  call_handler(at, signal, second, *handler, memory, registers);
  posix::block_for_handler(thread, signal, action);
  ia64::registers_of(*thread.cpu) = registers;
  return Ok{};
}

Result<Ok, Fault> take_up_ia64_ucontext(const posix::UnixSystem& system, Thread& thread,
                                        GuestAddr ucontext) {
  AddressSpace& memory = *thread.process.memory;
  Registers registers = ia64::registers_of(*thread.cpu);
  GuestReader members(posix::guest_types(thread.process), memory, ucontext);
  Ucontext context;
  context.lay_out(members);
  if (!members.ok()) return members.outcome();
  const ia64::FrameMarker marker = ia64::unpack_marker(context.cfm);
  if (!is_valid(marker)) return Failure{Fault{Fault::Kind::unmapped, Access::read, ucontext}};
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

Result<Ok, Fault> pop_ia64_handler(const posix::UnixSystem& system, Thread& thread, bool) {
  const GuestAddr sp(ia64::registers_of(*thread.cpu).stack.value(ia64::sp));
  return take_up_ia64_ucontext(system, thread, sp + scratch_bytes + info_bytes);
}

}  // namespace hardclock::hpux
