// The patterns, their syntax, the templates and the set of defined slots against GNU objdump 2.40,
// as a subprocess. Skipped where objdump is missing.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "isa/ia64/bundle.h"
#include "isa/ia64/disassembly.h"
#include "isa/ia64/ia64_decode.h"
#include "tests/unit/decode/objdump.h"
#include "tests/unit/ia64/instances.h"

namespace hardclock::ia64 {
namespace {

constexpr GuestAddr base{0x4000'0000'0000'0000};
constexpr const char* target = "ia64-linux-gnu";

class Ia64Objdump : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_objdump(target))
      GTEST_SKIP() << target << "-objdump is missing; run tools/install-deps";
  }
};

std::size_t instructions_in(const Bundle& bundle) {
  const std::optional<Template> layout = template_of(bundle.template_number);
  return layout ? instruction_count(*layout) : slot_count;
}

// One text an instruction, without the bundle's units and the blanks before it: "[MII]       ".
std::vector<std::string> texts_of_objdump(std::span<const Bundle> bundles) {
  std::vector<std::uint8_t> bytes;
  for (const Bundle& bundle : bundles) {
    const auto packed = packed_bytes(bundle);
    bytes.insert(bytes.end(), packed.begin(), packed.end());
  }
  std::vector<std::string> texts = objdump_bytes(target, bytes, base, "-m ia64-elf64");
  for (std::string& text : texts) {
    if (text.starts_with('[')) text.erase(0, text.find(']') + 1);
    text.erase(0, text.find_first_not_of(' '));
  }
  return texts;
}

// An instruction that objdump writes in another way.
struct Difference {
  Bundle bundle;
  std::size_t slot;
  std::string ours, theirs;
};

std::vector<Difference> differences(std::span<const Bundle> bundles) {
  const std::vector<std::string> theirs = texts_of_objdump(bundles);
  std::vector<Difference> found;
  std::size_t at = 0;
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    for (std::size_t slot = 0; slot < instructions_in(bundles[i]); ++slot, ++at) {
      if (at >= theirs.size()) continue;
      std::string ours = disassemble(bundles[i], slot, base + bundle_bytes * i);
      if (ours != theirs[at]) found.push_back({bundles[i], slot, std::move(ours), theirs[at]});
    }
  }
  EXPECT_EQ(theirs.size(), at);
  return found;
}

std::string context(const Difference& difference) {
  return "ours: " + difference.ours + ", theirs: " + difference.theirs;
}

TEST_F(Ia64Objdump, EveryPatternReadsTheSame) {
  std::mt19937_64 random(5);
  std::vector<Bundle> bundles;
  for (const Opcode opcode : all_opcodes()) {
    for (const Word word : instances(opcode, 300, static_cast<std::uint64_t>(opcode))) {
      bundles.push_back(place(word, random() & slot_mask).bundle);
    }
  }
  const std::vector<Difference> found = differences(bundles);
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 20); ++i) {
    ADD_FAILURE() << context(found[i]);
  }
}

// A slot whose fields are often zero, and whose major opcode is often one that has many extensions.
std::uint64_t random_slot(std::mt19937_64& random) {
  constexpr std::uint64_t crowded[] = {0, 0, 0, 1, 1, 2, 4, 5, 6, 7, 8};
  std::uint64_t slot = with_likely_fields(random() & slot_mask, random);
  if (random() % 2 == 0) {
    slot = bit_field(slot, 0, 37) | crowded[random() % std::size(crowded)] << 37;
  }
  if (random() % 3 == 0) slot &= ~(std::uint64_t{7} << 33);  // x3
  return slot;
}

std::string mnemonic_of(const std::string& text) {
  const std::size_t begin = text.starts_with('(') ? text.find(' ') + 1 : 0;
  return text.substr(begin, text.find(' ', begin) - begin);
}

// What objdump knows and ia64.decode leaves out: moves to and from "msr". The manual has no such
// indirect register file: formats M42 and M43 name rr, dbr, ibr, pkr, pmc, pmd, cpuid and the
// translation registers.
bool is_deliberately_absent(const Difference& difference) {
  const std::optional<Template> layout = template_of(difference.bundle.template_number);
  if (!layout) return false;
  const Word word = instruction_word(difference.bundle, *layout, difference.slot);
  return decode(word).opcode == Opcode::invalid && mnemonic_of(difference.theirs) == "mov" &&
         difference.theirs.find("msr[") != std::string::npos;
}

TEST_F(Ia64Objdump, TheSameSlotsAreDefined) {
  std::mt19937_64 random(7);
  std::size_t absent = 0;
  constexpr std::size_t parts = 4, bundles_in_a_part = 100'000;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<Bundle> bundles;
    for (std::size_t i = 0; i < bundles_in_a_part; ++i) {
      Bundle bundle{static_cast<std::uint8_t>(random() % 32), {}};
      // Reserved templates are few enough below.
      if (!template_of(bundle.template_number)) bundle.template_number = 0x10;
      for (std::uint64_t& slot : bundle.slots) slot = random_slot(random);
      bundles.push_back(bundle);
    }
    for (const Difference& difference : differences(bundles)) {
      if (is_deliberately_absent(difference)) {
        ++absent;
      } else {
        ASSERT_EQ(difference.ours, difference.theirs);
      }
    }
  }
  EXPECT_GT(absent, 0u) << "msr no longer differs; remove it";
}

// Bundles of every template, reserved ones too: the units, the stops and where they are written.
TEST_F(Ia64Objdump, EveryTemplateReadsTheSame) {
  std::mt19937_64 random(9);
  std::vector<Bundle> bundles;
  for (unsigned number = 0; number < 32; ++number) {
    for (int i = 0; i < 200; ++i) {
      Bundle bundle{static_cast<std::uint8_t>(number), {}};
      for (std::uint64_t& slot : bundle.slots) slot = random() & slot_mask;
      bundles.push_back(bundle);
    }
  }
  for (const Difference& difference : differences(bundles)) {
    EXPECT_TRUE(is_deliberately_absent(difference)) << context(difference);
  }
}

}  // namespace
}  // namespace hardclock::ia64
