// Instructions that move bits: SDM 3, chapter 2. Products are checked by the schoolbook method.
#include "isa/ia64/floating_point_moves.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/unit/ia64/floating_point_values.h"

namespace hardclock::ia64::fp {
namespace {

constexpr FpRegister a{0x0123'4567'89ab'cdef, 0x1003e, false};
constexpr FpRegister b{0xfedc'ba98'7654'3210, 0x0ff00, true};
constexpr FpRegister c{0xffff'0000'ff00'f0f0, 0x1003e, false};

TEST(Ia64FloatingPointMoves, Merge) {
  EXPECT_EQ(fmerge_s(a, b), (FpRegister{b.significand, b.exponent, false}));
  EXPECT_EQ(fmerge_ns(a, b), (FpRegister{b.significand, b.exponent, true}));
  EXPECT_EQ(fmerge_s(b, a), (FpRegister{a.significand, a.exponent, true}));
  EXPECT_EQ(fmerge_se(a, b), (FpRegister{b.significand, a.exponent, false}));
  // fabs, fneg and fnegabs.
  EXPECT_EQ(fmerge_s(zero, b).sign, false);
  EXPECT_EQ(fmerge_ns(b, b).sign, false);
  EXPECT_EQ(fmerge_ns(zero, a).sign, true);
  // A signalling NaN stays one.
  const FpRegister signalling{integer_bit | 1, special_exponent, false};
  EXPECT_EQ(fmerge_ns(signalling, signalling), negative(signalling));
}

TEST(Ia64FloatingPointMoves, Logical) {
  EXPECT_EQ(fand(a, c), from_significand(0x0123'0000'8900'c0e0));
  EXPECT_EQ(fandcm(a, c), from_significand(0x0000'4567'00ab'0d0f));
  EXPECT_EQ(for_(a, c), from_significand(0xffff'4567'ffab'fdff));
  EXPECT_EQ(fxor(a, c), from_significand(0xfedc'4567'76ab'3d1f));
  EXPECT_EQ(fselect(a, b, c), from_significand(0x0123'ba98'8954'c2e0));
}

TEST(Ia64FloatingPointMoves, Halves) {
  EXPECT_EQ(fmix_l(a, b), from_significand(0x0123'4567'fedc'ba98));
  EXPECT_EQ(fmix_r(a, b), from_significand(0x89ab'cdef'7654'3210));
  EXPECT_EQ(fmix_lr(a, b), from_significand(0x0123'4567'7654'3210));
  EXPECT_EQ(fsxt_l(a, b), from_significand(0x0000'0000'fedc'ba98));
  EXPECT_EQ(fsxt_l(b, a), from_significand(0xffff'ffff'0123'4567));
  EXPECT_EQ(fsxt_r(a, b), from_significand(0xffff'ffff'7654'3210));
  EXPECT_EQ(fsxt_r(b, a), from_significand(0x0000'0000'89ab'cdef));
  EXPECT_EQ(fswap(a, b), from_significand(0x7654'3210'0123'4567));
  EXPECT_EQ(fswap_nl(a, b), from_significand(0xf654'3210'0123'4567));
  EXPECT_EQ(fswap_nr(a, b), from_significand(0x7654'3210'8123'4567));
}

TEST(Ia64FloatingPointMoves, ParallelMerge) {
  const FpRegister signs = from_significand(0x8000'0000'0000'0000);
  const FpRegister pair = from_significand(0x4049'0fdb'c02d'f854);
  EXPECT_EQ(fpmerge_s(signs, pair), from_significand(0xc049'0fdb'402d'f854));
  EXPECT_EQ(fpmerge_ns(signs, pair), from_significand(0x4049'0fdb'c02d'f854));
  EXPECT_EQ(fpmerge_ns(pair, pair), from_significand(0xc049'0fdb'402d'f854));  // fpneg
  EXPECT_EQ(fpmerge_s(zero, pair), from_significand(0x4049'0fdb'402d'f854));   // fpabs
  EXPECT_EQ(fpmerge_se(signs, pair), from_significand(0x8049'0fdb'002d'f854));
}

// As stfs stores: cut, not rounded.
TEST(Ia64FloatingPointMoves, Pack) {
  const FpRegister third{0xaaaa'aaaa'aaaa'aaab, exponent_bias - 2, true};
  EXPECT_EQ(fpack(one, third), from_significand(0x3f80'0000'beaa'aaaa));
}

TEST(Ia64FloatingPointMoves, GeneralRegisters) {
  EXPECT_EQ(getf_exp(b), 0x2ff00u);
  EXPECT_EQ(getf_exp(one), 0xffffu);
  EXPECT_EQ(setf_exp(0xffff'ffff'fffd'ffff), (FpRegister{integer_bit, 0x1ffff, false}));
  EXPECT_EQ(setf_exp(0x2ffff), negative(one));
}

// The sum of four products of 32-bit halves, as two doublewords.
std::array<std::uint64_t, 2> schoolbook(std::uint64_t x, std::uint64_t y) {
  const std::uint64_t x_high = x >> 32, x_low = x & 0xffff'ffff;
  const std::uint64_t y_high = y >> 32, y_low = y & 0xffff'ffff;
  const std::uint64_t low = x_low * y_low;
  const std::uint64_t middle = x_high * y_low + (low >> 32);
  const std::uint64_t other = x_low * y_high + (middle & 0xffff'ffff);
  return {x_high * y_high + (middle >> 32) + (other >> 32), other << 32 | (low & 0xffff'ffff)};
}

TEST(Ia64FloatingPointMoves, IntegerMultiplyAdd) {
  RandomRegisters random(1);
  for (int n = 0; n < 100'000; ++n) {
    const std::uint64_t x = random.bits() >> random.below(64),
                        y = random.bits() >> random.below(64);
    const std::uint64_t z = n % 4 == 0 ? ~std::uint64_t{0} : random.bits() >> random.below(64);
    const auto [high, low] = schoolbook(x, y);
    const std::uint64_t carry = low + z < low ? 1 : 0;
    const FpRegister f3{x, 0x1003e, false}, f4{y, 0x12345, true}, f2{z, 0, true};
    ASSERT_EQ(xma_l(f3, f4, f2), from_significand(x * y + z));
    ASSERT_EQ(xma_hu(f3, f4, f2), from_significand(high + carry));
    // -2^64 times the other factor for each negative one.
    const std::uint64_t correction = (x >> 63 != 0 ? y : 0) + (y >> 63 != 0 ? x : 0);
    ASSERT_EQ(xma_h(f3, f4, f2), from_significand(high + carry - correction));
  }
}

TEST(Ia64FloatingPointMoves, NatValueStays) {
  const FpRegister n = nat_value;
  for (const FpRegister& f :
       {fmerge_s(n, a),   fmerge_s(a, n),   fmerge_ns(n, a),  fmerge_ns(a, n),  fmerge_se(n, a),
        fmerge_se(a, n),  fand(n, a),       fand(a, n),       fandcm(n, a),     fandcm(a, n),
        for_(n, a),       for_(a, n),       fxor(n, a),       fxor(a, n),       fselect(n, a, b),
        fselect(a, n, b), fselect(a, b, n), fmix_l(n, a),     fmix_l(a, n),     fmix_r(n, a),
        fmix_r(a, n),     fmix_lr(n, a),    fmix_lr(a, n),    fsxt_l(n, a),     fsxt_l(a, n),
        fsxt_r(n, a),     fsxt_r(a, n),     fswap(n, a),      fswap(a, n),      fswap_nl(n, a),
        fswap_nl(a, n),   fswap_nr(n, a),   fswap_nr(a, n),   fpack(n, a),      fpack(a, n),
        fpmerge_s(n, a),  fpmerge_s(a, n),  fpmerge_ns(n, a), fpmerge_ns(a, n), fpmerge_se(n, a),
        fpmerge_se(a, n), xma_l(n, a, b),   xma_l(a, n, b),   xma_l(a, b, n),   xma_h(n, a, b),
        xma_h(a, n, b),   xma_h(a, b, n),   xma_hu(n, a, b),  xma_hu(a, n, b),  xma_hu(a, b, n)}) {
    EXPECT_EQ(f, nat_value);
  }
}

}  // namespace
}  // namespace hardclock::ia64::fp
