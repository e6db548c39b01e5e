// Sources: instruction words as GNU as 2.40 (binutils-mips-linux-gnu) assembles them, taken apart
// by the field layout of the MIPS R4000 User's Manual, Appendix A ("Instruction Formats"); sign
// extension against the compiler's own conversions between signed types.
#include "sim/base/bits.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace hardclock {
namespace {

TEST(BitField, TakesAnIInstructionApart) {
  constexpr std::uint64_t addiu_sp_sp_minus_32 = 0x27bdffe0;
  EXPECT_EQ(bit_field(addiu_sp_sp_minus_32, 26, 6), 9u);   // ADDIU
  EXPECT_EQ(bit_field(addiu_sp_sp_minus_32, 21, 5), 29u);  // rs = sp
  EXPECT_EQ(bit_field(addiu_sp_sp_minus_32, 16, 5), 29u);  // rt = sp
  EXPECT_EQ(sign_extend(bit_field(addiu_sp_sp_minus_32, 0, 16), 16), -32);
}

TEST(BitField, TakesAnRInstructionApart) {
  constexpr std::uint64_t sll_v0_a0_3 = 0x000410c0;
  EXPECT_EQ(bit_field(sll_v0_a0_3, 26, 6), 0u);  // SPECIAL
  EXPECT_EQ(bit_field(sll_v0_a0_3, 16, 5), 4u);  // rt = a0
  EXPECT_EQ(bit_field(sll_v0_a0_3, 11, 5), 2u);  // rd = v0
  EXPECT_EQ(bit_field(sll_v0_a0_3, 6, 5), 3u);   // sa
}

TEST(BitField, Limits) {
  EXPECT_EQ(bit_field(UINT64_MAX, 0, 64), UINT64_MAX);
  EXPECT_EQ(bit_field(std::uint64_t{1} << 63, 63, 1), 1u);
  EXPECT_EQ(bit_field(~(std::uint64_t{1} << 63), 63, 1), 0u);
  EXPECT_EQ(bit_field(0x8000'0001'0000'0000, 32, 32), 0x8000'0001u);
  static_assert(bit_field(0b1101'0110, 2, 4) == 0b0101);
}

TEST(SignExtend, AgreesWithTheCompilerOnEveryByte) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    EXPECT_EQ(sign_extend(byte, 8), static_cast<std::int8_t>(byte)) << byte;
  }
}

TEST(SignExtend, AgreesWithTheCompilerOnEveryHalfword) {
  for (unsigned half = 0; half < 65536; ++half) {
    ASSERT_EQ(sign_extend(half, 16), static_cast<std::int16_t>(half)) << half;
  }
}

TEST(SignExtend, IgnoresTheBitsAbove) {
  EXPECT_EQ(sign_extend(0xffff'ffff'ffff'ff7f, 8), 0x7f);
  EXPECT_EQ(sign_extend(0x1234'5678'8000'0000, 32), INT32_MIN);
}

TEST(SignExtend, Limits) {
  EXPECT_EQ(sign_extend(1, 1), -1);
  EXPECT_EQ(sign_extend(0, 1), 0);
  EXPECT_EQ(sign_extend(std::uint64_t{1} << 63, 64), INT64_MIN);
  EXPECT_EQ(sign_extend(UINT64_MAX, 64), -1);
}

}  // namespace
}  // namespace hardclock
