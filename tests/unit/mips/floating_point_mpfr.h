// What IEEE 754 says of one operation, computed with MPFR: an oracle that shares nothing with the
// host's floating-point unit. Tininess is detected after rounding and loss of accuracy as an
// inexact result ("MIPSpro Assembly Language Programmer's Guide", 007-2418, chapter 6).
#pragma once

#include <cstdint>

#include "tests/unit/mips/floating_point_operands.h"

namespace hardclock::mips::fp {

// IEEE exceptions as FCSR orders them.
inline constexpr std::uint32_t is_inexact = 1;
inline constexpr std::uint32_t is_underflow = 2;
inline constexpr std::uint32_t is_overflow = 4;
inline constexpr std::uint32_t is_divide_by_zero = 8;
inline constexpr std::uint32_t is_invalid = 16;
// Not an exception by itself: the result is denormal, or rounds to the smallest normal number
// only because of the format's range. Underflow, when its trap is enabled.
inline constexpr std::uint32_t is_tiny = 32;
// Not an exception either: the exact result is not zero and lies between the smallest normal
// numbers.
inline constexpr std::uint32_t is_tiny_before_rounding = 64;

struct Expected {
  std::uint64_t bits = 0;        // void when not_a_number
  bool not_a_number = false;     // the default NaN
  std::uint32_t exceptions = 0;  // is_...
};

enum class Operation { add, sub, mul, div, sqrt };

// Operands are not NaNs. `rounding` is an FCSR rounding mode.
Expected compute(Operation operation, const BinaryFormat& format, std::uint64_t a, std::uint64_t b,
                 unsigned rounding);
// a * b + c, or a * b - c, rounded once.
Expected compute_fused(const BinaryFormat& format, const Triple& operands, bool subtracts,
                       unsigned rounding);
Expected convert(const BinaryFormat& from, std::uint64_t a, const BinaryFormat& to,
                 unsigned rounding);
Expected convert_integer(std::int64_t value, const BinaryFormat& to, unsigned rounding);
// To an integer of 32 or 64 bits. NaNs, infinities and what it cannot hold are invalid and give
// 0x7fffffff or 0x7fffffffffffffff (QEMU, target/mips/tcg/fpu_helper.c, FP_TO_INT32_OVERFLOW and
// FP_TO_INT64_OVERFLOW).
Expected convert_to_integer(const BinaryFormat& from, std::uint64_t a, unsigned bits,
                            unsigned rounding);

}  // namespace hardclock::mips::fp
