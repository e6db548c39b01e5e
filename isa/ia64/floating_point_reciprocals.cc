// frcpa and frsqrta.
#include "isa/ia64/floating_point_approximations.h"
#include "isa/ia64/floating_point_rules.h"

namespace hardclock::ia64::fp {
namespace {

constexpr auto bias = static_cast<std::int32_t>(exponent_bias);
constexpr unsigned table_bits = 11;

FpRegister approximation(std::uint64_t significand, std::int32_t exponent, bool sign) {
  return {significand << (64 - table_bits), static_cast<std::uint32_t>(exponent) & special_exponent,
          sign};
}

// The integer nearest to the square root of n.
std::uint64_t nearest_root(std::uint64_t n) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= n) root |= bit;
  }
  return n - root * root > root ? root + 1 : root;
}

// f2 / f3: 64 bits, then 64 bits that are those after them or, if there are more, not zero.
ExactNumber quotient(const Number& f2, const Number& f3) {
  const bool is_below_one = f2.significand < f3.significand;
  const Uint128 dividend = static_cast<Uint128>(f2.significand) << (is_below_one ? 64 : 63);
  const Uint128 high = dividend / f3.significand;
  const Uint128 rest = dividend % f3.significand << 64;
  const Uint128 low = rest / f3.significand;
  const bool more = rest % f3.significand != 0;
  return {high << 64 | low | more, f2.exponent - f3.exponent + bias - (is_below_one ? 1 : 0),
          f2.sign != f3.sign};
}

// The square root of a positive number. Its 65th bit is one if the remainder is above the root of
// 64 bits: (r + 1/2)^2 = r^2 + r + 1/4.
ExactNumber square_root(const Number& f3) {
  const std::int32_t exponent = f3.exponent - bias;
  Uint128 rest = static_cast<Uint128>(f3.significand) << ((exponent & 1) != 0 ? 64 : 63);
  Uint128 root = 0;
  for (Uint128 bit = static_cast<Uint128>(1) << 63; bit != 0; bit >>= 1) {
    const Uint128 increase = bit * (2 * root + bit);
    if (increase > rest) continue;
    rest -= increase;
    root |= bit;
  }
  const Uint128 next_bit = rest > root ? integer_bit : 0;
  return {root << 64 | next_bit | (rest != 0), (exponent >> 1) + bias, false};
}

// Whether an iteration from the approximation could leave the registers' range on its way to the
// quotient (Ski 1.5, float.c).
bool needs_quotient(const Number& f2, const Number& f3) {
  constexpr std::int32_t least = 1 - bias, greatest = bias;  // exponents, unbiased
  const std::int32_t dividend = f2.exponent - bias, divisor = f3.exponent - bias;
  return divisor < least || divisor >= greatest - 2 || dividend - divisor <= least + 1 ||
         dividend - divisor >= greatest || dividend < least + 64;
}
bool needs_root(const Number& f3) { return f3.exponent <= 64; }

}  // namespace

FpRegister approximate_reciprocal(const Number& f3) {
  // 1 / (1 + (2i + 1) / 512), the reciprocal of the middle of the interval, in units of 2^-11.
  const std::uint64_t i = f3.significand >> 55 & 0xff;
  const std::uint64_t divisor = 512 + 2 * i + 1;
  const std::uint64_t dividend = 2048 * 512;
  return approximation((dividend + divisor / 2) / divisor, 2 * bias - 1 - f3.exponent, f3.sign);
}

FpRegister approximate_reciprocal_root(const Number& f3) {
  // The middle of the interval, in units of 2^-8: 1 + (2i + 1) / 256, or twice that for an odd
  // exponent. Its reciprocal root, in units of 2^-11, is the root of 2048^2 / middle.
  const std::uint64_t i = f3.significand >> 56 & 0x7f;
  const std::int32_t exponent = f3.exponent - bias;
  const std::uint64_t middle = (256 + 2 * i + 1) << (exponent & 1);
  const std::uint64_t root = nearest_root((std::uint64_t{1} << 30) / middle);
  return approximation(root, bias - 1 - (exponent >> 1), false);
}

Approximation frcpa(const FpRegister& f2, const FpRegister& f3, const Environment& environment) {
  if (const auto nan = not_a_number({&f2, &f3}, environment)) return {*nan};
  const bool sign = f2.sign != f3.sign;
  const bool is_undefined =
      (is_infinity(f2) && is_infinity(f3)) || (has_value_zero(f2) && has_value_zero(f3));
  if (is_undefined) return {delivered(indefinite, invalid, environment)};
  if (!is_infinity(f2) && has_value_zero(f3)) {
    return {delivered(infinity(sign), zero_divide, environment)};
  }
  const std::uint32_t raised = denormal_if(is_unnormal(f2) || is_unnormal(f3));
  if (is_infinity(f2)) return {delivered(infinity(sign), raised, environment)};
  if (is_infinity(f3) || has_value_zero(f2)) {
    return {delivered(signed_zero(sign), raised, environment)};
  }
  const std::uint32_t faults = enabled_faults(raised, environment);
  if (faults != 0) return {faulted(faults)};
  const Number dividend = number(f2), divisor = number(f3);
  if (needs_quotient(dividend, divisor)) {
    return {rounded(quotient(dividend, divisor), raised, environment)};
  }
  return {{.result = approximate_reciprocal(divisor), .flags = raised}, true};
}

Approximation frsqrta(const FpRegister& f3, const Environment& environment) {
  if (const auto nan = not_a_number({&f3}, environment)) return {*nan};
  if (f3.sign && !has_value_zero(f3)) return {delivered(indefinite, invalid, environment)};
  const std::uint32_t raised = denormal_if(is_unnormal(f3));
  if (is_infinity(f3)) return {delivered(f3, raised, environment)};
  if (has_value_zero(f3)) return {delivered(signed_zero(f3.sign), raised, environment)};
  const std::uint32_t faults = enabled_faults(raised, environment);
  if (faults != 0) return {faulted(faults)};
  const Number n = number(f3);
  if (needs_root(n)) return {rounded(square_root(n), raised, environment)};
  return {{.result = approximate_reciprocal_root(n), .flags = raised}, true};
}

}  // namespace hardclock::ia64::fp
