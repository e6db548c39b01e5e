// Sums whose result 64-bit arithmetic leaves otherwise take the R4000 a cycle longer, unless
// something is waited for anyway: isa/mips/timing/r4000.timing, where it is derived from what was
// measured of the R4400 and from the stall SXT of the R4000 manual's table 3-2. That products and
// quotients go on in that cycle is unverified there. Loops in which the cycle is the only
// difference, on each engine.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/mips_machine.h"
#include "tests/support/mips_tools.h"

namespace hardclock {
namespace {

using support::MipsMachine;

constexpr std::uint32_t times = 40;

struct Engine {
  std::string name;
  mips::CpuOptions options;
};

class SlowSums : public testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    if (const std::string missing = support::missing_assembler(); !missing.empty()) {
      GTEST_SKIP() << missing << " is not installed (Debian package binutils-mips-linux-gnu)";
    }
  }

  // Of the loop, whose sums are of 0x7fffffff in $4 and of $5, which is 0 at first, and what
  // `between` does.
  static std::uint64_t cycles(const std::string& between) {
    MipsMachine machine(Endian::big, support::with_timing_of("r4000", "mips2"), GetParam().options);
    const auto program = support::GuestProgram::assemble(
        "li $4,0x7fffffff\n move $5,$0\n li $8," + std::to_string(times) + "\n 1:" + between +
            "\n addiu $8,$8,-1\n bnez $8,1b\n nop\n break",
        Endian::big);
    EXPECT_TRUE(program.ok()) << program.error();
    machine.load(support::code_base, program->bytes());
    EXPECT_EQ(machine.run().trap.kind, TrapKind::breakpoint);
    return machine.cpu->counts().cycles.value();
  }
};

INSTANTIATE_TEST_SUITE_P(
    Engines, SlowSums,
    testing::Values(Engine{"Reference", {.reference = true}},
                    Engine{"Interpreter", {.translation = {.is_on = false}}},
                    Engine{"Translated", {.translation = {.is_on = true, .after_executions = 0}}},
                    Engine{"TranslatedLater",
                           {.translation = {.is_on = true, .after_executions = 4}}}),
    [](const auto& info) { return info.param.name; });

TEST_P(SlowSums, TakeACycleEach) {
  EXPECT_EQ(cycles("ori $5,$0,1\n addu $6,$4,$5"), cycles("ori $5,$0,0\n addu $6,$4,$5") + times);
}

TEST_P(SlowSums, TakeACycleOnlyWhenTheyOverflow) {
  EXPECT_EQ(cycles("xori $5,$5,1\n addu $6,$4,$5"),
            cycles("xori $5,$5,0\n addu $6,$4,$5") + times / 2);
}

TEST_P(SlowSums, AreHiddenByAProductThatIsWaitedFor) {
  const std::string rest = "\n mult $4,$4\n addu $6,$4,$5\n mflo $7";
  EXPECT_EQ(cycles("ori $5,$0,1" + rest), cycles("ori $5,$0,0" + rest));
  EXPECT_EQ(cycles("xori $5,$5,1" + rest), cycles("ori $5,$0,0" + rest));
}

TEST_P(SlowSums, AreNotHiddenOnceTheProductHasBeenRead) {
  const std::string rest = "\n mult $4,$4\n addu $6,$4,$5\n mflo $7\n addu $9,$4,$5";
  EXPECT_EQ(cycles("xori $5,$5,1" + rest), cycles("ori $5,$0,0" + rest) + times / 2);
}

}  // namespace
}  // namespace hardclock
