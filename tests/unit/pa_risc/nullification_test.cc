// What the system finds of nullification and of the instruction address queue at every cycle at
// which it may look, and what is charged. Sources: "PA-RISC 1.1 Architecture and Instruction Set
// Reference Manual", 3rd edition (1994), and Kane, "PA-RISC 2.0 Architecture" (1996), chapters 2
// (PSW N: the current instruction is nullified), 4 (delay slots, nullification: a nullified
// instruction has no effect, takes no trap and nullifies nothing) and 5 (an interruption saves the
// queue, whose front is the current instruction, and the PSW). Words are GNU as's, binutils 2.40.
// That a nullified instruction takes an issue cycle is said by the pipeline
// (sim/timing/in_order.h).
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/endian.h"
#include "tests/support/pa_risc_machine.h"

namespace hardclock {
namespace {

using support::PaRiscMachine;
using Words = std::vector<std::uint32_t>;
using Offsets = std::vector<std::uint64_t>;

constexpr std::uint64_t base = 0x40'0000;

constexpr std::uint32_t nullifying = 0x0800'1880;         // comclr,tr r0,r0,r0
constexpr std::uint32_t count_r10 = 0x354a'0002;          // ldo 1(r10),r10
constexpr std::uint32_t count_r11 = 0x356b'0002;          // ldo 1(r11),r11
constexpr std::uint32_t load_nowhere = 0x0c00'108c;       // ldw 0(r0),r12
constexpr std::uint32_t load_r6 = 0x0c88'10a6;            // ldw,ma 4(r4),r6
constexpr std::uint32_t load_and_clear_r6 = 0x0c88'11e6;  // ldcw,ma 4(r4),r6
constexpr std::uint32_t trapping = 0xb000'1000;           // addi,tc,tr 0,r0,r0
constexpr std::uint32_t break_ = 0x0000'0000;             // break 0,0
constexpr std::uint32_t b_16 = 0xe800'0010;               // b .+16
constexpr std::uint32_t b_n_16 = 0xe800'0012;             // b,n .+16
// With r13 of 1 and more: addib,>,n -1,r13,.-4
constexpr std::uint32_t loop_4 = 0xadbf'7fef;

// In both engines, with one cycle for every instruction, nullified or not.
class Nullification : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<PaRiscMachine> load(const Words& words) const {
    auto machine = std::make_unique<PaRiscMachine>(
        support::invented_pa_risc(pa_risc::Level::pa1_1, 1, "issue 1 unverified: invented\n"),
        pa_risc::CpuOptions{.reference = GetParam()});
    std::vector<std::uint8_t> bytes(4 * words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      store_bytes(&bytes[4 * i], words[i], Endian::big);
    machine->load(GuestAddr(base), bytes);
    machine->registers().gpr[13] = 3;
    return machine;
  }

  // Where a tick finds the program at the start of each cycle until BREAK, whose cycle is the last,
  // when the clock looks every `period` cycles.
  static Offsets ticks(PaRiscMachine& machine, std::uint64_t period) {
    Offsets found;
    while (found.size() < 100) {
      if (machine.now.value() % period == 0)
        found.push_back(machine.cpu->interrupted_pc().value() - base);
      const Stop stop = machine.run(machine.now + Cycles(period - machine.now.value() % period));
      if (stop.reason == StopReason::trap) {
        EXPECT_EQ(stop.trap.kind, TrapKind::breakpoint);
        return found;
      }
      EXPECT_EQ(machine.now.value() % period, 0u);
      machine.cpu->interrupted();
    }
    ADD_FAILURE() << "the program does not end";
    return found;
  }

  // The instructions by the cycle, looked at each, every second, and so on; and how often each was
  // charged.
  void expect_cycles(const Words& words, const Offsets& expected, unsigned r10,
                     unsigned r11) const {
    for (std::uint64_t period = 1; period <= expected.size() + 1; ++period) {
      SCOPED_TRACE(period);
      const auto machine = load(words);
      machine->cpu->collect_cycle_profile();
      Offsets sampled;
      for (std::size_t cycle = 0; cycle < expected.size(); cycle += period)
        sampled.push_back(expected[cycle]);
      EXPECT_EQ(ticks(*machine, period), sampled);
      EXPECT_EQ(machine->now, Cycles(expected.size()));
      CycleProfile profile;
      for (const std::uint64_t offset : expected) profile.add(GuestAddr(base + offset), 1);
      EXPECT_EQ(machine->cpu->cycle_profile(), profile);
      EXPECT_EQ(machine->registers().gpr[10], r10);
      EXPECT_EQ(machine->registers().gpr[11], r11);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, Nullification, testing::Bool(), [](const auto& info) {
  return info.param ? std::string("Reference") : std::string("Blocks");
});

TEST_P(Nullification, ATickFindsTheNullifiedInstruction) {
  expect_cycles({nullifying, count_r10, count_r11, break_}, {0, 4, 8, 12}, 0, 1);
}

TEST_P(Nullification, ANullifiedInstructionNullifiesNothing) {
  expect_cycles({nullifying, nullifying, count_r10, count_r11, break_}, {0, 4, 8, 12, 16}, 1, 1);
}

TEST_P(Nullification, ANullifiedInstructionTakesNoTrap) {
  expect_cycles(
      {nullifying, load_nowhere, nullifying, trapping, nullifying, break_, count_r10, break_},
      {0, 4, 8, 12, 16, 20, 24, 28}, 1, 0);
}

TEST_P(Nullification, ANullifiedBranchHasNoDelaySlot) {
  expect_cycles({nullifying, b_16, count_r10, count_r11, break_}, {0, 4, 8, 12, 16}, 1, 1);
  expect_cycles({nullifying, b_n_16, count_r10, count_r11, break_}, {0, 4, 8, 12, 16}, 1, 1);
}

TEST_P(Nullification, ANullifiedDelaySlotIsChargedOnce) {
  expect_cycles({b_n_16, count_r10, count_r10, count_r10, count_r11, break_}, {0, 4, 16, 20}, 0, 1);
}

// Backward, ,n nullifies the slot when the branch is not taken.
TEST_P(Nullification, ALoopsLastDelaySlotIsNullified) {
  expect_cycles({count_r10, loop_4, count_r11, break_}, {0, 4, 8, 0, 4, 8, 0, 4, 8, 12}, 3, 2);
}

TEST_P(Nullification, ADelaySlotNullifiesTheTarget) {
  expect_cycles({b_16, nullifying, count_r10, count_r10, load_nowhere, count_r11, break_},
                {0, 4, 16, 20, 24}, 0, 1);
}

// The branch in the slot of the first goes on from one instruction of that one's target; its own
// slot is that instruction.
TEST_P(Nullification, ABranchInADelaySlotMayNullifyTheFirstTarget) {
  expect_cycles({b_16, b_n_16, count_r10, count_r10, load_nowhere, count_r11, break_},
                {0, 4, 16, 20, 24}, 0, 1);
  expect_cycles({b_16, b_16, count_r10, count_r10, count_r11, count_r11, break_},
                {0, 4, 16, 20, 24}, 0, 2);
}

// N is a part of what the system saves and restores.
TEST_P(Nullification, TheSystemSavesAndRestoresN) {
  const auto machine = load({nullifying, load_nowhere, count_r10, break_, count_r11, break_});
  EXPECT_EQ(machine->run(Cycles(1)).reason, StopReason::deadline);
  machine->cpu->interrupted();
  const pa_risc::Registers saved = machine->registers();
  EXPECT_TRUE(saved.nullify);
  EXPECT_EQ(saved.pc, base + 4);
  EXPECT_EQ(saved.next_pc, base + 8);
  machine->registers().set_pc(base + 16);  // a handler, whose first instruction takes place
  EXPECT_EQ(machine->run().trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().gpr[11], 1u);
  machine->registers() = saved;
  EXPECT_EQ(machine->run().trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().gpr[10], 1u);
}

// A fault in a delay slot finds the slot at the front of the queue and the target behind it.
TEST_P(Nullification, AFaultInADelaySlotFindsBothAddresses) {
  const auto machine = load({b_16, load_nowhere, count_r10, count_r10, count_r11, break_});
  EXPECT_EQ(machine->run().trap.kind, TrapKind::memory);
  EXPECT_EQ(machine->registers().pc, base + 4);
  EXPECT_EQ(machine->registers().next_pc, base + 16);
  EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base + 4));
  EXPECT_FALSE(machine->registers().nullify);
}

// An access that the kernel splits is a whole instruction, which modifies its base.
TEST_P(Nullification, ASplitAccessInADelaySlotGoesToTheTarget) {
  const auto machine = load({b_16, load_r6, count_r10, count_r10, count_r11, break_});
  machine->registers().gpr[4] = base + 18;
  const Stop stop = machine->run();
  ASSERT_EQ(stop.trap.fault.kind, Fault::Kind::misaligned);
  EXPECT_FALSE(machine->cpu->split_access(stop.trap.fault).has_value());
  EXPECT_EQ(machine->registers().gpr[4], base + 22);
  EXPECT_EQ(machine->registers().gpr[6], (count_r11 << 16) + (break_ >> 16));
  EXPECT_EQ(machine->registers().pc, base + 16);
  EXPECT_EQ(machine->run().trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().gpr[10], 0u);
  EXPECT_EQ(machine->registers().gpr[11], 1u);
}

TEST_P(Nullification, ANullifiedInstructionMakesNoAccess) {
  const auto machine = load({nullifying, load_r6, load_and_clear_r6, break_});
  machine->registers().gpr[4] = base + 8;
  machine->run(Cycles(1));
  const NextInstruction nullified = machine->cpu->next_instruction();
  EXPECT_EQ(nullified.pc, GuestAddr(base + 4));
  EXPECT_FALSE(nullified.access);
  machine->run(Cycles(2));
  const MemoryAccess atomic = machine->cpu->next_instruction().access.value();
  EXPECT_EQ(atomic.address, GuestAddr(base + 8));
  EXPECT_EQ(atomic.size, 4u);
  EXPECT_TRUE(atomic.writes);
}

TEST_P(Nullification, AnAtomicAccessIsNotSplit) {
  const auto machine = load({load_and_clear_r6, break_});
  machine->registers().gpr[4] = base + 2;
  const Fault refused = machine->run().trap.fault;
  ASSERT_EQ(refused.kind, Fault::Kind::misaligned);
  EXPECT_EQ(machine->cpu->split_access(refused).value().kind, Fault::Kind::misaligned);
  EXPECT_EQ(machine->registers().gpr[4], base + 2);
}

}  // namespace
}  // namespace hardclock
