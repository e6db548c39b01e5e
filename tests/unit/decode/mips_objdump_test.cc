// The patterns, their syntax and the set of defined words against GNU objdump 2.40, as a
// subprocess. Skipped where objdump is missing.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "isa/mips/disassembly.h"
#include "isa/mips/mips_decode.h"
#include "tests/unit/decode/instances.h"
#include "tests/unit/decode/objdump.h"

namespace hardclock::mips {
namespace {

constexpr GuestAddr base{0x40'0000};

class MipsObjdump : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_objdump()) GTEST_SKIP() << "mips-linux-gnu-objdump is missing; run tools/install-deps";
  }

  // Our text of each word is objdump's.
  static void compare(const std::vector<std::uint32_t>& words, GuestAddr first,
                      const std::string& machine) {
    const std::vector<std::string> theirs = objdump(words, first, machine);
    ASSERT_EQ(theirs.size(), words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      ASSERT_EQ(disassemble(words[i], first + 4 * i), theirs[i])
          << machine << " word 0x" << std::hex << words[i];
    }
  }
};

std::vector<std::uint32_t> instances_up_to(Level level) {
  std::vector<std::uint32_t> words;
  for (const Opcode opcode : all_opcodes()) {
    if (info(opcode).level > level) continue;
    const auto some = instances(opcode, 400, static_cast<std::uint32_t>(opcode));
    words.insert(words.end(), some.begin(), some.end());
  }
  return words;
}

// The R3000 is a MIPS I processor, the R6000 a MIPS II one.
TEST_F(MipsObjdump, EveryMips1PatternReadsTheSame) {
  compare(instances_up_to(Level::mips1), base, "mips:3000");
}

TEST_F(MipsObjdump, EveryPatternReadsTheSame) {
  compare(instances_up_to(Level::mips2), base, "mips:6000");
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

// Random words, half of them in the three crowded opcodes SPECIAL, REGIMM and COP1.
std::vector<std::uint32_t> random_words(std::size_t count) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t word = static_cast<std::uint32_t>(random());
    const std::uint32_t choice = random() % 16;
    if (choice < 8) word &= 0x03ff'ffff;
    if (choice >= 3 && choice < 5) word |= 0x0400'0000;
    if (choice >= 5 && choice < 8) word |= 0x4400'0000;
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
  for (const std::uint32_t opcode : {0u, 1u, 16u, 17u}) {
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

// What objdump knows for an R6000 and mips.decode leaves out, by mnemonic, with the reason.
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
      {"c1", "an undefined operation of coprocessor 1 that objdump writes as a number"},
      {"sync.p", "Kane and Heinrich's SYNC has zeros in these bits"},
      {"jalx", "enters MIPS16, which objdump allows on every processor"},
  };
  return reasons;
}

// Where both know a word their texts are equal too.
TEST_F(MipsObjdump, TheSameWordsAreDefined) {
  std::vector<std::uint32_t> words = random_words(1'000'000);
  const std::vector<std::uint32_t> more = systematic_words();
  words.insert(words.end(), more.begin(), more.end());
  const std::vector<std::string> theirs = objdump(words, base, "mips:6000");
  ASSERT_EQ(theirs.size(), words.size());
  std::map<std::string, std::size_t> absent;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string ours = disassemble(words[i], base + 4 * i);
    if (ours == theirs[i]) continue;
    ASSERT_EQ(decode(words[i]).opcode, Opcode::invalid)
        << "word 0x" << std::hex << words[i] << " is " << ours << ", objdump: " << theirs[i];
    ++absent[theirs[i].substr(0, theirs[i].find('\t'))];
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
