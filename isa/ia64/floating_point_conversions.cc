// fcvt: conversions between numbers and integers.
#include <bit>

#include "isa/ia64/floating_point_integers.h"
#include "isa/ia64/floating_point_rounding.h"
#include "isa/ia64/floating_point_rules.h"

namespace hardclock::ia64::fp {
namespace {

constexpr auto bias = static_cast<std::int32_t>(exponent_bias);

// The magnitude, below 2^64, rounded to an integer. That is below 2^64, too: a number from 2^63 on
// has no fraction.
RoundedSignificand rounded_integer(const Number& n, Rounding rounding) {
  const std::int32_t fraction_bits = bias + 63 - n.exponent;
  const Uint128 magnitude = static_cast<Uint128>(n.significand) << 64;
  const Uint128 fixed =  // an integer of 64 bits and a fraction of 64
      fraction_bits > 65 ? Uint128{1} : magnitude >> fraction_bits;
  return round_significand(fixed, 64, n.sign, rounding);
}

bool fits(const RoundedSignificand& integer, const Number& n, unsigned bits, bool is_signed) {
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  if (n.sign) return integer.significand <= (is_signed ? half : 0);
  return integer.significand <= (is_signed ? half - 1 : half + (half - 1));
}

}  // namespace

Outcome to_integer(const FpRegister& f, unsigned bits, bool is_signed,
                   const Environment& environment) {
  if (is_nat_value(f)) return {.result = nat_value};
  const Outcome invalid_outcome =
      delivered(from_significand(std::uint64_t{1} << (bits - 1)), invalid, environment);
  if (!is_finite(f)) return invalid_outcome;
  const std::uint32_t operand = denormal_if(is_unnormal(f));
  if (has_value_zero(f)) return delivered(from_significand(0), operand, environment);
  const Number n = number(f);
  if (n.exponent > bias + 63) return invalid_outcome;
  const RoundedSignificand integer = rounded_integer(n, environment.rounding);
  if (!fits(integer, n, bits, is_signed)) return invalid_outcome;
  const std::uint32_t faults = enabled_faults(operand, environment);
  if (faults != 0) return faulted(faults);
  const std::uint32_t flags = operand | (integer.is_inexact ? inexact : 0);
  return {.result = from_significand(n.sign ? -integer.significand : integer.significand),
          .flags = flags,
          .trap = inexact_trap(integer.is_incremented, flags, environment)};
}

Outcome fcvt_fx(const FpRegister& f2, const Environment& environment) {
  return to_integer(f2, 64, true, environment);
}
Outcome fcvt_fxu(const FpRegister& f2, const Environment& environment) {
  return to_integer(f2, 64, false, environment);
}
Outcome fcvt_fx_trunc(const FpRegister& f2, const Environment& environment) {
  return to_integer(f2, 64, true, toward_zero(environment));
}
Outcome fcvt_fxu_trunc(const FpRegister& f2, const Environment& environment) {
  return to_integer(f2, 64, false, toward_zero(environment));
}

FpRegister fcvt_xf(const FpRegister& f2) {
  if (is_nat_value(f2)) return nat_value;
  const bool sign = (f2.significand & integer_bit) != 0;
  const std::uint64_t magnitude = sign ? -f2.significand : f2.significand;
  if (magnitude == 0) return zero;
  const int zeros = std::countl_zero(magnitude);
  return {magnitude << zeros, integer_exponent - static_cast<std::uint32_t>(zeros), sign};
}

}  // namespace hardclock::ia64::fp
