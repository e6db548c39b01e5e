// Special operands, exceptions that fault, and exceptions that trap: SDM 1, sections 5.1.3 and 5.4;
// SDM 2, part 2, section 8.1.2.
#include <gtest/gtest.h>

#include "isa/ia64/floating_point.h"
#include "isa/ia64/floating_point_memory.h"
#include "tests/unit/ia64/floating_point_values.h"

namespace hardclock::ia64::fp {
namespace {

Environment with_disabled(std::uint32_t disabled, Completer completer = Completer::none,
                          unsigned rc = 0) {
  return environment(disabled | std::uint64_t{3u << 2 | rc << 4} << 6, 0, completer);
}
const Environment quiet = with_disabled(all_exceptions);
// All traps are disabled but these.
Environment trapping_on(std::uint32_t exceptions, Completer completer = Completer::none) {
  return with_disabled(all_exceptions & ~exceptions, completer);
}

constexpr FpRegister quiet_nan(std::uint64_t payload) {
  return {integer_bit | quiet_bit | payload, special_exponent, false};
}
constexpr FpRegister signalling_nan(std::uint64_t payload) {
  return {integer_bit | payload, special_exponent, true};
}
constexpr FpRegister quieted(FpRegister f) {
  f.significand |= quiet_bit;
  return f;
}
constexpr FpRegister unsupported{1, special_exponent, false};
constexpr FpRegister pseudo_zero{0, 0x1003e, false};
constexpr FpRegister half{integer_bit, exponent_bias - 1, false};
constexpr FpRegister unnormalized_half{integer_bit >> 1, exponent_bias, false};
const FpRegister inf = infinity(false);

void expect(const Outcome& outcome, const FpRegister& result, std::uint32_t flags) {
  EXPECT_EQ(outcome.fault, 0u);
  EXPECT_EQ(outcome.result, result);
  EXPECT_EQ(outcome.flags, flags);
}

// f4, then f2, then f3; a signalling NaN does not come before a quiet one.
TEST(Ia64FloatingPointSpecial, OrderOfNans) {
  const FpRegister q1 = quiet_nan(1), q2 = quiet_nan(2), s3 = signalling_nan(3);
  for (const auto operation : {fma, fms, fnma}) {
    expect(operation(q1, q2, s3, quiet), q2, invalid);
    expect(operation(q1, one, s3, quiet), quieted(s3), invalid);
    expect(operation(s3, one, q1, quiet), q1, invalid);
    expect(operation(q1, one, q2, quiet), q2, 0);
    expect(operation(q1, one, one, quiet), q1, 0);
    expect(operation(s3, s3, s3, quiet), quieted(s3), invalid);
    expect(operation(inf, zero, q1, quiet), q1, 0);
  }
  expect(fmpy(q1, q2, quiet), q2, 0);
  expect(fnmpy(q1, one, quiet), q1, 0);
  expect(frcpa(q1, q2, quiet).outcome, q1, 0);
  expect(frcpa(one, q2, quiet).outcome, q2, 0);
}

// All bits of a NaN go through, whatever the precision.
TEST(Ia64FloatingPointSpecial, NansAreNotRounded) {
  const Environment single = environment(63, 0, Completer::single);
  expect(fma(quiet_nan(1), one, one, single), quiet_nan(1), 0);
}

TEST(Ia64FloatingPointSpecial, UnsupportedOperands) {
  expect(fma(one, quiet_nan(1), unsupported, quiet), indefinite, invalid);
  expect(fmpy(unsupported, one, quiet), indefinite, invalid);
  expect(frcpa(unsupported, quiet_nan(1), quiet).outcome, indefinite, invalid);
  expect(frsqrta(unsupported, quiet).outcome, indefinite, invalid);
  expect(fcvt_fx(unsupported, quiet), from_significand(integer_bit), invalid);
  expect(fmin(unsupported, one, quiet), one, invalid);
  EXPECT_EQ(fcmp(Relation::eq, unsupported, one, quiet).flags, invalid);
  EXPECT_TRUE(fcmp(Relation::unord, unsupported, one, quiet).holds);
}

TEST(Ia64FloatingPointSpecial, NatValueStays) {
  const FpRegister n = nat_value;
  const Environment traps = with_disabled(0);
  for (const FpRegister& other : {one, unsupported, signalling_nan(1), unnormalized_half}) {
    for (const auto operation : {fma, fms, fnma}) {
      expect(operation(n, other, other, traps), n, 0);
      expect(operation(other, n, other, traps), n, 0);
      expect(operation(other, other, n, traps), n, 0);
    }
    for (const auto operation : {fmpy, fnmpy, fmin, fmax, famin, famax}) {
      expect(operation(n, other, traps), n, 0);
      expect(operation(other, n, traps), n, 0);
    }
    expect(frcpa(n, other, traps).outcome, n, 0);
    expect(frcpa(other, n, traps).outcome, n, 0);
    EXPECT_FALSE(frcpa(n, other, traps).p2);
    EXPECT_TRUE(fcmp(Relation::lt, n, other, traps).is_nat);
    EXPECT_TRUE(fcmp(Relation::unord, other, n, traps).is_nat);
    EXPECT_FALSE(fcmp(Relation::unord, other, n, traps).holds);
  }
  for (const auto operation : {fcvt_fx, fcvt_fxu, fcvt_fx_trunc, fcvt_fxu_trunc}) {
    expect(operation(n, traps), n, 0);
  }
  EXPECT_EQ(fcvt_xf(n), n);
  expect(frsqrta(n, traps).outcome, n, 0);
}

TEST(Ia64FloatingPointSpecial, InvalidOperations) {
  expect(fma(inf, zero, one, quiet), indefinite, invalid);
  expect(fma(zero, inf, inf, quiet), indefinite, invalid);
  expect(fma(inf, one, negative(inf), quiet), indefinite, invalid);
  expect(fms(inf, one, inf, quiet), indefinite, invalid);
  expect(fnma(inf, one, inf, quiet), indefinite, invalid);
  expect(fma(inf, one, inf, quiet), inf, 0);
  expect(fnma(inf, one, negative(inf), quiet), negative(inf), 0);
  expect(fmpy(inf, negative(zero), quiet), indefinite, invalid);
  expect(frcpa(zero, negative(zero), quiet).outcome, indefinite, invalid);
  expect(frcpa(inf, inf, quiet).outcome, indefinite, invalid);
  expect(frsqrta(negative(one), quiet).outcome, indefinite, invalid);
  expect(frsqrta(negative(inf), quiet).outcome, indefinite, invalid);
}

// A zero with an exponent: a number that is not normalized, and no zero to an infinity.
TEST(Ia64FloatingPointSpecial, PseudoZeros) {
  expect(fmpy(inf, pseudo_zero, quiet), inf, denormal);
  expect(fmpy(pseudo_zero, negative(inf), quiet), negative(inf), denormal);
  expect(fma(one, pseudo_zero, one, quiet), one, denormal);
  expect(fma(one, one, pseudo_zero, quiet), one, denormal);
  expect(fmpy(pseudo_zero, one, quiet), zero, denormal);
  // The sign that fms gives its addend must not make it NaTVal.
  const FpRegister almost_nat{0, nat_value_exponent, true};
  expect(fms(one, one, almost_nat, quiet), one, denormal);
  expect(fnmpy(almost_nat, one, quiet), zero, denormal);
  EXPECT_TRUE(fcmp(Relation::eq, pseudo_zero, negative(zero), quiet).holds);
  EXPECT_TRUE(fcmp(Relation::lt, pseudo_zero, half, quiet).holds);
  EXPECT_TRUE(fcmp(Relation::lt, negative(half), negative(pseudo_zero), quiet).holds);
  expect(fmax(half, pseudo_zero, quiet), half, denormal);
  expect(famin(pseudo_zero, half, quiet), pseudo_zero, denormal);
  EXPECT_EQ(frcpa(one, pseudo_zero, quiet).outcome.flags, zero_divide);
  expect(frsqrta(negative(pseudo_zero), quiet).outcome, negative(zero), denormal);
}

// Multiplying has no addend whose +0 would change a -0.
TEST(Ia64FloatingPointSpecial, SignsOfZeros) {
  const FpRegister minus_zero = negative(zero);
  const Environment down = with_disabled(all_exceptions, Completer::none, 1);
  expect(fmpy(minus_zero, one, quiet), minus_zero, 0);
  expect(fma(minus_zero, one, zero, quiet), zero, 0);
  expect(fma(minus_zero, one, zero, down), minus_zero, 0);
  expect(fma(minus_zero, one, minus_zero, quiet), minus_zero, 0);
  expect(fnmpy(zero, one, quiet), minus_zero, 0);
  expect(fnma(zero, one, minus_zero, quiet), minus_zero, 0);
  expect(fms(one, one, one, quiet), zero, 0);
  expect(fms(one, one, one, down), minus_zero, 0);
  expect(fnma(one, one, one, down), minus_zero, 0);
  expect(frsqrta(minus_zero, quiet).outcome, minus_zero, 0);
  EXPECT_EQ(fcvt_fx(minus_zero, quiet).result, from_significand(0));
  EXPECT_EQ(fcvt_xf(from_significand(0)), zero);
}

TEST(Ia64FloatingPointSpecial, UnnormalOperands) {
  expect(fmpy(unnormalized_half, one, quiet), half, denormal);
  expect(fma(one, half, unnormalized_half, quiet), one, denormal);
  const FpRegister pseudo_denormal{integer_bit, 0, false};
  expect(fmpy(pseudo_denormal, one, quiet), {integer_bit, 0xc001, false}, denormal);
  expect(fma(inf, one, unnormalized_half, quiet), inf, denormal);
  EXPECT_TRUE(fcmp(Relation::eq, unnormalized_half, half, quiet).holds);
  EXPECT_EQ(fcmp(Relation::eq, unnormalized_half, half, quiet).flags, denormal);
  // The operand itself, as it is.
  expect(fmin(unnormalized_half, one, quiet), unnormalized_half, denormal);
  EXPECT_EQ(fcvt_fx(unnormalized_half, quiet).flags, denormal | inexact);
}

// f3 if the operands are equal or unordered.
TEST(Ia64FloatingPointSpecial, MinimumAndMaximum) {
  const FpRegister minus_zero = negative(zero);
  for (const auto operation : {fmin, fmax, famin, famax}) {
    expect(operation(zero, minus_zero, quiet), minus_zero, 0);
    expect(operation(minus_zero, zero, quiet), zero, 0);
    expect(operation(half, unnormalized_half, quiet), unnormalized_half, denormal);
    expect(operation(quiet_nan(1), one, quiet), one, invalid);
    expect(operation(one, quiet_nan(1), quiet), quiet_nan(1), invalid);
    expect(operation(one, signalling_nan(1), quiet), signalling_nan(1), invalid);
  }
  const FpRegister two{integer_bit, exponent_bias + 1, false};
  expect(fmin(negative(two), one, quiet), negative(two), 0);
  expect(fmax(negative(two), one, quiet), one, 0);
  expect(famin(negative(two), one, quiet), one, 0);
  expect(famax(negative(two), one, quiet), negative(two), 0);
  expect(famax(two, negative(two), quiet), negative(two), 0);
  expect(fmin(negative(inf), negative(two), quiet), negative(inf), 0);
  expect(famin(negative(inf), two, quiet), two, 0);
}

TEST(Ia64FloatingPointSpecial, Conversions) {
  const auto number = [](std::uint64_t significand, std::uint32_t exponent, bool sign) {
    return FpRegister{significand, exponent, sign};
  };
  const FpRegister two_63 = number(integer_bit, 0x1003e, false);
  const FpRegister two_64 = number(integer_bit, 0x1003f, false);
  const FpRegister least = negative(two_63);
  const FpRegister bad = from_significand(integer_bit);
  expect(fcvt_fx(two_63, quiet), bad, invalid);
  expect(fcvt_fx(least, quiet), bad, 0);
  expect(fcvt_fxu(two_63, quiet), from_significand(integer_bit), 0);
  expect(fcvt_fxu(two_64, quiet), bad, invalid);
  expect(fcvt_fxu(number(~std::uint64_t{0}, 0x1003e, false), quiet),
         from_significand(~std::uint64_t{0}), 0);
  expect(fcvt_fx(inf, quiet), bad, invalid);
  expect(fcvt_fx(quiet_nan(1), quiet), bad, invalid);
  // What rounds to zero is no negative integer; -1 is.
  expect(fcvt_fxu(negative(half), quiet), from_significand(0), inexact);
  expect(fcvt_fxu(negative(number(0xc000'0000'0000'0000, 0xfffe, false)), quiet), bad, invalid);
  expect(fcvt_fxu_trunc(negative(number(0xc000'0000'0000'0000, 0xfffe, false)), quiet),
         from_significand(0), inexact);
  // 2.5 and 3.5.
  expect(fcvt_fx(number(0xa000'0000'0000'0000, 0x10000, false), quiet), from_significand(2),
         inexact);
  expect(fcvt_fx(number(0xe000'0000'0000'0000, 0x10000, false), quiet), from_significand(4),
         inexact);
  expect(fcvt_fx_trunc(number(0xe000'0000'0000'0000, 0x10000, true), quiet),
         from_significand(~std::uint64_t{0} - 2), inexact);
  EXPECT_EQ(fcvt_xf(from_significand(~std::uint64_t{0})), negative(one));
  EXPECT_EQ(fcvt_xf(from_significand(integer_bit)), least);
  EXPECT_EQ(fcvt_xf(from_significand(5)), number(0xa000'0000'0000'0000, 0x10001, false));
}

// V, Z and D are faults: ISR.code has their bits, and there is nothing else.
TEST(Ia64FloatingPointSpecial, Faults) {
  EXPECT_EQ(fma(inf, zero, one, trapping_on(invalid)).fault, invalid);
  EXPECT_EQ(fma(signalling_nan(1), one, one, trapping_on(invalid)).fault, invalid);
  EXPECT_EQ(fma(quiet_nan(1), one, one, trapping_on(invalid)).fault, 0u);
  EXPECT_EQ(fmpy(unnormalized_half, one, trapping_on(denormal)).fault, denormal);
  EXPECT_EQ(fma(inf, one, unnormalized_half, trapping_on(denormal)).fault, denormal);
  EXPECT_EQ(fcmp(Relation::le, quiet_nan(1), one, trapping_on(invalid)).fault, invalid);
  EXPECT_EQ(fcmp(Relation::eq, quiet_nan(1), one, trapping_on(invalid)).fault, 0u);
  EXPECT_EQ(fmax(quiet_nan(1), one, trapping_on(invalid)).fault, invalid);
  EXPECT_EQ(fcvt_fx(inf, trapping_on(invalid)).fault, invalid);
  EXPECT_EQ(fcvt_fx(unnormalized_half, trapping_on(denormal)).fault, denormal);
  EXPECT_EQ(frcpa(one, zero, trapping_on(zero_divide)).outcome.fault, zero_divide);
  EXPECT_EQ(frcpa(inf, zero, trapping_on(zero_divide)).outcome.fault, 0u);
  EXPECT_EQ(frsqrta(negative(one), trapping_on(invalid)).outcome.fault, invalid);
  const Outcome faulting = fmpy(unnormalized_half, one, with_disabled(0));
  EXPECT_EQ(faulting.flags, 0u);
  EXPECT_EQ(faulting.trap, 0u);
}

// What comes first stops the others, even if it does not fault itself.
TEST(Ia64FloatingPointSpecial, OrderOfFaults) {
  const Environment traps = with_disabled(0), denormals = trapping_on(denormal);
  EXPECT_EQ(fma(signalling_nan(1), one, unnormalized_half, traps).fault, invalid);
  EXPECT_EQ(fma(signalling_nan(1), one, unnormalized_half, denormals).fault, 0u);
  EXPECT_EQ(fma(quiet_nan(1), one, unnormalized_half, denormals).fault, 0u);
  EXPECT_EQ(frcpa(unnormalized_half, zero, traps).outcome.fault, zero_divide);
  EXPECT_EQ(frcpa(unnormalized_half, zero, denormals).outcome.fault, 0u);
}

constexpr FpRegister greatest_single{0xffff'ff00'0000'0000, 0x1007e, false};
constexpr FpRegister two{integer_bit, exponent_bias + 1, false};

// The rounded result with the exponent that it would have if there were no bounds.
TEST(Ia64FloatingPointSpecial, OverflowTraps) {
  const Outcome outcome = fmpy(greatest_single, two, trapping_on(overflow, Completer::single));
  expect(outcome, {0xffff'ff00'0000'0000, 0x1007f, false}, overflow);
  EXPECT_EQ(outcome.trap, isr_overflow);
  const FpRegister third{0xaaaa'aaaa'aaaa'aaab, 0x10080, true};  // rounded up
  const Outcome inexact_too = fmpy(third, one, trapping_on(overflow, Completer::single));
  expect(inexact_too, {0xaaaa'ab00'0000'0000, 0x10080, true}, overflow | inexact);
  EXPECT_EQ(inexact_too.trap, isr_overflow | isr_inexact | isr_fpa);
}

// Beyond 17 bits the exponent is cut.
TEST(Ia64FloatingPointSpecial, ExponentsWrap) {
  const FpRegister huge{integer_bit, 0x1fffe, false}, tiny{integer_bit, 1, false};
  const std::uint64_t wide = std::uint64_t{3u << 2 | 2} << 6;
  const Environment environment_ = environment(wide, 0, Completer::none);
  expect(fmpy(huge, huge, environment_), {integer_bit, 2 * 0x1fffe - 0xffff - 0x20000, false},
         overflow);
  expect(fmpy(tiny, tiny, environment_), {integer_bit, 2 - 0xffff + 0x20000, false}, underflow);
}

// If the trap is enabled, tininess alone is an underflow, and flush-to-zero has no effect.
TEST(Ia64FloatingPointSpecial, UnderflowTraps) {
  const FpRegister least{integer_bit, denormal_single, false};
  expect(fmpy(least, half, with_disabled(all_exceptions, Completer::single)),
         {integer_bit >> 1, denormal_single, false}, 0);
  Environment traps = trapping_on(underflow, Completer::single);
  for (const bool flushes : {false, true}) {
    traps.flushes = flushes;
    const Outcome outcome = fmpy(least, half, traps);
    expect(outcome, {integer_bit, denormal_single - 1, false}, underflow);
    EXPECT_EQ(outcome.trap, isr_underflow);
  }
}

TEST(Ia64FloatingPointSpecial, FlushToZero) {
  Environment flushing = with_disabled(all_exceptions, Completer::single);
  flushing.flushes = true;
  const FpRegister least{integer_bit, denormal_single, true};
  expect(fmpy(least, half, flushing), negative(zero), underflow | inexact);
  expect(fmpy(least, one, flushing), least, 0);
  // A denormal operand is none of its business.
  expect(fmpy({integer_bit >> 1, denormal_single, false}, two, flushing), negative(least),
         denormal);
}

TEST(Ia64FloatingPointSpecial, InexactTraps) {
  const Environment traps = trapping_on(inexact, Completer::single);
  const FpRegister below{0x8000'0000'0000'0001, exponent_bias, false};
  const FpRegister above{0x8000'00ff'ffff'ffff, exponent_bias, false};
  EXPECT_EQ(fmpy(below, one, traps).trap, isr_inexact);
  EXPECT_EQ(fmpy(above, one, traps).trap, isr_inexact | isr_fpa);
  EXPECT_EQ(fmpy(one, one, traps).trap, 0u);
  // An infinity in place of the result is larger than that, the greatest number is not.
  EXPECT_EQ(fmpy(greatest_single, two, traps).trap, isr_inexact | isr_fpa);
  Environment toward_zero = traps;
  toward_zero.rounding = Rounding::zero;
  EXPECT_EQ(fmpy(greatest_single, two, toward_zero).trap, isr_inexact);
  EXPECT_EQ(fcvt_fx(negative(half), traps).trap, isr_inexact);
  EXPECT_EQ(fcvt_fx(two, traps).trap, 0u);
}

}  // namespace
}  // namespace hardclock::ia64::fp
