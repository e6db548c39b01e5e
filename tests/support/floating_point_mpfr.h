// The results that IEEE 754 requires of one operation, computed with MPFR: an oracle that shares
// nothing with the host's floating-point unit. Tininess is detected after rounding and loss of
// accuracy as an inexact result, as in MIPS ("MIPSpro Assembly Language Programmer's Guide",
// 007-2418, chapter 6) and PA-RISC (Linux, arch/parisc/math-emu/sfmpy.c, is_tiny).
#pragma once

#include <cstdint>

#include "tests/support/floating_point_operands.h"

namespace hardclock::support {

// IEEE exceptions as MIPS and PA-RISC order them.
inline constexpr std::uint32_t is_inexact = 1;
inline constexpr std::uint32_t is_underflow = 2;
inline constexpr std::uint32_t is_overflow = 4;
inline constexpr std::uint32_t is_divide_by_zero = 8;
inline constexpr std::uint32_t is_invalid = 16;
// Not an exception by itself: the result is denormal, or rounds to the smallest normal number only
// because of the format's range. It is underflow if its trap is enabled.
inline constexpr std::uint32_t is_tiny = 32;
// Not an exception either: the exact result is not zero and lies between the smallest normal
// numbers.
inline constexpr std::uint32_t is_tiny_before_rounding = 64;

struct Expected {
  std::uint64_t bits = 0;        // void when not_a_number
  bool not_a_number = false;     // the default NaN
  std::uint32_t exceptions = 0;  // is_...
  // The result for a handler of overflow or underflow: its exponent is unbounded, and it is scaled
  // by 2^-a or 2^a, where a is 3/4 of the number of exponents (IEEE 754-1985, 7.3 and 7.4). Void if
  // even that is out of range, or if neither happens.
  std::uint64_t wrapped = 0;
};

// rem is IEEE 754's remainder, by the quotient rounded to nearest.
enum class Operation { add, sub, mul, div, sqrt, rem };

// Operands are not NaNs. `rounding` is 0 to nearest, 1 toward zero, 2 toward
// positive, 3 toward negative infinity.
Expected compute(Operation operation, const BinaryFormat& format, std::uint64_t a, std::uint64_t b,
                 unsigned rounding);
// a * b + c, or a * b - c, rounded once.
Expected compute_fused(const BinaryFormat& format, const Triple& operands, bool subtracts,
                       unsigned rounding);
Expected convert(const BinaryFormat& from, std::uint64_t a, const BinaryFormat& to,
                 unsigned rounding);
Expected convert_integer(std::int64_t value, const BinaryFormat& to, unsigned rounding);
Expected convert_unsigned(std::uint64_t value, const BinaryFormat& to, unsigned rounding);
// The integers of 32 or 64 bits.
struct IntegerFormat {
  unsigned bits;
  bool is_signed;
};
// NaNs, infinities and values that the format cannot hold are invalid: the bits are void.
Expected convert_to_integer(const BinaryFormat& from, std::uint64_t a, const IntegerFormat& to,
                            unsigned rounding);
// Rounds to an integral number of the same format. Takes infinities.
Expected round_to_integral(const BinaryFormat& format, std::uint64_t a, unsigned rounding);

}  // namespace hardclock::support
