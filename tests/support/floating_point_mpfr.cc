#include "tests/support/floating_point_mpfr.h"

#include <mpfr.h>

#include <bit>

#include "tests/support/mpfr_number.h"

namespace hardclock::support {
namespace {

constexpr mpfr_rnd_t rounding_modes[4] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD};

mpfr_prec_t precision_of(const BinaryFormat& format) {
  return format.fraction_bits + 1;
}

void assign(mpfr_ptr number, const BinaryFormat& format, std::uint64_t bits) {
  if (format.fraction_bits == single.fraction_bits) {
    mpfr_set_flt(number, std::bit_cast<float>(static_cast<std::uint32_t>(bits)), MPFR_RNDN);
  } else {
    mpfr_set_d(number, std::bit_cast<double>(bits), MPFR_RNDN);
  }
}

// Exact: the number is one of the format's.
std::uint64_t bits_of(mpfr_ptr number, const BinaryFormat& format) {
  if (format.fraction_bits == single.fraction_bits) {
    return std::bit_cast<std::uint32_t>(mpfr_get_flt(number, MPFR_RNDN));
  }
  return std::bit_cast<std::uint64_t>(mpfr_get_d(number, MPFR_RNDN));
}

// Brings a result, rounded to the format's precision with any exponent and with MPFR's ternary
// value, into the format's range. MPFR's exponents are those of 0.1xxx: one more than IEEE's.
Expected fit(mpfr_ptr result, int ternary, const BinaryFormat& format, unsigned rounding) {
  Expected expected;
  if (mpfr_nan_p(result)) {
    expected.not_a_number = true;
    expected.exceptions = is_invalid;
    return expected;
  }
  if (mpfr_divby0_p()) expected.exceptions |= is_divide_by_zero;
  const auto emax = static_cast<mpfr_exp_t>(format.exponent_limit() / 2) + 1;
  const mpfr_exp_t smallest_normal = 3 - emax;
  const bool regular = mpfr_regular_p(result) != 0;
  const bool tiny = regular && mpfr_get_exp(result) < smallest_normal;
  if (regular && mpfr_get_exp(result) > emax) expected.exceptions |= is_overflow;

  const bool at_smallest =
      regular && (mpfr_sgn(result) > 0 ? mpfr_cmp_ui_2exp(result, 1, smallest_normal - 1)
                                       : mpfr_cmp_si_2exp(result, -1, smallest_normal - 1)) == 0;
  const bool away_from_zero = ternary != 0 && (ternary > 0) == (mpfr_sgn(result) > 0);
  if (tiny || (at_smallest && away_from_zero)) expected.exceptions |= is_tiny_before_rounding;

  if (tiny || (expected.exceptions & is_overflow) != 0) {
    const mpfr_exp_t adjustment = emax / 2 * 3 * (tiny ? 1 : -1);
    MpfrNumber scaled(precision_of(format));
    mpfr_mul_2si(scaled, result, adjustment, MPFR_RNDN);
    expected.wrapped = bits_of(scaled, format);
  }

  const mpfr_rnd_t mode = rounding_modes[rounding];
  mpfr_set_emin(smallest_normal - static_cast<mpfr_exp_t>(format.fraction_bits));
  mpfr_set_emax(emax);
  ternary = mpfr_check_range(result, ternary, mode);
  ternary = mpfr_subnormalize(result, ternary, mode);
  if (ternary != 0) expected.exceptions |= is_inexact;
  if (tiny) expected.exceptions |= is_tiny | (ternary != 0 ? is_underflow : 0);
  expected.bits = bits_of(result, format);
  allow_every_exponent();
  return expected;
}

}  // namespace

Expected compute(Operation operation, const BinaryFormat& format, std::uint64_t a, std::uint64_t b,
                 unsigned rounding) {
  allow_every_exponent();
  MpfrNumber left(precision_of(format)), right(precision_of(format)), result(precision_of(format));
  assign(left, format, a);
  assign(right, format, b);
  const mpfr_rnd_t mode = rounding_modes[rounding];
  mpfr_clear_flags();
  int ternary = 0;
  switch (operation) {
    case Operation::add:
      ternary = mpfr_add(result, left, right, mode);
      break;
    case Operation::sub:
      ternary = mpfr_sub(result, left, right, mode);
      break;
    case Operation::mul:
      ternary = mpfr_mul(result, left, right, mode);
      break;
    case Operation::div:
      ternary = mpfr_div(result, left, right, mode);
      break;
    case Operation::sqrt:
      ternary = mpfr_sqrt(result, left, mode);
      break;
    case Operation::rem:
      ternary = mpfr_remainder(result, left, right, mode);
      break;
  }
  return fit(result, ternary, format, rounding);
}

Expected compute_fused(const BinaryFormat& format, const Triple& operands, bool subtracts,
                       unsigned rounding) {
  allow_every_exponent();
  MpfrNumber left(precision_of(format)), right(precision_of(format)), addend(precision_of(format)),
      result(precision_of(format));
  assign(left, format, operands[0]);
  assign(right, format, operands[1]);
  assign(addend, format, operands[2]);
  mpfr_clear_flags();
  const int ternary =
      (subtracts ? mpfr_fms : mpfr_fma)(result, left, right, addend, rounding_modes[rounding]);
  return fit(result, ternary, format, rounding);
}

Expected convert(const BinaryFormat& from, std::uint64_t a, const BinaryFormat& to,
                 unsigned rounding) {
  allow_every_exponent();
  MpfrNumber operand(precision_of(from)), result(precision_of(to));
  assign(operand, from, a);
  mpfr_clear_flags();
  const int ternary = mpfr_set(result, operand, rounding_modes[rounding]);
  return fit(result, ternary, to, rounding);
}

Expected convert_integer(std::int64_t value, const BinaryFormat& to, unsigned rounding) {
  allow_every_exponent();
  MpfrNumber result(precision_of(to));
  mpfr_clear_flags();
  const int ternary = mpfr_set_si(result, value, rounding_modes[rounding]);
  return fit(result, ternary, to, rounding);
}

Expected convert_unsigned(std::uint64_t value, const BinaryFormat& to, unsigned rounding) {
  allow_every_exponent();
  MpfrNumber result(precision_of(to));
  mpfr_clear_flags();
  const int ternary = mpfr_set_ui(result, value, rounding_modes[rounding]);
  return fit(result, ternary, to, rounding);
}

Expected convert_to_integer(const BinaryFormat& from, std::uint64_t a, const IntegerFormat& to,
                            unsigned rounding) {
  const Expected out_of_range{.exceptions = is_invalid};
  if ((a & ~from.sign()) >= from.infinity()) return out_of_range;
  allow_every_exponent();
  MpfrNumber operand(precision_of(from)), integer(precision_of(from));
  assign(operand, from, a);
  mpfr_rint(integer, operand, rounding_modes[rounding]);
  const auto end = static_cast<mpfr_exp_t>(to.is_signed ? to.bits - 1 : to.bits);
  const bool too_small = to.is_signed ? mpfr_cmp_si_2exp(integer, -1, end) < 0
                                      : mpfr_sgn(static_cast<mpfr_ptr>(integer)) < 0;
  if (too_small || mpfr_cmp_ui_2exp(integer, 1, end) >= 0) return out_of_range;
  Expected expected;
  expected.bits = to.is_signed ? static_cast<std::uint64_t>(mpfr_get_si(integer, MPFR_RNDN))
                               : mpfr_get_ui(integer, MPFR_RNDN);
  if (to.bits == 32) expected.bits &= 0xffff'ffff;
  expected.exceptions = mpfr_equal_p(integer, operand) ? 0 : is_inexact;
  return expected;
}

Expected round_to_integral(const BinaryFormat& format, std::uint64_t a, unsigned rounding) {
  allow_every_exponent();
  MpfrNumber operand(precision_of(format)), integer(precision_of(format));
  assign(operand, format, a);
  mpfr_rint(integer, operand, rounding_modes[rounding]);
  return {.bits = bits_of(integer, format),
          .exceptions = mpfr_equal_p(integer, operand) ? 0 : is_inexact};
}

}  // namespace hardclock::support
