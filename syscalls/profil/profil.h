// What the kernels' execution profilers have in common: a program hands the kernel buffers of
// counters; at a clock tick the kernel turns the interrupted pc into the address of one counter
// and adds to it. Each system is one file of pure functions over these types (irix.h, ...): no
// clock, no memory, no process. The caller owns the State of each process and performs the access
// that a lookup names:
//
//   lookup(state, pc) -> Miss                          nothing happens
//                     -> Access -> cannot be done      state = after_fault(state, region)
//                               -> load, increment(), store
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/bits.h"
#include "sim/base/units.h"

namespace hardclock::profil {

// A stretch of program text and the counters for it: the four arguments of profil(2), or one struct
// prof of sprofil(2). The values may be anything: the program chose them.
struct Region {
  GuestAddr base;           // of the counters
  std::uint64_t size = 0;   // of the counters, in bytes
  GuestAddr offset;         // first text address
  std::uint64_t scale = 0;  // fixed point, 0x10000 = one byte of counters per byte of text
  bool faulted = false;     // an update faulted, which cleared only this region's scale

  friend bool operator==(const Region&, const Region&) = default;
  static constexpr std::size_t state_members = 5;
};

// The profiling state of one process. A value: a child's state is a copy of its parent's.
struct State {
  enum class Kind : std::uint8_t { off, profil, sprofil, pcsample };
  enum class Stop : std::uint8_t {
    never_started,
    by_call,
    by_fault,
    by_exec,
    by_fork,
    by_full_counter
  };

  Kind kind = Kind::off;
  Stop stop = Stop::never_started;  // why kind is off
  unsigned counter_bytes = 2;       // 2, 4 or 8; pcsample: of a stored pc
  unsigned address_bits = 32;       // 16, 32 or 64: addresses of counters wrap at that width
  std::vector<Region> regions;      // in the program's order; profil and pcsample have exactly one
  bool fast = false;                // ticks come at the system's fast rate
  std::uint64_t samples = 0;        // pcsample: pcs stored so far; the region's size counts pcs
  std::size_t last = 0;             // glibc's sprofil: the last tick's index in its table
  // Ticks that the clock noted and the kernel has not charged yet (ticks.h): the pc of a user tick,
  // and those of fast ticks.
  std::optional<GuestAddr> owed_tick;
  std::vector<GuestAddr> waiting;

  bool on() const { return kind != Kind::off; }
  friend bool operator==(const State&, const State&) = default;
  static constexpr std::size_t state_members = 10;
};

// The state after profiling was turned off for this reason.
inline State stopped(State::Stop reason) {
  State state;
  state.stop = reason;
  return state;
}

// base + byte_offset in the program's address space.
inline GuestAddr counter_address(const State& state, const Region& region,
                                 std::uint64_t byte_offset) {
  return GuestAddr(bit_field((region.base + byte_offset).value(), 0, state.address_bits));
}

// Holds the product of any two 64-bit numbers.
__extension__ typedef unsigned __int128 Wide;

// How a pc became a byte offset in the buffer, number by number:
//   quotient = ((delta >> operand_shift) * (scale >> operand_shift)) >> product_shift
// The kernels that multiplied 16 or 32-bit halves have operand_shift 1 and product_shift 14.
struct Steps {
  enum class Rule : std::uint8_t {
    scaled,         // the formula
    elements,       // (delta / width) * scale >> 16, an element, not a byte offset
    first_counter,  // no arithmetic: every pc from offset up goes to the first counter
    overflow_bin,   // no arithmetic: no other region counts this pc
    next_sample,    // no arithmetic: pcsample stores pcs one after the other
  };

  Rule rule = Rule::scaled;
  std::uint64_t delta = 0;  // pc - offset, in the kernel's word
  unsigned operand_shift = 0;
  // overflow_bin: the region to which the pc belongs, but which has no counter for it; none: the
  // pc is in no region.
  std::optional<unsigned> chosen;
  Wide product = 0;  // exact
  unsigned product_shift = 16;
  Wide quotient = 0;  // a byte offset in the buffer, before it is rounded to a counter; differs
                      // from product >> product_shift if the kernel's word cannot hold that
};

// The counter to increment.
struct Access {
  std::size_t region = 0;  // index in State::regions
  GuestAddr address;       // base + byte_offset, modulo 2^address_bits; may be unmapped
  unsigned width = 2;      // bytes
  std::uint64_t byte_offset = 0;
  Steps steps;
};

// Why a tick is not counted.
struct Miss {
  enum class Reason : std::uint8_t {
    off,            // the process is not being profiled
    scale_off,      // the region's scale switches it off
    empty_buffer,   // the region's buffer has no bytes
    below_offset,   // pc is below the region's text
    beyond_buffer,  // the byte offset is beyond the buffer's end
    no_region,      // none of several regions takes this pc
  };

  Reason reason = Reason::off;
  std::size_t region = 0;         // for the four reasons about a region
  Steps steps;                    // for beyond_buffer
  std::uint64_t byte_offset = 0;  // for beyond_buffer: of the counter, if it is rounded up
};

using Lookup = std::variant<Access, Miss>;

// The effect of an increment on a counter that held `before`.
struct Increment {
  enum class Effect : std::uint8_t {
    counted,
    wrapped,    // counted modulo the counter's range
    saturated,  // the counter stays at its maximum
    stopped,    // not stored; profiling is now off (State::Stop::by_full_counter)
  };

  std::uint64_t before = 0;
  std::uint64_t after = 0;  // to be stored; if stopped, the value that the counter may not reach
  Effect effect = Effect::counted;
};

// The charge for ticks that find the process inside the kernel.
enum class SystemTicks : std::uint8_t {
  none,       // not counted
  resume_pc,  // charged in one step to the user pc at which the process leaves the kernel
  trap_pc,    // charged in one step to the instruction that entered the kernel
};

// Machines that fault on unaligned accesses (PDP-11, MIPS, PA-RISC, SPARC, IA-64 with UM.ac set)
// cannot update this counter; the VAX and x86 can.
constexpr bool is_misaligned(const Access& access) {
  return access.address.value() % access.width != 0;
}

// One line for people: the arithmetic with its numbers, or why the tick was not counted, as in
//   region 0 base 0x10010000 size 512: (0x00400120-0x00400000)*0x8000>>16 = 0x90 -> counter at
//   0x10010090
// Addresses have the width of the state's. `lookup` is the result of the system's lookup function
// for this state and pc.
std::string explain(const State& state, GuestAddr pc, const Lookup& lookup);

// "7 -> 8", "65535 -> 0, wrapped", "5 ticks: 7 -> 12", ...
std::string explain(const Increment& increment, Ticks ticks = Ticks(1));

}  // namespace hardclock::profil
