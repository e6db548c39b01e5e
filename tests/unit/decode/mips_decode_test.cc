// What must hold for every pattern of isa/mips/mips.decode, whatever its bits are. That the bits
// and the syntax are right is for the comparisons with objdump and Capstone to say.
#include "isa/mips/mips_decode.h"

#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "tests/unit/decode/mips_instances.h"

namespace hardclock::mips {
namespace {

constexpr std::uint32_t seed = 1;

// The `overlap` lines of mips.decode: the first of two takes the words that both match. They tell
// operands apart that came with different levels: condition 0 from the others, FCSR from its parts.
const std::set<std::pair<Opcode, Opcode>>& overlaps() {
  static const std::set<std::pair<Opcode, Opcode>> pairs = {
      {Opcode::bc1f, Opcode::bc1f_cc},         {Opcode::bc1t, Opcode::bc1t_cc},
      {Opcode::bc1fl, Opcode::bc1fl_cc},       {Opcode::bc1tl, Opcode::bc1tl_cc},
      {Opcode::c_cond_s, Opcode::c_cond_s_cc}, {Opcode::c_cond_d, Opcode::c_cond_d_cc},
      {Opcode::cfc1_fccr, Opcode::cfc1},       {Opcode::cfc1_fexr, Opcode::cfc1},
      {Opcode::cfc1_fenr, Opcode::cfc1},       {Opcode::ctc1_fccr, Opcode::ctc1},
      {Opcode::ctc1_fexr, Opcode::ctc1},       {Opcode::ctc1_fenr, Opcode::ctc1},
  };
  return pairs;
}

// Whether a word of `opcode` may decode to `decoded`.
bool agrees(Opcode decoded, Opcode opcode) {
  return decoded == opcode || overlaps().contains({decoded, opcode});
}

TEST(MipsDecode, MatchDecodesToItsPattern) {
  for (const Opcode opcode : all_opcodes()) {
    EXPECT_TRUE(agrees(decode(info(opcode).match).opcode, opcode)) << info(opcode).name;
  }
}

TEST(MipsDecode, EncodeInvertsDecode) {
  for (const Opcode opcode : all_opcodes()) {
    std::size_t own = 0;
    for (const std::uint32_t word : instances(opcode, 1000, seed)) {
      const Instruction instruction = decode(word);
      ASSERT_TRUE(agrees(instruction.opcode, opcode))
          << info(opcode).name << std::hex << " " << word;
      ASSERT_EQ(encode(instruction), word) << info(opcode).name;
      own += instruction.opcode == opcode;
    }
    EXPECT_GT(own, 0u) << info(opcode).name;
  }
}

TEST(MipsDecode, NoTwoPatternsShareAWordButThoseThatSaySo) {
  for (const Opcode a : all_opcodes()) {
    for (const Opcode b : all_opcodes()) {
      if (a >= b) continue;
      const bool apart = ((info(a).match ^ info(b).match) & info(a).mask & info(b).mask) != 0;
      EXPECT_EQ(apart, !overlaps().contains({a, b})) << info(a).name << " and " << info(b).name;
    }
  }
}

TEST(MipsDecode, InvalidHasNoWordAndZeroOperands) {
  const Instruction instruction = decode(0x4200'0018);  // eret, of coprocessor 0
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

// Which levels have an instruction: "MIPS64 Architecture For Programmers", volume II, tables 4-1 to
// 4-13, and Price, "MIPS IV Instruction Set", section A.2, which say in what release or level each
// came.
TEST(MipsDecode, LevelsHaveTheInstructionsOfTheirHistory) {
  constexpr Level levels[] = {Level::mips1,  Level::mips2,    Level::mips3,  Level::mips4,
                              Level::mips32, Level::mips32r2, Level::mips64, Level::mips64r2};
  const struct {
    Opcode opcode;
    const char* had;  // a 1 for each of `levels` that has it
  } cases[] = {
      {Opcode::addu, "11111111"},  {Opcode::teq, "01111111"},   {Opcode::daddu, "00110011"},
      {Opcode::movz, "00011111"},  {Opcode::pref, "00011111"},  {Opcode::clz, "00001111"},
      {Opcode::madd, "00001111"},  {Opcode::ext, "00000101"},   {Opcode::dclz, "00000011"},
      {Opcode::dext, "00000001"},  {Opcode::rdhwr, "00000101"}, {Opcode::lwu, "00110011"},
      {Opcode::movt, "00011111"},  {Opcode::sync, "01111111"},  {Opcode::wsbh, "00000101"},
      {Opcode::drotr, "00000001"}, {Opcode::mul, "00001111"},   {Opcode::lld, "00110011"},
  };
  for (const auto& [opcode, had] : cases) {
    for (std::size_t i = 0; i < std::size(levels); ++i) {
      EXPECT_EQ(available(opcode, levels[i]), had[i] == '1')
          << info(opcode).name << " " << level_name(levels[i]);
    }
  }
}

TEST(MipsDecode, InfoNamesClassAndLevel) {
  EXPECT_STREQ(info(Opcode::and_).name, "and");
  EXPECT_STREQ(timing_class_name(info(Opcode::mult).timing), "mult");
  EXPECT_STREQ(level_name(Level::mips32r2), "mips32r2");
  EXPECT_TRUE(available(Opcode::addu, Level::mips1));
  EXPECT_FALSE(available(Opcode::beql, Level::mips1));
  EXPECT_TRUE(available(Opcode::beql, Level::mips2));
  EXPECT_TRUE(available(Opcode::beql, Level::mips64r2));
  EXPECT_FALSE(available(Opcode::invalid, Level::mips64r2));
  EXPECT_TRUE(needs(Opcode::daddu, Feature::wide));
  EXPECT_FALSE(needs(Opcode::addu, Feature::wide));
  std::set<std::string> classes;
  for (std::size_t i = 0; i < timing_class_count; ++i) {
    classes.insert(timing_class_name(static_cast<TimingClass>(i)));
  }
  EXPECT_EQ(classes.size(), timing_class_count);
}

// The macro binds bodies to opcodes by position: its order is the enumeration's.
TEST(MipsDecode, MacroListsEveryPatternInOrder) {
  std::size_t count = 0;
#define CHECK_ENTRY(opcode, body, Set, member)                           \
  EXPECT_EQ(static_cast<std::size_t>(Opcode::opcode), count) << #opcode; \
  static_assert(std::is_same_v<decltype(Operands::member), Set>);        \
  ++count;
  HARDCLOCK_MIPS_INSTRUCTIONS(CHECK_ENTRY)
#undef CHECK_ENTRY
  EXPECT_EQ(count, opcode_count);
}

}  // namespace
}  // namespace hardclock::mips
