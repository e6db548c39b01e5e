// ptrace(2) of IA-64 programs. Source: Linux 6.1, arch/ia64/kernel/ptrace.c, and
// arch/ia64/include/uapi/asm/{ptrace,ptrace_offsets}.h.
#include "syscalls/linux/tracing_ia64.h"

#include <array>
#include <tuple>

#include "isa/ia64/abi.h"
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

// Offsets of the "uarea", by which PTRACE_PEEKUSER has the registers.
enum Offset : std::uint64_t {
  end_of_f127 = 0x600,
  offset_of_nats = 0x600,
  offset_of_f2 = 0x610,
  offset_of_f10 = 0x650,
  offset_of_r4 = 0x7b0,
  end_of_r7 = 0x7d0,
  offset_of_b1 = 0x7d8,
  offset_of_ec = 0x800,
  offset_of_lc = 0x808,
  offset_of_ipsr = 0x830,
  offset_of_ip = 0x838,
  offset_of_cfm = 0x840,
  offset_of_unat = 0x848,
  offset_of_pfs = 0x850,
  offset_of_rsc = 0x858,
  offset_of_rnat = 0x860,
  offset_of_bspstore = 0x868,
  offset_of_predicates = 0x870,
  offset_of_b6 = 0x878,
  offset_of_bsp = 0x880,  // behind the frame
  offset_of_r1 = 0x888,
  end_of_r31 = 0x960,
  offset_of_ccv = 0x960,
  offset_of_fpsr = 0x968,
  offset_of_b0 = 0x970,
  offset_of_b7 = 0x978,
  offset_of_f6 = 0x980,
  end_of_f9 = 0x9c0,
  offset_of_csd = 0x9c0,
  offset_of_ssd = 0x9c8,
};
constexpr std::uint64_t word_bytes = 8, fr_bytes = 16;

// In the order of the uarea, from offset_of_r1 on.
constexpr std::array<unsigned, 27> scratch_registers = {1,  2,  3,  12, 13, 14, 15, 8,  9,
                                                        10, 11, 16, 17, 18, 19, 20, 21, 22,
                                                        23, 24, 25, 26, 27, 28, 29, 30, 31};
static_assert(offset_of_r1 + scratch_registers.size() * word_bytes == end_of_r31);

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

std::uint64_t general(Thread& thread, unsigned number) {
  if (is_broken_off(thread) && number == number_of_result) return restart_call;
  if (is_broken_off(thread) && number == number_of_error) return ~std::uint64_t{0};
  return registers_of(thread).stack.value(number);
}

// What a call that is broken off seems to have returned is not written.
void set_general(Thread& thread, unsigned number, std::uint64_t value) {
  RegisterStack& stack = registers_of(thread).stack;
  const bool is_answer = number == number_of_result || number == number_of_error;
  if (is_broken_off(thread) && is_answer) return;
  stack.write_value(number, value);
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

std::uint64_t status(Thread& thread) {
  return registers_of(thread).user_mask | (seen_pc(thread) & slot_mask) << slot_shift;
}

void set_status(Thread& thread, std::uint64_t value) {
  registers_of(thread).user_mask = value & ia64::um_bits;
  set_pc(thread, seen_pc(thread), value >> slot_shift & 3);
}

std::uint64_t predicates(Thread& thread) {
  const Registers& registers = registers_of(thread);
  return ia64::predicates_by_number(registers.predicates, registers.stack.marker().rrb_pr);
}

void set_predicates(Thread& thread, std::uint64_t value) {
  Registers& registers = registers_of(thread);
  registers.predicates = ia64::predicates_by_name(value | 1, registers.stack.marker().rrb_pr);
}

// Predicates keep their numbers, also where they are named otherwise then.
bool set_marker(Thread& thread, std::uint64_t bits) {
  const RegisterStack& stack = registers_of(thread).stack;
  constexpr std::uint64_t marker_bits = (std::uint64_t{1} << 38) - 1;
  const FrameMarker marker = ia64::unpack_marker(bits & marker_bits);
  if (marker == stack.marker()) return true;
  const std::uint64_t by_number = predicates(thread);
  if (!load_frame(thread, end_of_frame(stack), marker, rnat_of(thread))) return false;
  set_predicates(thread, by_number);
  return true;
}

// A register that is a mere number; nullptr: the offset is another one's.
std::uint64_t* plain_word(Registers& registers, std::uint64_t offset) {
  if (offset >= offset_of_b1 && offset < offset_of_ec) {
    return &registers.br[1 + (offset - offset_of_b1) / word_bytes];
  }
  switch (offset) {
    case offset_of_lc:
      return &registers.lc;
    case offset_of_unat:
      return &registers.unat;
    case offset_of_pfs:
      return &registers.pfs;
    case offset_of_b6:
      return &registers.br[6];
    case offset_of_ccv:
      return &registers.ccv;
    case offset_of_fpsr:
      return &registers.fpsr;
    case offset_of_b0:
      return &registers.br[0];
    case offset_of_b7:
      return &registers.br[7];
    case offset_of_csd:
      return &registers.csd;
    case offset_of_ssd:
      return &registers.ssd;
    default:
      return nullptr;
  }
}

std::optional<unsigned> general_number(std::uint64_t offset) {
  if (offset >= offset_of_r4 && offset < end_of_r7) {
    return static_cast<unsigned>(4 + (offset - offset_of_r4) / word_bytes);
  }
  if (offset < offset_of_r1 || offset >= end_of_r31) return std::nullopt;
  return scratch_registers[(offset - offset_of_r1) / word_bytes];
}

// Of a floating-point register; the upper half is 8 bytes further on.
std::optional<unsigned> fr_number(std::uint64_t offset) {
  const auto from = [offset](std::uint64_t start, unsigned number) {
    return static_cast<unsigned>(number + (offset - start) / fr_bytes);
  };
  if (offset < end_of_f127) return from(0, 32);
  if (offset >= offset_of_f2 && offset < offset_of_f10) return from(offset_of_f2, 2);
  if (offset >= offset_of_f10 && offset < offset_of_r4) return from(offset_of_f10, 10);
  if (offset >= offset_of_f6 && offset < end_of_f9) return from(offset_of_f6, 6);
  return std::nullopt;
}

// f2 to f5 and from f10 on are behind a word that the NaT bits begin.
bool is_upper_half(std::uint64_t offset) {
  return offset % fr_bytes != 0;
}

std::optional<std::uint64_t> peek(Thread& thread, std::uint64_t offset) {
  if (offset % word_bytes != 0) return std::nullopt;
  Registers& registers = registers_of(thread);
  if (const auto fr = fr_number(offset)) {
    return ia64::fp::spill(registers.fr[*fr])[is_upper_half(offset) ? 1 : 0];
  }
  if (const auto number = general_number(offset)) return general(thread, *number);
  if (const std::uint64_t* const word = plain_word(registers, offset)) return *word;
  switch (offset) {
    case offset_of_nats:
      return nats(thread);
    case offset_of_ec:
      return registers.ec;
    case offset_of_ipsr:
      return status(thread);
    case offset_of_ip:
      return seen_pc(thread) & ~slot_mask;
    case offset_of_cfm:
      return pack(registers.stack.marker());
    case offset_of_rsc:
      return registers.stack.rsc();
    case offset_of_rnat:
      return rnat_of(thread);
    case offset_of_bspstore:
      return registers.stack.bspstore();
    case offset_of_predicates:
      return predicates(thread);
    case offset_of_bsp:
      return end_of_frame(registers.stack);
    default:
      return std::nullopt;
  }
}

bool poke_frame(Thread& thread, std::uint64_t offset, std::uint64_t value) {
  auto& stored = posix::thread_state_of(thread).tracing.stored_registers;
  switch (offset) {
    case offset_of_cfm:
      return set_marker(thread, value);
    case offset_of_bsp:
      return set_end_of_frame(thread, value);
    case offset_of_rnat:
      if (stored) stored = value;
      return stored.has_value();
    case offset_of_rsc: {
      constexpr std::uint64_t known =
          RegisterStack::rsc_mode | RegisterStack::rsc_be | RegisterStack::rsc_loadrs;
      return registers_of(thread).stack.write_rsc(value & known) == ia64::StackResult::done;
    }
    case offset_of_bspstore:
      return true;  // where the kernel has put it: at the frame's end
    default:
      return false;
  }
}

bool poke(Thread& thread, std::uint64_t offset, std::uint64_t value) {
  if (offset % word_bytes != 0) return false;
  Registers& registers = registers_of(thread);
  if (const auto fr = fr_number(offset)) {
    ia64::fp::SpillImage image = ia64::fp::spill(registers.fr[*fr]);
    image[is_upper_half(offset) ? 1 : 0] = value;
    registers.fr[*fr] = ia64::fp::fill(image);
    return true;
  }
  if (const auto number = general_number(offset)) {
    set_general(thread, *number, value);
    return true;
  }
  if (std::uint64_t* const word = plain_word(registers, offset)) {
    *word = value;
    return true;
  }
  switch (offset) {
    case offset_of_nats:
      set_nats(thread, value);
      return true;
    case offset_of_ec:
      registers.ec = static_cast<std::uint32_t>(value & 63);
      return true;
    case offset_of_ipsr:
      set_status(thread, value);
      return true;
    case offset_of_ip:
      set_pc(thread, value, seen_pc(thread) & slot_mask);
      return true;
    case offset_of_predicates:
      set_predicates(thread, value);
      return true;
    default:
      return poke_frame(thread, offset, value);
  }
}

// ---- struct pt_all_user_regs: words in this order, of which those without a name are 0.

constexpr unsigned all_frs = 128;

struct AllWords {
  static constexpr std::size_t nat = 0, ip = 1, cfm = 2, psr = 3, pr = 4, gr = 5, br = gr + 32,
                               ar = br + 8, fr = ar + 128, count = fr + 2 * all_frs;
  std::array<std::uint64_t, count> words = {};
};

// Where a register of the uarea is among those words, in the order in which they are written: the
// frame's after what it is loaded by.
constexpr std::array<std::tuple<std::size_t, std::uint64_t>, 15> other_places = {{
    {AllWords::nat, offset_of_nats},
    {AllWords::ip, offset_of_ip},
    {AllWords::psr, offset_of_ipsr},
    {AllWords::pr, offset_of_predicates},
    {AllWords::ar + 16, offset_of_rsc},
    {AllWords::ar + 18, offset_of_bspstore},
    {AllWords::ar + 19, offset_of_rnat},
    {AllWords::ar + 32, offset_of_ccv},
    {AllWords::ar + 36, offset_of_unat},
    {AllWords::ar + 40, offset_of_fpsr},
    {AllWords::ar + 64, offset_of_pfs},
    {AllWords::ar + 65, offset_of_lc},
    {AllWords::ar + 66, offset_of_ec},
    {AllWords::ar + 17, offset_of_bsp},
    {AllWords::cfm, offset_of_cfm},
}};

CallResult write_registers(Call& call, Thread& thread) {
  AllWords all;
  const Registers& registers = registers_of(thread);
  for (const auto& [place, offset] : other_places) all.words[place] = *peek(thread, offset);
  for (unsigned n = 1; n < 32; ++n) all.words[AllWords::gr + n] = general(thread, n);
  for (unsigned n = 0; n < 8; ++n) all.words[AllWords::br + n] = registers.br[n];
  for (unsigned n = 2; n < all_frs; ++n) {
    const auto [low, high] = ia64::fp::spill(registers.fr[n]);
    all.words[AllWords::fr + 2 * n] = low;
    all.words[AllWords::fr + 2 * n + 1] = high;
  }
  GuestStruct members(call);
  for (const std::uint64_t word : all.words) members.wide(word);
  return members.store(call, call.address(3));
}

CallResult read_registers(Call& call, Thread& thread) {
  AllWords all;
  GuestReader members(call, call.address(3));
  for (std::uint64_t& word : all.words) word = members.wide();
  if (!members.ok()) return CallResult::failure(Errno::eio);
  for (unsigned n = 1; n < 32; ++n) set_general(thread, n, all.words[AllWords::gr + n]);
  Registers& registers = registers_of(thread);
  for (unsigned n = 0; n < 8; ++n) registers.br[n] = all.words[AllWords::br + n];
  for (unsigned n = 2; n < all_frs; ++n) {
    registers.fr[n] =
        ia64::fp::fill({all.words[AllWords::fr + 2 * n], all.words[AllWords::fr + 2 * n + 1]});
  }
  bool written = true;
  for (const auto& [place, offset] : other_places) {
    written = poke(thread, offset, all.words[place]) && written;
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
