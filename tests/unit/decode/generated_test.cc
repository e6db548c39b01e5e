// Generated code for what MIPS does not have: immediates in pieces, 41-bit words, ignored bits,
// overlaps.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/decode/scrambled_decode.h"
#include "tests/unit/decode/slot_decode.h"

namespace hardclock {
namespace {

class ScrambledPrinter final : public scrambled::OperandPrinter {
 public:
  void print_gpr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "r" + std::to_string(value);
  }
  void print_space(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "sr" + std::to_string(value);
  }
  void print_number(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(value);
  }
  void print_target(std::string& out, std::int64_t value, GuestAddr pc) const override {
    out += std::to_string(static_cast<std::int64_t>(pc.value()) + 8 + value);
  }
  // LDWM: a negative displacement is added before the access, a positive one after it.
  void print_modify(std::string& out, std::int64_t value, GuestAddr) const override {
    out += value < 0 ? ",mb" : ",ma";
  }
  void print_nullify(std::string& out, std::int64_t value, GuestAddr) const override {
    if (value != 0) out += ",n";
  }
};

std::string text(std::uint32_t word) {
  return scrambled::format(scrambled::decode(word), GuestAddr(1000), ScrambledPrinter());
}

// "ldw -14(sp),rp" with -0x14 in GNU's listings of HP-UX functions' ends.
TEST(Generated, LowSignExtendedImmediate) {
  const scrambled::Instruction ldw = scrambled::decode(0x4bc2'3fd9);
  EXPECT_EQ(ldw.opcode, scrambled::Opcode::ldw);
  EXPECT_EQ(ldw.operands.load, (scrambled::Load{.im14 = -0x14, .s = 0, .b = 30, .t = 2}));
  EXPECT_EQ(scrambled::encode(ldw), 0x4bc2'3fd9u);
  EXPECT_EQ(text(0x4bc2'3fd9), "ldw -20(r30),r2");
}

// assemble_17(x,y,z) is z, x, y{10}, y{0..9}: with one of these set at a time, in words.
TEST(Generated, ScrambledDisplacement) {
  const struct {
    std::uint32_t bits;
    std::int32_t words;
  } cases[] = {
      {1u << 3, 1},       {1u << 12, 512},     {1u << 2, 1024},   {1u << 16, 2048},
      {1u << 20, 0x8000}, {1u << 0, -0x10000}, {0x001f'1ffd, -1},
  };
  for (const auto& [bits, words] : cases) {
    const scrambled::Instruction bl = scrambled::decode(0xe840'0000 | bits);
    ASSERT_EQ(bl.opcode, scrambled::Opcode::bl) << std::hex << bits;
    EXPECT_EQ(bl.operands.link.disp17, words * 4) << std::hex << bits;
    EXPECT_EQ(scrambled::encode(bl), 0xe840'0000 | bits);
  }
  EXPECT_EQ(text(0xe840'002a), "b,l,n 1028,r2");
}

// README.md, "Syntax": %% is a percent sign, other characters stand for themselves; the first
// alias that holds is printed.
TEST(Generated, AliasConditionsAndEscapes) {
  EXPECT_EQ(text(0x4bc2'7fd9), "100% r2 \\ r30");
  EXPECT_EQ(text(0x4bc2'7fdb), "ldw -19(sr1,r30),r2");
}

// Words from hppa-linux-gnu-as for "ldwm -64(%sr1,%sp),%r3" and "ldwm 64(%sr1,%sp),%r3".
TEST(Generated, OperandOfTwoKinds) {
  EXPECT_EQ(text(0x4fc3'7f81), "ldw,mb -64(sr1,r30),r3");
  EXPECT_EQ(text(0x4fc3'4080), "ldw,ma 64(sr1,r30),r3");
}

// imm22 = sign_ext(s << 21 | imm5c << 16 | imm9d << 7 | imm7b, 22), format A5.
TEST(Generated, WordsOf41Bits) {
  static_assert(sizeof(slot::Word) == 8);
  const slot::Word add = 0x9ull << 37 | 1ull << 36 | 0x1ull << 27 | 2ull << 20 | 3ull << 6 | 4;
  const slot::Instruction instruction = slot::decode(add);
  EXPECT_EQ(instruction.opcode, slot::Opcode::addl);
  EXPECT_EQ(instruction.operands.add,
            (slot::Add{.imm22 = -0x20'0000 + 0x80, .qp = 4, .r1 = 3, .r3 = 2}));
  EXPECT_EQ(slot::encode(instruction), add);
}

class SlotPrinter final : public slot::OperandPrinter {
 public:
  void print_predicate(std::string&, std::int64_t, GuestAddr) const override {}
  void print_gpr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "r" + std::to_string(value);
  }
  void print_number(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(value);
  }
  void print_complement(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(63 - value);
  }
  void print_length(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(value + 1);
  }
};

// ia64-linux-gnu-as assembles the same slot from a shift's text as from that in its comment.
TEST(Generated, AliasesThatCompareOperands) {
  const struct {
    slot::Word word;
    const char* text;
  } cases[] = {
      {0xa5'c841'80c0, "shr.u r3=r4,6"},  // extr.u r3=r4,6,58
      {0xa5'c041'80c0, "extr.u r3=r4,6,57"}, {0xa5'f840'00c0, "shr.u r3=r4,0"},
      {0xa7'cb90'80c0, "shl r3=r4,6"},  // dep.z r3=r4,6,58
      {0xa7'c390'80c0, "dep.z r3=r4,6,57"},
  };
  for (const auto& [word, expected] : cases) {
    EXPECT_EQ(slot::format(slot::decode(word), GuestAddr(0), SlotPrinter()), expected)
        << std::hex << word;
  }
}

TEST(Generated, FirstOfTwoOverlappingPatternsWins) {
  EXPECT_EQ(slot::decode(0x9ull << 37 | 5 << 6).opcode, slot::Opcode::mov_zero);
  EXPECT_EQ(slot::decode(0x9ull << 37 | 5 << 6 | 1).opcode, slot::Opcode::addl);
}

TEST(Generated, IgnoredBitsDecodeAndAreEncodedAsZero) {
  const slot::Instruction nop = slot::decode(0x0f'1234'5645);
  EXPECT_EQ(nop.opcode, slot::Opcode::nop);
  EXPECT_EQ(nop.operands.qp.qp, 5);
  EXPECT_EQ(slot::encode(nop), 5u);
}

TEST(Generated, EveryFixedBitCounts) {
  EXPECT_EQ(slot::decode(0x1ff'ffff'ffff).opcode, slot::Opcode::halt);
  EXPECT_EQ(slot::decode(0x1fe'ffff'ffff).opcode, slot::Opcode::invalid);
}

}  // namespace
}  // namespace hardclock
