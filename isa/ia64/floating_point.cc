#include "isa/ia64/floating_point.h"

#include "isa/ia64/floating_point_rounding.h"
#include "isa/ia64/floating_point_rules.h"

namespace hardclock::ia64::fp {
namespace {

int leading_zeros(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  if (high != 0) return std::countl_zero(high);
  return 64 + std::countl_zero(static_cast<std::uint64_t>(value));
}

int trailing_zeros(Uint128 value) {
  const auto low = static_cast<std::uint64_t>(value);
  if (low != 0) return std::countr_zero(low);
  return 64 + std::countr_zero(static_cast<std::uint64_t>(value >> 64));
}

constexpr Uint128 top_bit = static_cast<Uint128>(1) << 127;

ExactNumber product(const Number& a, const Number& b) {
  const Uint128 significand = static_cast<Uint128>(a.significand) * b.significand;
  const int zeros = (significand & top_bit) == 0 ? 1 : 0;
  return {significand << zeros,
          a.exponent + b.exponent - static_cast<std::int32_t>(exponent_bias) + 1 - zeros,
          a.sign != b.sign};
}

// A significand moved to a larger exponent, and whether ones were lost.
struct Aligned {
  Uint128 significand;
  bool lost;
};
Aligned aligned(Uint128 significand, unsigned distance) {
  const bool lost = trailing_zeros(significand) < static_cast<int>(distance);
  return {distance < 128 ? significand >> distance : 0, lost};
}

ExactNumber sum_of_magnitudes(const ExactNumber& larger, const Aligned& smaller) {
  Uint128 sum = larger.significand + smaller.significand;
  if (sum >= larger.significand) return {sum | smaller.lost, larger.exponent, larger.sign};
  const bool lost = smaller.lost || (sum & 1) != 0;
  return {sum >> 1 | top_bit | lost, larger.exponent + 1, larger.sign};
}

// The difference of different numbers. If bits were lost, the exact difference is that of the
// aligned significands less a fraction of a unit. Then either at most one leading bit cancels, and
// the fraction only has to make the result inexact; or the exponents differ by one, and it is one
// half, the bit below the lowest.
ExactNumber difference_of_magnitudes(const ExactNumber& larger, const Aligned& smaller) {
  const Uint128 lost = smaller.lost ? 1 : 0;
  const Uint128 difference = larger.significand - smaller.significand - lost;
  const int zeros = leading_zeros(difference);
  const int place_of_lost = zeros == 0 ? 0 : zeros - 1;
  return {difference << zeros | lost << place_of_lost, larger.exponent - zeros, larger.sign};
}

// a + b, which are not zero. An exact difference of equal numbers is zero with the sign 0.
ExactNumber sum(const ExactNumber& a, const ExactNumber& b) {
  const bool b_is_larger =
      b.exponent > a.exponent || (b.exponent == a.exponent && b.significand > a.significand);
  const ExactNumber& larger = b_is_larger ? b : a;
  const ExactNumber& smaller = b_is_larger ? a : b;
  const auto distance = static_cast<unsigned>(larger.exponent - smaller.exponent);
  const Aligned moved = aligned(smaller.significand, distance);
  if (a.sign == b.sign) return sum_of_magnitudes(larger, moved);
  if (distance == 0 && a.significand == b.significand) return {};
  return difference_of_magnitudes(larger, moved);
}

// A zero that is the sum of numbers with different signs.
FpRegister cancelled(const Environment& environment) {
  return signed_zero(environment.rounding == Rounding::down);
}

Outcome rounded_sum(const ExactNumber& a, const ExactNumber& b, std::uint32_t raised,
                    const Environment& environment) {
  const ExactNumber total = sum(a, b);
  if (total.significand == 0) [[unlikely]] {
    return {.result = cancelled(environment), .flags = raised};
  }
  return rounded(total, raised, environment);
}

// Which signs an instruction changes. NaNs keep theirs.
struct Signs {
  bool product = false;
  bool addend = false;
};

Number with_sign(Number n, bool sign) {
  n.sign = sign;
  return n;
}

// A multiplication with an infinity. A pseudo-zero is not the zero that makes it invalid (SDM 1,
// section 5.1.3).
bool is_invalid_product(const FpRegister& f3, const FpRegister& f4) {
  return (is_infinity(f3) && is_zero(f4)) || (is_zero(f3) && is_infinity(f4));
}

// The product, with this sign, of operands that are not NaNs, of which one is not normal.
Outcome special_product(const FpRegister& f3, const FpRegister& f4, bool sign,
                        const Environment& environment) {
  if (is_invalid_product(f3, f4)) return delivered(indefinite, invalid, environment);
  const std::uint32_t raised = denormal_if(is_unnormal(f3) || is_unnormal(f4));
  if (is_infinity(f3) || is_infinity(f4)) {
    return delivered(infinity(sign), raised, environment);
  }
  if (has_value_zero(f3) || has_value_zero(f4)) {
    return delivered(signed_zero(sign), raised, environment);
  }
  const std::uint32_t faults = enabled_faults(raised, environment);
  if (faults != 0) return faulted(faults);
  return rounded(product(with_sign(number(f3), sign != f4.sign), number(f4)), raised, environment);
}

// The sum, likewise, of that product and f2 with its sign.
Outcome special_sum(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2, bool sign,
                    bool f2_sign, const Environment& environment) {
  const bool product_is_infinite = is_infinity(f3) || is_infinity(f4);
  if (is_invalid_product(f3, f4) || (product_is_infinite && is_infinity(f2) && f2_sign != sign)) {
    return delivered(indefinite, invalid, environment);
  }
  const std::uint32_t raised = denormal_if(is_unnormal(f3) || is_unnormal(f4) || is_unnormal(f2));
  if (product_is_infinite) return delivered(infinity(sign), raised, environment);
  if (is_infinity(f2)) return delivered(infinity(f2_sign), raised, environment);
  const std::uint32_t faults = enabled_faults(raised, environment);
  if (faults != 0) return faulted(faults);
  const bool product_is_zero = has_value_zero(f3) || has_value_zero(f4);
  if (product_is_zero && has_value_zero(f2)) {
    const FpRegister result = sign == f2_sign ? signed_zero(sign) : cancelled(environment);
    return {.result = result, .flags = raised};
  }
  const ExactNumber addend = exact(with_sign(number(f2), f2_sign));
  if (product_is_zero) return rounded(addend, raised, environment);
  const ExactNumber exact_product = product(with_sign(number(f3), sign != f4.sign), number(f4));
  if (has_value_zero(f2)) return rounded(exact_product, raised, environment);
  return rounded_sum(exact_product, addend, raised, environment);
}

template <Signs signs>
Outcome multiply_add(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
                     const Environment& environment) {
  const bool left_sign = f3.sign != signs.product, addend_sign = f2.sign != signs.addend;
  if (is_normal(f3) && is_normal(f4) && is_normal(f2)) [[likely]] {
    return rounded_sum(product(with_sign(normal_number(f3), left_sign), normal_number(f4)),
                       exact(with_sign(normal_number(f2), addend_sign)), 0, environment);
  }
  const auto nan = not_a_number({&f4, &f2, &f3}, environment);
  return nan ? *nan : special_sum(f3, f4, f2, left_sign != f4.sign, addend_sign, environment);
}

template <Signs signs>
Outcome multiply(const FpRegister& f3, const FpRegister& f4, const Environment& environment) {
  const bool left_sign = f3.sign != signs.product;
  if (is_normal(f3) && is_normal(f4)) [[likely]] {
    return rounded(product(with_sign(normal_number(f3), left_sign), normal_number(f4)), 0,
                   environment);
  }
  const auto nan = not_a_number({&f4, &f3}, environment);
  return nan ? *nan : special_product(f3, f4, left_sign != f4.sign, environment);
}

}  // namespace

Outcome fma(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
            const Environment& environment) {
  return multiply_add<Signs{}>(f3, f4, f2, environment);
}
Outcome fms(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
            const Environment& environment) {
  return multiply_add<Signs{.addend = true}>(f3, f4, f2, environment);
}
Outcome fnma(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
             const Environment& environment) {
  return multiply_add<Signs{.product = true}>(f3, f4, f2, environment);
}
Outcome fmpy(const FpRegister& f3, const FpRegister& f4, const Environment& environment) {
  return multiply<Signs{}>(f3, f4, environment);
}
Outcome fnmpy(const FpRegister& f3, const FpRegister& f4, const Environment& environment) {
  return multiply<Signs{.product = true}>(f3, f4, environment);
}

}  // namespace hardclock::ia64::fp
