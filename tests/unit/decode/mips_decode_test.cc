// What must hold for every pattern of isa/mips/mips.decode, whatever its bits are. That the bits
// and the syntax are right is for the comparisons with objdump and Capstone to say.
#include "isa/mips/mips_decode.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <type_traits>

#include "tests/unit/decode/instances.h"

namespace hardclock::mips {
namespace {

constexpr std::uint32_t seed = 1;

TEST(MipsDecode, MatchDecodesToItsPattern) {
  for (const Opcode opcode : all_opcodes()) {
    EXPECT_EQ(decode(info(opcode).match).opcode, opcode) << info(opcode).name;
  }
}

TEST(MipsDecode, EncodeInvertsDecode) {
  for (const Opcode opcode : all_opcodes()) {
    for (const std::uint32_t word : instances(opcode, 1000, seed)) {
      const Instruction instruction = decode(word);
      ASSERT_EQ(instruction.opcode, opcode) << info(opcode).name << std::hex << " " << word;
      ASSERT_EQ(encode(instruction), word) << info(opcode).name;
    }
  }
}

TEST(MipsDecode, NoTwoPatternsShareAWord) {
  for (const Opcode a : all_opcodes()) {
    for (const Opcode b : all_opcodes()) {
      if (a >= b) continue;
      EXPECT_NE((info(a).match ^ info(b).match) & info(a).mask & info(b).mask, 0u)
          << info(a).name << " and " << info(b).name;
    }
  }
}

TEST(MipsDecode, InvalidHasNoWordAndZeroOperands) {
  const Instruction instruction = decode(0xffff'ffff);
  EXPECT_EQ(instruction.opcode, Opcode::invalid);
  const std::uint8_t zeros[8] = {};
  EXPECT_EQ(std::memcmp(instruction.operands.bytes, zeros, 8), 0);
  EXPECT_STREQ(info(Opcode::invalid).name, "invalid");
  EXPECT_NE(info(Opcode::invalid).match & info(Opcode::invalid).mask, info(Opcode::invalid).match);
}

// Kane and Heinrich, appendix A: ADDIU sign-extends its immediate, ORI does not; a branch's offset
// is in words and signed; a jump's target is in words. Words from the GNU assembler.
TEST(MipsDecode, OperandsAreExtendedAndShifted) {
  const Instruction addiu = decode(0x27bd'ffe8);  // addiu sp,sp,-24
  EXPECT_EQ(addiu.operands.rri, (Rri{.rt = 29, .rs = 29, .imm = -24}));
  const Instruction ori = decode(0x3402'8000);  // li v0,0x8000
  EXPECT_EQ(ori.operands.rru, (Rru{.rt = 2, .rs = 0, .uimm = 0x8000}));
  const Instruction beq = decode(0x1085'fff0);  // beq a0,a1,.-60
  EXPECT_EQ(beq.operands.branch_rr, (BranchRR{.rs = 4, .rt = 5, .branch = -64}));
  const Instruction jal = decode(0x0c10'0040);  // jal 0x400100
  EXPECT_EQ(jal.operands.jump.jump, 0x40'0100u);
}

TEST(MipsDecode, InfoNamesClassAndLevel) {
  EXPECT_STREQ(info(Opcode::and_).name, "and");
  EXPECT_STREQ(timing_class_name(info(Opcode::mult).timing), "mult");
  EXPECT_STREQ(level_name(info(Opcode::addu).level), "mips1");
  EXPECT_EQ(info(Opcode::beql).level, Level::mips2);
  std::set<std::string> classes;
  for (std::size_t i = 0; i < timing_class_count; ++i) {
    classes.insert(timing_class_name(static_cast<TimingClass>(i)));
  }
  EXPECT_EQ(classes.size(), timing_class_count);
}

// The macro binds bodies to opcodes by position: its order is the enumeration's.
TEST(MipsDecode, MacroListsEveryPatternInOrder) {
  std::size_t count = 0;
#define CHECK_ENTRY(opcode, Set, member)                                 \
  EXPECT_EQ(static_cast<std::size_t>(Opcode::opcode), count) << #opcode; \
  static_assert(std::is_same_v<decltype(Operands::member), Set>);        \
  ++count;
  HARDCLOCK_MIPS_INSTRUCTIONS(CHECK_ENTRY)
#undef CHECK_ENTRY
  EXPECT_EQ(count, opcode_count);
}

}  // namespace
}  // namespace hardclock::mips
