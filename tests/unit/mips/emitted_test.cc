// Which instructions the translator leaves to the interpreter. One that is common and left to it
// makes a program many times slower, and gives no wrong result by which it would be found. The
// names are those that were found when this was written: shorter lists are better ones.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "isa/mips/isa.h"
#include "isa/mips/machine.h"
#include "tests/unit/decode/mips_instances.h"
#include "tests/unit/translator/emitted.h"

namespace hardclock::mips {
namespace {

struct Setting {
  const char* name;
  Level level;
  Mode mode;
  Endian order;
  const char* names;
};

constexpr Setting settings[] = {
    {"o32", Level::mips2, {}, Endian::big, "cfc1 ctc1 rdhwr sc"},
    {"o32_little",
     Level::mips32r2,
     {},
     Endian::little,
     "cfc1 cfc1_fenr cfc1_fexr ctc1 ctc1_fccr ctc1_fenr ctc1_fexr rdhwr sc"},
    {"n32",
     Level::mips4,
     {.operation_bits = 64, .address_bits = 32, .fr = true},
     Endian::big,
     "cfc1 ctc1 rdhwr sc scd"},
    {"n64",
     Level::mips64r2,
     {.operation_bits = 64, .address_bits = 64, .fr = true},
     Endian::big,
     "cfc1 cfc1_fenr cfc1_fexr ctc1 ctc1_fccr ctc1_fenr ctc1_fexr rdhwr sc scd"},
};

class Emitted : public testing::TestWithParam<Setting> {};

TEST_P(Emitted, NamesWhatFallsBack) {
  const Setting& setting = GetParam();
  const Isa isa(setting.level, setting.mode, Chip{.added = {"rdhwr"}}, setting.order);
  constexpr std::uint64_t pc = 0x40'0000;
  FallingBack falling_back(with_each_table(isa.guest_mode()));
  for (const Opcode opcode : all_opcodes()) {
    for (const std::uint32_t word : instances(opcode, 40, 3)) {
      if (isa.predecode(word, pc).always_traps) continue;
      std::vector<Recording> block = {isa.recording(word, pc)};
      if (may_transfer(block[0])) block.push_back(isa.recording(0, pc + 4));
      falling_back.add(info(opcode).name, block, pc);
    }
  }
  EXPECT_EQ(falling_back.names(), setting.names);
}

INSTANTIATE_TEST_SUITE_P(Mips, Emitted, testing::ValuesIn(settings),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace hardclock::mips
