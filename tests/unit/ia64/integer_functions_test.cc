// Integer and multimedia instructions: literal cases. The comparisons are in multimedia_sse_test.cc
// and integer_patterns_test.cc.
// SDM is the "Intel Itanium Architecture Software Developer's Manual", revision 2.3.
#include "isa/ia64/integer_functions.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "isa/ia64/multimedia_functions.h"

namespace hardclock::ia64 {
namespace {

// They can be computed at compile time.
static_assert(alu::padd1_sss(0x7f01, 0x0101) == 0x7f02);
static_assert(alu::extr_u(0x80, 7, 1) == 1);

// SDM 3, dep and extr: a field that reaches beyond bit 63 is cut there.
TEST(Ia64IntegerFunctions, FieldsEndAtTheRegister) {
  EXPECT_EQ(alu::field_mask(0, 64), ~std::uint64_t{0});
  EXPECT_EQ(alu::field_mask(60, 16), 0xf000'0000'0000'0000u);
  EXPECT_EQ(alu::extr_u(0xa123'4567'89ab'cdef, 60, 64), 0xau);
}

TEST(Ia64IntegerFunctions, ShiftCountsHave64Bits) {
  for (const std::uint64_t count : {std::uint64_t{64}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    EXPECT_EQ(alu::pshl2(~std::uint64_t{0}, count), 0u);
    EXPECT_EQ(alu::pshr2(0x8000'7fff'ffff'0000, count), 0xffff'0000'ffff'0000u);
    EXPECT_EQ(alu::pshr4_u(~std::uint64_t{0}, count), 0u);
  }
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
