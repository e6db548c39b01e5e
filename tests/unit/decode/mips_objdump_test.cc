// The patterns, their syntax and the set of defined words against GNU objdump 2.40, as a
// subprocess. Skipped where objdump is missing.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "isa/mips/disassembly.h"
#include "isa/mips/mips_decode.h"
#include "tests/unit/decode/mips_instances.h"
#include "tests/unit/decode/objdump.h"

namespace hardclock::mips {
namespace {

constexpr GuestAddr base{0x40'0000};
constexpr const char* target = "mips-linux-gnu";

class MipsObjdump : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_objdump(target))
      GTEST_SKIP() << "mips-linux-gnu-objdump is missing; run tools/install-deps";
  }

  // Our text of each word is objdump's.
  static void compare(const std::vector<std::uint32_t>& words, GuestAddr first,
                      const std::string& machine) {
    const std::vector<std::string> theirs = objdump(target, words, first, machine);
    ASSERT_EQ(theirs.size(), words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      ASSERT_EQ(disassemble(words[i], first + 4 * i), theirs[i])
          << machine << " word 0x" << std::hex << words[i];
    }
  }
};

bool is_below_release_2(Level level) {
  return !available(Opcode::rotr, level);
}

// Words whose text depends on the processor for objdump and not here, and words without a meaning.
bool is_told_otherwise(std::uint32_t word, Level level) {
  const Instruction instruction = decode(word);
  const Operands& operands = instruction.operands;
  switch (instruction.opcode) {
    case Opcode::sll:  // PAUSE is a name of release 2
      return word == 0x0000'0140 && is_below_release_2(level);
    case Opcode::sync:  // so are SYNC's with a type
      return operands.sync.stype != 0 && is_below_release_2(level);
    case Opcode::clz:  // both registers have to be named; objdump prints "t7 or ra" otherwise
    case Opcode::clo:
    case Opcode::dclz:
    case Opcode::dclo:
      return operands.count.rd != operands.count.rt;
    case Opcode::cfc1:  // names of MIPS32's and release 5's registers
    case Opcode::ctc1:
    case Opcode::cfc1_fccr:
    case Opcode::cfc1_fexr:
    case Opcode::cfc1_fenr:
    case Opcode::ctc1_fccr:
    case Opcode::ctc1_fexr:
    case Opcode::ctc1_fenr: {
      const std::uint32_t fcr = word >> 11 & 31;
      return fcr == 1 || fcr == 4 ||
             ((fcr == 25 || fcr == 26 || fcr == 28) && level <= Level::mips4);
    }
    default:
      return false;
  }
}

std::vector<std::uint32_t> instances_up_to(Level level) {
  std::vector<std::uint32_t> words;
  for (const Opcode opcode : all_opcodes()) {
    if (!available(opcode, level)) continue;
    for (const std::uint32_t word : instances(opcode, 400, static_cast<std::uint32_t>(opcode))) {
      if (!is_told_otherwise(word, level)) words.push_back(word);
    }
  }
  return words;
}

// The R3000 is a MIPS I processor, the R6000 a MIPS II one, the R4000 a MIPS III, the R8000 a MIPS
// IV.
const std::map<Level, std::string>& machines() {
  static const std::map<Level, std::string> names = {
      {Level::mips1, "mips:3000"},   {Level::mips2, "mips:6000"},
      {Level::mips3, "mips:4000"},   {Level::mips4, "mips:8000"},
      {Level::mips32, "mips:isa32"}, {Level::mips32r2, "mips:isa32r2"},
      {Level::mips64, "mips:isa64"}, {Level::mips64r2, "mips:isa64r2"}};
  return names;
}

TEST_F(MipsObjdump, EveryPatternReadsTheSameAtItsLevels) {
  ASSERT_EQ(machines().size(), level_count);
  for (const auto& [level, machine] : machines()) compare(instances_up_to(level), base, machine);
}

// A jump stays in the 256 MB region of its delay slot, which for the last word of a region is the
// next one; branches wrap neither region.
TEST_F(MipsObjdump, TargetsAtTheEdgeOfARegion) {
  std::vector<std::uint32_t> words;
  for (const std::uint32_t word : {0x0bff'ffffu, 0x0800'0000u, 0x1000'7fffu, 0x1000'8000u}) {
    words.insert(words.end(), 8, word);
  }
  compare(words, GuestAddr(0x0fff'fff0), "mips:3000");
}

// Random words, half of them in the crowded opcodes SPECIAL, REGIMM, COP1, SPECIAL2 and SPECIAL3.
std::vector<std::uint32_t> random_words(std::size_t count) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t word = static_cast<std::uint32_t>(random());
    const std::uint32_t choice = random() % 16;
    if (choice < 8) word &= 0x03ff'ffff;
    if (choice >= 3 && choice < 5) word |= 0x0400'0000;
    if (choice >= 5 && choice < 7) word |= 0x4400'0000;
    if (choice == 7) word |= random() % 2 == 0 ? 0x7000'0000 : 0x7c00'0000;
    if (random() % 2 == 0) word &= 0xffff'f83f;
    if (random() % 2 == 0) word &= 0xffe0'ffff;
    words.push_back(word);
  }
  return words;
}

// Every opcode with every value of the bits that tell instructions apart (rs, rt, the shift amount
// and the function), and a few values of the others.
std::vector<std::uint32_t> systematic_words() {
  std::vector<std::uint32_t> words;
  for (const std::uint32_t opcode : {0u, 1u, 16u, 17u, 19u, 28u, 31u}) {
    for (std::uint32_t bits = 0; bits < 32 * 32 * 64; ++bits) {
      const std::uint32_t middle = bits / 64 % 32, top = bits / 2048, function = bits % 64;
      const std::uint32_t word = opcode << 26 | function;
      words.push_back(word | top << 21 | middle << 16);
      words.push_back(word | top << 21 | middle << 6);
      words.push_back(word | top << 16 | middle << 11);
    }
  }
  for (std::uint32_t bits = 0; bits < 64 * 32 * 32; ++bits) {
    words.push_back(bits << 16);
    words.push_back(bits << 16 | 0x8765);
  }
  return words;
}

// What objdump knows for an R6000, R4000 or R8000 and mips.decode leaves out, by mnemonic, with the
// reason.
const std::map<std::string, std::string>& deliberately_absent() {
  static const char* const system = "coprocessor 0: a user program gets coprocessor unusable";
  static const char* const unit = "coprocessors 2 and 3, which the processors here do not have";
  static const std::map<std::string, std::string> reasons = {
      {"c0", system},
      {"cfc0", system},
      {"ctc0", system},
      {"mfc0", system},
      {"mtc0", system},
      {"bc0f", system},
      {"bc0t", system},
      {"bc0fl", system},
      {"bc0tl", system},
      {"c2", unit},
      {"cfc2", unit},
      {"ctc2", unit},
      {"mfc2", unit},
      {"mtc2", unit},
      {"bc2f", unit},
      {"bc2t", unit},
      {"bc2fl", unit},
      {"bc2tl", unit},
      {"c3", unit},
      {"cfc3", unit},
      {"ctc3", unit},
      {"mfc3", unit},
      {"mtc3", unit},
      {"bc3f", unit},
      {"bc3t", unit},
      {"bc3fl", unit},
      {"bc3tl", unit},
      {"rfe", system},
      {"eret", system},
      {"wait", system},
      {"cache", system},
      {"dmfc0", system},
      {"dmtc0", system},
      {"dmfc2", unit},
      {"dmtc2", unit},
      {"tlbp", system},
      {"tlbr", system},
      {"tlbwi", system},
      {"tlbwr", system},
      {"lwc2", unit},
      {"swc2", unit},
      {"ldc2", unit},
      {"sdc2", unit},
      {"lwc3", unit},
      {"swc3", unit},
      {"ldc3", unit},
      {"sdc3", unit},
      {"cfc1", "of a control register that came with MIPS32"},
      {"c1", "an undefined operation of coprocessor 1 that objdump writes as a number"},
      {"jalx", "enters MIPS16, which objdump allows on every processor"},
  };
  return reasons;
}

// Counts the words that only objdump knows, by mnemonic; where both know a word their texts are
// equal.
void count_absent(const std::vector<std::uint32_t>& words, Level level,
                  std::map<std::string, std::size_t>& absent) {
  const std::string& machine = machines().at(level);
  const std::vector<std::string> theirs = objdump(target, words, base, machine);
  ASSERT_EQ(theirs.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!available(decode(words[i]).opcode, level)) {
      const std::string mnemonic = theirs[i].substr(0, theirs[i].find('\t'));
      if (mnemonic != ".word") ++absent[mnemonic];
    } else if (!is_told_otherwise(words[i], level)) {
      ASSERT_EQ(disassemble(words[i], base + 4 * i), theirs[i])
          << machine << " word 0x" << std::hex << words[i];
    }
  }
}

// Not the MIPS32 and MIPS64 levels: there objdump knows every extension that ever was one's.
TEST_F(MipsObjdump, TheSameWordsAreDefined) {
  std::vector<std::uint32_t> words = random_words(300'000);
  const std::vector<std::uint32_t> more = systematic_words();
  words.insert(words.end(), more.begin(), more.end());
  std::map<std::string, std::size_t> absent;
  for (const Level level : {Level::mips2, Level::mips3, Level::mips4}) {
    count_absent(words, level, absent);
  }
  for (const auto& [mnemonic, count] : absent) {
    EXPECT_TRUE(deliberately_absent().contains(mnemonic)) << mnemonic << ": " << count << " words";
  }
  for (const auto& [mnemonic, reason] : deliberately_absent()) {
    EXPECT_TRUE(absent.contains(mnemonic)) << mnemonic << " no longer differs; remove it";
  }
}

}  // namespace
}  // namespace hardclock::mips
