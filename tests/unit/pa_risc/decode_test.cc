// What must hold for every pattern of isa/pa_risc/pa_risc.decode, whatever its bits are, what its
// immediates mean, and the text of narrow mode. That the bits and the syntax are right is for the
// comparison with objdump to say.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "isa/pa_risc/disassembly.h"
#include "isa/pa_risc/operand_values.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "tests/unit/pa_risc/instances.h"

namespace hardclock::pa_risc {
namespace {

bool share_a_word(Opcode a, Opcode b) {
  return ((info(a).match ^ info(b).match) & info(a).mask & info(b).mask) == 0;
}

// Of two patterns that match a word the first takes it (sim/decode/README.md). Others than those
// that share words with `opcode` may not.
bool agrees(Opcode decoded, Opcode opcode) {
  return decoded == opcode || (decoded < opcode && share_a_word(decoded, opcode));
}

TEST(PaRiscDecode, EncodeInvertsDecode) {
  for (const Opcode opcode : all_opcodes()) {
    std::size_t own = 0;
    for (const std::uint32_t word : instances(opcode, 200, 1)) {
      const Instruction instruction = decode(word);
      ASSERT_TRUE(agrees(instruction.opcode, opcode))
          << info(opcode).name << std::hex << " " << word;
      ASSERT_EQ(encode(instruction), word) << info(opcode).name;
      own += instruction.opcode == opcode;
    }
    EXPECT_GT(own, 0u) << info(opcode).name;
  }
}

// The coprocessors' patterns have the words of the floating-point unit (coprocessor 0) too; else
// these: a shift by 0 is ADD, halfword shifts by 0 are ADD,C and SUB,B (QEMU,
// target/hppa/insns.decode, has the same groups), and FCMP and FTEST have a compare bit that 1.x
// left zero.
TEST(PaRiscDecode, PatternsThatShareWords) {
  const std::set<std::pair<std::string, std::string>> expected = {
      {"add", "shladd"},
      {"add_dw", "shladd_dw"},
      {"add_l", "shladd_l"},
      {"add_l_dw", "shladd_l_dw"},
      {"add_tsv", "shladd_tsv"},
      {"add_tsv_dw", "shladd_tsv_dw"},
      {"add_c", "hshladd"},
      {"sub_b", "hshradd"},
      {"clrbts", "popbts"},
      {"pushnom", "pushbts"},
      {"fcmp_s", "fcmp_s_ca"},
      {"fcmp_d", "fcmp_d_ca"},
      {"fcmp_s_0e", "fcmp_s_ca_0e"},
      {"fcmp_d_0e", "fcmp_d_ca_0e"},
      {"ftest", "ftest_queue"},
      {"ftest", "ftest_ca"},
      {"ftest_queue", "ftest_ca"},
      {"fldwx", "cldwx"},
      {"fldws", "cldws"},
      {"fstwx", "cstwx"},
      {"fstws", "cstws"},
      {"flddx", "clddx"},
      {"fldds", "cldds"},
      {"fstdx", "cstdx"},
      {"fstds", "cstds"},
  };
  std::set<std::pair<std::string, std::string>> found;
  for (const Opcode a : all_opcodes()) {
    for (const Opcode b : all_opcodes()) {
      if (a < b && b != Opcode::copr && share_a_word(a, b)) {
        found.emplace(info(a).name, info(b).name);
      }
    }
  }
  EXPECT_EQ(found, expected);
}

// Words that no manual defines: opcodes without an instruction, extensions of opcode 2, a zero
// field that is not zero, doubles with a right half.
TEST(PaRiscDecode, ReservedWordsAreInvalid) {
  for (const std::uint32_t word :
       {0x1c00'0000u, 0x3c00'0000u, 0xdc00'0000u, 0xf800'1000u, 0xfc00'0000u, 0xffff'ffffu,
        0x0800'0180u, 0xe800'4004u, 0xe801'd000u, 0x0000'0c20u, 0x3800'0e40u, 0x3800'1e00u,
        0xb800'0840u, 0xf800'a400u}) {
    const Instruction instruction = decode(word);
    EXPECT_EQ(instruction.opcode, Opcode::invalid) << std::hex << word;
    const std::uint8_t zeros[8] = {};
    EXPECT_EQ(std::memcmp(instruction.operands.bytes, zeros, 8), 0);
  }
}

// Words from hppa-linux-gnu-as, whose input is in the comments.
TEST(PaRiscDecode, ImmediatesAreUnscrambled) {
  EXPECT_EQ(decode(0x4bc2'3fd9).operands.load_long,  // ldw -20(%r30),%r2
            (LoadLong{.im14 = -20, .t1 = 2, .b = 30, .s = 0}));
  EXPECT_EQ(decode(0x0d3f'9083).operands.load_s,  // ldws -1(%sr2,%r9),%r3
            (LoadS{.t = 3, .im5 = -1, .b = 9, .s = 2, .am = 0, .hint = 0}));
  EXPECT_EQ(decode(0xb4a6'07ff).operands.rri,  // addi -1,%r5,%r6
            (Rri{.t1 = 6, .r2 = 5, .im11 = -1, .cond = 0}));
  EXPECT_EQ(decode(0x20a2'6246).operands.load_left,  // ldil L%0x12345000,%r5
            (LoadLeft{.t2 = 5, .im21 = 0x1234'5000}));
  EXPECT_EQ(decode(0xe840'0008).operands.link,  // bl .+12,%r2
            (Link{.disp17 = 4, .t2 = 2, .n = 0}));
  EXPECT_EQ(decode(0xe85f'1fff).operands.link,  // bl,n .+4,%r2
            (Link{.disp17 = -4, .t2 = 2, .n = 1}));
  EXPECT_EQ(decode(0x88a4'3fe7).operands.cmp_branch,  // cmpb,<>,n %r4,%r5,.-8
            (CmpBranch{.disp12 = -16, .r2 = 5, .r1 = 4, .cf = 9, .n = 1}));
}

// QEMU, target/hppa/translate.c, expand_16: in wide mode bits 14 and 13 of the displacement are the
// instruction's two bits of s, each exclusive-or the sign.
TEST(PaRiscOperandValues, LongDisplacements) {
  EXPECT_EQ(long_displacement(20, 1, false), 20);
  EXPECT_EQ(long_space(1, false), 1u);
  EXPECT_EQ(long_space(1, true), 0u);
  for (const int sign : {0, 1}) {
    for (const unsigned s : {0u, 1u, 2u, 3u}) {
      const int bit14 = sign ^ static_cast<int>(s >> 1);
      const int bit13 = sign ^ static_cast<int>(s & 1);
      const int expected = -0x8000 * sign + 0x4000 * bit14 + 0x2000 * bit13 + 8;
      EXPECT_EQ(long_displacement(sign != 0 ? -0x2000 + 8 : 8, s, true), expected) << s;
    }
  }
}

// QEMU, target/hppa/translate.c, fmpyadd_s_reg: the specifiers 0 to 15 are 16L to 31L, 16 to 31 are
// 16R to 31R. GNU binutils, opcodes/hppa-dis.c, cmpib_cond_64_names: the conditions of CMPIB,* are
// << = < <= and their inverses. Lengths: the same file, operands T, % and |.
TEST(PaRiscOperandValues, FieldsWithAMeaningOfTheirOwn) {
  EXPECT_EQ(upper_half(0), 16u);
  EXPECT_EQ(upper_half(15), 31u);
  EXPECT_EQ(upper_half(16), 32u + 16);
  EXPECT_EQ(upper_half(31), 32u + 31);
  const unsigned conditions[] = {4, 1, 2, 3, 12, 9, 10, 11};
  for (unsigned c = 0; c < 8; ++c) EXPECT_EQ(cmpib_condition(c), conditions[c]) << c;
  EXPECT_EQ(length_32(31), 1u);
  EXPECT_EQ(length_64(0), 32u);
  EXPECT_EQ(length_64(31), 1u);
  EXPECT_EQ(length_64(32), 64u);
  EXPECT_EQ(length_64(63), 33u);
}

// GNU binutils 2.40, include/opcode/hppa.h: the level of each. But MAX-1, which it has from 2.0 on,
// came with the PA-7100LC, a 1.1 processor (Lee, "Accelerating Multimedia with Enhanced
// Microprocessors", IEEE Micro, April 1995).
TEST(PaRiscDecode, LevelsHaveTheInstructionsOfTheirHistory) {
  const struct {
    Opcode opcode;
    const char* levels;  // pa1_0, pa1_1, pa1_1_max, pa2_0
  } cases[] = {
      {Opcode::add, "1111"},        {Opcode::add_dw, "0001"},   {Opcode::ldw, "1111"},
      {Opcode::ldd, "0001"},        {Opcode::lddx, "0001"},     {Opcode::fldw, "0001"},
      {Opcode::fldws, "1111"},      {Opcode::shrpw, "1111"},    {Opcode::shrpd, "0001"},
      {Opcode::extrd, "0001"},      {Opcode::xmpyu, "0111"},    {Opcode::fmpyadd_d, "0111"},
      {Opcode::fmpyfadd_d, "0001"}, {Opcode::bve, "0001"},      {Opcode::b_l_long, "0001"},
      {Opcode::fneg_d, "0001"},     {Opcode::fabs_d, "1111"},   {Opcode::hadd, "0011"},
      {Opcode::permh, "0001"},      {Opcode::cmpib_dw, "0001"}, {Opcode::mfia, "0001"},
      {Opcode::ldcws, "1111"},      {Opcode::ldcds, "0001"},    {Opcode::stdby, "0001"},
  };
  for (const auto& [opcode, levels] : cases) {
    for (std::size_t i = 0; i < level_count; ++i) {
      EXPECT_EQ(available(opcode, static_cast<Level>(i)), levels[i] == '1')
          << info(opcode).name << " " << level_name(static_cast<Level>(i));
    }
  }
}

// Narrow mode, which objdump does not know: words from hppa-linux-gnu-as at .level 1.1, whose input
// the text is but for the mnemonics of 2.0 and numbers in hexadecimal.
TEST(PaRiscDisassembly, NarrowMode) {
  const struct {
    std::uint32_t word;
    const char* text;
  } cases[] = {
      {0x4bc2'4028, "ldw 14(sr1,sp),rp"},       // ldw 20(%sr1,%sp),%rp
      {0x6883'ffd9, "stw r3,-14(sr3,r4)"},      // stw %r3,-20(%sr3,%r4)
      {0x4fc3'7f81, "ldw,mb -40(sr1,sp),r3"},   // ldwm -64(%sr1,%sp),%r3
      {0x6fc3'a710, "stw,ma r3,1388(sr2,sp)"},  // stwm %r3,5000(%sr2,%sp)
      {0x37de'3fd9, "ldo -14(sp),sp"},          // ldo -20(%sp),%sp
      {0xa0a4'c010, "addb,sv r4,r5,0x10"},      // addb,sv %r4,%r5,.+16
      {0xacbb'a010, "addib,vnz -3,r5,0x10"},    // addib,vnz -3,%r5,.+16
  };
  for (const auto& [word, text] : cases) {
    EXPECT_EQ(disassemble(word, GuestAddr(0), false), text) << std::hex << word;
  }
  EXPECT_EQ(disassemble(0xe85f'1fff, GuestAddr(0), false), "b,l,n 0x4,rp");       // bl,n .+4,%r2
  EXPECT_EQ(disassemble(0xe85f'1fe5, GuestAddr(0), false), "b,l 0xfffffff8,rp");  // bl .-8,%r2
}

// A name for every value of every field, and none that reads beyond a table. What the texts are is
// for the comparison with objdump to say.
TEST(PaRiscDisassembly, EveryWordHasAText) {
  for (const Opcode opcode : all_opcodes()) {
    for (const std::uint32_t word : instances(opcode, 100, 2)) {
      for (const bool wide : {false, true}) {
        const std::string text = disassemble(word, GuestAddr(0x1000), wide);
        EXPECT_FALSE(text.starts_with('#')) << text;
      }
    }
  }
  EXPECT_EQ(disassemble(0x0800'0180, GuestAddr(0x1000), true), "# 8000180");
}

}  // namespace
}  // namespace hardclock::pa_risc
