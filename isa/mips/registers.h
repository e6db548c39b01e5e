// The user-visible registers of a MIPS processor. 32-bit values live sign-extended in 64-bit
// registers, as the 64-bit members of the family keep them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/timing/pipeline.h"

namespace hardclock::mips {

struct Registers {
  static constexpr unsigned stack_pointer = 29;  // System V ABI, MIPS supplement, chapter 3

  std::array<std::uint64_t, 32> gpr{};
  std::uint64_t hi = 0;
  std::uint64_t lo = 0;
  // FR = 1 (see Mode): each holds a double, or a single in its low word. FR = 0: only low words are
  // used; a double occupies an even register (its low word) and the next odd one (its high word).
  std::array<std::uint64_t, 32> fpr{};
  std::uint32_t fcsr = 0;  // floating-point control and status, FCR31
  // The chip's identity, constant: PRId, which only the kernel reads, and FCR0. Implementation in
  // bits 15..8, revision in 7..0, major and minor (Kane and Heinrich, tables 6.5 and 9.5; Heinrich,
  // "MIPS R4000 User's Manual", tables 4-10 and 6-3). From MIPS32 on FCR0 also lists the formats:
  // S, D, W, L at bits 16, 17, 20, 21; bit 22 says that FR = 1 is possible ("MIPS64 Architecture
  // For Programmers", volume I, table 5-5).
  std::uint32_t processor_revision = 0;
  std::uint32_t fpu_revision = 0;

  // The instruction to run next, and the one after it: they differ by 4 except around a branch.
  std::uint64_t pc = 0;
  std::uint64_t next_pc = 4;
  bool in_delay_slot = false;  // the instruction at pc is its predecessor's delay slot

  std::uint64_t user_local = 0;  // the system's value for RDHWR 29: the thread pointer

  bool link_valid = false;  // LL/SC reservation
  std::uint64_t link_address = 0;

  // The value of EPC: the branch, for an instruction in a delay slot.
  std::uint64_t epc() const { return in_delay_slot ? pc - 4 : pc; }
  std::uint64_t interrupted_pc() const { return epc(); }
  // An exception or a return from one breaks the reservation.
  void interrupted() { link_valid = false; }
  // Continues after the SYSCALL instruction.
  void complete_system_call() {
    pc = next_pc;
    next_pc += 4;
    in_delay_slot = false;
  }
  // Continues at `target`, outside any delay slot.
  void set_pc(std::uint64_t target) {
    pc = target;
    next_pc = target + 4;
    in_delay_slot = false;
  }

  bool operator==(const Registers&) const = default;
  static constexpr std::size_t state_members = 13;
};

// Register numbers as recordings (resources.h) and the pipelines use them. A recording knows FCSR
// as a whole, a pipeline each of its conditions.
inline constexpr Resource gpr_resource(unsigned n) { return static_cast<Resource>(n); }
inline constexpr Resource fpr_resource(unsigned n) { return static_cast<Resource>(32 + n); }
inline constexpr Resource hi_resource = 64;
inline constexpr Resource lo_resource = 65;
inline constexpr Resource fcsr_resource = 66;
inline constexpr unsigned fp_conditions = 8;
// The floating-point condition `cc`, 0 to 7.
inline constexpr Resource fp_condition_resource(unsigned cc) {
  return static_cast<Resource>(67 + cc);
}
inline constexpr Resource link_resource = 75;  // whether there is a reservation
inline constexpr Resource user_local_resource = 76;
inline constexpr Resource link_address_resource = 77;

// FCSR fields (Kane and Heinrich, "MIPS RISC Architecture", chapter 9; Price, "MIPS IV Instruction
// Set", section B.5.3).
inline constexpr std::uint32_t fcsr_condition(unsigned cc) {
  return 1u << (cc == 0 ? 23 : 24 + cc);
}
inline constexpr std::uint32_t fcsr_conditions = 0xfe80'0000;
inline constexpr std::uint32_t fcsr_flush = 1u << 24;  // FS: results too small become zero
inline constexpr unsigned fcsr_cause_shift = 12;       // V Z O U I at bits 16..12, E at 17
inline constexpr unsigned fcsr_enables_shift = 7;      // V Z O U I
inline constexpr unsigned fcsr_flags_shift = 2;        // V Z O U I
inline constexpr std::uint32_t fcsr_rounding = 3;      // 0 nearest, 1 zero, 2 up, 3 down
// The bits that software can write: on the R3010 and the R6010, with one condition. FS came with
// MIPS III (Heinrich, "MIPS R4000 User's Manual", chapter 6), conditions 1 to 7 with MIPS IV.
inline constexpr std::uint32_t fcsr_writable_mips1 = 0x0083'ffff;
inline constexpr std::uint32_t fcsr_writable_mips3 = fcsr_writable_mips1 | fcsr_flush;
inline constexpr std::uint32_t fcsr_writable_mips4 = fcsr_writable_mips3 | fcsr_conditions;

}  // namespace hardclock::mips
