// ptrace(2) of IA-64 programs. Source: Linux 6.1, arch/ia64/kernel/ptrace.c, and
// arch/ia64/include/uapi/asm/{ptrace,ptrace_offsets}.h.
#include "syscalls/linux/tracing_ia64.h"

#include <array>
#include <optional>
#include <span>

#include "isa/ia64/abi.h"
#include "isa/ia64/application_registers.h"
#include "isa/ia64/debug_registers.h"
#include "syscalls/ia64/backing_store.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/tracing.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/state.h"

namespace hardclock::gnu_linux {
namespace {

using ia64::FrameMarker;
using ia64::Registers;
using ia64::RegisterStack;
using posix::Call;
using posix::CallResult;
using posix::Errno;
using posix::GuestReader;
using posix::GuestStruct;
using posix::TracedCall;

enum OwnRequest : std::uint32_t { get_registers = 18, set_registers = 19 };

// Where registers are, by their numbers in debug_registers.h: `count` of them, one after another.
// In the place of the first NaT bit are those of r1 to r31, each in the bit with its register's
// number.
struct Place {
  std::uint64_t offset;
  unsigned first, count = 1;
};
using Layout = std::span<const Place>;

constexpr std::uint64_t word_bytes = 8, fr_bytes = 16;
using ia64::f0, ia64::b0, ia64::ar0, ia64::nat0, ia64::number_of_cfm, ia64::number_of_ip,
    ia64::number_of_psr, ia64::number_of_pr;

// The "uarea", by whose offsets PTRACE_PEEKUSER has the registers.
constexpr Place uarea[] = {
    {0x0, f0 + 32, 96},
    {0x600, nat0},
    {0x610, f0 + 2, 4},
    {0x650, f0 + 10, 22},
    {0x7b0, 4, 4},
    {0x7d8, b0 + 1, 5},
    {0x800, ar0 + ia64::ar_ec},
    {0x808, ar0 + ia64::ar_lc},
    {0x830, number_of_psr},
    {0x838, number_of_ip},
    {0x840, number_of_cfm},
    {0x848, ar0 + ia64::ar_unat},
    {0x850, ar0 + ia64::ar_pfs},
    {0x858, ar0 + ia64::ar_rsc},
    {0x860, ar0 + ia64::ar_rnat},
    {0x868, ar0 + ia64::ar_bspstore},
    {0x870, number_of_pr},
    {0x878, b0 + 6},
    {0x880, ar0 + ia64::ar_bsp},
    {0x888, 1, 3},
    {0x8a0, 12, 4},
    {0x8c0, 8, 4},
    {0x8e0, 16, 16},
    {0x960, ar0 + ia64::ar_ccv},
    {0x968, ar0 + ia64::ar_fpsr},
    {0x970, b0},
    {0x978, b0 + 7},
    {0x980, f0 + 6, 4},
    {0x9c0, ar0 + ia64::ar_csd},
    {0x9c8, ar0 + ia64::ar_ssd},
};

// struct pt_all_user_regs, where the other words are 0: in the order in which registers are
// written, the frame's after what it is loaded by.
constexpr std::uint64_t offset_of_gr = 0x28, offset_of_br = 0x128, offset_of_ar = 0x168,
                        offset_of_fr = 0x568, all_bytes = 0xd68;
constexpr Place ars(unsigned first, unsigned count = 1) {
  return {offset_of_ar + first * word_bytes, ar0 + first, count};
}
constexpr Place all_registers[] = {
    {offset_of_gr + word_bytes, 1, 31},
    {offset_of_br, b0, 8},
    {offset_of_fr + 2 * fr_bytes, f0 + 2, 126},
    {0x0, nat0},
    {0x8, number_of_ip},
    {0x18, number_of_psr},
    {0x20, number_of_pr},
    ars(ia64::ar_rsc),
    ars(ia64::ar_bspstore, 2),  // and ar.rnat
    ars(ia64::ar_ccv),
    ars(ia64::ar_unat),
    ars(ia64::ar_fpsr),
    ars(ia64::ar_pfs, 3),  // and ar.lc, ar.ec
    ars(ia64::ar_bsp),
    {0x10, number_of_cfm},
};

bool is_fr(unsigned number) {
  return number >= f0 && number < f0 + 128;
}

std::uint64_t end_of(const Place& place) {
  return place.offset + place.count * (is_fr(place.first) ? fr_bytes : word_bytes);
}

struct Word {
  unsigned number;        // of the register
  bool is_upper = false;  // of a floating-point one's two
};

std::optional<Word> word_at(Layout layout, std::uint64_t offset) {
  if (offset % word_bytes != 0) return std::nullopt;
  for (const Place& place : layout) {
    if (offset < place.offset || offset >= end_of(place)) continue;
    const auto word = static_cast<unsigned>((offset - place.offset) / word_bytes);
    if (!is_fr(place.first)) return Word{place.first + word};
    return Word{place.first + word / 2, word % 2 != 0};
  }
  return std::nullopt;
}

constexpr std::uint64_t slot_mask = 15, slot_shift = 41;  // of ri in the status register
constexpr std::uint64_t restart_call = 512;               // ERESTARTSYS
constexpr unsigned number_of_result = ia64::ret0, number_of_error = 10;

Registers& registers_of(Thread& thread) {
  return ia64::registers_of(*thread.cpu);
}

std::uint64_t rnat_of(Thread& thread) {
  const auto& stored = posix::thread_state_of(thread).tracing.stored_registers;
  return stored.value_or(registers_of(thread).stack.rnat());
}

// ---- The call at which the thread stands. The kernel has moved past the break by then (ivt.S,
// break_fault).

bool is_broken_off(Thread& thread) {
  return posix::thread_state_of(thread).traced_call == TracedCall::broken_off;
}

bool stands_at_call(Thread& thread) {
  return posix::thread_state_of(thread).traced_call == TracedCall::at_entry ||
         is_broken_off(thread);
}

std::uint64_t seen_pc(Thread& thread) {
  const std::uint64_t pc = registers_of(thread).pc;
  return stands_at_call(thread) ? BundleLayout::after(pc, 1) : pc;
}

// A thread that its tracer sends elsewhere no longer makes its call.
void set_pc(Thread& thread, std::uint64_t bundle, std::uint64_t slot) {
  const std::uint64_t pc = (bundle & ~slot_mask) + slot;
  if (slot >= BundleLayout::slots || pc == seen_pc(thread)) return;
  registers_of(thread).set_pc(pc);
}

// ---- The frame.

std::uint64_t end_of_frame(const RegisterStack& stack) {
  return ia64::register_above(stack.bsp(), stack.marker().sof);
}

// Loads a frame that ends there, below which all is in memory. False: it cannot be read, and
// nothing has changed.
bool load_frame(Thread& thread, std::uint64_t end, const FrameMarker& marker, std::uint64_t rnat) {
  if (!is_valid(marker)) return false;
  AddressSpace& memory = *thread.process.memory;
  Registers registers = registers_of(thread);
  ia64_ports::move_stack(registers.stack, end & ~(word_bytes - 1), rnat, memory);
  if (!ia64_ports::resume_frame(registers.stack, marker, memory)) return false;
  registers_of(thread) = registers;
  return true;
}

bool set_end_of_frame(Thread& thread, std::uint64_t end) {
  const RegisterStack& stack = registers_of(thread).stack;
  return end == end_of_frame(stack) || load_frame(thread, end, stack.marker(), rnat_of(thread));
}

// ---- Other registers.

std::uint64_t nats(Thread& thread) {
  std::uint64_t bits = 0;
  for (unsigned n = 1; n < ia64::first_rotating_gr; ++n) {
    bits |= std::uint64_t{registers_of(thread).stack.nat(n)} << n;
  }
  return bits;
}

void set_nats(Thread& thread, std::uint64_t bits) {
  for (unsigned n = 1; n < ia64::first_rotating_gr; ++n) {
    registers_of(thread).stack.write_nat(n, (bits >> n & 1) != 0);
  }
}

// ---- Registers as the tracer sees them.

std::uint64_t seen(Thread& thread, unsigned number) {
  switch (number) {
    case number_of_result:
      if (is_broken_off(thread)) return restart_call;
      break;
    case number_of_error:
      if (is_broken_off(thread)) return ~std::uint64_t{0};
      break;
    case nat0:
      return nats(thread);
    case number_of_ip:
      return seen_pc(thread) & ~slot_mask;
    case number_of_psr:
      return registers_of(thread).user_mask | (seen_pc(thread) & slot_mask) << slot_shift;
    case ar0 + ia64::ar_bsp:
      return end_of_frame(registers_of(thread).stack);
    case ar0 + ia64::ar_rnat:
      return rnat_of(thread);
    default:
      break;
  }
  return static_cast<std::uint64_t>(*ia64::debug_registers().read(*thread.cpu, number));
}

bool write(Thread& thread, unsigned number, std::uint64_t value) {
  return ia64::debug_registers().write(*thread.cpu, number, value);
}

// Predicates keep their numbers, also where they are named otherwise then.
bool set_marker(Thread& thread, std::uint64_t bits) {
  const RegisterStack& stack = registers_of(thread).stack;
  constexpr std::uint64_t marker_bits = (std::uint64_t{1} << 38) - 1;
  const FrameMarker marker = ia64::unpack_marker(bits & marker_bits);
  if (marker == stack.marker()) return true;
  const std::uint64_t by_number = seen(thread, number_of_pr);
  return load_frame(thread, end_of_frame(stack), marker, rnat_of(thread)) &&
         write(thread, number_of_pr, by_number);
}

// What a call that is broken off seems to have returned is not written, nor is ar.bspstore: it is
// where the kernel has put it, at the frame's end.
bool take(Thread& thread, unsigned number, std::uint64_t value) {
  constexpr std::uint64_t rsc_bits =
      RegisterStack::rsc_mode | RegisterStack::rsc_be | RegisterStack::rsc_loadrs;
  auto& stored = posix::thread_state_of(thread).tracing.stored_registers;
  switch (number) {
    case number_of_result:
    case number_of_error:
      return is_broken_off(thread) || write(thread, number, value);
    case nat0:
      set_nats(thread, value);
      return true;
    case number_of_ip:
      set_pc(thread, value, seen_pc(thread) & slot_mask);
      return true;
    case number_of_psr:
      registers_of(thread).user_mask = value & ia64::um_bits;
      set_pc(thread, seen_pc(thread), value >> slot_shift & 3);
      return true;
    case number_of_cfm:
      return set_marker(thread, value);
    case ar0 + ia64::ar_bsp:
      return set_end_of_frame(thread, value);
    case ar0 + ia64::ar_bspstore:
      return true;
    case ar0 + ia64::ar_rnat:
      if (stored) stored = value;
      return stored.has_value();
    case ar0 + ia64::ar_rsc:
      return write(thread, number, value & rsc_bits);
    default:
      return write(thread, number, value);
  }
}

// Floating-point registers have their physical numbers, as the kernel saves them.
std::optional<std::uint64_t> peek_in(Layout layout, Thread& thread, std::uint64_t offset) {
  const auto word = word_at(layout, offset);
  if (!word) return std::nullopt;
  if (!is_fr(word->number)) return seen(thread, word->number);
  return ia64::fp::spill(registers_of(thread).fr[word->number - f0])[word->is_upper ? 1 : 0];
}

bool poke_in(Layout layout, Thread& thread, std::uint64_t offset, std::uint64_t value) {
  const auto word = word_at(layout, offset);
  if (!word) return false;
  if (!is_fr(word->number)) return take(thread, word->number, value);
  ia64::fp::FpRegister& fr = registers_of(thread).fr[word->number - f0];
  ia64::fp::SpillImage image = ia64::fp::spill(fr);
  image[word->is_upper ? 1 : 0] = value;
  fr = ia64::fp::fill(image);
  return true;
}

std::optional<std::uint64_t> peek(Thread& thread, std::uint64_t offset) {
  return peek_in(uarea, thread, offset);
}

bool poke(Thread& thread, std::uint64_t offset, std::uint64_t value) {
  return poke_in(uarea, thread, offset, value);
}

CallResult write_registers(Call& call, Thread& thread) {
  GuestStruct members(call);
  for (std::uint64_t offset = 0; offset < all_bytes; offset += word_bytes) {
    members.wide(peek_in(all_registers, thread, offset).value_or(0));
  }
  return members.store(call, call.address(3));
}

CallResult read_registers(Call& call, Thread& thread) {
  std::array<std::uint64_t, all_bytes / word_bytes> words = {};
  GuestReader members(call, call.address(3));
  for (std::uint64_t& word : words) word = members.wide();
  if (!members.ok()) return CallResult::failure(Errno::eio);
  bool written = true;
  for (const Place& place : all_registers) {
    for (std::uint64_t at = place.offset; at < end_of(place); at += word_bytes) {
      written = poke_in(all_registers, thread, at, words[at / word_bytes]) && written;
    }
  }
  return written ? CallResult::value(0) : CallResult::failure(Errno::eio);
}

std::optional<CallResult> own_request(Call& call, Thread& thread, std::uint32_t request) {
  if (request == get_registers) return write_registers(call, thread);
  if (request == set_registers) return read_registers(call, thread);
  return std::nullopt;
}

bool begin_step(Thread&) {
  return false;
}

}  // namespace

std::optional<std::uint64_t> store_ia64_registers(Thread& thread) {
  RegisterStack stack = registers_of(thread).stack;
  if (!ia64_ports::save_registers(stack, *thread.process.memory)) return std::nullopt;
  return stack.rnat();
}

void load_ia64_registers(Thread& thread, std::uint64_t rnat) {
  const RegisterStack& stack = registers_of(thread).stack;
  (void)load_frame(thread, end_of_frame(stack), stack.marker(), rnat);
}

namespace calls {

CallResult ptrace_ia64(Call& call) {
  static constexpr TracedRegisters registers{peek, poke, own_request, begin_step, true};
  return trace_request(call, registers);
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
