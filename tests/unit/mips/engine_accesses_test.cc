// What sim/engine/cpu.h promises of single accesses to memory, on small MIPS programs: those that
// the kernel splits, and what is told of one before it is made. KH is Kane and Heinrich, "MIPS RISC
// Architecture".
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/unit/mips/engine_modes.h"

namespace hardclock {
namespace {

class EngineAccesses : public EngineInBothModes {};

INSTANTIATE_TEST_SUITE_P(Modes, EngineAccesses, testing::Bool(), EngineAccesses::name_of_mode);

// ---- Accesses that a kernel splits.

TEST_P(EngineAccesses, ASplitLoadInADelaySlotFollowsTheBranch) {
  const auto machine = load("b 1f\n lw $4,2($5)\n nop\n 1: break\n .word 0x11223344, 0x55667788");
  machine->registers().gpr[5] = base + 16;
  const Stop stop = machine->run();
  expect_trap(stop, TrapKind::memory);
  EXPECT_EQ(machine->cpu->counts().instructions, Instructions(1));
  EXPECT_FALSE(machine->cpu->split_access(stop.trap.fault).has_value());
  EXPECT_EQ(machine->registers().gpr[4], 0x3344'5566u);
  EXPECT_EQ(machine->registers().pc, base + 12);
  EXPECT_EQ(machine->cpu->counts().instructions, Instructions(2));
  expect_trap(machine->run(), TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().pc, base + 12);
}

TEST_P(EngineAccesses, AnAccessIsNotSplitIfItIsAtomicOrNotThere) {
  const auto machine = load("ll $4,2($5)\n lw $4,2($6)");
  machine->registers().gpr[4] = 77;
  machine->registers().gpr[5] = base;
  machine->registers().gpr[6] = base + page_size - 4;
  const Fault atomic = machine->run().trap.fault;
  EXPECT_EQ(machine->cpu->split_access(atomic).value().kind, Fault::Kind::misaligned);
  machine->registers().set_pc(base + 4);
  const Fault beyond = machine->run().trap.fault;
  ASSERT_EQ(beyond.kind, Fault::Kind::misaligned);
  const Fault why_not = machine->cpu->split_access(beyond).value();
  EXPECT_EQ(why_not.kind, Fault::Kind::unmapped);
  EXPECT_EQ(why_not.address, beyond.address);
  EXPECT_EQ(machine->registers().gpr[4], 77u);
  EXPECT_EQ(machine->registers().pc, base + 4);
  EXPECT_EQ(machine->cpu->counts().instructions, Instructions(0));
}

// ---- What the next instruction does. Sizes and addresses are the manual's (KH, appendix A).

struct Told {
  const char* instruction;
  std::uint64_t offset;  // from $5
  std::uint64_t size;
  bool writes;
};

TEST_P(EngineAccesses, TellsTheAccessBeforeItIsMade) {
  constexpr Told cases[] = {
      {"lw $4,8($5)", 8, 4, false},      {"lh $4,6($5)", 6, 2, false},
      {"sb $4,-1($5)", -1ull, 1, true},  {"sw $4,0x7000($5)", 0x7000, 4, true},
      {"lwl $4,6($5)", 4, 4, false},     {"swr $4,6($5)", 4, 4, true},
      {"ldc1 $f4,16($5)", 16, 8, false}, {"sdc1 $f4,16($5)", 16, 8, true},
      {"ll $4,12($5)", 12, 4, false},    {"sc $4,12($5)", 12, 4, true},
  };
  for (const Told& told : cases) {
    SCOPED_TRACE(told.instruction);
    const auto machine = load(told.instruction);
    machine->registers().gpr[4] = 77;
    machine->registers().gpr[5] = base + 32;
    machine->registers().link_valid = true;
    machine->registers().link_address = base + 32 + 12;
    const NextInstruction next = machine->cpu->next_instruction();
    EXPECT_EQ(next.pc, GuestAddr(base));
    ASSERT_TRUE(next.access);
    EXPECT_EQ(next.access->address, GuestAddr(base + 32 + told.offset));
    EXPECT_EQ(next.access->size, told.size);
    EXPECT_EQ(next.access->writes, told.writes);
    EXPECT_EQ(machine->registers().gpr[4], 77u);
    EXPECT_EQ(machine->registers().pc, base);
  }
}

TEST_P(EngineAccesses, TellsNoAccessOfOtherInstructions) {
  const auto machine = load("b 1f\n lw $4,2($5)\n nop\n 1: break");
  EXPECT_FALSE(machine->cpu->next_instruction().access);
  machine->registers().gpr[5] = base + 16;
  expect_trap(machine->run(), TrapKind::memory);
  const NextInstruction slot = machine->cpu->next_instruction();
  EXPECT_EQ(slot.pc, GuestAddr(base + 4)) << "not the branch";
  EXPECT_EQ(slot.access.value().address, GuestAddr(base + 18));
  machine->registers().set_pc(base + 12);
  EXPECT_FALSE(machine->cpu->next_instruction().access);
  machine->registers().set_pc(base + page_size);
  EXPECT_FALSE(machine->cpu->next_instruction().access) << "nothing is there";
}

}  // namespace
}  // namespace hardclock
