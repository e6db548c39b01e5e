// frcpa and frsqrta: their accuracy, their tables' formulas, what they give where they approximate
// nothing, and divisions and square roots that are made of them, against the host's.
#include <gtest/gtest.h>

#include <emmintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iostream>

#include "isa/ia64/floating_point_memory.h"
#include "tests/support/part_of_cases.h"
#include "tests/unit/ia64/floating_point_oracle.h"
#include "tests/unit/ia64/floating_point_values.h"

namespace hardclock::ia64::fp {
namespace {

const Environment quiet = environment_of(models[4], {});  // 64 bits, 15-bit exponents

// The approximations' significands: 11 bits, the first of them the integer bit.
std::uint64_t bits_of(const FpRegister& f) {
  return f.significand >> 53;
}

// The entries of the manual's tables at their ends (SDM 3, fp_ieee_recip and fp_ieee_recip_sqrt).
TEST(Ia64FloatingPointDivision, EndsOfTables) {
  const auto reciprocal = [](std::uint64_t index) {
    return bits_of(
        frcpa(one, {integer_bit | index << 55, exponent_bias, false}, quiet).outcome.result);
  };
  EXPECT_EQ(reciprocal(0), 0x7fcu);
  EXPECT_EQ(reciprocal(1), 0x7f4u);
  EXPECT_EQ(reciprocal(254), 0x403u);
  EXPECT_EQ(reciprocal(255), 0x401u);
  const auto root = [](std::uint64_t index, std::uint32_t exponent) {
    return bits_of(frsqrta({integer_bit | index << 56, exponent, false}, quiet).outcome.result);
  };
  EXPECT_EQ(root(0, exponent_bias + 1), 0x5a5u);
  EXPECT_EQ(root(127, exponent_bias + 1), 0x401u);
  EXPECT_EQ(root(0, exponent_bias), 0x7fcu);
  EXPECT_EQ(root(127, exponent_bias), 0x5aau);
}

// Each entry is the nearest to the reciprocal of its interval's middle.
TEST(Ia64FloatingPointDivision, Tables) {
  for (std::uint64_t index = 0; index < 256; ++index) {
    const long double middle = 1 + (2 * static_cast<long double>(index) + 1) / 512;
    const auto expected = static_cast<std::uint64_t>(std::llrint(2048 / middle));
    const FpRegister f{integer_bit | index << 55, exponent_bias + 5, true};
    const Approximation given = frcpa(one, f, quiet);
    EXPECT_EQ(given.outcome.result, (FpRegister{expected << 53, exponent_bias - 6, true}));
    EXPECT_EQ(given.outcome.flags, 0u);
    EXPECT_TRUE(given.p2);
  }
  for (std::uint64_t index = 0; index < 128; ++index) {
    for (const std::uint32_t odd : {0u, 1u}) {
      const long double middle = (1 + (2 * static_cast<long double>(index) + 1) / 256) * (1 + odd);
      const auto expected = static_cast<std::uint64_t>(std::llrint(2048 / std::sqrt(middle)));
      const FpRegister f{integer_bit | index << 56, exponent_bias + 6 + odd, false};
      const Approximation given = frsqrta(f, quiet);
      EXPECT_EQ(given.outcome.result, (FpRegister{expected << 53, exponent_bias - 4, false}));
      EXPECT_TRUE(given.p2);
    }
  }
}

// The errors that the manual promises, at the ends of all intervals, where they are greatest.
TEST(Ia64FloatingPointDivision, Accuracy) {
  const double promised = std::exp2(-8.886), promised_for_root = std::exp2(-8.831);
  double worst = 0, worst_for_root = 0;
  for (std::uint64_t index = 0; index < 512; ++index) {
    for (const std::uint64_t offset : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      const std::uint64_t significand = (integer_bit | index << 54) + (offset >> 10);
      for (const std::uint32_t exponent : {exponent_bias - 100, exponent_bias, exponent_bias + 1}) {
        const FpRegister f{significand, exponent, false};
        worst = std::max(worst, reciprocal_error(f, frcpa(one, f, quiet).outcome.result));
        worst_for_root =
            std::max(worst_for_root, reciprocal_root_error(f, frsqrta(f, quiet).outcome.result));
      }
    }
  }
  EXPECT_LT(worst, promised);
  EXPECT_LT(worst_for_root, promised_for_root);
  std::cout << "frcpa 2^" << std::log2(worst) << ", frsqrta 2^" << std::log2(worst_for_root)
            << '\n';
}

TEST(Ia64FloatingPointDivision, NoApproximation) {
  const FpRegister inf = infinity(false), minus_zero = signed_zero(true);
  const auto expect = [](const Approximation& given, const FpRegister& result,
                         std::uint32_t flags) {
    EXPECT_EQ(given.outcome.result, result);
    EXPECT_EQ(given.outcome.flags, flags);
    EXPECT_EQ(given.outcome.fault, 0u);
    EXPECT_FALSE(given.p2);
  };
  expect(frcpa(one, zero, quiet), inf, zero_divide);
  expect(frcpa(one, minus_zero, quiet), negative(inf), zero_divide);
  expect(frcpa(inf, minus_zero, quiet), negative(inf), 0);
  expect(frcpa(negative(inf), one, quiet), negative(inf), 0);
  expect(frcpa(one, negative(inf), quiet), minus_zero, 0);
  expect(frcpa(zero, negative(one), quiet), minus_zero, 0);
  expect(frsqrta(zero, quiet), zero, 0);
  expect(frsqrta(inf, quiet), inf, 0);
}

// From which operands on an iteration in registers would fail, by HP's simulator Ski 1.5 (float.c).
// Exponents are unbiased; of normalized numbers they are from -65534 to 65535.
TEST(Ia64FloatingPointDivision, EndsOfApproximation) {
  const auto power = [](long exponent) {
    if (exponent >= -65534) {
      return FpRegister{integer_bit, static_cast<std::uint32_t>(exponent + 65535), false};
    }
    return FpRegister{integer_bit >> (-65534 - exponent), 1, false};
  };
  const auto approximates = [&](long f2, long f3) { return frcpa(power(f2), power(f3), quiet).p2; };
  EXPECT_FALSE(approximates(-1000, -65535));
  EXPECT_TRUE(approximates(-1000, -65534));
  EXPECT_TRUE(approximates(1000, 65532));
  EXPECT_FALSE(approximates(1000, 65533));
  EXPECT_FALSE(approximates(-65471, -1000));
  EXPECT_TRUE(approximates(-65470, -1000));
  EXPECT_FALSE(approximates(-33000, 32533));
  EXPECT_TRUE(approximates(-33000, 32532));
  EXPECT_FALSE(approximates(33000, -32535));
  EXPECT_TRUE(approximates(33000, -32534));
  EXPECT_FALSE(frsqrta(power(-65471), quiet).p2);
  EXPECT_TRUE(frsqrta(power(-65470), quiet).p2);
  EXPECT_TRUE(frsqrta(power(65535), quiet).p2);
}

// Where an iteration would leave the range of registers, the result is the quotient or the root, as
// the environment rounds it.
TEST(Ia64FloatingPointDivision, QuotientsOfExtremeOperands) {
  RandomRegisters random(1);
  std::size_t quotients = 0, traps = 0;
  for (std::size_t n = 0; n < 100'000 / support::part_of_cases; ++n) {
    FpRegister f2 = random.moderate(), f3 = random.moderate();
    f2.exponent =
        static_cast<std::uint32_t>(n % 2 == 0 ? 1 + random.below(70) : random.below(0x1ffff));
    f3.exponent =
        static_cast<std::uint32_t>(n % 3 == 0 ? 0x1fffe - random.below(6) : random.below(0x1ffff));
    if (n % 7 == 0) f2.significand >>= random.below(64);
    const Model& model = models[n % 2 == 0 ? 4 : 9];  // as frcpa has no completer
    Controls controls{.rc = static_cast<unsigned>(n % 4), .ftz = n % 5 == 0};
    if (n % 3 == 0) controls.disabled = static_cast<std::uint32_t>(random.below(64));
    const Approximation given = frcpa(f2, f3, environment_of(model, controls));
    if (given.p2) continue;
    const Outcome expected = expected_quotient(f2, f3, model, controls);
    ASSERT_EQ(given.outcome.fault, expected.fault);
    if (expected.fault != 0) continue;
    ASSERT_EQ(given.outcome.result, expected.result)
        << testing::PrintToString(f2) << " / " << testing::PrintToString(f3);
    ASSERT_EQ(given.outcome.flags, expected.flags);
    ASSERT_EQ(given.outcome.trap, expected.trap);
    ++quotients;
    traps += expected.trap != 0;
  }
  EXPECT_GT(quotients, 20'000u / support::part_of_cases);
  EXPECT_GT(traps, 1'000u / support::part_of_cases);
}

TEST(Ia64FloatingPointDivision, RootsOfTinyOperands) {
  RandomRegisters random(2);
  for (std::size_t n = 0; n < 50'000 / support::part_of_cases; ++n) {
    const FpRegister f3{random.significand() | 1, static_cast<std::uint32_t>(1 + random.below(64)),
                        false};
    const Model& model = models[n % 2 == 0 ? 4 : 7 + n % 3];
    const Controls controls{
        .rc = static_cast<unsigned>(n % 4),
        .disabled = n % 3 == 0 ? 2u | static_cast<std::uint32_t>(random.below(64)) : 63};
    const Approximation given = frsqrta(f3, environment_of(model, controls));
    ASSERT_FALSE(given.p2);
    const Outcome expected = expected_root(f3, model, controls);
    ASSERT_EQ(given.outcome.result, expected.result) << testing::PrintToString(f3);
    ASSERT_EQ(given.outcome.flags, expected.flags);
    ASSERT_EQ(given.outcome.trap, expected.trap);
  }
}

// Instructions as programs use them: sf0 as the program has it, sf1 with the widest exponents and
// without traps, whose flags nobody looks at.
class Program {
 public:
  explicit Program(unsigned rc) : rc_(rc) {}

  FpRegister frcpa_s0(const FpRegister& f2, const FpRegister& f3, bool& p2) {
    const Approximation a = frcpa(f2, f3, s0(Completer::none));
    p2 = a.p2;
    return keep(a.outcome);
  }
  FpRegister frsqrta_s0(const FpRegister& f3, bool& p2) {
    const Approximation a = frsqrta(f3, s0(Completer::none));
    p2 = a.p2;
    return keep(a.outcome);
  }
  FpRegister fma_s1(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
                    Completer completer = Completer::none) const {
    return fma(f3, f4, f2, s1(completer)).result;
  }
  FpRegister fnma_s1(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
                     Completer completer = Completer::none) const {
    return fnma(f3, f4, f2, s1(completer)).result;
  }
  FpRegister fmpy_s1(const FpRegister& f3, const FpRegister& f4) const {
    return fmpy(f3, f4, s1(Completer::none)).result;
  }
  FpRegister fma_s0(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
                    Completer completer) {
    return keep(fma(f3, f4, f2, s0(completer)));
  }
  FpRegister fnorm_s0(const FpRegister& f3, Completer completer) {
    return keep(fmpy(f3, one, s0(completer)));
  }
  std::uint32_t flags() const { return flags_; }

 private:
  FpRegister keep(const Outcome& outcome) {
    flags_ |= outcome.flags;
    return outcome.result;
  }
  Environment s0(Completer completer) const {
    return environment(63 | std::uint64_t{3u << 2 | rc_ << 4} << 6, 0, completer);
  }
  // Rounds to nearest whatever sf0 says.
  static Environment s1(Completer completer) {
    return environment(63 | std::uint64_t{3u << 2 | 2} << 19, 1, completer);
  }

  unsigned rc_;
  std::uint32_t flags_ = 0;
};

// Intel's throughput-optimized algorithms ("Divide, Square Root and Remainder Algorithms for the
// Itanium Architecture"; GCC 12, gcc/config/ia64/div.md).
FpRegister divide_double(Program& m, const FpRegister& a, const FpRegister& b) {
  bool p2 = false;
  const FpRegister y0 = m.frcpa_s0(a, b, p2);
  if (!p2) return y0;
  const FpRegister q0 = m.fmpy_s1(a, y0);
  const FpRegister e0 = m.fnma_s1(b, y0, one);
  const FpRegister y1 = m.fma_s1(e0, y0, y0), q1 = m.fma_s1(e0, q0, q0);
  const FpRegister e1 = m.fmpy_s1(e0, e0);
  const FpRegister y2 = m.fma_s1(e1, y1, y1), q2 = m.fma_s1(e1, q1, q1);
  const FpRegister e2 = m.fmpy_s1(e1, e1);
  const FpRegister y3 = m.fma_s1(e2, y2, y2);
  const FpRegister q3 = m.fma_s1(e2, q2, q2, Completer::double_);
  const FpRegister r = m.fnma_s1(b, q3, a, Completer::double_);
  return m.fma_s0(r, y3, q3, Completer::double_);
}

FpRegister divide_single(Program& m, const FpRegister& a, const FpRegister& b) {
  bool p2 = false;
  const FpRegister y0 = m.frcpa_s0(a, b, p2);
  if (!p2) return y0;
  const FpRegister q0 = m.fmpy_s1(a, y0);
  const FpRegister e0 = m.fnma_s1(b, y0, one);
  const FpRegister q1 = m.fma_s1(e0, q0, q0);
  const FpRegister e1 = m.fmpy_s1(e0, e0);
  const FpRegister q2 = m.fma_s1(e1, q1, q1);
  const FpRegister e2 = m.fmpy_s1(e1, e1);
  const FpRegister q3 = m.fma_s1(e2, q2, q2, Completer::double_);
  return m.fnorm_s0(q3, Completer::single);
}

FpRegister root_double(Program& m, const FpRegister& a) {
  constexpr FpRegister half{integer_bit, exponent_bias - 1, false};
  bool p2 = false;
  const FpRegister y0 = m.frsqrta_s0(a, p2);
  if (!p2) return y0;
  const FpRegister h0 = m.fmpy_s1(half, y0), g0 = m.fmpy_s1(a, y0);
  const FpRegister r0 = m.fnma_s1(g0, h0, half);
  const FpRegister h1 = m.fma_s1(r0, h0, h0), g1 = m.fma_s1(r0, g0, g0);
  const FpRegister r1 = m.fnma_s1(g1, h1, half);
  const FpRegister h2 = m.fma_s1(r1, h1, h1), g2 = m.fma_s1(r1, g1, g1);
  const FpRegister d2 = m.fnma_s1(g2, g2, a);
  const FpRegister g3 = m.fma_s1(d2, h2, g2);
  const FpRegister d3 = m.fnma_s1(g3, g3, a);
  return m.fma_s0(d3, h2, g3, Completer::double_);
}

class HostRounding {
 public:
  explicit HostRounding(unsigned rc) : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80 | rc << 13); }
  ~HostRounding() { _mm_setcsr(saved_); }
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;
  static std::uint32_t flags() { return _mm_getcsr() & 63; }

 private:
  unsigned saved_;
};

TEST(Ia64FloatingPointDivision, DoublesAsTheHostDivides) {
  RandomRegisters random(3);
  for (std::size_t n = 0; n < 200'000 / support::part_of_cases; ++n) {
    const std::uint64_t a = random.twin(), b = random.twin();
    if (std::isnan(std::bit_cast<double>(a)) && std::isnan(std::bit_cast<double>(b))) continue;
    const auto rc = static_cast<unsigned>(n % 4);
    Program program(rc);
    const FpRegister given = divide_double(program, from_double(a), from_double(b));
    auto quotient = std::bit_cast<double>(a);
    const auto divisor = std::bit_cast<double>(b);
    std::uint32_t flags = 0;
    {
      const HostRounding host(rc);
      asm volatile("divsd %1, %0" : "+x"(quotient) : "x"(divisor));
      flags = HostRounding::flags();
    }
    ASSERT_EQ(given, from_double(std::bit_cast<std::uint64_t>(quotient)))
        << std::hex << a << " / " << b << " rc " << rc;
    ASSERT_EQ(program.flags(), flags) << std::hex << a << " / " << b << " rc " << rc;
  }
}

TEST(Ia64FloatingPointDivision, SinglesAsTheHostDivides) {
  RandomRegisters random(4);
  for (std::size_t n = 0; n < 200'000 / support::part_of_cases; ++n) {
    const std::uint32_t a = random.single(), b = random.single();
    if (std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b))) continue;
    const auto rc = static_cast<unsigned>(n % 4);
    Program program(rc);
    const FpRegister given = divide_single(program, from_single(a), from_single(b));
    auto quotient = std::bit_cast<float>(a);
    const auto divisor = std::bit_cast<float>(b);
    std::uint32_t flags = 0;
    {
      const HostRounding host(rc);
      asm volatile("divss %1, %0" : "+x"(quotient) : "x"(divisor));
      flags = HostRounding::flags();
    }
    ASSERT_EQ(given, from_single(std::bit_cast<std::uint32_t>(quotient)))
        << std::hex << a << " / " << b << " rc " << rc;
    ASSERT_EQ(program.flags(), flags) << std::hex << a << " / " << b << " rc " << rc;
  }
}

TEST(Ia64FloatingPointDivision, DoubleRootsAsTheHosts) {
  RandomRegisters random(5);
  for (std::size_t n = 0; n < 200'000 / support::part_of_cases; ++n) {
    const std::uint64_t a = random.twin();
    const auto rc = static_cast<unsigned>(n % 4);
    Program program(rc);
    const FpRegister given = root_double(program, from_double(a));
    auto root = std::bit_cast<double>(a);
    std::uint32_t flags = 0;
    {
      const HostRounding host(rc);
      asm volatile("sqrtsd %0, %0" : "+x"(root));
      flags = HostRounding::flags();
    }
    ASSERT_EQ(given, from_double(std::bit_cast<std::uint64_t>(root)))
        << std::hex << a << " rc " << rc;
    ASSERT_EQ(program.flags(), flags) << std::hex << a << " rc " << rc;
  }
}

}  // namespace
}  // namespace hardclock::ia64::fp
