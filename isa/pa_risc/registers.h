// The user-visible registers of a PA-RISC processor. On PA-RISC 1.x, whose registers have 32 bits,
// the upper halves are 0.
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994),
// chapter 2; Kane, "PA-RISC 2.0 Architecture" (1996), chapter 2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/pa_risc/bit_functions.h"
#include "sim/timing/pipeline.h"

namespace hardclock::pa_risc {

// Which of HP's processors it is. No instruction says so: kernels have it from the firmware.
enum class Chip : std::uint8_t {
  other,
  pa7000,
  pa7100,
  pa7100lc,
  pa7200,
  pa7300lc,
  pa8000,
  pa8200,
  pa8500,
  pa8600,
  pa8700,
};

struct Registers {
  static constexpr std::uint64_t privilege_bits = 3;
  // "The 32-bit PA-RISC Run-time Architecture Document".
  static constexpr unsigned stack_pointer = 30;

  std::array<std::uint64_t, 32> gpr{};
  // A single is in the left (upper) half or, from PA-RISC 1.1 on, in either half. The status
  // register is the left half of fpr[0]; the exception registers follow it, up to fpr[3].
  std::array<std::uint64_t, 32> fpr{};
  std::array<std::uint32_t, 8> space{};
  std::uint64_t shift_amount = 0;            // SAR, control register 11: 5 bits, 6 on 2.0
  std::array<std::uint64_t, 8> temporary{};  // TR0 to TR7, control registers 24 to 31

  // PSW. Carry/borrow: the carries out of nibbles, 8 of them or on 2.0 16, each at its nibble's
  // most significant bit. All other bits are 0.
  std::uint64_t carry_bits = 0;
  bool divide_step = false;  // V
  bool nullify = false;      // N: the instruction at pc is nullified

  // The instruction address offset queue, without privilege levels (user programs run at level 3).
  std::uint64_t pc = 0;        // front
  std::uint64_t next_pc = 4;   // back
  bool in_delay_slot = false;  // the instruction at pc follows a branch

  Chip chip = Chip::other;  // what the processor is: never changes

  // Carry/borrow as in the PSW: bit i is the carry out of the nibble i from the right.
  std::uint16_t carries() const { return pack_carries(carry_bits); }
  void set_carries(std::uint16_t packed) { carry_bits = unpack_carries(packed); }

  // What the kernel finds in IIAOQ: the front, even in a delay slot.
  std::uint64_t interrupted_pc() const { return pc; }
  void interrupted() {}
  // Returns from the system to where the call to its gateway page says.
  void complete_system_call() { set_pc(gpr[31]); }
  // Continues at `target`, outside any delay slot, with an instruction that is not nullified.
  void set_pc(std::uint64_t target) {
    pc = target & ~privilege_bits;
    next_pc = pc + 4;
    in_delay_slot = false;
    nullify = false;
  }

  bool operator==(const Registers&) const = default;
  static constexpr std::size_t state_members = 12;
};

// Control registers that a user program can name.
inline constexpr unsigned control_sar = 11, control_interval_timer = 16, control_temporary = 24;

// Register numbers as recordings (resources.h) and the pipelines use them. A floating-point
// register is one resource of a recording, and two of a pipeline, its halves.
inline constexpr Resource gpr_resource(unsigned n) { return static_cast<Resource>(n); }
inline constexpr Resource fpr_resource(unsigned n) { return static_cast<Resource>(32 + n); }
inline constexpr Resource fpr_left_resource(unsigned n) { return static_cast<Resource>(32 + n); }
inline constexpr Resource fpr_right_resource(unsigned n) { return static_cast<Resource>(64 + n); }
inline constexpr Resource space_resource(unsigned n) { return static_cast<Resource>(96 + n); }
inline constexpr Resource temporary_resource(unsigned n) { return static_cast<Resource>(104 + n); }
inline constexpr Resource shift_amount_resource = 112;
inline constexpr Resource carries_resource = 113;
inline constexpr Resource divide_step_resource = 114;
// The status register's compare bits (C and its queue), and its other fields: rounding mode,
// enables and flags, which collect without an interlock.
inline constexpr Resource fp_compare_resource = 115;
inline constexpr Resource fp_status_resource = 116;

}  // namespace hardclock::pa_risc
