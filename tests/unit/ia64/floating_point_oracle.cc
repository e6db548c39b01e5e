#include "tests/unit/ia64/floating_point_oracle.h"

#include <mpfr.h>

#include "tests/support/mpfr_number.h"

namespace hardclock::ia64::fp {
namespace {

constexpr mpfr_rnd_t rounding_modes[4] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};
constexpr std::uint32_t d = 2, o = 8, u = 16, i = 32;  // flags
constexpr long bias = 65535;

using support::MpfrNumber;

// A register's value: significand * 2^(exponent - bias - 63).
void assign(mpfr_ptr value, const FpRegister& f) {
  if (f.exponent == 0x1ffff) {
    mpfr_set_inf(value, f.sign ? -1 : 1);
    return;
  }
  const long exponent = f.exponent == 0 ? 0xc001 : static_cast<long>(f.exponent);
  mpfr_set_ui(value, f.significand, MPFR_RNDN);
  mpfr_mul_2si(value, value, exponent - bias - 63, MPFR_RNDN);
  mpfr_setsign(value, value, f.sign, MPFR_RNDN);
}

// The significand of a number that is written as significand * 2^(exponent - 63).
std::uint64_t significand_of(mpfr_ptr value, long exponent) {
  MpfrNumber scaled(mpfr_get_prec(value));
  mpfr_mul_2si(scaled, value, 63 - exponent, MPFR_RNDN);
  mpfr_abs(scaled, scaled, MPFR_RNDN);
  return mpfr_get_ui(scaled, MPFR_RNDZ);
}

FpRegister to_register(mpfr_ptr value, const Model& model) {
  const bool sign = mpfr_signbit(value) != 0;
  if (mpfr_inf_p(value)) return {std::uint64_t{1} << 63, 0x1ffff, sign};
  if (mpfr_zero_p(value)) return {0, 0, sign};
  const long exponent = mpfr_get_exp(value) - 1;
  if (exponent >= model.emin) {
    return {significand_of(value, exponent), static_cast<std::uint32_t>(exponent + bias), sign};
  }
  const long kept = model.emin == -16382 ? 0 : model.emin + bias;
  return {significand_of(value, model.emin), static_cast<std::uint32_t>(kept), sign};
}

// Whether a value that was rounded with this ternary value is farther from zero than before.
bool is_larger(mpfr_ptr value, int ternary) {
  return ternary != 0 && (ternary > 0) == (mpfr_signbit(value) == 0);
}

Outcome finished(const FpRegister& result, std::uint32_t flags, bool larger,
                 const Controls& controls) {
  Outcome outcome{.result = result, .flags = flags};
  const bool traps = (flags & i & ~controls.disabled) != 0;
  if (traps) outcome.trap = 1u << 13 | (larger ? 1u << 14 : 0);
  return outcome;
}

// Overflow or underflow that traps: the exponent's low bits.
Outcome trapped(mpfr_ptr value, int ternary, std::uint32_t exception, std::uint32_t raised,
                const Model& model) {
  const long exponent = mpfr_get_exp(value) - 1;
  const bool parallel = model.completer == Completer::parallel;
  const long kept = parallel ? ((exponent + 127) & 0xff) - 127 + bias : (exponent + bias) & 0x1ffff;
  const std::uint32_t exceptions = exception | (ternary != 0 ? i : 0);
  return {.result = {significand_of(value, exponent), static_cast<std::uint32_t>(kept),
                     mpfr_signbit(value) != 0},
          .flags = raised | exceptions,
          .trap = exceptions << 8 | (is_larger(value, ternary) ? 1u << 14 : 0)};
}

// Brings a value, rounded to the model's precision with this ternary value, into its range.
Outcome fit(mpfr_ptr value, int ternary, std::uint32_t raised, const Model& model,
            const Controls& controls) {
  const bool regular = mpfr_regular_p(value) != 0;
  const long exponent = regular ? mpfr_get_exp(value) - 1 : 0;
  const bool huge = regular && exponent > model.emax, tiny = regular && exponent < model.emin;
  if (huge && (controls.disabled & o) == 0) return trapped(value, ternary, o, raised, model);
  if (tiny && (controls.disabled & u) == 0) return trapped(value, ternary, u, raised, model);
  if (tiny && controls.ftz) {
    return finished({0, 0, mpfr_signbit(value) != 0}, raised | u | i, false, controls);
  }
  // MPFR's exponents are those of 0.1xxx.
  const mpfr_rnd_t mode = rounding_modes[controls.rc];
  mpfr_set_emin(model.emin + 2 - static_cast<long>(model.precision));
  mpfr_set_emax(model.emax + 1);
  ternary = mpfr_check_range(value, ternary, mode);
  ternary = mpfr_subnormalize(value, ternary, mode);
  support::allow_every_exponent();
  const std::uint32_t flags =
      raised | (ternary != 0 ? i : 0) | (huge ? o : 0) | (tiny && ternary != 0 ? u : 0);
  return finished(to_register(value, model), flags, is_larger(value, ternary), controls);
}

double relative_error(mpfr_ptr approximation, mpfr_ptr exact) {
  mpfr_div(approximation, approximation, exact, MPFR_RNDN);
  mpfr_ui_sub(approximation, 1, approximation, MPFR_RNDN);
  mpfr_abs(approximation, approximation, MPFR_RNDN);
  return mpfr_get_d(approximation, MPFR_RNDU);
}

}  // namespace

// Denormal and unnormal operands (SDM 1, table 5-2).
std::uint32_t operand_flags(const FpRegister& f) {
  const bool has_integer_bit = f.significand >> 63 != 0;
  if (f.exponent == 0x1ffff || (f.exponent == 0 && f.significand == 0)) return 0;
  return f.exponent == 0 || !has_integer_bit ? d : 0;
}

std::uint64_t fpsr_of(const Model& model, const Controls& controls) {
  const std::uint64_t field =
      (controls.ftz ? 1u : 0u) | (model.wre ? 2u : 0u) | model.pc << 2 | controls.rc << 4;
  return controls.disabled | field << (6 + 2 * 13);
}

Environment environment_of(const Model& model, const Controls& controls) {
  return environment(fpsr_of(model, controls), 2, model.completer);
}

std::optional<Outcome> expected_sum(const Product& product, const FpRegister* f2, bool f2_negated,
                                    const Model& model, const Controls& controls) {
  support::allow_every_exponent();
  MpfrNumber left(64), right(64), addend(64), value(model.precision);
  assign(left, product.f3);
  assign(right, product.f4);
  if (product.negated) mpfr_neg(left, left, MPFR_RNDN);
  std::uint32_t raised = operand_flags(product.f3) | operand_flags(product.f4);
  int ternary = 0;
  if (f2 != nullptr) {
    raised |= operand_flags(*f2);
    assign(addend, *f2);
    if (f2_negated) mpfr_neg(addend, addend, MPFR_RNDN);
    ternary = mpfr_fma(value, left, right, addend, rounding_modes[controls.rc]);
  } else {
    ternary = mpfr_mul(value, left, right, rounding_modes[controls.rc]);
  }
  if (mpfr_nan_p(static_cast<mpfr_ptr>(value))) return std::nullopt;
  if ((raised & ~controls.disabled) != 0) return Outcome{.fault = raised};
  return fit(value, ternary, raised, model, controls);
}

Outcome expected_quotient(const FpRegister& f2, const FpRegister& f3, const Model& model,
                          const Controls& controls) {
  support::allow_every_exponent();
  MpfrNumber dividend(64), divisor(64), value(model.precision);
  assign(dividend, f2);
  assign(divisor, f3);
  const std::uint32_t raised = operand_flags(f2) | operand_flags(f3);
  if ((raised & ~controls.disabled) != 0) return {.fault = raised};
  const int ternary = mpfr_div(value, dividend, divisor, rounding_modes[controls.rc]);
  return fit(value, ternary, raised, model, controls);
}

Outcome expected_root(const FpRegister& f3, const Model& model, const Controls& controls) {
  support::allow_every_exponent();
  MpfrNumber operand(64), value(model.precision);
  assign(operand, f3);
  const std::uint32_t raised = operand_flags(f3);
  if ((raised & ~controls.disabled) != 0) return {.fault = raised};
  const int ternary = mpfr_sqrt(value, operand, rounding_modes[controls.rc]);
  return fit(value, ternary, raised, model, controls);
}

Outcome expected_integer(const FpRegister& f2, bool is_signed, const Controls& controls) {
  constexpr std::uint32_t v = 1;
  support::allow_every_exponent();
  MpfrNumber operand(64), integer(64);
  assign(operand, f2);
  const int ternary = mpfr_rint(integer, operand, rounding_modes[controls.rc]);
  const bool below = is_signed ? mpfr_cmp_si_2exp(integer, -1, 63) < 0
                               : mpfr_sgn(static_cast<mpfr_ptr>(integer)) < 0;
  if (below || mpfr_cmp_ui_2exp(integer, 1, is_signed ? 63 : 64) >= 0) {
    if ((controls.disabled & v) == 0) return {.fault = v};
    return {.result = {std::uint64_t{1} << 63, 0x1003e, false}, .flags = v};
  }
  const std::uint32_t raised = operand_flags(f2);
  if ((raised & ~controls.disabled) != 0) return {.fault = raised};
  const std::uint64_t bits = is_signed ? static_cast<std::uint64_t>(mpfr_get_si(integer, MPFR_RNDN))
                                       : mpfr_get_ui(integer, MPFR_RNDN);
  return finished({bits, 0x1003e, false}, raised | (ternary != 0 ? i : 0),
                  is_larger(operand, ternary), controls);
}

int compared_values(const FpRegister& a, const FpRegister& b) {
  support::allow_every_exponent();
  MpfrNumber left(64), right(64);
  assign(left, a);
  assign(right, b);
  return mpfr_cmp(left, right);
}

double reciprocal_error(const FpRegister& f3, const FpRegister& approximation) {
  support::allow_every_exponent();
  MpfrNumber operand(200), given(200);
  assign(operand, f3);
  assign(given, approximation);
  mpfr_ui_div(operand, 1, operand, MPFR_RNDN);
  return relative_error(given, operand);
}

double reciprocal_root_error(const FpRegister& f3, const FpRegister& approximation) {
  support::allow_every_exponent();
  MpfrNumber operand(200), given(200);
  assign(operand, f3);
  assign(given, approximation);
  mpfr_rec_sqrt(operand, operand, MPFR_RNDN);
  return relative_error(given, operand);
}

}  // namespace hardclock::ia64::fp
