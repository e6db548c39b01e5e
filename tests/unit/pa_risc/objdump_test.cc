// The patterns, their syntax and the set of defined words against GNU objdump 2.40, as a
// subprocess. Skipped where objdump is missing. objdump takes every word for wide mode's, whatever
// the machine it is told.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "isa/pa_risc/disassembly.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "tests/unit/decode/objdump.h"
#include "tests/unit/pa_risc/instances.h"

namespace hardclock::pa_risc {
namespace {

constexpr GuestAddr base{0x4000'0000};
constexpr const char* target = "hppa-linux-gnu";

class PaRiscObjdump : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_objdump(target))
      GTEST_SKIP() << target << "-objdump is missing; run tools/install-deps";
  }
};

// Words that objdump writes wrongly: the reason, or nullptr.
const char* told_otherwise(std::uint32_t word) {
  const Instruction instruction = decode(word);
  const Operands& o = instruction.operands;
  switch (instruction.opcode) {
    case Opcode::and_:
    case Opcode::and_dw:
    case Opcode::or_:
    case Opcode::or_dw:
    case Opcode::xor_:
    case Opcode::xor_dw:
    case Opcode::andcm:
    case Opcode::andcm_dw: {
      const unsigned c = o.rrr.cond & 7;
      return c >= 4 && c <= 6 ? "a reserved condition, \"(null)\" there" : nullptr;
    }
    case Opcode::havg:
      return "\"shladd(null)\" there, a mask that is too wide";
    case Opcode::mixh_l:
    case Opcode::mixh_r:
    case Opcode::mixw_l:
    case Opcode::mixw_r:
      return "no blank after the mnemonic there";
    case Opcode::ldwm:
    case Opcode::stwm:
      return (word & 1) != (word >> 13 & 1) ? "the wrong bit for ,ma or ,mb there" : nullptr;
    case Opcode::stwas:
      return o.store_s_abs.im5_store == 0 && o.store_s_abs.am == 3 ? ",mb is ,o there" : nullptr;
    case Opcode::fstws:
      return o.fp_mem_sw.hint != 0 ? "the 1.1 mnemonic \"fstws\" there" : nullptr;
    case Opcode::cldws:
    case Opcode::cldds:
    case Opcode::cstws:
    case Opcode::cstds:
      return ",o and the displacement 0 there, whatever they are";
    case Opcode::fmpyadd_s:
    case Opcode::fmpysub_s:
      return "left and right halves of a register have one name there";
    case Opcode::frem_s_0e:
      return "the format is read from the second operand there";
    case Opcode::pmdis:
      return "a conversion of major opcode 0C there";
    case Opcode::fic_data:
      return o.cache_d.s != 0 ? "only space 0 is known there" : nullptr;
    case Opcode::copr: {
      const bool is_conversion = (word >> 9 & 3) == 1;
      return o.copr.uid == 0 || is_conversion
                 ? "undefined formats of operations, and other coprocessors' conversions, there"
                 : nullptr;
    }
    default:
      break;
  }
  const std::string name = info(instruction.opcode).name;
  if (name.starts_with("fcnv") && name.ends_with("_0e") && (word >> 17 & 1) != 0) {
    return "unsigned conversions of major opcode 0E are signed ones there";
  }
  return nullptr;
}

std::string context(std::uint32_t word) {
  const char* const name = info(decode(word).opcode).name;
  char text[64];
  std::snprintf(text, sizeof text, "word 0x%08x, %s", word, name);
  return text;
}

TEST_F(PaRiscObjdump, EveryPatternReadsTheSame) {
  std::vector<std::uint32_t> words;
  for (const Opcode opcode : all_opcodes()) {
    const std::vector<std::uint32_t> some =
        instances(opcode, 300, static_cast<std::uint32_t>(opcode));
    words.insert(words.end(), some.begin(), some.end());
  }
  const std::vector<std::string> theirs = objdump(target, words, base, "hppa2.0w");
  ASSERT_EQ(theirs.size(), words.size());
  std::vector<bool> seen(opcode_count);
  for (std::size_t i = 0; i < words.size(); ++i) {
    seen[static_cast<std::size_t>(decode(words[i]).opcode)] = true;
    if (told_otherwise(words[i]) != nullptr) continue;
    ASSERT_EQ(disassemble(words[i], base + 4 * i, true), theirs[i]) << context(words[i]);
  }
  for (const Opcode opcode : all_opcodes()) {
    EXPECT_TRUE(seen[static_cast<std::size_t>(opcode)]) << info(opcode).name;
  }
}

// What is excused above does differ.
TEST_F(PaRiscObjdump, WhatIsToldOtherwiseDiffers) {
  for (const Opcode opcode : all_opcodes()) {
    std::vector<std::uint32_t> words;
    for (const std::uint32_t word : instances(opcode, 300, static_cast<std::uint32_t>(opcode))) {
      if (decode(word).opcode == opcode && told_otherwise(word) != nullptr) words.push_back(word);
    }
    if (words.empty()) continue;
    const std::vector<std::string> theirs = objdump(target, words, base, "hppa2.0w");
    ASSERT_EQ(theirs.size(), words.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      different += disassemble(words[i], base + 4 * i, true) != theirs[i];
    }
    EXPECT_GT(different, 0u) << context(words[0]);
  }
}

// Random words, half of them in the crowded opcodes, with fields that are often zero.
std::vector<std::uint32_t> random_words(std::size_t count) {
  std::mt19937 random(7);
  constexpr std::uint32_t crowded[] = {0, 1, 2, 3, 4, 9, 11, 12, 14, 0x2e, 0x34, 0x35, 0x3a, 0x3e};
  constexpr std::uint32_t fields[] = {0x1f,   0x20,   0x1c0,    0x600,
                                      0x1800, 0xe000, 0x1f0000, 0x3e0'0000};
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t word = static_cast<std::uint32_t>(random());
    if (random() % 2 == 0) word = (word & 0x03ff'ffff) | crowded[random() % 14] << 26;
    for (const std::uint32_t field : fields) {
      if (random() % 3 == 0) word &= ~field;
    }
    words.push_back(word);
  }
  return words;
}

// What objdump knows and pa_risc.decode leaves out, by mnemonic, with the reason.
const std::map<std::string, std::string>& deliberately_absent() {
  static const char* const format = "undefined formats and halves of doubles in major opcode 0E";
  static const char* const zero = "bits that the manual has as zero, and objdump ignores";
  static const char* const quad = "stores of quads, which no processor has";
  static const char* const flush = "undocumented; objdump has them from a coprocessor's draft";
  static const std::map<std::string, std::string> reasons = {
      {"fabs", format},      {"fadd", format},   {"fcmp", format},       {"fcnv", format},
      {"fcnvff", format},    {"fcnvfx", format}, {"fcnvfxt", format},    {"fcnvxf", format},
      {"fcpy", format},      {"fdiv", format},   {"fmpy", format},       {"fmpyfadd", format},
      {"fmpynfadd", format}, {"fneg", format},   {"fnegabs", format},    {"frem", format},
      {"frnd", format},      {"fsqrt", format},  {"fsub", format},       {"xmpyu", format},
      {"blr", zero},         {"fic", zero},      {"hsub(null)", zero},   {"mixh", zero},
      {"mixw", zero},        {"rfi", zero},      {"shladd(null)", zero}, {"fstqs", quad},
      {"fstqx", quad},       {"gfr", flush},     {"gfw", flush},
  };
  return reasons;
}

// "hadd,ss r1,..." -> "hadd"
std::string mnemonic_of(const std::string& text) {
  return text.substr(0, text.find_first_of(", "));
}

TEST_F(PaRiscObjdump, TheSameWordsAreDefined) {
  const std::vector<std::uint32_t> words = random_words(600'000);
  const std::vector<std::string> theirs = objdump(target, words, base, "hppa2.0w");
  ASSERT_EQ(theirs.size(), words.size());
  std::map<std::string, std::size_t> absent;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (told_otherwise(words[i]) != nullptr) continue;
    const std::string ours = disassemble(words[i], base + 4 * i, true);
    if (ours == theirs[i]) continue;
    ASSERT_EQ(decode(words[i]).opcode, Opcode::invalid)
        << context(words[i]) << ": " << ours << " there: " << theirs[i];
    ++absent[mnemonic_of(theirs[i])];
  }
  for (const auto& [mnemonic, count] : absent) {
    EXPECT_TRUE(deliberately_absent().contains(mnemonic)) << mnemonic << ": " << count << " words";
  }
  for (const auto& [mnemonic, reason] : deliberately_absent()) {
    EXPECT_TRUE(absent.contains(mnemonic)) << mnemonic << " no longer differs; remove it";
  }
}

}  // namespace
}  // namespace hardclock::pa_risc
