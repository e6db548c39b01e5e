// Parallel operations: what they make of two halves (SDM 3, chapter 2; bits of ISR.code as Linux
// reads them, arch/ia64/kernel/traps.c, handle_fpu_swa). Their arithmetic is compared with SSE's in
// floating_point_sse_test.cc.
#include "isa/ia64/floating_point_parallel.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "isa/ia64/floating_point_memory.h"
#include "isa/ia64/floating_point_moves.h"
#include "tests/support/part_of_cases.h"
#include "tests/unit/ia64/floating_point_values.h"

namespace hardclock::ia64::fp {
namespace {

Environment with_disabled(std::uint32_t disabled, unsigned rc = 0) {
  return environment(disabled | std::uint64_t{rc << 4 | 12} << 6, 0, Completer::parallel);
}
const Environment quiet = with_disabled(all_exceptions);

FpRegister pair(float high, float low) {
  return from_halves(std::bit_cast<std::uint32_t>(high), std::bit_cast<std::uint32_t>(low));
}

constexpr float greatest = 0x1.fffffep127f, least = 0x1p-126f, denormal_single_value = 0x1p-149f;
const float inf = INFINITY, some_nan = NAN;

FpRegister random_pair(RandomRegisters& random) {
  return from_halves(random.single(), random.single());
}

// Each half is what the scalar instruction gives for it.
TEST(Ia64FloatingPointParallel, HalvesAreScalars) {
  RandomRegisters random(1);
  for (std::size_t n = 0; n < 50'000 / support::part_of_cases; ++n) {
    const FpRegister a = random_pair(random), b = random_pair(random), c = random_pair(random);
    const std::uint32_t disabled = n % 2 == 0 ? 63 : static_cast<std::uint32_t>(random.below(64));
    const Environment environment = with_disabled(disabled, static_cast<unsigned>(n % 4));
    const auto expect = [&](const Outcome& given, auto scalar) {
      const Outcome high = scalar([](const FpRegister& f) { return from_single(high_half(f)); });
      const Outcome low = scalar([](const FpRegister& f) { return from_single(low_half(f)); });
      ASSERT_EQ(given.fault, high.fault | low.fault << 4);
      if (given.fault != 0) return;
      ASSERT_EQ(given.result, from_halves(to_single(high.result), to_single(low.result)));
      ASSERT_EQ(given.flags, high.flags | low.flags);
      ASSERT_EQ(given.trap, high.trap | low.trap >> 4);
    };
    const Environment& e = environment;
    ASSERT_NO_FATAL_FAILURE(
        expect(fpma(a, b, c, e), [&](auto half) { return fma(half(a), half(b), half(c), e); }));
    ASSERT_NO_FATAL_FAILURE(
        expect(fpms(a, b, c, e), [&](auto half) { return fms(half(a), half(b), half(c), e); }));
    ASSERT_NO_FATAL_FAILURE(
        expect(fpnma(a, b, c, e), [&](auto half) { return fnma(half(a), half(b), half(c), e); }));
    ASSERT_NO_FATAL_FAILURE(
        expect(fpmpy(a, b, e), [&](auto half) { return fmpy(half(a), half(b), e); }));
    ASSERT_NO_FATAL_FAILURE(
        expect(fpnmpy(a, b, e), [&](auto half) { return fnmpy(half(a), half(b), e); }));
    ASSERT_NO_FATAL_FAILURE(
        expect(fpamin(a, b, e), [&](auto half) { return famin(half(a), half(b), e); }));
    ASSERT_NO_FATAL_FAILURE(
        expect(fpamax(a, b, e), [&](auto half) { return famax(half(a), half(b), e); }));
  }
}

// f1 as an operand is -0 and +0.
TEST(Ia64FloatingPointParallel, RegisterOneIsNoPairOfOnes) {
  EXPECT_EQ(fpmpy(pair(2, 2), one, quiet).result, pair(-0.0f, 0));
}

TEST(Ia64FloatingPointParallel, NatValueStays) {
  const FpRegister n = nat_value, a = pair(1, 1), bad = from_halves(0x7f80'0001, 1);
  const Environment traps = with_disabled(0);
  for (const Outcome& outcome :
       {fpma(n, bad, bad, traps), fpma(bad, n, bad, traps), fpms(bad, bad, n, traps),
        fpnma(n, bad, bad, traps), fpmpy(n, bad, traps), fpnmpy(bad, n, traps),
        fpmin(n, bad, traps), fpmax(bad, n, traps), fpamin(n, bad, traps), fpamax(bad, n, traps),
        fpcmp(Relation::lt, false, n, bad, traps), fpcmp(Relation::unord, true, bad, n, traps),
        fpcvt_fx(n, traps), fpcvt_fxu(n, traps), fpcvt_fx_trunc(n, traps),
        fpcvt_fxu_trunc(n, traps), fprcpa(n, bad, traps).outcome, fprcpa(a, n, traps).outcome,
        fprsqrta(n, traps).outcome}) {
    EXPECT_EQ(outcome.result, nat_value);
    EXPECT_EQ(outcome.flags | outcome.fault | outcome.trap, 0u);
  }
}

// V, D, Z at bits 0 to 2 for the high half and 4 to 6 for the low one.
TEST(Ia64FloatingPointParallel, Faults) {
  const Environment traps = with_disabled(0);
  EXPECT_EQ(fpmpy(pair(inf, 1), pair(0, 1), traps).fault, 0x01u);
  EXPECT_EQ(fpmpy(pair(1, inf), pair(1, 0), traps).fault, 0x10u);
  EXPECT_EQ(fpmpy(pair(inf, denormal_single_value), pair(0, 1), traps).fault, 0x21u);
  EXPECT_EQ(fprcpa(pair(1, 1), pair(1, 0), traps).outcome.fault, 0x40u);
  EXPECT_EQ(fpcmp(Relation::lt, false, pair(some_nan, 1), pair(1, some_nan), traps).fault, 0x11u);
  // A fault of one half keeps the other's trap from being told.
  const Outcome both = fpmpy(pair(greatest, inf), pair(greatest, 0), traps);
  EXPECT_EQ(both.fault, 0x10u);
  EXPECT_EQ(both.trap, 0u);
}

// O, U, I, fpa at bits 11 to 14 for the high half and 7 to 10 for the low one. The exponents of
// trapping results keep 8 bits.
TEST(Ia64FloatingPointParallel, Traps) {
  const Environment traps = with_disabled(0);
  const Outcome high = fpmpy(pair(0x1p127f, 1), pair(2, 1), traps);
  EXPECT_EQ(high.trap, 1u << 11);
  EXPECT_EQ(high.flags, overflow);
  EXPECT_EQ(high.result, from_halves(0x7f80'0000, 0x3f80'0000));  // 2^128: exponent 255
  const Outcome far = fpmpy(pair(0x1p127f, 1), pair(0x1p127f, 1), traps);
  EXPECT_EQ(high_half(far.result), 0x3e80'0000u);  // 254 + 127 - 256: exponent 125
  const Outcome low = fpmpy(pair(1, least), pair(1, 0.5f), traps);
  EXPECT_EQ(low.trap, 1u << 8);
  EXPECT_EQ(low.flags, underflow);
  EXPECT_EQ(low_half(low.result), 0u);  // 2^-127: exponent 0
  const float third = 1.0f / 3;
  const Outcome inexact_both = fpmpy(pair(third, third), pair(third, -third), traps);
  EXPECT_EQ(inexact_both.flags, inexact);
  EXPECT_EQ(inexact_both.trap & 0x2200, 0x2200u);
  EXPECT_EQ((inexact_both.trap & 0x4000) >> 4, inexact_both.trap & 0x400);
}

TEST(Ia64FloatingPointParallel, UnsignedConversion) {
  const auto convert = [](float high, float low) { return fpcvt_fxu(pair(high, low), quiet); };
  EXPECT_EQ(convert(0x1.fffffep31f, 0).result, from_halves(0xffff'ff00, 0));
  EXPECT_EQ(convert(2.5f, 3.5f).result, from_halves(2, 4));
  EXPECT_EQ(convert(2.5f, 3.5f).flags, inexact);
  EXPECT_EQ(convert(-1, 0x1p32f).result, from_halves(0x8000'0000, 0x8000'0000));
  EXPECT_EQ(convert(-1, 0).flags, invalid);
  EXPECT_EQ(convert(-0.25f, 1).result, from_halves(0, 1));
  EXPECT_EQ(fpcvt_fxu_trunc(pair(-0.75f, 3.75f), quiet).result, from_halves(0, 3));
}

// An approximation in each half, with the accuracy of frcpa.
TEST(Ia64FloatingPointParallel, Reciprocals) {
  RandomRegisters random(2);
  for (std::size_t n = 0; n < 20'000 / support::part_of_cases; ++n) {
    const auto middle = [&] {
      const auto bits = static_cast<std::uint32_t>(random.bits());
      return (bits & 0x807f'ffff) | static_cast<std::uint32_t>(67 + random.below(120)) << 23;
    };
    const std::uint32_t high = middle(), low = middle();
    const Approximation given = fprcpa(pair(1, 1), from_halves(high, low), quiet);
    ASSERT_TRUE(given.p2);
    ASSERT_EQ(given.outcome.flags, 0u);
    const auto expect = [](std::uint32_t approximation, std::uint32_t divisor) {
      const double product = static_cast<double>(std::bit_cast<float>(approximation)) *
                             static_cast<double>(std::bit_cast<float>(divisor));
      ASSERT_LT(std::fabs(1 - product), std::exp2(-8.886));
    };
    ASSERT_NO_FATAL_FAILURE(expect(high_half(given.outcome.result), high));
    ASSERT_NO_FATAL_FAILURE(expect(low_half(given.outcome.result), low));
    const Approximation root = fprsqrta(from_halves(high & 0x7fff'ffff, low & 0x7fff'ffff), quiet);
    ASSERT_TRUE(root.p2);
    const auto expect_root = [](std::uint32_t approximation, std::uint32_t operand) {
      const double product = static_cast<double>(std::bit_cast<float>(approximation)) *
                             std::sqrt(static_cast<double>(std::bit_cast<float>(operand)));
      ASSERT_LT(std::fabs(1 - product), std::exp2(-8.831));
    };
    ASSERT_NO_FATAL_FAILURE(expect_root(high_half(root.outcome.result), high & 0x7fff'ffff));
    ASSERT_NO_FATAL_FAILURE(expect_root(low_half(root.outcome.result), low & 0x7fff'ffff));
  }
}

// A half in which an iteration would fail clears p2.
TEST(Ia64FloatingPointParallel, ReciprocalsOfSpecialOperands) {
  const auto expect = [](float dividend, float divisor, float result, std::uint32_t flags) {
    const Approximation high = fprcpa(pair(dividend, 1), pair(divisor, 1), quiet);
    const Approximation low = fprcpa(pair(1, dividend), pair(1, divisor), quiet);
    EXPECT_EQ(high_half(high.outcome.result), std::bit_cast<std::uint32_t>(result));
    EXPECT_EQ(low_half(low.outcome.result), std::bit_cast<std::uint32_t>(result));
    EXPECT_EQ(high.outcome.flags, flags);
    EXPECT_EQ(low.outcome.flags, flags);
    EXPECT_FALSE(high.p2);
    EXPECT_FALSE(low.p2);
  };
  expect(1, -0.0f, -inf, zero_divide);
  expect(inf, -1, -inf, 0);
  expect(1, -inf, -0.0f, 0);
  expect(-0.0f, 1, -0.0f, 0);
  expect(1, -denormal_single_value, -inf, denormal);
  expect(1, -greatest, -0.0f, 0);
  expect(1, 0x1p125f, 0, 0);
  EXPECT_FALSE(fprcpa(pair(0x1p-103f, 1), pair(1, 1), quiet).p2);
  EXPECT_TRUE(fprcpa(pair(0x1p-102f, 1), pair(1, 1), quiet).p2);
  EXPECT_FALSE(fprcpa(pair(1, 0x1p127f), pair(1, 1), quiet).p2);
  EXPECT_TRUE(fprcpa(pair(1, 0x1p126f), pair(1, 1), quiet).p2);
  EXPECT_FALSE(fprcpa(pair(0x1p-100f, 1), pair(0x1p25f, 1), quiet).p2);
  EXPECT_TRUE(fprcpa(pair(0x1p-100f, 1), pair(0x1p24f, 1), quiet).p2);
}

// Unlike frsqrta's, these are reciprocals of roots, even of zero and infinity.
TEST(Ia64FloatingPointParallel, ReciprocalRootsOfSpecialOperands) {
  const Approximation zeros = fprsqrta(pair(0, -0.0f), quiet);
  EXPECT_EQ(zeros.outcome.result, pair(inf, -inf));
  EXPECT_EQ(zeros.outcome.flags, 0u);
  EXPECT_FALSE(zeros.p2);
  const Approximation infinities = fprsqrta(pair(inf, -inf), quiet);
  EXPECT_EQ(infinities.outcome.result, from_halves(0, 0xffc0'0000));
  EXPECT_EQ(infinities.outcome.flags, invalid);
  EXPECT_FALSE(infinities.p2);
  EXPECT_FALSE(fprsqrta(pair(0x1p-103f, 1), quiet).p2);
  EXPECT_TRUE(fprsqrta(pair(0x1p-102f, 1), quiet).p2);
  EXPECT_EQ(fprsqrta(pair(1, denormal_single_value), quiet).outcome.flags, denormal);
}

}  // namespace
}  // namespace hardclock::ia64::fp
