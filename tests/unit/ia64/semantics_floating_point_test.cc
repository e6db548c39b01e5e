// Bodies of floating-point instructions that touch no memory. What the operations compute is tested
// in floating_point_*_test.cc; here it is that each body asks for its own operation, precision and
// status field, and what reaches registers, flags, predicates, ISR.code and traps.
// Expectations: SDM 3, chapter 2, the page of each instruction; SDM 1, section 5.4; IEEE 754 on the
// host.
#include "isa/ia64/semantics_floating_point.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "isa/ia64/floating_point_memory.h"
#include "isa/ia64/floating_point_status.h"
#include "tests/unit/ia64/semantics_bench.h"

namespace hardclock::ia64 {
namespace {

using fp::FpRegister;

FpRegister number(double v) {
  return fp::from_double(std::bit_cast<std::uint64_t>(v));
}
double value(const FpRegister& f) {
  return std::bit_cast<double>(fp::to_double(f));
}
constexpr FpRegister signalling_nan{fp::integer_bit | 1, fp::special_exponent, false};
FpRegister pair(float high, float low) {
  return fp::from_halves(std::bit_cast<std::uint32_t>(high), std::bit_cast<std::uint32_t>(low));
}
// The status with exceptions that fault or trap.
std::uint64_t enabling(std::uint32_t exceptions) {
  return Registers::first_fpsr & ~std::uint64_t{exceptions};
}

class FloatingPoint : public testing::Test {
 protected:
  std::uint32_t flags(unsigned sf) { return fp::flags(bench.registers().fpsr, sf); }

  SemanticsBench bench;
};

// ---- F1.
constexpr F1 f6_is_f2_by_f3_plus_f4{.qp = 0, .f1 = 6, .f2 = 4, .f3 = 2, .f4 = 3, .sf = 0};

TEST_F(FloatingPoint, TheCompleterRounds) {
  // 1 + 2^-30 + 2^-60 has 61 significant bits.
  const double a = 1 + std::ldexp(1, -30);
  bench.fr(2) = number(a);
  bench.fr(3) = fp::one;
  bench.fr(4) = number(std::ldexp(1, -60));
  EXPECT_FALSE(bench.run(BODY(fma(m, f6_is_f2_by_f3_plus_f4))));
  EXPECT_EQ(bench.fr(6).significand, 0x8000'0002'0000'0008);
  EXPECT_EQ(flags(0), 0u);
  EXPECT_FALSE(bench.run(BODY(fma_d(m, f6_is_f2_by_f3_plus_f4))));
  EXPECT_EQ(value(bench.fr(6)), a);
  EXPECT_EQ(flags(0), fp::inexact);
  EXPECT_FALSE(bench.run(BODY(fma_s(m, f6_is_f2_by_f3_plus_f4))));
  EXPECT_EQ(value(bench.fr(6)), 1.0);
}

TEST_F(FloatingPoint, SignsOfProductAndAddend) {
  bench.fr(2) = number(3);
  bench.fr(3) = number(5);
  bench.fr(4) = number(7);
  bench.run(BODY(fma_d(m, f6_is_f2_by_f3_plus_f4)));
  EXPECT_EQ(value(bench.fr(6)), 22);
  bench.run(BODY(fms_d(m, f6_is_f2_by_f3_plus_f4)));
  EXPECT_EQ(value(bench.fr(6)), 8);
  bench.run(BODY(fnma_d(m, f6_is_f2_by_f3_plus_f4)));
  EXPECT_EQ(value(bench.fr(6)), -8);
}

// As a register number f0 makes a multiplication, whose zero keeps its sign; the number +0 does
// not.
TEST_F(FloatingPoint, RegisterF0AsAddendMultiplies) {
  bench.fr(2) = number(-3);
  bench.fr(3) = fp::zero;
  bench.fr(4) = fp::zero;
  bench.run(BODY(fma_d(m, F1{.qp = 0, .f1 = 6, .f2 = 0, .f3 = 2, .f4 = 3, .sf = 0})));
  EXPECT_EQ(bench.fr(6), fp::signed_zero(true));
  bench.run(BODY(fma_d(m, f6_is_f2_by_f3_plus_f4)));
  EXPECT_EQ(bench.fr(6), fp::zero);
  bench.run(BODY(fnma_d(m, F1{.qp = 0, .f1 = 6, .f2 = 0, .f3 = 2, .f4 = 3, .sf = 0})));
  EXPECT_EQ(bench.fr(6), fp::zero);
}

TEST_F(FloatingPoint, TheStatusFieldRoundsAndTakesTheFlags) {
  constexpr std::uint64_t up = std::uint64_t{2} << 4;  // rc of the controls
  bench.registers().fpsr |= up << fp::controls_shift(2);
  bench.fr(2) = bench.fr(3) = fp::one;
  bench.fr(4) = number(std::ldexp(1, -60));
  bench.run(BODY(fma_d(m, F1{.qp = 0, .f1 = 6, .f2 = 4, .f3 = 2, .f4 = 3, .sf = 2})));
  EXPECT_EQ(value(bench.fr(6)), std::nextafter(1.0, 2.0));
  EXPECT_EQ(flags(2), fp::inexact);
  EXPECT_EQ(flags(0) | flags(1) | flags(3), 0u);
}

TEST_F(FloatingPoint, AFaultWritesNothing) {
  bench.registers().fpsr = enabling(fp::invalid);
  bench.fr(2) = signalling_nan;
  bench.fr(3) = bench.fr(4) = fp::one;
  bench.fr(6) = number(42);
  Registers expected = bench.registers();
  expected.isr_code = fp::invalid;
  EXPECT_TRUE(is_float(bench.run(BODY(fma_d(m, f6_is_f2_by_f3_plus_f4)))));
  EXPECT_EQ(bench.registers(), expected);
}

TEST_F(FloatingPoint, ATrapWritesResultAndFlags) {
  bench.registers().fpsr = enabling(fp::inexact);
  bench.fr(2) = bench.fr(3) = fp::one;
  bench.fr(4) = number(std::ldexp(1, -60));
  EXPECT_TRUE(is_float(bench.run(BODY(fma_d(m, f6_is_f2_by_f3_plus_f4)))));
  EXPECT_EQ(value(bench.fr(6)), 1.0);
  EXPECT_EQ(flags(0), fp::inexact);
  EXPECT_EQ(bench.registers().isr_code, fp::isr_inexact);
  EXPECT_EQ(bench.registers().user_mask, um_mfl);
}

// Enabled only for sf0: td is set in the others.
TEST_F(FloatingPoint, TrapsDisabledInAStatusField) {
  bench.registers().fpsr = enabling(fp::invalid);
  bench.fr(2) = signalling_nan;
  bench.fr(3) = bench.fr(4) = fp::one;
  EXPECT_FALSE(bench.run(BODY(fma_d(m, F1{.qp = 0, .f1 = 6, .f2 = 4, .f3 = 2, .f4 = 3, .sf = 1}))));
  EXPECT_TRUE(fp::is_quiet_nan(bench.fr(6)));
  EXPECT_EQ(flags(1), fp::invalid);
}

TEST_F(FloatingPoint, ConstantRegistersAreNoTargets) {
  bench.registers().fpsr = enabling(fp::invalid);
  bench.fr(2) = signalling_nan;
  const Registers before = bench.registers();
  EXPECT_TRUE(is_illegal(
      bench.run(BODY(fma_d(m, F1{.qp = 0, .f1 = 1, .f2 = 4, .f3 = 2, .f4 = 3, .sf = 0}))),
      IllegalUse::operation));
  EXPECT_EQ(bench.registers(), before);
  EXPECT_TRUE(is_illegal(bench.run(BODY(fmerge_s(m, F9{.qp = 0, .f1 = 0, .f2 = 2, .f3 = 3}))),
                         IllegalUse::operation));
}

TEST_F(FloatingPoint, NaTValGoesThrough) {
  bench.registers().fpsr = enabling(fp::all_exceptions);
  bench.fr(2) = signalling_nan;
  bench.fr(3) = fp::one;
  bench.fr(4) = fp::nat_value;
  EXPECT_FALSE(bench.run(BODY(fma_d(m, f6_is_f2_by_f3_plus_f4))));
  EXPECT_EQ(bench.fr(6), fp::nat_value);
  EXPECT_EQ(flags(0), 0u);
}

TEST_F(FloatingPoint, ParallelHalves) {
  bench.fr(2) = pair(3, -1);
  bench.fr(3) = pair(5, 2);
  bench.fr(4) = pair(7, 0.5);
  bench.run(BODY(fpma(m, f6_is_f2_by_f3_plus_f4)));
  EXPECT_EQ(bench.fr(6), pair(22, -1.5));
  bench.run(BODY(fpms(m, f6_is_f2_by_f3_plus_f4)));
  EXPECT_EQ(bench.fr(6), pair(8, -2.5));
  bench.run(BODY(fpnma(m, f6_is_f2_by_f3_plus_f4)));
  EXPECT_EQ(bench.fr(6), pair(-8, 2.5));
  bench.run(BODY(fpma(m, F1{.qp = 0, .f1 = 6, .f2 = 0, .f3 = 2, .f4 = 3, .sf = 0})));
  EXPECT_EQ(bench.fr(6), pair(15, -2));
  bench.run(BODY(fpnma(m, F1{.qp = 0, .f1 = 6, .f2 = 0, .f3 = 2, .f4 = 3, .sf = 0})));
  EXPECT_EQ(bench.fr(6), pair(-15, 2));
}

// The low half's trap bits are 4 below the high half's (SDM 2, section 8.3, ISR.code).
TEST_F(FloatingPoint, TrapOfALowHalf) {
  bench.registers().fpsr = enabling(fp::overflow);
  const float most = std::numeric_limits<float>::max();
  bench.fr(2) = pair(1, most);
  bench.fr(3) = pair(1, 2);
  EXPECT_TRUE(
      is_float(bench.run(BODY(fpma(m, F1{.qp = 0, .f1 = 6, .f2 = 0, .f3 = 2, .f4 = 3, .sf = 0})))));
  EXPECT_EQ(bench.registers().isr_code & fp::isr_overflow >> 4, fp::isr_overflow >> 4);
  EXPECT_EQ(bench.registers().isr_code & fp::isr_overflow, 0u);
}

TEST_F(FloatingPoint, TheUserMaskTellsWhichHalfOfTheRegistersWasWritten) {
  bench.run(BODY(fmerge_s(m, F9{.qp = 0, .f1 = 31, .f2 = 1, .f3 = 1})));
  EXPECT_EQ(bench.registers().user_mask, um_mfl);
  bench.registers().user_mask = 0;
  bench.run(BODY(fmerge_s(m, F9{.qp = 0, .f1 = 32, .f2 = 1, .f3 = 1})));
  EXPECT_EQ(bench.registers().user_mask, um_mfh);
}

// ---- Division as GCC's libgcc does it (config/ia64/lib1funcs.S, __divdf3): the result is that of
// IEEE 754, whatever the operands.
class Division : public FloatingPoint {
 protected:
  double divide(double a, double b) {
    bench.fr(8) = number(a);
    bench.fr(9) = number(b);
    bench.run(BODY(frcpa(m, F6{.qp = 0, .f1 = 10, .p2 = 6, .f2 = 8, .f3 = 9, .sf = 0}, true)));
    if (!bench.predicate(6)) {
      bench.run(BODY(fma_d(m, F1{.qp = 0, .f1 = 8, .f2 = 0, .f3 = 10, .f4 = 1, .sf = 0})));
      return value(bench.fr(8));
    }
    iterate();
    return value(bench.fr(8));
  }

 private:
  void iterate() {
    bench.run(BODY(fma(m, F1{.qp = 6, .f1 = 11, .f2 = 0, .f3 = 8, .f4 = 10, .sf = 1})));
    bench.run(BODY(fnma(m, F1{.qp = 6, .f1 = 12, .f2 = 1, .f3 = 9, .f4 = 10, .sf = 1})));
    bench.run(BODY(fma(m, F1{.qp = 6, .f1 = 11, .f2 = 11, .f3 = 12, .f4 = 11, .sf = 1})));
    bench.run(BODY(fma(m, F1{.qp = 6, .f1 = 13, .f2 = 0, .f3 = 12, .f4 = 12, .sf = 1})));
    bench.run(BODY(fma(m, F1{.qp = 6, .f1 = 10, .f2 = 10, .f3 = 12, .f4 = 10, .sf = 1})));
    bench.run(BODY(fma(m, F1{.qp = 6, .f1 = 11, .f2 = 11, .f3 = 13, .f4 = 11, .sf = 1})));
    bench.run(BODY(fma(m, F1{.qp = 6, .f1 = 12, .f2 = 0, .f3 = 13, .f4 = 13, .sf = 1})));
    bench.run(BODY(fma(m, F1{.qp = 6, .f1 = 10, .f2 = 10, .f3 = 13, .f4 = 10, .sf = 1})));
    bench.run(BODY(fma_d(m, F1{.qp = 6, .f1 = 11, .f2 = 11, .f3 = 12, .f4 = 11, .sf = 1})));
    bench.run(BODY(fma(m, F1{.qp = 6, .f1 = 10, .f2 = 10, .f3 = 12, .f4 = 10, .sf = 1})));
    bench.run(BODY(fnma_d(m, F1{.qp = 6, .f1 = 8, .f2 = 8, .f3 = 9, .f4 = 11, .sf = 1})));
    bench.run(BODY(fma_d(m, F1{.qp = 6, .f1 = 8, .f2 = 11, .f3 = 8, .f4 = 10, .sf = 0})));
  }
};

TEST_F(Division, IsThatOfTheHost) {
  std::mt19937_64 random(1);
  for (unsigned n = 0; n < 3000; ++n) {
    const auto any = [&random] { return std::bit_cast<double>(random()); };
    const double a = any(), b = any(), expected = a / b;
    if (std::isnan(a) || std::isnan(b)) continue;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(divide(a, b)), std::bit_cast<std::uint64_t>(expected))
        << a << " / " << b;
  }
}
TEST_F(Division, OfSpecialOperands) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(divide(1, 0), infinity);
  EXPECT_EQ(flags(0), fp::zero_divide);
  EXPECT_EQ(divide(-1, infinity), 0);
  EXPECT_TRUE(std::isnan(divide(0, 0)));
  EXPECT_EQ(flags(0), fp::zero_divide | fp::invalid);
}

// ---- F6, F7.
TEST_F(FloatingPoint, AnApproximationWithoutItsPredicateClearsP2) {
  static constexpr F6 by_zero{.qp = 5, .f1 = 10, .p2 = 6, .f2 = 1, .f3 = 0, .sf = 0};
  static constexpr F6 of_one{.qp = 5, .f1 = 10, .p2 = 6, .f2 = 1, .f3 = 1, .sf = 0};
  // Not even the target is looked at.
  static constexpr F7 into_f0{.qp = 5, .f1 = 0, .p2 = 6, .f3 = 9, .sf = 0};
  bench.fr(9) = signalling_nan;
  for (const std::uint64_t fpsr : {enabling(fp::all_exceptions), Registers::first_fpsr}) {
    bench.registers().fpsr = fpsr;
    for (const Interpreter::Handler body :
         {Interpreter::Handler(BODY(frcpa(m, by_zero, false))),
          Interpreter::Handler(BODY(frcpa(m, of_one, false))),
          Interpreter::Handler(BODY(frsqrta(m, into_f0, false)))}) {
      bench.registers().predicates = 1 | 1 << 6;
      Registers expected = bench.registers();
      expected.predicates = 1;
      EXPECT_FALSE(bench.run(body));
      EXPECT_EQ(bench.registers(), expected);
    }
  }
}
TEST_F(FloatingPoint, DivisionByZeroFaults) {
  bench.registers().fpsr = enabling(fp::zero_divide);
  bench.registers().predicates |= 1 << 6;
  Registers expected = bench.registers();
  expected.isr_code = fp::zero_divide;
  EXPECT_TRUE(is_float(
      bench.run(BODY(frcpa(m, F6{.qp = 0, .f1 = 10, .p2 = 6, .f2 = 1, .f3 = 0, .sf = 0}, true)))));
  EXPECT_EQ(bench.registers(), expected);
}
TEST_F(FloatingPoint, ApproximationsAreNear) {
  bench.fr(2) = number(9);
  bench.run(BODY(frsqrta(m, F7{.qp = 0, .f1 = 6, .p2 = 7, .f3 = 2, .sf = 1}, true)));
  EXPECT_TRUE(bench.predicate(7));
  EXPECT_NEAR(value(bench.fr(6)), 1.0 / 3, std::ldexp(1, -9));
  bench.fr(2) = pair(4, 16);
  bench.run(BODY(fprsqrta(m, F7{.qp = 0, .f1 = 6, .p2 = 7, .f3 = 2, .sf = 1}, true)));
  EXPECT_NEAR(value(fp::from_single(fp::low_half(bench.fr(6)))), 0.25, std::ldexp(1, -9));
  bench.run(BODY(fprcpa(m, F6{.qp = 0, .f1 = 6, .p2 = 7, .f2 = 2, .f3 = 2, .sf = 1}, true)));
  EXPECT_NEAR(value(fp::from_single(fp::high_half(bench.fr(6)))), 0.25, std::ldexp(1, -9));
}

// ---- F4, F5.
constexpr F4 p6_p7_of_f2_f3{.qp = 0, .p1 = 6, .p2 = 7, .f2 = 2, .f3 = 3, .sf = 0};

TEST_F(FloatingPoint, Comparisons) {
  struct {
    double a, b;
    bool eq, lt, le, unord;
  } const cases[] = {
      {1, 1, true, false, true, false},
      {1, 2, false, true, true, false},
      {2, 1, false, false, false, false},
      {1, std::numeric_limits<double>::quiet_NaN(), false, false, false, true},
  };
  for (const auto& c : cases) {
    bench.fr(2) = number(c.a);
    bench.fr(3) = number(c.b);
    const auto expect = [&](Interpreter::Handler body, bool holds) {
      EXPECT_FALSE(bench.run(body));
      EXPECT_EQ(bench.predicate(6), holds) << c.a << ' ' << c.b;
      EXPECT_EQ(bench.predicate(7), !holds) << c.a << ' ' << c.b;
    };
    expect(BODY(fcmp_eq(m, p6_p7_of_f2_f3)), c.eq);
    expect(BODY(fcmp_lt(m, p6_p7_of_f2_f3)), c.lt);
    expect(BODY(fcmp_le(m, p6_p7_of_f2_f3)), c.le);
    expect(BODY(fcmp_unord(m, p6_p7_of_f2_f3)), c.unord);
    expect(BODY(fcmp_eq_unc(m, p6_p7_of_f2_f3, true)), c.eq);
    expect(BODY(fcmp_lt_unc(m, p6_p7_of_f2_f3, true)), c.lt);
    expect(BODY(fcmp_le_unc(m, p6_p7_of_f2_f3, true)), c.le);
    expect(BODY(fcmp_unord_unc(m, p6_p7_of_f2_f3, true)), c.unord);
  }
  // lt and le of a NaN are invalid.
  EXPECT_EQ(flags(0), fp::invalid);
}
TEST_F(FloatingPoint, ANaTValClearsBothPredicates) {
  bench.registers().predicates = ~std::uint64_t{0};
  bench.fr(2) = fp::nat_value;
  EXPECT_FALSE(bench.run(BODY(fcmp_lt(m, p6_p7_of_f2_f3))));
  EXPECT_EQ(bench.registers().predicates, ~std::uint64_t{0xc0});
}
TEST_F(FloatingPoint, UncWithoutItsPredicateClearsBothAndNothingElse) {
  static constexpr F5 any_class{.fclass9 = 0x1ff, .qp = 5, .p1 = 6, .p2 = 7, .f2 = 2};
  bench.fr(2) = signalling_nan;
  // An invalid comparison would fault, or raise its flag.
  for (const std::uint64_t fpsr : {enabling(fp::all_exceptions), Registers::first_fpsr}) {
    bench.registers().fpsr = fpsr;
    for (const Interpreter::Handler body :
         {Interpreter::Handler(BODY(fcmp_lt_unc(m, p6_p7_of_f2_f3, false))),
          Interpreter::Handler(BODY(fclass_m_unc(m, any_class, false)))}) {
      bench.registers().predicates = ~std::uint64_t{0};
      Registers expected = bench.registers();
      expected.predicates = ~std::uint64_t{0xc0};
      EXPECT_FALSE(bench.run(body));
      EXPECT_EQ(bench.registers(), expected);
    }
  }
}
TEST_F(FloatingPoint, AComparisonFaults) {
  bench.registers().fpsr = enabling(fp::invalid);
  bench.fr(2) = signalling_nan;
  Registers expected = bench.registers();
  expected.isr_code = fp::invalid;
  EXPECT_TRUE(is_float(bench.run(BODY(fcmp_eq(m, p6_p7_of_f2_f3)))));
  EXPECT_EQ(bench.registers(), expected);
  EXPECT_TRUE(is_float(bench.run(BODY(fcmp_eq_unc(m, p6_p7_of_f2_f3, true)))));
  EXPECT_EQ(bench.registers(), expected);
}
TEST_F(FloatingPoint, OnePredicateTwiceIsIllegal) {
  static constexpr F4 twice{.qp = 0, .p1 = 6, .p2 = 6, .f2 = 2, .f3 = 3, .sf = 0};
  EXPECT_TRUE(is_illegal(bench.run(BODY(fcmp_eq(m, twice))), IllegalUse::operation));
  EXPECT_TRUE(is_illegal(bench.run(BODY(fcmp_eq_unc(m, twice, false))), IllegalUse::operation));
  static constexpr F5 class_twice{.fclass9 = 1, .qp = 0, .p1 = 6, .p2 = 6, .f2 = 2};
  EXPECT_TRUE(is_illegal(bench.run(BODY(fclass_m(m, class_twice))), IllegalUse::operation));
}
TEST_F(FloatingPoint, PredicateZeroStaysTrue) {
  bench.fr(2) = fp::one;
  bench.fr(3) = fp::zero;
  bench.run(BODY(fcmp_eq(m, F4{.qp = 0, .p1 = 0, .p2 = 7, .f2 = 2, .f3 = 3, .sf = 0})));
  EXPECT_EQ(bench.registers().predicates, 1u | 1u << 7);
}
TEST_F(FloatingPoint, Classes) {
  bench.fr(2) = number(-2.5);
  static constexpr F5 negative_normal{.fclass9 = 0x12, .qp = 0, .p1 = 6, .p2 = 7, .f2 = 2};
  bench.run(BODY(fclass_m(m, negative_normal)));
  EXPECT_EQ(bench.registers().predicates, 1u | 1u << 6);
  bench.fr(2) = number(2.5);
  bench.run(BODY(fclass_m(m, negative_normal)));
  EXPECT_EQ(bench.registers().predicates, 1u | 1u << 7);
  bench.fr(2) = fp::nat_value;
  bench.run(BODY(fclass_m(m, negative_normal)));
  EXPECT_EQ(bench.registers().predicates, 1u);
  bench.run(BODY(fclass_m(m, F5{.fclass9 = 0x100, .qp = 0, .p1 = 6, .p2 = 7, .f2 = 2})));
  EXPECT_EQ(bench.registers().predicates, 1u | 1u << 6);
}

// ---- F2, F3, F8 to F11.
TEST_F(FloatingPoint, FixedPointMultiplyAndAdd) {
  __extension__ using Wide = unsigned __int128;
  __extension__ using SignedWide = __int128;
  std::mt19937_64 random(2);
  for (unsigned n = 0; n < 200; ++n) {
    const std::uint64_t a = random(), b = random(), c = random();
    bench.fr(2) = fp::from_significand(a);
    bench.fr(3) = fp::from_significand(b);
    bench.fr(4) = fp::from_significand(c);
    static constexpr F2 fields{.qp = 0, .f1 = 6, .f2 = 4, .f3 = 2, .f4 = 3};
    const Wide sum = Wide{a} * b + c;
    const auto as_signed = [](std::uint64_t v) {
      return static_cast<SignedWide>(static_cast<std::int64_t>(v));
    };
    bench.run(BODY(xma_l(m, fields)));
    EXPECT_EQ(bench.fr(6), fp::from_significand(static_cast<std::uint64_t>(sum)));
    bench.run(BODY(xma_hu(m, fields)));
    EXPECT_EQ(bench.fr(6), fp::from_significand(static_cast<std::uint64_t>(sum >> 64)));
    bench.run(BODY(xma_h(m, fields)));
    const auto high = static_cast<std::uint64_t>((as_signed(a) * as_signed(b) + c) >> 64);
    EXPECT_EQ(bench.fr(6), fp::from_significand(high));
  }
}
constexpr F9 f6_of_f2_f3{.qp = 0, .f1 = 6, .f2 = 2, .f3 = 3};

TEST_F(FloatingPoint, MovesOfHalves) {
  bench.fr(2) = fp::from_halves(0x8111'1111, 0x2222'2222);
  bench.fr(3) = fp::from_halves(0x3333'3333, 0x8444'4444);
  const auto expect = [this](Interpreter::Handler body, std::uint64_t significand) {
    bench.run(body);
    EXPECT_EQ(bench.fr(6), fp::from_significand(significand));
  };
  expect(BODY(fmix_lr(m, f6_of_f2_f3)), 0x8111'1111'8444'4444);
  expect(BODY(fmix_l(m, f6_of_f2_f3)), 0x8111'1111'3333'3333);
  expect(BODY(fmix_r(m, f6_of_f2_f3)), 0x2222'2222'8444'4444);
  expect(BODY(fsxt_l(m, f6_of_f2_f3)), 0xffff'ffff'3333'3333);
  expect(BODY(fsxt_r(m, f6_of_f2_f3)), 0x0000'0000'8444'4444);
  expect(BODY(fswap(m, f6_of_f2_f3)), 0x8444'4444'8111'1111);
  expect(BODY(fswap_nl(m, f6_of_f2_f3)), 0x0444'4444'8111'1111);
  expect(BODY(fswap_nr(m, f6_of_f2_f3)), 0x8444'4444'0111'1111);
  expect(BODY(fand(m, f6_of_f2_f3)), 0x0111'1111'0000'0000);
  expect(BODY(fandcm(m, f6_of_f2_f3)), 0x8000'0000'2222'2222);
  expect(BODY(for_(m, f6_of_f2_f3)), 0xb333'3333'a666'6666);
  expect(BODY(fxor(m, f6_of_f2_f3)), 0xb222'2222'a666'6666);
  expect(BODY(fpmerge_s(m, f6_of_f2_f3)), 0xb333'3333'0444'4444);
  expect(BODY(fpmerge_ns(m, f6_of_f2_f3)), 0x3333'3333'8444'4444);
  expect(BODY(fpmerge_se(m, f6_of_f2_f3)), 0x8133'3333'2244'4444);
  bench.fr(4) = fp::from_significand(0xff00'ff00'ff00'ff00);
  expect(BODY(fselect(m, F3{.qp = 0, .f1 = 6, .f2 = 4, .f3 = 2, .f4 = 3})), 0x8133'1133'2244'2244);
}
TEST_F(FloatingPoint, MergesOfSignsAndExponents) {
  bench.fr(2) = number(-8);
  bench.fr(3) = number(1.25);
  bench.run(BODY(fmerge_s(m, f6_of_f2_f3)));
  EXPECT_EQ(value(bench.fr(6)), -1.25);
  bench.run(BODY(fmerge_ns(m, f6_of_f2_f3)));
  EXPECT_EQ(value(bench.fr(6)), 1.25);
  bench.run(BODY(fmerge_se(m, f6_of_f2_f3)));
  EXPECT_EQ(value(bench.fr(6)), -10);
  bench.run(BODY(fpack(m, f6_of_f2_f3)));
  EXPECT_EQ(bench.fr(6), pair(-8, 1.25));
}
constexpr F8 f6_of_f2_f3_sf0{.qp = 0, .f1 = 6, .f2 = 2, .f3 = 3, .sf = 0};

TEST_F(FloatingPoint, LesserAndGreater) {
  bench.fr(2) = number(-8);
  bench.fr(3) = number(3);
  bench.run(BODY(fmin(m, f6_of_f2_f3_sf0)));
  EXPECT_EQ(value(bench.fr(6)), -8);
  bench.run(BODY(fmax(m, f6_of_f2_f3_sf0)));
  EXPECT_EQ(value(bench.fr(6)), 3);
  bench.run(BODY(famin(m, f6_of_f2_f3_sf0)));
  EXPECT_EQ(value(bench.fr(6)), 3);
  bench.run(BODY(famax(m, f6_of_f2_f3_sf0)));
  EXPECT_EQ(value(bench.fr(6)), -8);
  bench.fr(2) = pair(-8, 2);
  bench.fr(3) = pair(3, 1);
  bench.run(BODY(fpmin(m, f6_of_f2_f3_sf0)));
  EXPECT_EQ(bench.fr(6), pair(-8, 1));
  bench.run(BODY(fpmax(m, f6_of_f2_f3_sf0)));
  EXPECT_EQ(bench.fr(6), pair(3, 2));
  bench.run(BODY(fpamin(m, f6_of_f2_f3_sf0)));
  EXPECT_EQ(bench.fr(6), pair(3, 1));
  bench.run(BODY(fpamax(m, f6_of_f2_f3_sf0)));
  EXPECT_EQ(bench.fr(6), pair(-8, 2));
}
TEST_F(FloatingPoint, ComparisonsOfHalves) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  bench.fr(2) = pair(1, 1);
  bench.fr(3) = pair(2, nan);
  const auto expect = [this](Interpreter::Handler body, std::uint64_t significand) {
    bench.run(body);
    EXPECT_EQ(bench.fr(6), fp::from_significand(significand));
  };
  constexpr std::uint64_t high = 0xffff'ffff'0000'0000, low = 0xffff'ffff;
  expect(BODY(fpcmp_eq(m, f6_of_f2_f3_sf0)), 0);
  expect(BODY(fpcmp_neq(m, f6_of_f2_f3_sf0)), high | low);
  expect(BODY(fpcmp_lt(m, f6_of_f2_f3_sf0)), high);
  expect(BODY(fpcmp_nlt(m, f6_of_f2_f3_sf0)), low);
  expect(BODY(fpcmp_le(m, f6_of_f2_f3_sf0)), high);
  expect(BODY(fpcmp_nle(m, f6_of_f2_f3_sf0)), low);
  expect(BODY(fpcmp_unord(m, f6_of_f2_f3_sf0)), low);
  expect(BODY(fpcmp_ord(m, f6_of_f2_f3_sf0)), high);
}
constexpr F10 f6_of_f2{.qp = 0, .f1 = 6, .f2 = 2, .sf = 0};

TEST_F(FloatingPoint, Conversions) {
  const auto expect = [this](Interpreter::Handler body, std::int64_t integer) {
    bench.run(body);
    EXPECT_EQ(bench.fr(6), fp::from_significand(static_cast<std::uint64_t>(integer)));
  };
  bench.fr(2) = number(-2.75);
  expect(BODY(fcvt_fx(m, f6_of_f2)), -3);
  expect(BODY(fcvt_fx_trunc(m, f6_of_f2)), -2);
  bench.fr(2) = number(std::ldexp(1, 63));
  expect(BODY(fcvt_fxu(m, f6_of_f2)), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(flags(0), fp::inexact);
  expect(BODY(fcvt_fx(m, f6_of_f2)), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(flags(0), fp::inexact | fp::invalid);
  bench.fr(2) = number(2.75);
  expect(BODY(fcvt_fxu_trunc(m, f6_of_f2)), 2);
  bench.fr(2) = pair(2.75, 1.75);
  expect(BODY(fpcvt_fx(m, f6_of_f2)), 0x3'0000'0002);
  expect(BODY(fpcvt_fxu(m, f6_of_f2)), 0x3'0000'0002);
  expect(BODY(fpcvt_fx_trunc(m, f6_of_f2)), 0x2'0000'0001);
  expect(BODY(fpcvt_fxu_trunc(m, f6_of_f2)), 0x2'0000'0001);
  bench.fr(2) = fp::from_significand(~std::uint64_t{4});
  bench.run(BODY(fcvt_xf(m, F11{.qp = 0, .f1 = 6, .f2 = 2})));
  EXPECT_EQ(value(bench.fr(6)), -5);
}

// ---- F12 to F14.
TEST_F(FloatingPoint, ControlsOfAStatusField) {
  // sf0's controls are 0x0c: 64 bits.
  EXPECT_FALSE(bench.run(BODY(fsetc(m, F12{.qp = 0, .sf = 3, .amask7b = 0x7f, .omask7c = 0x42}))));
  EXPECT_EQ(fp::controls(bench.registers().fpsr, 3), 0x4eu);
  const Registers before = bench.registers();
  // td of sf0 is reserved.
  EXPECT_TRUE(
      is_illegal(bench.run(BODY(fsetc(m, F12{.qp = 0, .sf = 0, .amask7b = 0x7f, .omask7c = 0x40}))),
                 IllegalUse::reserved_field));
  EXPECT_EQ(bench.registers(), before);
}
TEST_F(FloatingPoint, FlagsAreClearedAndChecked) {
  static constexpr F14 check_sf1{.target25_f = -0x20, .qp = 0, .sf = 1};
  bench.run(BODY(fchkf(m, check_sf1)));
  EXPECT_FALSE(bench.target());
  bench.registers().fpsr = fp::with_flags(bench.registers().fpsr, 1, fp::inexact);
  const std::uint64_t with_flag = bench.registers().fpsr;
  bench.run(BODY(fchkf(m, check_sf1)));
  EXPECT_EQ(bench.target(), SemanticsBench::pc - 0x20);
  EXPECT_FALSE(bench.run(BODY(fclrf(m, F13{.qp = 0, .sf = 2}))));
  EXPECT_EQ(bench.registers().fpsr, with_flag);
  EXPECT_FALSE(bench.run(BODY(fclrf(m, F13{.qp = 0, .sf = 1}))));
  EXPECT_EQ(bench.registers().fpsr, Registers::first_fpsr);
}

// ---- M18, M19.
constexpr M18 f6_is_r8{.qp = 0, .f1 = 6, .r2 = 8};
constexpr M19 r9_is_f6{.qp = 0, .r1 = 9, .f2 = 6};

TEST_F(FloatingPoint, FromAndToGeneralRegisters) {
  const auto expect = [this](Interpreter::Handler set, const FpRegister& f,
                             Interpreter::Handler get, std::uint64_t back) {
    EXPECT_FALSE(bench.run(set));
    EXPECT_EQ(bench.fr(6), f);
    bench.set_gr(9, 0, true);
    EXPECT_FALSE(bench.run(get));
    EXPECT_EQ(bench.gr(9), back);
    EXPECT_FALSE(bench.nat(9));
  };
  bench.set_gr(8, 0xdead'beef'c048'0000);
  expect(BODY(setf_sig(m, f6_is_r8)), fp::from_significand(0xdead'beef'c048'0000),
         BODY(getf_sig(m, r9_is_f6)), 0xdead'beef'c048'0000);
  expect(BODY(setf_s(m, f6_is_r8)), number(-3.125), BODY(getf_s(m, r9_is_f6)), 0xc048'0000);
  bench.set_gr(8, std::bit_cast<std::uint64_t>(1e-3));
  expect(BODY(setf_d(m, f6_is_r8)), number(1e-3), BODY(getf_d(m, r9_is_f6)),
         std::bit_cast<std::uint64_t>(1e-3));
  bench.set_gr(8, 0xfff2'ffff);
  expect(BODY(setf_exp(m, f6_is_r8)), {fp::integer_bit, 0xffff, true}, BODY(getf_exp(m, r9_is_f6)),
         0x2'ffff);
}
TEST_F(FloatingPoint, NaTAndNaTVal) {
  bench.set_gr(8, 5, true);
  for (const Interpreter::Handler set : {Interpreter::Handler(BODY(setf_sig(m, f6_is_r8))),
                                         Interpreter::Handler(BODY(setf_exp(m, f6_is_r8))),
                                         Interpreter::Handler(BODY(setf_s(m, f6_is_r8))),
                                         Interpreter::Handler(BODY(setf_d(m, f6_is_r8)))}) {
    bench.fr(6) = fp::one;
    EXPECT_FALSE(bench.run(set));
    EXPECT_EQ(bench.fr(6), fp::nat_value);
  }
  for (const Interpreter::Handler get : {Interpreter::Handler(BODY(getf_sig(m, r9_is_f6))),
                                         Interpreter::Handler(BODY(getf_exp(m, r9_is_f6))),
                                         Interpreter::Handler(BODY(getf_s(m, r9_is_f6))),
                                         Interpreter::Handler(BODY(getf_d(m, r9_is_f6)))}) {
    bench.set_gr(9, 5);
    EXPECT_FALSE(bench.run(get));
    EXPECT_TRUE(bench.nat(9));
  }
  EXPECT_TRUE(is_illegal(bench.run(BODY(getf_sig(m, M19{.qp = 0, .r1 = 0, .f2 = 6}))),
                         IllegalUse::operation));
}

}  // namespace
}  // namespace hardclock::ia64
