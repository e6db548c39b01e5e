// Which instruction a clock event finds when it comes in a wait: the one that waits, for its
// operand, its own bytes or its data (the project's rule, docs/timing.md; for a blocking cache the
// instruction that misses is the one that cannot complete: Heinrich, "MIPS R4000 Microprocessor
// User's Manual", chapter 3, where a miss stalls the whole pipeline). And that it runs once all the
// same.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/mips_machine.h"
#include "tests/support/mips_tools.h"

namespace hardclock {
namespace {

using support::MipsMachine;

constexpr std::uint64_t base = 0x40'0000;
constexpr GuestAddr data{0x1000'0000};
constexpr std::uint32_t miss = 100;  // cycles

// Every test runs in both modes.
class MemoryTiming : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (const std::string missing = support::missing_assembler(); !missing.empty()) {
      GTEST_SKIP() << missing << " is not installed (Debian package binutils-mips-linux-gnu)";
    }
  }

  // $5 points to a word that holds 7.
  std::unique_ptr<MipsMachine> load(const std::string& source, const char* cpu,
                                    const MemoryDescription& memory) {
    mips::CpuOptions options{.reference = GetParam()};
    options.memory = std::make_shared<MachineMemory>(memory);
    auto machine = std::make_unique<MipsMachine>(Endian::big, support::mips_cpu(cpu), options);
    const auto program = support::GuestProgram::assemble(source, Endian::big);
    EXPECT_TRUE(program.ok()) << program.error();
    if (program.ok()) machine->load(support::code_base, program->bytes());
    EXPECT_TRUE(machine->memory.map(data, page_size, {.read = true, .write = true}, "data"));
    EXPECT_TRUE(machine->memory.write<std::uint32_t>(data, 7));
    machine->registers().gpr[5] = data.value();
    return machine;
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, MemoryTiming, testing::Bool(), [](const auto& info) {
  return info.param ? std::string("Reference") : std::string("Blocks");
});

CacheDescription small_cache() {
  return {.size = 256, .ways = 1, .line = 16, .refill = 16, .miss_cycles = miss};
}

TEST_P(MemoryTiming, ATickInADataMissFindsTheLoad) {
  MemoryDescription memory;
  memory.l1d = small_cache();
  const char* const source = "nop\n lw $4,0($5)\n addiu $6,$6,1\n addiu $6,$6,1\n break";
  const auto whole = load(source, "r4600", memory);
  EXPECT_EQ(whole->run().trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(whole->now, Cycles(5 + miss)) << "five instructions and the miss";
  // The load issues in cycle 1 and waits in the cycles 2 to 101.
  for (const std::uint64_t tick : {2u, 50u, 101u}) {
    const auto machine = load(source, "r4600", memory);
    EXPECT_EQ(machine->run(Cycles(tick)).reason, StopReason::deadline);
    EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base + 4)) << tick;
    EXPECT_EQ(machine->registers().gpr[4], 0u) << "the load has not completed";
    EXPECT_EQ(machine->cpu->counts().instructions, Instructions(1));
    EXPECT_EQ(machine->run().trap.kind, TrapKind::breakpoint);
    EXPECT_EQ(machine->registers().gpr[4], 7u);
    EXPECT_EQ(machine->registers().gpr[6], 2u);
    EXPECT_EQ(machine->cpu->counts().instructions, whole->cpu->counts().instructions);
    EXPECT_EQ(machine->now, whole->now + Cycles(1)) << "the load issues twice, and misses once";
  }
  const auto after = load(source, "r4600", memory);
  after->run(Cycles(102));
  EXPECT_EQ(after->cpu->interrupted_pc(), GuestAddr(base + 8));
}

TEST_P(MemoryTiming, ATickInAStoresMissFindsTheStore) {
  MemoryDescription memory;
  memory.l1d = small_cache();
  const auto machine = load("li $4,9\n sw $4,0($5)\n break", "r4600", memory);
  machine->run(Cycles(60));
  EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base + 4));
  EXPECT_EQ(*machine->memory.read<std::uint32_t>(data), 7u) << "not stored yet";
  EXPECT_EQ(machine->run().trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(*machine->memory.read<std::uint32_t>(data), 9u);
}

TEST_P(MemoryTiming, ATickInAFetchMissFindsTheInstructionThatIsFetched) {
  MemoryDescription memory;
  memory.l1i = small_cache();
  // Four instructions a line.
  const auto machine = load("nop\n nop\n nop\n nop\n nop\n break", "r4600", memory);
  machine->run(Cycles(50));
  EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base));
  machine->run(Cycles(miss + 4 + 50));
  EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base + 16));
  EXPECT_EQ(machine->run().trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(machine->now, Cycles(2 * miss + 6));
}

// Three stretches of code run in turn, the first three lines of each in the same three sets. First
// in, first out in two ways: each of these has gone when its stretch comes round again, however
// often its instructions ran meanwhile.
TEST_P(MemoryTiming, ALineThatWasReplacedIsFetchedAgain) {
  MemoryDescription memory;
  memory.l1i = small_cache();
  memory.l1i.size = 128;
  memory.l1i.ways = 2;
  memory.l1i.replacement = Replacement::fifo;
  const std::string loop = "7: addiu $3,$3,-1\n .rept 5\n nop\n .endr\n bnez $3,7b\n nop\n";
  const std::string rest = "li $3,2\n .rept 7\n nop\n .endr\n";
  const std::string end = "li $3,2\n addiu $7,$7,-1\n bnez $7,. - 168\n nop\n break";
  const auto machine =
      load(".set noreorder\n" + loop + rest + loop + rest + loop + end, "r4600", memory);
  machine->registers().gpr[3] = 2;
  machine->registers().gpr[7] = 10;
  EXPECT_EQ(machine->run().trap.kind, TrapKind::breakpoint);
  const std::uint64_t instructions = 10 * (3 * 2 * 8 + 2 * 8 + 4) + 1;
  const std::uint64_t misses = 10 * 3 * 3 + 3;  // once: the fourth lines, of which break's is one
  EXPECT_EQ(machine->now, Cycles(instructions + misses * miss));
}

TEST_P(MemoryTiming, ATickInAnInterlockFindsTheConsumer) {
  const auto machine = load("lw $4,0($5)\n addu $6,$4,$4\n break", "r4000", {});
  machine->run(Cycles(2));
  EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base + 4));
  EXPECT_EQ(machine->registers().gpr[4], 7u) << "the load is over";
  EXPECT_EQ(machine->registers().gpr[6], 0u);
}

// MIPS R4000 Microprocessor User's Manual, chapter 3: the multiplier works beside the pipeline.
// That it counts on in a stall is the row `continues` of r4000.timing, which says that it is
// unverified.
TEST_P(MemoryTiming, AMultiplicationCountsOnInADataMiss) {
  MemoryDescription memory;
  memory.l1d = small_cache();
  const char* const source = "mult $5,$5\n lw $4,0($5)\n mflo $6\n break";
  const auto machine = load(source, "r4000", memory);
  EXPECT_EQ(machine->run().trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(machine->now, Cycles(4 + miss)) << "the product is there when the line is";
}

// An instruction that begins anew after each interrupt must come to its end, however near they are.
TEST_P(MemoryTiming, InterruptsInEveryCycleStopNoOutOfOrderCore) {
  MemoryDescription memory;
  memory.l1d = small_cache();
  memory.l1i = small_cache();
  const auto machine = load("mult $5,$5\n mflo $6\n lw $4,0($5)\n break", "r10000", memory);
  Stop stop;
  for (unsigned tick = 0; tick < 10'000 && stop.reason != StopReason::trap; ++tick) {
    stop = machine->run(machine->now + Cycles(1));
  }
  EXPECT_EQ(stop.reason, StopReason::trap);
  EXPECT_EQ(machine->registers().gpr[4], 7u);
  EXPECT_EQ(machine->cpu->counts().instructions, Instructions(3));
}

}  // namespace
}  // namespace hardclock
