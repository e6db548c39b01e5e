// Integer and multimedia instructions: literal cases. The comparisons are in multimedia_sse_test.cc
// and integer_patterns_test.cc.
// SDM is the "Intel Itanium Architecture Software Developer's Manual", revision 2.3.
#include "isa/ia64/integer_functions.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <random>

#include "isa/ia64/multimedia_functions.h"
#include "tests/unit/ia64/integer_values.h"

namespace hardclock::ia64 {
namespace {

using alu::CompareType;

// They can be computed at compile time.
static_assert(alu::padd1_sss(0x7f01, 0x0101) == 0x7f02);
static_assert(alu::extr(0x80, 7, 1) == ~std::uint64_t{0});

// ---- Predicates (SDM 1, section 4.3.3: the table of what each compare type does).
struct Predicates {
  std::uint64_t p1, p2;
  bool operator==(const Predicates&) const = default;
};

template <CompareType type>
Predicates updated(std::uint64_t qp, std::uint64_t nat, std::uint64_t relation,
                   const Predicates& before) {
  const auto [written, p1, p2] = alu::compared<type>(qp, nat, relation);
  return written != 0 ? Predicates{p1, p2} : before;
}

// What the type does to p1 and p2 if qp is 1; nothing if there is no value.
struct Effect {
  std::optional<Predicates> if_true, if_false, if_nat;
};

template <CompareType type>
void expect_effect(const Effect& effect, const std::optional<Predicates>& if_not_executed) {
  for (const Predicates before : {Predicates{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
    EXPECT_EQ(updated<type>(1, 0, 1, before), effect.if_true.value_or(before));
    EXPECT_EQ(updated<type>(1, 0, 0, before), effect.if_false.value_or(before));
    for (const std::uint64_t relation : {0, 1}) {
      EXPECT_EQ(updated<type>(1, 1, relation, before), effect.if_nat.value_or(before));
      for (const std::uint64_t nat : {0, 1})
        EXPECT_EQ(updated<type>(0, nat, relation, before), if_not_executed.value_or(before));
    }
  }
}

TEST(Ia64IntegerFunctions, CompareTypes) {
  const Predicates none{0, 0}, first{1, 0}, second{0, 1}, both{1, 1};
  const std::optional<Predicates> unchanged;
  expect_effect<CompareType::none>({first, second, none}, unchanged);
  expect_effect<CompareType::unc>({first, second, none}, none);
  expect_effect<CompareType::and_>({unchanged, none, none}, unchanged);
  expect_effect<CompareType::or_>({both, unchanged, unchanged}, unchanged);
  expect_effect<CompareType::or_andcm>({first, unchanged, unchanged}, unchanged);
}

// ---- Compares.
TEST(Ia64IntegerFunctions, RelationsLookAtTheirWords) {
  const std::uint64_t minus_1 = ~std::uint64_t{0}, word_minus_1 = 0xffff'ffff;
  EXPECT_EQ(alu::cmp_lt(minus_1, 0), 1u);
  EXPECT_EQ(alu::cmp_ltu(minus_1, 0), 0u);
  EXPECT_EQ(alu::cmp_lt(word_minus_1, 0), 0u);
  EXPECT_EQ(alu::cmp4_lt(word_minus_1, 0), 1u);
  EXPECT_EQ(alu::cmp4_ltu(0, word_minus_1), 1u);
  EXPECT_EQ(alu::cmp_eq(minus_1, word_minus_1), 0u);
  EXPECT_EQ(alu::cmp4_eq(minus_1, word_minus_1), 1u);
  EXPECT_EQ(alu::cmp4_ne(0x1'0000'0005, 5), 0u);
  // r0 against a negative number, as the parallel types do.
  EXPECT_EQ(alu::cmp_gt(0, minus_1), 1u);
  EXPECT_EQ(alu::cmp_ge(0, 0), 1u);
  EXPECT_EQ(alu::cmp_le(0, minus_1), 0u);
  EXPECT_EQ(alu::cmp4_le(0, 0x8000'0000), 0u);
}

// SDM 3, cmp: the range of an unsigned imm8 is 0 to 127 and 2^64 - 128 to 2^64 - 1.
TEST(Ia64IntegerFunctions, UnsignedCompareOfASignExtendedImmediate) {
  const auto imm8 = static_cast<std::uint64_t>(-1);
  EXPECT_EQ(alu::cmp_ltu(imm8, 0x100), 0u);
  EXPECT_EQ(alu::cmp4_ltu(imm8, 0x100), 0u);
}

TEST(Ia64IntegerFunctions, TestBit) {
  EXPECT_EQ(alu::tbit_nz(0x8000'0000'0000'0000, 63), 1u);
  EXPECT_EQ(alu::tbit_z(0x8000'0000'0000'0000, 63), 0u);
  EXPECT_EQ(alu::tbit_z(0xfffe, 0), 1u);
}

// ---- Bit fields: the examples of the pages of dep and extr.
TEST(Ia64IntegerFunctions, ExamplesOfFields) {
  // dep r1=r2,r3,36,16
  EXPECT_EQ(alu::dep(0x1234'5678'9abc'def0, ~std::uint64_t{0}, 36, 16), 0xfffd'ef0f'ffff'ffffu);
  // dep.z r1=r2,36,16
  EXPECT_EQ(alu::dep_z(0x1234'5678'9abc'def0, 36, 16), 0x000d'ef00'0000'0000u);
  // extr r1=r3,7,50
  EXPECT_EQ(alu::extr_u(~std::uint64_t{0}, 7, 50), 0x0003'ffff'ffff'ffffu);
  EXPECT_EQ(alu::extr(std::uint64_t{1} << 56, 7, 50), 0xfffe'0000'0000'0000u);
  EXPECT_EQ(alu::extr(std::uint64_t{1} << 57, 7, 50), 0u);
}

// SDM 3, dep and extr: a field that reaches beyond bit 63 is cut there.
TEST(Ia64IntegerFunctions, FieldsEndAtTheRegister) {
  EXPECT_EQ(alu::field_mask(0, 64), ~std::uint64_t{0});
  EXPECT_EQ(alu::field_mask(60, 16), 0xf000'0000'0000'0000u);
  EXPECT_EQ(alu::extr_u(0xa123'4567'89ab'cdef, 60, 64), 0xau);
  EXPECT_EQ(alu::extr(0xa123'4567'89ab'cdef, 60, 64), 0xffff'ffff'ffff'fffau);
  EXPECT_EQ(alu::dep(0xffff, 0, 60, 16), 0xf000'0000'0000'0000u);
  EXPECT_EQ(alu::dep_z(0xffff, 60, 64), 0xf000'0000'0000'0000u);
}

// The pseudo-ops: shl is dep.z with pos, 64 - pos; shr is extr with pos, 64 - pos.
TEST(Ia64IntegerFunctions, ShiftsByConstantsAreFields) {
  for (const std::uint64_t value : corner_registers) {
    for (std::uint64_t count = 0; count < 64; ++count) {
      EXPECT_EQ(alu::dep_z(value, count, 64 - count), alu::shl(value, count));
      EXPECT_EQ(alu::extr_u(value, count, 64 - count), alu::shr_u(value, count));
      EXPECT_EQ(alu::extr(value, count, 64 - count), alu::shr(value, count));
    }
  }
}

TEST(Ia64IntegerFunctions, ShiftCountsHave64Bits) {
  for (const std::uint64_t count : {std::uint64_t{64}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    EXPECT_EQ(alu::shl(~std::uint64_t{0}, count), 0u);
    EXPECT_EQ(alu::shr_u(~std::uint64_t{0}, count), 0u);
    EXPECT_EQ(alu::shr(0x8000'0000'0000'0000, count), ~std::uint64_t{0});
    EXPECT_EQ(alu::shr(0x7fff'ffff'ffff'ffff, count), 0u);
    EXPECT_EQ(alu::pshl2(~std::uint64_t{0}, count), 0u);
    EXPECT_EQ(alu::pshr2(0x8000'7fff'ffff'0000, count), 0xffff'0000'ffff'0000u);
    EXPECT_EQ(alu::pshr4_u(~std::uint64_t{0}, count), 0u);
  }
}

// A rotation if both registers are one.
TEST(Ia64IntegerFunctions, ShiftRightPair) {
  EXPECT_EQ(alu::shrp(0x0123'4567'89ab'cdef, 0xfedc'ba98'7654'3210, 16), 0xcdef'fedc'ba98'7654u);
  EXPECT_EQ(alu::shrp(0x0123'4567'89ab'cdef, 0x0123'4567'89ab'cdef, 4), 0xf012'3456'789a'bcdeu);
  EXPECT_EQ(alu::shrp(1, 2, 0), 2u);
  EXPECT_EQ(alu::shrp(1, ~std::uint64_t{0}, 63), 3u);
}

// ---- 32-bit pointers: the region is that of r3, whatever the sum's is.
TEST(Ia64IntegerFunctions, Pointers) {
  EXPECT_EQ(alu::addp4(0, 0x4000'1000), 0x2000'0000'4000'1000u);
  EXPECT_EQ(alu::addp4(0x10, 0xc000'0000), 0x6000'0000'c000'0010u);
  EXPECT_EQ(alu::addp4(1, 0xffff'ffff), 0x6000'0000'0000'0000u);
  EXPECT_EQ(alu::addp4(0x4000'0000, 0x4000'0000), 0x2000'0000'8000'0000u);
  EXPECT_EQ(alu::addp4(0xffff'ffff'0000'0000, 0xffff'ffff'0000'0004), 4u);
  EXPECT_EQ(alu::shladdp4(3, 4, 0x8000'0000), 0x4000'0000'8000'0030u);
  EXPECT_EQ(alu::shladdp4(0x4000'0000, 2, 0x7fff'ffff), 0x2000'0000'7fff'ffffu);
}

// ---- Counts.
TEST(Ia64IntegerFunctions, Counts) {
  EXPECT_EQ(alu::popcnt(0), 0u);
  EXPECT_EQ(alu::popcnt(~std::uint64_t{0}), 64u);
  EXPECT_EQ(alu::popcnt(0x8000'0000'0000'0001), 2u);
  EXPECT_EQ(alu::clz(0), 64u);
  EXPECT_EQ(alu::clz(1), 63u);
  EXPECT_EQ(alu::clz(~std::uint64_t{0}), 0u);
}

// SDM 3, czx: the range of the result is 0 to 7, or 0 to 3, and 8, or 4, if no element is zero.
TEST(Ia64IntegerFunctions, ZeroIndices) {
  const std::uint64_t text = 0x0062'6100'4443'4241;  // "ABCD", 0, "ab", 0 in little-endian memory
  EXPECT_EQ(alu::czx1_r(text), 4u);
  EXPECT_EQ(alu::czx1_l(text), 0u);
  EXPECT_EQ(alu::czx1_l(text | 0xff00'0000'0000'0000), 3u);
  EXPECT_EQ(alu::czx1_l(0x0101'0101'0101'0101), 8u);
  EXPECT_EQ(alu::czx1_r(0x0101'0101'0101'0101), 8u);
  // Two bytes that are zero but belong to different halfwords are no zero halfword.
  EXPECT_EQ(alu::czx2_r(0x0001'0100'0001'0100), 4u);
  EXPECT_EQ(alu::czx2_l(0x0001'0000'0001'0000), 1u);
  EXPECT_EQ(alu::czx2_r(0x0001'0000'0001'0000), 0u);
}

TEST(Ia64IntegerFunctions, Extension) {
  EXPECT_EQ(alu::sxt1(0x1280), 0xffff'ffff'ffff'ff80u);
  EXPECT_EQ(alu::sxt2(0x12'7fff), 0x7fffu);
  EXPECT_EQ(alu::sxt4(0x1'8000'0000), 0xffff'ffff'8000'0000u);
  EXPECT_EQ(alu::zxt1(~std::uint64_t{0}), 0xffu);
  EXPECT_EQ(alu::zxt2(~std::uint64_t{0}), 0xffffu);
  EXPECT_EQ(alu::zxt4(~std::uint64_t{0}), 0xffff'ffffu);
}

// What mpyshl4 is for: products of doublewords.
TEST(Ia64IntegerFunctions, ProductOfDoublewords) {
  std::mt19937_64 random(1);
  for (unsigned n = 0; n < 10'000; ++n) {
    const std::uint64_t a = random_register(random), b = random_register(random);
    ASSERT_EQ(alu::mpy4(a, b) + alu::mpyshl4(a, b) + alu::mpyshl4(b, a), a * b);
  }
  EXPECT_EQ(alu::mpyshl4(0x3'ffff'ffff, 0xffff'ffff'0000'0005), 0xf'0000'0000u);
}

// ---- Multimedia. Results of saturation that are not at the end of the range.
TEST(Ia64MultimediaFunctions, Saturation) {
  EXPECT_EQ(alu::padd1_sss(0x7f80'01ff, 0x01ff'0101), 0x7f80'0200u);
  EXPECT_EQ(alu::padd1_uuu(0xff80'01fe, 0x0180'0101), 0xffff'02ffu);
  EXPECT_EQ(alu::padd1_uus(0xff00'0180, 0x01ff'ff80), 0xff00'0000u);
  EXPECT_EQ(alu::psub1_sss(0x8001'0000, 0x0102'8001), 0x80ff'7fffu);
  EXPECT_EQ(alu::psub1_uuu(0x0005'0100, 0x0103'0200), 0x0002'0000u);
  EXPECT_EQ(alu::psub1_uus(0xff00'1005, 0xff01'f806), 0xff00'1800u);
  EXPECT_EQ(alu::padd2_uus(0xffff'0000'8000'0001, 0x0001'ffff'8000'7fff), 0xffff'0000'0000'8000u);
  EXPECT_EQ(alu::psub2_uus(0x0000'fff0'0001'0001, 0x8000'8000'0002'ffff), 0x8000'ffff'0000'0002u);
}

TEST(Ia64MultimediaFunctions, Averages) {
  // Sums 3, 1, 0x1fe, 0x1ff, 4, 5, 6, 7.
  const std::uint64_t r2 = 0x0100'ffff'0202'0303, r3 = 0x0201'ff00'0203'0304;
  EXPECT_EQ(alu::pavg1(r2, r3), 0x0101'ff7f'0203'0303u);
  EXPECT_EQ(alu::pavg1_raz(r2, r3), 0x0201'ff80'0203'0304u);
  // Differences -1, 1, 0xff, -0xff, 4, -4, 2, 3.
  EXPECT_EQ(alu::pavgsub1(0x0001'ff00'0400'0203, 0x0100'00ff'0004'0000), 0xff01'7f81'02fe'0101u);
}

// SDM 3, pshladd: a shift that overflows is the result; the sum of -0x8000 and 0x7fff is not.
TEST(Ia64MultimediaFunctions, ShiftAndAdd) {
  EXPECT_EQ(alu::pshladd2(0x4000'bfff'3fff'c000, 1, 0x8000'7fff'0001'ffff), 0x7fff'8000'7fff'8000u);
  EXPECT_EQ(alu::pshladd2(0x0fff'f000'1000'0001, 3, 0x0007'ffff'8000'fff0), 0x7fff'8000'7fff'fff8u);
  EXPECT_EQ(alu::pshradd2(0xffff'8000'7fff'0007, 3, 0x0000'8000'7fff'0001), 0xffff'8000'7fff'0001u);
}

// SDM 3, format I1: the encodings of count2.
TEST(Ia64MultimediaFunctions, CountsOfMultiplyAndShift) {
  EXPECT_EQ(alu::pmpyshr2_count(0), 0u);
  EXPECT_EQ(alu::pmpyshr2_count(1), 7u);
  EXPECT_EQ(alu::pmpyshr2_count(2), 15u);
  EXPECT_EQ(alu::pmpyshr2_count(3), 16u);
}

TEST(Ia64MultimediaFunctions, MultiplyAndShift) {
  // 0x40000000, 0xfffe0001 or 1, 6, 0xffff or -1
  const std::uint64_t r2 = 0x8000'ffff'0002'0001, r3 = 0x8000'ffff'0003'ffff;
  EXPECT_EQ(alu::pmpyshr2(r2, r3, 0), 0x0000'0001'0006'ffffu);
  EXPECT_EQ(alu::pmpyshr2(r2, r3, 7), 0x0000'0000'0000'ffffu);
  EXPECT_EQ(alu::pmpyshr2(r2, r3, 15), 0x8000'0000'0000'ffffu);
  EXPECT_EQ(alu::pmpyshr2(r2, r3, 16), 0x4000'0000'0000'ffffu);
  EXPECT_EQ(alu::pmpyshr2_u(r2, r3, 0), 0x0000'0001'0006'ffffu);
  EXPECT_EQ(alu::pmpyshr2_u(r2, r3, 7), 0x0000'fc00'0000'01ffu);
  EXPECT_EQ(alu::pmpyshr2_u(r2, r3, 15), 0x8000'fffc'0000'0001u);
  EXPECT_EQ(alu::pmpyshr2_u(r2, r3, 16), 0x4000'fffe'0000'0000u);
  EXPECT_EQ(alu::pmpy2_r(r2, r3), 0x0000'0001'ffff'ffffu);
  EXPECT_EQ(alu::pmpy2_l(r2, r3), 0x4000'0000'0000'0006u);
}

// SDM 3, pack: the limits of saturation. The elements of r2 are the lower ones.
TEST(Ia64MultimediaFunctions, Pack) {
  EXPECT_EQ(alu::pack2_sss(0x0080'007f'ff80'ff7f, 0x0001'ffff'7fff'8000), 0x01ff'7f80'7f7f'8080u);
  EXPECT_EQ(alu::pack2_uss(0x0100'00ff'0000'ffff, 0x0001'0080'7fff'8000), 0x0180'ff00'ffff'0000u);
  EXPECT_EQ(alu::pack4_sss(0x0000'8000'ffff'7fff, 0x0000'7fff'ffff'8000), 0x7fff'8000'7fff'8000u);
}

// Bytes with their numbers: those of r2 are 0 to 7, of r3 10 to 17. The results are also those of
// the vec_select patterns in GCC's gcc/config/ia64/vect.md.
TEST(Ia64MultimediaFunctions, Places) {
  const std::uint64_t r2 = 0x0706'0504'0302'0100, r3 = 0x1716'1514'1312'1110;
  EXPECT_EQ(alu::unpack1_h(r2, r3), 0x0717'0616'0515'0414u);
  EXPECT_EQ(alu::unpack1_l(r2, r3), 0x0313'0212'0111'0010u);
  EXPECT_EQ(alu::unpack2_h(r2, r3), 0x0706'1716'0504'1514u);
  EXPECT_EQ(alu::unpack2_l(r2, r3), 0x0302'1312'0100'1110u);
  EXPECT_EQ(alu::unpack4_h(r2, r3), 0x0706'0504'1716'1514u);
  EXPECT_EQ(alu::unpack4_l(r2, r3), 0x0302'0100'1312'1110u);
  EXPECT_EQ(alu::mix1_l(r2, r3), 0x0717'0515'0313'0111u);
  EXPECT_EQ(alu::mix1_r(r2, r3), 0x0616'0414'0212'0010u);
  EXPECT_EQ(alu::mix2_l(r2, r3), 0x0706'1716'0302'1312u);
  EXPECT_EQ(alu::mix2_r(r2, r3), 0x0504'1514'0100'1110u);
  EXPECT_EQ(alu::mix4_l(r2, r3), 0x0706'0504'1716'1514u);
  EXPECT_EQ(alu::mix4_r(r2, r3), 0x0302'0100'1312'1110u);
}

// SDM 3, mux: the figures of the five byte permutations and four of halfwords; also in vect.md.
TEST(Ia64MultimediaFunctions, Mux) {
  const std::uint64_t bytes = 0x0706'0504'0302'0100, halfwords = 0x3333'2222'1111'0000;
  EXPECT_EQ(alu::mux1(bytes, 0xb), 0x0001'0203'0405'0607u);                // @rev
  EXPECT_EQ(alu::mux1(bytes, 0x8), 0x0703'0501'0602'0400u);                // @mix
  EXPECT_EQ(alu::mux1(bytes, 0x9), 0x0703'0602'0501'0400u);                // @shuf
  EXPECT_EQ(alu::mux1(bytes, 0xa), 0x0705'0301'0604'0200u);                // @alt
  EXPECT_EQ(alu::mux1(0xffff'ffff'ffff'ff21, 0), 0x2121'2121'2121'2121u);  // @brcst
  EXPECT_EQ(alu::mux2(halfwords, 0x8d), 0x2222'0000'3333'1111u);
  EXPECT_EQ(alu::mux2(halfwords, 0x1b), 0x0000'1111'2222'3333u);
  EXPECT_EQ(alu::mux2(halfwords, 0xd8), 0x3333'1111'2222'0000u);
  EXPECT_EQ(alu::mux2(halfwords, 0xaa), 0x2222'2222'2222'2222u);
}

TEST(Ia64MultimediaFunctions, SumOfAbsoluteDifferences) {
  EXPECT_EQ(alu::psad1(0, ~std::uint64_t{0}), 8u * 255);
  EXPECT_EQ(alu::psad1(0x0102, 0x0201), 2u);
}

}  // namespace
}  // namespace hardclock::ia64
