// fcmp, fclass, fmin, fmax, famin, famax.
#include "isa/ia64/floating_point_rounding.h"
#include "isa/ia64/floating_point_rules.h"

namespace hardclock::ia64::fp {
namespace {

bool is_number(const FpRegister& f) { return !is_nan(f) && !is_unsupported(f); }

// Numbers ordered by magnitude. An infinity has the greatest exponent. A pseudo-zero is a zero (SDM
// 1, section 5.1.3), though Ski 1.5 orders it by its exponent.
struct Magnitude {
  std::int32_t exponent;
  std::uint64_t significand;

  auto operator<=>(const Magnitude&) const = default;
};
Magnitude magnitude(const FpRegister& f) {
  if (has_value_zero(f)) return {-64, 0};  // below every exponent of a normalized number
  const Number n = number(f);
  return {n.exponent, n.significand};
}

// Whether a < b. Not for NaNs.
bool less_than(const FpRegister& a, const FpRegister& b) {
  const Magnitude left = magnitude(a), right = magnitude(b);
  const bool both_zero = left.significand == 0 && right.significand == 0;
  if (a.sign != b.sign) return a.sign && !both_zero;
  return a.sign ? right < left : left < right;
}

bool equal(const FpRegister& a, const FpRegister& b) {
  return !less_than(a, b) && !less_than(b, a);
}

bool holds(Relation relation, const FpRegister& f2, const FpRegister& f3) {
  switch (relation) {
    case Relation::eq:
      return equal(f2, f3);
    case Relation::lt:
      return less_than(f2, f3);
    case Relation::le:
      return !less_than(f3, f2);
    case Relation::unord:
      break;
  }
  return false;
}

// `signals`: quiet NaNs are invalid, too.
std::uint32_t raised_by(const FpRegister& f2, const FpRegister& f3, bool signals) {
  if (is_number(f2) && is_number(f3)) return denormal_if(is_unnormal(f2) || is_unnormal(f3));
  const bool both_harmless =
      (is_number(f2) || is_quiet_nan(f2)) && (is_number(f3) || is_quiet_nan(f3));
  return signals || !both_harmless ? invalid : 0;
}

template <class Choice>
Outcome chosen(const FpRegister& f2, const FpRegister& f3, const Environment& environment,
               Choice chooses_f2) {
  if (is_nat_value(f2) || is_nat_value(f3)) return {.result = nat_value};
  const bool ordered = is_number(f2) && is_number(f3);
  return delivered(ordered && chooses_f2() ? f2 : f3, raised_by(f2, f3, true), environment);
}

std::uint32_t kind_of(const FpRegister& f) {
  if (is_infinity(f)) return class_inf;
  if (is_zero(f)) return class_zero;
  return is_normal(f) ? class_norm : class_unorm;
}

bool is_of_class(const FpRegister& f, std::uint32_t mask) {
  if (is_unsupported(f)) return false;
  if (is_nan(f)) return (mask & (is_quiet_nan(f) ? class_qnan : class_snan)) != 0;
  const std::uint32_t sign = f.sign ? class_neg : class_pos;
  return (mask & sign) != 0 && (mask & kind_of(f)) != 0;
}

}  // namespace

Comparison fcmp(Relation relation, const FpRegister& f2, const FpRegister& f3,
                const Environment& environment) {
  if (is_nat_value(f2) || is_nat_value(f3)) return {.is_nat = true};
  const bool signals = relation == Relation::lt || relation == Relation::le;
  const std::uint32_t raised = raised_by(f2, f3, signals);
  const std::uint32_t faults = enabled_faults(raised, environment);
  if (faults != 0) return {.fault = faults};
  const bool ordered = is_number(f2) && is_number(f3);
  return {.holds = ordered ? holds(relation, f2, f3) : relation == Relation::unord,
          .flags = raised};
}

Comparison fclass(const FpRegister& f2, std::uint32_t mask) {
  if (!is_nat_value(f2)) return {.holds = is_of_class(f2, mask)};
  const bool asked = (mask & class_nat) != 0;
  return {.holds = asked, .is_nat = !asked};
}

Outcome fmin(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  return chosen(f2, f3, environment, [&] { return less_than(f2, f3); });
}
Outcome fmax(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  return chosen(f2, f3, environment, [&] { return less_than(f3, f2); });
}
Outcome famin(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  return chosen(f2, f3, environment, [&] { return magnitude(f2) < magnitude(f3); });
}
Outcome famax(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  return chosen(f2, f3, environment, [&] { return magnitude(f3) < magnitude(f2); });
}

}  // namespace hardclock::ia64::fp
