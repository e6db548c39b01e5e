// Exact numbers and their rounding, for the operations of floating_point.h.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/ia64/floating_point.h"

namespace hardclock::ia64::fp {

__extension__ using Uint128 = unsigned __int128;

// The value of a finite register, normalized: the integer bit is set, and the exponent is biased
// but unbounded. Of a zero, only the sign has a meaning.
struct Number {
  std::uint64_t significand = 0;
  std::int32_t exponent = 0;
  bool sign = false;
};

inline Number normal_number(const FpRegister& f) {
  return {f.significand, static_cast<std::int32_t>(f.exponent), f.sign};
}
inline Number number(const FpRegister& f) {
  const int zeros = std::countl_zero(f.significand | 1);
  const std::uint32_t exponent = f.exponent == 0 ? denormal_extended : f.exponent;
  return {f.significand << zeros, static_cast<std::int32_t>(exponent) - zeros, f.sign};
}

// An exact result, normalized likewise in 128 bits, or zero. If it has more bits, the lowest stands
// for all of them: it is one if any of them is.
struct ExactNumber {
  Uint128 significand = 0;
  std::int32_t exponent = 0;
  bool sign = false;
};

inline ExactNumber exact(const Number& n) {
  return {static_cast<Uint128>(n.significand) << 64, n.exponent, n.sign};
}

// Rounds the significand to the environment's precision and the number to its range. `raised` are
// the flags of the operands.
Outcome out_of_range(const ExactNumber& number, std::uint32_t raised,
                     const Environment& environment);

struct RoundedSignificand {
  std::uint64_t significand = 0;  // 0: all bits have been rounded away, or up to 2^64
  bool is_inexact = false;
  bool is_incremented = false;
};

// Clears the lower `dropped` bits, 64..127, of a significand and rounds.
inline RoundedSignificand round_significand(Uint128 significand, unsigned dropped, bool sign,
                                            Rounding rounding) {
  const Uint128 unit = static_cast<Uint128>(1) << dropped;
  const Uint128 rest = significand & (unit - 1);
  const Uint128 half = unit >> 1;
  bool up = false;
  switch (rounding) {
    case Rounding::nearest:
      up = rest > half || (rest == half && (significand & unit) != 0);
      break;
    case Rounding::down:
      up = rest != 0 && sign;
      break;
    case Rounding::up:
      up = rest != 0 && !sign;
      break;
    case Rounding::zero:
      break;
  }
  const Uint128 kept = significand - rest + (up ? unit : 0);
  return {static_cast<std::uint64_t>(kept >> 64), rest != 0, up};
}

// ISR.code of the trap after a result whose exponent needed no correction.
inline std::uint32_t inexact_trap(bool is_incremented, std::uint32_t flags,
                                  const Environment& environment) {
  if ((flags & inexact & ~environment.disabled) == 0) return 0;
  return isr_inexact | (is_incremented ? isr_fpa : 0);
}

inline Outcome rounded(const ExactNumber& number, std::uint32_t raised,
                       const Environment& environment) {
  const RoundedSignificand r = round_significand(number.significand, 128 - environment.precision,
                                                 number.sign, environment.rounding);
  const bool carries = r.significand == 0;
  const std::int32_t exponent = number.exponent + (carries ? 1 : 0);
  if (exponent < environment.least_exponent || exponent > environment.greatest_exponent)
      [[unlikely]] {
    return out_of_range(number, raised, environment);
  }
  const std::uint32_t flags = raised | (r.is_inexact ? inexact : 0);
  return {.result = {carries ? integer_bit : r.significand, static_cast<std::uint32_t>(exponent),
                     number.sign},
          .flags = flags,
          .trap = inexact_trap(r.is_incremented, flags, environment)};
}

}  // namespace hardclock::ia64::fp
