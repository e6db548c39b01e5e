// The floating-point status register and exception register 1: the left and the right word of fr0.
// Pure functions of fr0 as a doubleword.
//
//   0 1 2 3 4 5 6    9 10             20 21 22 23 24 25 26 27 28 29 30 31
//   V Z O U I C  res.  compare queue     RM    res.  T  D  V  Z  O  U  I
//   (flags)                                                 (enables)
//
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition, chapter 6;
// Kane, "PA-RISC 2.0 Architecture", chapter 8; Linux, arch/parisc/math-emu/float.h, fpudispatch.c
// and decode_exc.c, which are HP's.
#pragma once

#include <cstdint>

#include "sim/floating_point/exception.h"

namespace hardclock::pa_risc::fp {

using ieee754::Exception;

// Fields of the status register, as they stand in fr0. Flags and enables have exceptions V Z O U I
// from 16 down to 1.
inline constexpr unsigned status_shift = 32;
inline constexpr unsigned enables_shift = status_shift;
inline constexpr unsigned flags_shift = status_shift + 27;
inline constexpr unsigned rounding_shift = status_shift + 9;
// 0 to nearest, 1 toward zero, 2 toward positive, 3 toward negative infinity.
inline constexpr std::uint64_t rounding_mode = std::uint64_t{3} << rounding_shift;
inline constexpr std::uint64_t denormalized_as_zero = std::uint64_t{1} << (status_shift + 5);
inline constexpr std::uint64_t delayed_trap = std::uint64_t{1} << (status_shift + 6);  // T
inline constexpr std::uint64_t condition_bit = std::uint64_t{1} << (status_shift + 26);
// The compare queue (CQ), newest first; in PA-RISC 2.0 also the compare array (CA), whose bits
// comparisons number 1 to 7.
inline constexpr unsigned queue_shift = status_shift + 11;
inline constexpr std::uint64_t queue_newest = std::uint64_t{1} << (queue_shift + 10);
inline constexpr std::uint64_t queue = std::uint64_t{0x7ff} << queue_shift;
inline constexpr unsigned array_bits = 7;
inline constexpr std::uint64_t compare_bits = condition_bit | queue;

// An exception register: a code in its first six bits, the instruction without its major opcode in
// the others.
inline constexpr unsigned exception_code_shift = 26;
inline constexpr std::uint64_t exception_instruction = 0x03ff'ffff;

// Whether the operation that left this fr0 raised an exception that is enabled: T is set and
// exception register 1 has its code, over zeros for the instruction (load_instruction).
inline std::uint64_t traps(std::uint64_t fr0) { return (fr0 & delayed_trap) != 0 ? 1 : 0; }

// fr0 with the word of the instruction that raised the exception.
inline std::uint64_t load_instruction(std::uint64_t fr0, std::uint64_t instruction) {
  return traps(fr0) != 0 ? fr0 | (instruction & exception_instruction) : fr0;
}

// Whether the trap leaves the target register as it was: an invalid operation and a division by
// zero have no result. Overflow and underflow deliver the result with an adjusted exponent, inexact
// the rounded result (Linux, arch/parisc/math-emu: those are stored before the exception returns).
inline std::uint64_t keeps_target(std::uint64_t fr0) {
  constexpr unsigned invalid = 0x20, fused_invalid = 0x30, divide_by_zero = 0x10;
  const auto code = static_cast<std::uint32_t>(fr0) >> exception_code_shift;
  const bool no_result = code == invalid || code == fused_invalid || code == divide_by_zero;
  return traps(fr0) != 0 && no_result ? 1 : 0;
}

// The exception that a signal names: the first in Linux's order
// (arch/parisc/math-emu/decode_exc.c).
inline Exception trapping_exception(std::uint64_t fr0) {
  const auto code = static_cast<std::uint32_t>(fr0) >> exception_code_shift;
  if (traps(fr0) == 0 || code == 0) return Exception::none;
  if ((code & 0x04) != 0) return Exception::underflow;
  if ((code & 0x08) != 0) return Exception::overflow;
  if ((code & 0x20) != 0) return Exception::invalid;
  return (code & 0x02) != 0 ? Exception::inexact : Exception::divide_by_zero;
}

// fr0 after two simultaneous operations that left `first` and `second` and began with the same fr0:
// both raise their flags. If both trap, exception register 1 describes the first.
inline std::uint64_t both(std::uint64_t first, std::uint64_t second) {
  constexpr std::uint64_t status = ~std::uint64_t{0} << status_shift;
  return traps(first) != 0 ? first | (second & status) : first | second;
}

// FTEST. The conditions of the queue are the instruction's 5-bit field. 0 tests the C bit. ACC (1),
// ACC8 (5), ACC6 (9), ACC4 (13) and ACC2 (17) test that it and the newest 11, 7, 5, 3 and 1 of the
// queue are all zeros (QEMU 7.2, target/hppa/translate.c, trans_ftest). Unverified: REJ (2) and
// REJ8 (6) want all ones. QEMU, which names the bits, tests something else that cannot be meant.
// The result 1 means nullify. Other conditions are undefined: 0.
inline std::uint64_t test_queue(std::uint64_t fr0, std::uint64_t condition) {
  const auto newest = [](unsigned count) { return condition_bit | (queue & ~(queue >> count)); };
  switch (condition) {
    case 0:
      return (fr0 & condition_bit) != 0 ? 1 : 0;
    case 1:
      return (fr0 & newest(11)) == 0 ? 1 : 0;
    case 2:
      return (~fr0 & newest(11)) == 0 ? 1 : 0;
    case 5:
      return (fr0 & newest(7)) == 0 ? 1 : 0;
    case 6:
      return (~fr0 & newest(7)) == 0 ? 1 : 0;
    case 9:
      return (fr0 & newest(5)) == 0 ? 1 : 0;
    case 13:
      return (fr0 & newest(3)) == 0 ? 1 : 0;
    case 17:
      return (fr0 & newest(1)) == 0 ? 1 : 0;
    default:
      return 0;
  }
}
// FTEST of PA-RISC 2.0 on bit 1 to 7 of the compare array.
inline std::uint64_t test_array(std::uint64_t fr0, std::uint64_t bit) {
  return (fr0 & (queue_newest >> (bit - 1))) != 0 ? 1 : 0;
}

}  // namespace hardclock::pa_risc::fp
