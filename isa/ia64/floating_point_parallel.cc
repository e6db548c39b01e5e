#include "isa/ia64/floating_point_parallel.h"

#include "isa/ia64/floating_point_approximations.h"
#include "isa/ia64/floating_point_integers.h"
#include "isa/ia64/floating_point_moves.h"
#include "isa/ia64/floating_point_rules.h"

namespace hardclock::ia64::fp {
namespace {

// What a half of an instruction gives: 32 bits of the result, and the rest as for a scalar.
struct Half {
  std::uint32_t bits = 0;
  std::uint32_t flags = 0, fault = 0, trap = 0;
  bool p2 = false;
};

Half single_of(const Outcome& outcome) {
  return {to_single(outcome.result), outcome.flags, outcome.fault, outcome.trap};
}
Half word_of(const Outcome& outcome) {
  return {low_half(outcome.result), outcome.flags, outcome.fault, outcome.trap};
}

Approximation joined(const Half& high, const Half& low) {
  const std::uint32_t fault = high.fault | low.fault << isr_low_half;
  if (fault != 0) return {{.fault = fault}};
  return {{.result = from_halves(high.bits, low.bits),
           .flags = high.flags | low.flags,
           .trap = high.trap | low.trap >> isr_low_half},
          high.p2 && low.p2};
}

// Applies `operation`, which takes singles in registers and returns a Half, to both halves.
template <class Operation, class... Operands>
Approximation on_halves(Operation operation, const Operands&... operands) {
  if ((is_nat_value(operands) || ...)) return {{.result = nat_value}};
  return joined(operation(from_single(high_half(operands))...),
                operation(from_single(low_half(operands))...));
}

using Ternary = Outcome(const FpRegister&, const FpRegister&, const FpRegister&,
                        const Environment&);
template <Ternary operation>
Outcome each(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
             const Environment& environment) {
  return on_halves([&](const FpRegister& a, const FpRegister& b,
                       const FpRegister& c) { return single_of(operation(a, b, c, environment)); },
                   f3, f4, f2)
      .outcome;
}

using Binary = Outcome(const FpRegister&, const FpRegister&, const Environment&);
template <Binary operation>
Outcome each(const FpRegister& a, const FpRegister& b, const Environment& environment) {
  return on_halves(
             [&](const FpRegister& left, const FpRegister& right) {
               return single_of(operation(left, right, environment));
             },
             a, b)
      .outcome;
}

Outcome to_words(const FpRegister& f2, bool is_signed, const Environment& environment) {
  return on_halves(
             [&](const FpRegister& f) {
               return word_of(to_integer(f, 32, is_signed, environment));
             },
             f2)
      .outcome;
}

// Exponents of normalized singles, and how near to the ends an iteration must not come (Ski 1.5,
// float.c).
constexpr auto bias = static_cast<std::int32_t>(exponent_bias);
constexpr std::int32_t least = -126, greatest = 127, precision = 24;

// The approximation of 1 / divisor. Below 2^-126 it is zero; of a denormal it is an infinity,
// though a single could hold some of these.
FpRegister single_reciprocal(const FpRegister& f3, const Number& divisor) {
  if (is_unnormal(f3)) return infinity(f3.sign);
  if (divisor.exponent - bias >= greatest - 2) return signed_zero(f3.sign);
  return approximate_reciprocal(divisor);
}

bool can_iterate(const FpRegister& f3, const Number& f2, const Number& divisor) {
  const std::int32_t quotient = f2.exponent - divisor.exponent;
  return !is_unnormal(f3) && divisor.exponent - bias < greatest - 2 && quotient > least + 1 &&
         quotient < greatest && f2.exponent - bias >= least + precision;
}

// A half of fprcpa. What has no approximation is the scalar instruction's quotient: no single is
// near the ends of a register's range, where that would need rounding.
Half reciprocal(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  const Approximation scalar = frcpa(f2, f3, environment);
  Half half = single_of(scalar.outcome);
  if (!scalar.p2) return half;
  const Number dividend = number(f2), divisor = number(f3);
  half.bits = to_single(single_reciprocal(f3, divisor));
  half.p2 = can_iterate(f3, dividend, divisor);
  return half;
}

// A half of fprsqrta.
Half reciprocal_root(const FpRegister& f3, const Environment& environment) {
  const Approximation scalar = frsqrta(f3, environment);
  Half half = single_of(scalar.outcome);
  if (is_zero(f3)) half.bits = to_single(infinity(f3.sign));
  if (is_infinity(f3) && !f3.sign) half.bits = to_single(zero);
  half.p2 = scalar.p2 && number(f3).exponent - bias >= least + precision;
  return half;
}

}  // namespace

Outcome fpma(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
             const Environment& environment) {
  return each<fma>(f3, f4, f2, environment);
}
Outcome fpms(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
             const Environment& environment) {
  return each<fms>(f3, f4, f2, environment);
}
Outcome fpnma(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
              const Environment& environment) {
  return each<fnma>(f3, f4, f2, environment);
}
Outcome fpmpy(const FpRegister& f3, const FpRegister& f4, const Environment& environment) {
  return each<fmpy>(f3, f4, environment);
}
Outcome fpnmpy(const FpRegister& f3, const FpRegister& f4, const Environment& environment) {
  return each<fnmpy>(f3, f4, environment);
}

Outcome fpmin(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  return each<fmin>(f2, f3, environment);
}
Outcome fpmax(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  return each<fmax>(f2, f3, environment);
}
Outcome fpamin(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  return each<famin>(f2, f3, environment);
}
Outcome fpamax(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  return each<famax>(f2, f3, environment);
}

Outcome fpcmp(Relation relation, bool negated, const FpRegister& f2, const FpRegister& f3,
              const Environment& environment) {
  return on_halves(
             [&](const FpRegister& left, const FpRegister& right) {
               const Comparison c = fcmp(relation, left, right, environment);
               return Half{c.holds != negated ? ~0u : 0, c.flags, c.fault};
             },
             f2, f3)
      .outcome;
}

Outcome fpcvt_fx(const FpRegister& f2, const Environment& environment) {
  return to_words(f2, true, environment);
}
Outcome fpcvt_fxu(const FpRegister& f2, const Environment& environment) {
  return to_words(f2, false, environment);
}
Outcome fpcvt_fx_trunc(const FpRegister& f2, const Environment& environment) {
  return to_words(f2, true, toward_zero(environment));
}
Outcome fpcvt_fxu_trunc(const FpRegister& f2, const Environment& environment) {
  return to_words(f2, false, toward_zero(environment));
}

Approximation fprcpa(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  return on_halves(
      [&](const FpRegister& dividend, const FpRegister& divisor) {
        return reciprocal(dividend, divisor, environment);
      },
      f2, f3);
}

Approximation fprsqrta(const FpRegister& f3, const Environment& environment) {
  return on_halves([&](const FpRegister& f) { return reciprocal_root(f, environment); }, f3);
}

}  // namespace hardclock::ia64::fp
