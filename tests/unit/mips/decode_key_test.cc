// Words that share what is predecoded (Isa::decode_key) differ in their operands only.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "isa/mips/any_level.h"
#include "isa/mips/isa.h"
#include "isa/mips/mips_decode.h"
#include "tests/unit/decode/mips_instances.h"

namespace hardclock::mips {
namespace {

// The instruction with other numbers in its low bits, as far as they are one.
std::set<std::uint32_t> with_other_numbers(const Isa& isa, std::uint32_t word) {
  std::set<std::uint32_t> words;
  for (const std::uint32_t bits : {0xffffu, 0x03ff'ffffu}) {
    for (const std::uint32_t number : {0u, 1u, 4u, 0x7fffu, 0x8000u, 0xffffu, 0x0155'5555u, ~0u}) {
      const std::uint32_t other = (word & ~bits) | (number & bits);
      if (isa.decode_key(other, 0) == isa.decode_key(word, 0)) words.insert(other);
    }
  }
  return words;
}

void expect_alike(const Isa& isa, std::uint32_t word, std::uint32_t other) {
  const Isa::Predecoded a = isa.predecode(word, 0), b = isa.predecode(other, 0);
  EXPECT_EQ(a.op.execute, b.op.execute);
  EXPECT_EQ(a.timing, b.timing);
  EXPECT_EQ(a.is_branch, b.is_branch);
  EXPECT_EQ(a.may_nullify, b.may_nullify);
  EXPECT_EQ(a.always_traps, b.always_traps);
  EXPECT_EQ(a.reads_clock, b.reads_clock);
  EXPECT_EQ(a.touches_memory, b.touches_memory);
  EXPECT_EQ(a.stores, b.stores);
  EXPECT_EQ(a.transfer, b.transfer);
  EXPECT_EQ(a.links, b.links);
  EXPECT_EQ(isa.operands(other).rri, b.op.operands.rri);
}

TEST(DecodeKey, LeavesOutNothingButNumbers) {
  const Mode o32, n64{.operation_bits = 64, .address_bits = 64, .fr = true};
  const Chip extending{.sign_extension_cycles = 1,
                       .undecoded = {{0xfc00'0000, 0x0400'0000, 2u << 16}}};
  const std::array isas = {Isa(Level::mips1, o32), Isa(Level::mips3, o32, extending),
                           Isa(Level::mips64r2, n64, {}, Endian::little)};
  for (const Isa& isa : isas) {
    for (const Opcode opcode : all_opcodes()) {
      for (const std::uint32_t word : instances(opcode, 20, 1)) {
        SCOPED_TRACE(std::string(info(opcode).name) + " " + std::to_string(word));
        for (const std::uint32_t other : with_other_numbers(isa, word))
          expect_alike(isa, word, other);
        ASSERT_FALSE(testing::Test::HasFailure());
      }
    }
  }
}

// By the formats I and J of the manual ("MIPS R4000 User's Manual", chapter 2).
TEST(DecodeKey, IsOneForAllNumbers) {
  const Isa isa(Level::mips3);
  const auto are_shared = [&isa](std::uint32_t word, std::uint32_t other) {
    return isa.decode_key(word, 0) == isa.decode_key(other, 0);
  };
  EXPECT_TRUE(are_shared(0x8fa4'0018, 0x8fa4'0020)) << "lw a0,24(sp) and lw a0,32(sp)";
  EXPECT_FALSE(are_shared(0x8fa4'0018, 0x8fa5'0018)) << "lw a0,24(sp) and lw a1,24(sp)";
  EXPECT_TRUE(are_shared(0x1440'0003, 0x1440'fff0)) << "bne v0,zero";
  EXPECT_TRUE(are_shared(0x0441'0003, 0x0441'0004)) << "bgez v0";
  EXPECT_FALSE(are_shared(0x0441'0003, 0x0440'0003)) << "bgez and bltz";
  EXPECT_TRUE(are_shared(0x0c10'0040, 0x0c10'0080)) << "jal";
  EXPECT_TRUE(are_shared(0x4501'0003, 0x4501'0004)) << "bc1t";
  EXPECT_FALSE(are_shared(0x4501'0003, 0x4500'0003)) << "bc1t and bc1f";
  EXPECT_FALSE(are_shared(0x0002'1080, 0x0002'10c0)) << "sll v0,v0,2 and sll v0,v0,3";
  EXPECT_FALSE(are_shared(0x4622'0000, 0x4622'0001)) << "add.d and sub.d";
}

}  // namespace
}  // namespace hardclock::mips
