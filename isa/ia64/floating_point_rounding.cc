#include "isa/ia64/floating_point_rounding.h"

namespace hardclock::ia64::fp {
namespace {

// The bits of precision, all set.
std::uint64_t largest_significand(const Environment& environment) {
  return ~std::uint64_t{0} << (64 - environment.precision);
}

// The result of an overflow that does not trap.
Outcome overflowed(bool sign, std::uint32_t raised, const Environment& environment) {
  const Rounding rounding = environment.rounding;
  const bool to_infinity =
      rounding == Rounding::nearest || rounding == (sign ? Rounding::down : Rounding::up);
  const FpRegister largest{largest_significand(environment),
                           static_cast<std::uint32_t>(environment.greatest_exponent), sign};
  const std::uint32_t flags = raised | overflow | inexact;
  return {.result = to_infinity ? infinity(sign) : largest,
          .flags = flags,
          .trap = inexact_trap(to_infinity, flags, environment)};
}

// The low bits of an exponent that is out of range (SDM 1, section 5.4.2; SDM 2, part 2, 8.1.2.4).
std::uint32_t kept_exponent(std::int32_t exponent, const Environment& environment) {
  if (!environment.parallel) return static_cast<std::uint32_t>(exponent) & special_exponent;
  constexpr std::int32_t bias_of_single = denormal_single - 1;
  return bias_of_single + (static_cast<std::uint32_t>(exponent - bias_of_single) & 0xff);
}

// The result of an overflow or underflow that traps, as rounded before its range was looked at.
Outcome trapping(std::uint32_t exception, const RoundedSignificand& r, std::int32_t exponent,
                 bool sign, std::uint32_t raised, const Environment& environment) {
  const std::uint32_t trapped = exception | (r.is_inexact ? inexact : 0);
  constexpr unsigned to_isr = 8;
  static_assert(overflow << to_isr == isr_overflow && inexact << to_isr == isr_inexact);
  return {.result = {r.significand == 0 ? integer_bit : r.significand,
                     kept_exponent(exponent, environment), sign},
          .flags = raised | trapped,
          .trap = trapped << to_isr | (r.is_incremented ? isr_fpa : 0)};
}

Uint128 shifted_right(Uint128 significand, unsigned count) {
  if (count >= 128) return significand != 0;
  const Uint128 shifted = significand >> count;
  return shifted | (shifted << count != significand);
}

// The result of an underflow that does not trap: a denormal, which keeps the least exponent.
Outcome denormalized(const ExactNumber& number, std::uint32_t raised,
                     const Environment& environment) {
  const auto shift = static_cast<unsigned>(environment.least_exponent - number.exponent);
  const RoundedSignificand r =
      round_significand(shifted_right(number.significand, shift), 128 - environment.precision,
                        number.sign, environment.rounding);
  const std::uint32_t flags = raised | (r.is_inexact ? underflow | inexact : 0);
  Outcome outcome{.flags = flags, .trap = inexact_trap(r.is_incremented, flags, environment)};
  if (r.significand == 0) {
    outcome.result = signed_zero(number.sign);
    return outcome;
  }
  const auto least = static_cast<std::uint32_t>(environment.least_exponent);
  const bool is_extended_denormal =
      least == denormal_extended && (r.significand & integer_bit) == 0;
  outcome.result = {r.significand, is_extended_denormal ? 0 : least, number.sign};
  return outcome;
}

}  // namespace

Outcome out_of_range(const ExactNumber& number, std::uint32_t raised,
                     const Environment& environment) {
  const RoundedSignificand r = round_significand(number.significand, 128 - environment.precision,
                                                 number.sign, environment.rounding);
  const std::int32_t exponent = number.exponent + (r.significand == 0 ? 1 : 0);
  const bool too_large = exponent > environment.greatest_exponent;
  const std::uint32_t exception = too_large ? overflow : underflow;
  if ((exception & ~environment.disabled) != 0) {
    return trapping(exception, r, exponent, number.sign, raised, environment);
  }
  if (too_large) return overflowed(number.sign, raised, environment);
  if (!environment.flushes) return denormalized(number, raised, environment);
  const std::uint32_t flags = raised | underflow | inexact;
  return {.result = signed_zero(number.sign),
          .flags = flags,
          .trap = inexact_trap(false, flags, environment)};
}

}  // namespace hardclock::ia64::fp
