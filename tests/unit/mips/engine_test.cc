// What sim/engine/cpu.h promises, on small MIPS programs: delay slots, deadlines, limits, traps,
// profiles. Where a rule is the processor's, the comment names the manual: Kane and Heinrich, "MIPS
// RISC Architecture" (KH).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/mips/registers.h"
#include "tests/support/mips_machine.h"
#include "tests/support/mips_tools.h"
#include "tests/unit/mips/engine_modes.h"
#include "tests/unit/mips/random_program.h"

namespace hardclock {
namespace {

using support::MipsMachine;

class Engine : public EngineInBothModes {};

INSTANTIATE_TEST_SUITE_P(Modes, Engine, testing::Bool(), Engine::name_of_mode);

// ---- Delay slots.

// KH, chapter 6: in a delay slot EPC holds the address of the branch.
TEST_P(Engine, AnInterruptInADelaySlotFindsTheBranch) {
  const auto machine = load("nop\n b 1f\n nop\n nop\n 1: break");
  EXPECT_EQ(machine->run(Cycles(2)).reason, StopReason::deadline);
  EXPECT_EQ(machine->now, Cycles(2));
  EXPECT_EQ(machine->registers().pc, base + 8);
  EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base + 4));
  machine->run(Cycles(3));
  EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base + 16)) << "the slot is over";
}

TEST_P(Engine, ATrapInADelaySlotFindsTheBranchAndMayBeRepeated) {
  const auto machine = load("li $4, 0x7fffffff\n b 1f\n addi $4,$4,1\n nop\n 1: break");
  expect_trap(machine->run(), TrapKind::integer_overflow);
  EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base + 8));
  EXPECT_EQ(machine->registers().gpr[4], 0x7fff'ffffu) << "KH, ADDI: rt is not changed";
  machine->registers().gpr[4] = 5;
  expect_trap(machine->run(), TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().gpr[4], 6u);
  EXPECT_EQ(machine->registers().pc, base + 20);
}

// KH, BEQL: not taken, the delay slot is nullified.
TEST_P(Engine, ALikelyBranchRunsItsSlotOnlyWhenTaken) {
  for (const bool taken : {true, false}) {
    const auto machine = load("bnel $4,$0,1f\n li $5,7\n break\n 1: break");
    machine->registers().gpr[4] = taken ? 1 : 0;
    expect_trap(machine->run(), TrapKind::breakpoint);
    EXPECT_EQ(machine->registers().gpr[5], taken ? 7u : 0u);
    EXPECT_EQ(machine->registers().pc, taken ? base + 12 : base + 8);
    EXPECT_EQ(machine->cpu->counts().instructions, Instructions(taken ? 2 : 1))
        << "a nullified instruction did not complete";
    EXPECT_EQ(machine->now, Cycles(3)) << "branch, slot or its bubble, break";
  }
}

// docs/timing.md, section 5: a cycle where 64-bit arithmetic does not leave a result sign-extended.
TEST_P(Engine, TheR4400StopsToExtendASign) {
  struct Operation {
    const char* code;
    std::uint64_t long_operand;  // with which the sign has to be extended
    unsigned stop;
  };
  const auto cycles_of = [this](const Operation& operation, std::uint64_t operand,
                                const char* around, const char* cpu) {
    const auto machine =
        load(std::string(around) + operation.code + (*around != 0 ? "\n mflo $7" : "") + "\n break",
             support::mips_cpu(cpu));
    machine->registers().gpr[4] = operand;
    machine->registers().gpr[5] = 1;
    expect_trap(machine->run(), TrapKind::breakpoint);
    return machine->now.value();
  };
  constexpr std::uint64_t least = 0xffff'ffff'8000'0000;
  for (const Operation& each : {Operation{"addu $6,$4,$5", 0x7fff'ffff, 1},
                                {"addiu $6,$4,1", 0x7fff'ffff, 1},
                                {"subu $6,$4,$5", least, 1},
                                {"sll $6,$4,1", 0x4000'0000, 1},
                                {"sllv $6,$4,$5", 0x4000'0000, 0},
                                {"addu $6,$4,$5", least, 0}}) {
    SCOPED_TRACE(each.code);
    EXPECT_EQ(cycles_of(each, each.long_operand, "", "r4400"),
              cycles_of(each, 2, "", "r4400") + each.stop);
    EXPECT_EQ(cycles_of(each, each.long_operand, "", "r4600"), cycles_of(each, 2, "", "r4600"));
    EXPECT_EQ(cycles_of(each, each.long_operand, "mult $5,$5\n ", "r4400"),
              cycles_of(each, 2, "mult $5,$5\n ", "r4400"))
        << "while the multiplier works";
  }
}

// The link register gets the address after the slot, taken or not (KH, BLTZAL).
TEST_P(Engine, LinksPointBehindTheSlot) {
  const auto machine = load("bltzal $0,1f\n nop\n 1: break");
  expect_trap(machine->run(), TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().gpr[31], base + 8);
}

TEST_P(Engine, ASystemCallInASlotContinuesAtTheTarget) {
  const auto machine = load("b 1f\n syscall 5\n break 1\n 1: li $4,3\n break 2");
  const Stop stop = machine->run();
  expect_trap(stop, TrapKind::system_call);
  EXPECT_EQ(stop.trap.code, 5u);
  EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(base));
  machine->cpu->complete_system_call();
  expect_trap(machine->run(), TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().gpr[4], 3u);
  EXPECT_EQ(machine->cpu->counts().instructions, Instructions(3));
}

// KH calls it undefined; it must do no harm, and both modes do the same (lock_step_test).
TEST_P(Engine, ABranchInADelaySlotDoesNoHarm) {
  const auto machine = load("b 1f\n b 2f\n break 0\n 1: li $4,1\n break 1\n 2: break 2");
  expect_trap(machine->run(Cycles(1000)), TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().gpr[4], 1u) << "one instruction of the first target runs";
}

// ---- Wild control flow.

TEST_P(Engine, WildJumpsAreMemoryTraps) {
  struct Wild {
    std::uint64_t target;
    Fault::Kind kind;
  };
  const Wild cases[] = {{0x3, Fault::Kind::misaligned},
                        {0x0, Fault::Kind::unmapped},
                        {0x1234'5678, Fault::Kind::unmapped},
                        {0x7fff'fffc, Fault::Kind::unmapped},
                        {0xffff'ffff'8000'0000, Fault::Kind::unmapped},
                        {0xffff'ffff'ffff'fffc, Fault::Kind::unmapped}};
  for (const Wild& wild : cases) {
    SCOPED_TRACE(testing::Message() << std::hex << wild.target);
    const auto machine = load("jr $4\n nop");
    machine->registers().gpr[4] = wild.target;
    for (int again = 0; again < 3; ++again) {
      const Stop stop = machine->run();
      expect_trap(stop, TrapKind::memory);
      EXPECT_EQ(stop.trap.fault.kind, wild.kind);
      EXPECT_EQ(stop.trap.fault.access, Access::execute);
      EXPECT_EQ(stop.trap.fault.address, GuestAddr(wild.target & 0xffff'ffff));
      EXPECT_EQ(machine->cpu->interrupted_pc(), GuestAddr(wild.target & 0xffff'ffff));
    }
    EXPECT_EQ(machine->cpu->counts().instructions, Instructions(2));
  }
}

TEST_P(Engine, RunningOffTheEndOfMemoryIsAMemoryTrap) {
  MipsMachine machine(Endian::big, support::mips_cpu("r3000"), options());
  const std::vector<std::uint8_t> nops(page_size);
  machine.load(GuestAddr(0x7fff'f000), nops);
  const Stop stop = machine.run();
  expect_trap(stop, TrapKind::memory);
  EXPECT_EQ(stop.trap.fault.address, GuestAddr(0x8000'0000));
  EXPECT_EQ(machine.now, Cycles(page_size / 4 + 1));
}

TEST_P(Engine, ASlotThatCannotBeFetchedIsATrapOfItsOwn) {
  MipsMachine machine(Endian::big, support::mips_cpu("r3000"), options());
  const std::vector<std::uint8_t> jump = {0x03, 0xe0, 0x00, 0x08};  // jr $31
  machine.load(GuestAddr(0x40'0ffc), jump);
  const Stop stop = machine.run();
  expect_trap(stop, TrapKind::memory);
  EXPECT_EQ(stop.trap.fault.address, GuestAddr(0x40'1000));
  EXPECT_EQ(machine.cpu->interrupted_pc(), GuestAddr(0x40'0ffc));
}

// ---- Traps.

TEST_P(Engine, AMipsTwoInstructionIsIllegalOnAnR3000) {
  for (const char* const text : {"beql $0,$0,1f\n nop\n 1: break", "ll $4,0($29)\n break",
                                 "teq $0,$0\n break", "sync\n break", "ldc1 $f0,0($29)\n break",
                                 "sqrt.d $f0,$f2\n break", "trunc.w.s $f0,$f2\n break"}) {
    SCOPED_TRACE(text);
    const auto machine = load(text, support::mips_cpu("r3000"));
    machine->registers().gpr[29] = base;
    expect_trap(machine->run(), TrapKind::illegal_instruction);
    EXPECT_EQ(machine->registers().pc, base);
    EXPECT_EQ(machine->cpu->counts().instructions, Instructions(0));
  }
}

TEST_P(Engine, CodesOfTraps) {
  const auto machine = load("syscall 0x12345\n break 6,7\n teq $0,$0,0x3ff");
  Stop stop = machine->run();
  expect_trap(stop, TrapKind::system_call);
  EXPECT_EQ(stop.trap.code, 0x12345u);
  machine->cpu->complete_system_call();
  stop = machine->run();
  expect_trap(stop, TrapKind::breakpoint);
  EXPECT_EQ(stop.trap.code, 6u << 10 | 7u) << "both fields, as they lie in the instruction";
  machine->registers().set_pc(base + 8);
  stop = machine->run();
  expect_trap(stop, TrapKind::conditional_trap);
  EXPECT_EQ(stop.trap.code, 0x3ffu);
}

TEST_P(Engine, AFaultingLoadNamesTheAddressAndChangesNothing) {
  const auto machine = load("lw $4,2($5)\n lw $4,4($6)\n");
  machine->registers().gpr[4] = 77;
  machine->registers().gpr[5] = base;
  machine->registers().gpr[6] = 0x2000'0000;
  Stop stop = machine->run();
  expect_trap(stop, TrapKind::memory);
  EXPECT_EQ(stop.trap.fault.kind, Fault::Kind::misaligned);
  EXPECT_EQ(stop.trap.fault.address, GuestAddr(base + 2));
  machine->registers().set_pc(base + 4);
  stop = machine->run();
  EXPECT_EQ(stop.trap.fault.kind, Fault::Kind::unmapped);
  EXPECT_EQ(stop.trap.fault.address, GuestAddr(0x2000'0004));
  EXPECT_EQ(machine->registers().gpr[4], 77u);
}

// ---- Deadlines and limits.

TEST_P(Engine, StopsAtTheFirstBoundaryAtOrAfterTheDeadline) {
  // mult in cycle 0; mflo waits until cycle 12 (R3000).
  const auto machine = load("mult $4,$5\n mflo $6\n break");
  machine->run(Cycles(1));
  EXPECT_GE(machine->now, Cycles(1));
  EXPECT_EQ(machine->registers().pc, base + 4);
  EXPECT_EQ(machine->run(Cycles(5)).reason, StopReason::deadline);
  EXPECT_EQ(machine->registers().pc, base + 4) << "mflo has not begun";
  EXPECT_EQ(machine->run(Cycles(12)).reason, StopReason::deadline);
  EXPECT_EQ(machine->now, Cycles(12));
  EXPECT_EQ(machine->run(Cycles(13)).reason, StopReason::deadline);
  EXPECT_EQ(machine->registers().pc, base + 8);
  EXPECT_EQ(machine->now, Cycles(13)) << "the waiting is not paid twice";
}

TEST_P(Engine, NothingRunsAfterTheDeadline) {
  const auto machine = load("nop\n break");
  machine->now = Cycles(50);
  EXPECT_EQ(machine->run(Cycles(50)).reason, StopReason::deadline);
  EXPECT_EQ(machine->run(Cycles(20)).reason, StopReason::deadline);
  EXPECT_EQ(machine->registers().pc, base);
  machine->registers().set_pc(0x3);
  EXPECT_EQ(machine->run(Cycles(50)).reason, StopReason::deadline) << "not even a fault";
  EXPECT_EQ(machine->now, Cycles(50));
}

TEST_P(Engine, TheLimitIsExact) {
  const auto machine = load("1: addiu $4,$4,1\n b 1b\n nop");
  for (std::uint64_t limit = 0; limit < 40; ++limit) {
    const Instructions before = machine->cpu->counts().instructions;
    EXPECT_EQ(machine->run(MipsMachine::far, Instructions(limit)).reason, StopReason::limit);
    EXPECT_EQ(machine->cpu->counts().instructions, before + Instructions(limit));
  }
}

TEST_P(Engine, ADrainedPipelineWaitsForNothing) {
  const auto machine = load("mult $4,$5\n mflo $6\n break");
  machine->run(MipsMachine::far, Instructions(1));
  machine->cpu->drain_pipeline();
  expect_trap(machine->run(), TrapKind::breakpoint);
  EXPECT_EQ(machine->now, Cycles(3));
}

// ---- LL and SC.

TEST_P(Engine, AnInterruptBreaksTheLink) {
  for (const bool interrupted : {false, true}) {
    const auto machine = load("ll $4,0($29)\n addiu $4,$4,1\n sc $4,0($29)\n break");
    machine->registers().gpr[29] = base + 0x800;
    ASSERT_TRUE(machine->memory.map(GuestAddr(base + page_size), page_size, MipsMachine::all, "d"));
    machine->registers().gpr[29] = base + page_size;
    machine->run(Cycles(1));
    if (interrupted) machine->cpu->interrupted();
    expect_trap(machine->run(), TrapKind::breakpoint);
    EXPECT_EQ(machine->registers().gpr[4], interrupted ? 0u : 1u);
    EXPECT_EQ(*machine->memory.read<std::uint32_t>(GuestAddr(base + page_size)),
              interrupted ? 0u : 1u);
  }
}

// ---- Fork, observers, code in shared memory.

TEST_P(Engine, AForkedProcessorHasItsOwnRegistersAndNoPast) {
  const auto machine = load("addiu $4,$4,1\n mult $4,$4\n mflo $5\n break");
  machine->cpu->collect_cycle_profile();
  machine->run(MipsMachine::far, Instructions(2));
  machine->registers().link_valid = true;
  const auto memory = machine->memory.fork();
  const auto child = machine->cpu->fork(*memory);
  EXPECT_EQ(child->counts().cycles, Cycles(0));
  EXPECT_EQ(child->cycle_profile().total(), 0u);
  Cycles now(0);
  expect_trap(child->run(now, MipsMachine::far, MipsMachine::unlimited), TrapKind::breakpoint);
  EXPECT_EQ(now, Cycles(2)) << "nothing is in flight";
  auto& registers = static_cast<mips::CpuBase&>(*child).registers();
  EXPECT_EQ(registers.gpr[5], 1u);
  EXPECT_FALSE(registers.link_valid);
  EXPECT_EQ(machine->registers().gpr[5], 0u);
  EXPECT_EQ(machine->registers().pc, base + 8);
}

// A child runs its parent's predecoded code, and not what that was made of before its own stores.
TEST_P(Engine, AForkedProcessorRunsWhatItsOwnMemoryHas) {
  const auto machine = load("li $4,1\n break\n li $4,2\n break");
  expect_trap(machine->run(), TrapKind::breakpoint);
  const auto memory = machine->memory.fork();
  const auto child = machine->cpu->fork(*memory);
  auto& registers = static_cast<mips::CpuBase&>(*child).registers();
  const auto run = [&] {
    Cycles now(0);
    registers.gpr[4] = 0;
    registers.set_pc(base);
    expect_trap(child->run(now, MipsMachine::far, MipsMachine::unlimited), TrapKind::breakpoint);
    return registers.gpr[4];
  };
  EXPECT_EQ(run(), 1u);
  const std::vector<std::uint8_t> li_4_7 = {0x24, 0x04, 0, 7};
  ASSERT_TRUE(memory->write_bytes(GuestAddr(base), li_4_7));
  EXPECT_EQ(run(), 7u);
  machine->registers().set_pc(base);
  expect_trap(machine->run(), TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().gpr[4], 1u) << "the parent's page is its own";
  const std::vector<std::uint8_t> li_4_9 = {0x24, 0x04, 0, 9};
  ASSERT_TRUE(machine->memory.write_bytes(GuestAddr(base), li_4_9));
  EXPECT_EQ(run(), 7u);
  EXPECT_EQ(machine->cpu->counts().instructions, Instructions(2));
}

// What processors of one kind have predecoded is there once on the host: after a fork, and when a
// program is started anew, as by exec.
class SharedCode : public ::testing::Test {
 protected:
  SharedCode() {
    constexpr std::uint32_t break_0 = 0x0000'000d;
    std::vector<std::uint8_t> code(std::size_t{4} * length);
    // SLL with all registers and amounts: of words that differ in a number alone, as ORI's do, one
    // would be predecoded for all (decode_key_test).
    for (std::uint32_t i = 0; i < length; ++i) store_bytes(&code[4 * i], i << 6, Endian::big);
    store_bytes(&code[code.size() - 4], break_0, Endian::big);
    machine_.load(GuestAddr(base), code);
    machine_.run();
  }
  std::uint64_t bytes() { return machine_.memory.budget()->caches().bytes(); }
  // What the caches grow by when the processor runs the program, in bytes an instruction.
  std::uint64_t cost_on(Cpu& cpu) {
    const std::uint64_t before = bytes();
    static_cast<mips::CpuBase&>(cpu).registers().set_pc(base);
    Cycles now(0);
    EXPECT_EQ(cpu.run(now, MipsMachine::far, MipsMachine::unlimited).reason, StopReason::trap);
    return (bytes() - before) / length;
  }

  static constexpr std::uint32_t length = 20'000;
  // A processor's own: an op, a count of stalls, and its part of a block. Predecoding takes more
  // than that beside.
  static constexpr std::uint64_t most_of_its_own = 50;
  static constexpr std::uint64_t least_of_all = 2 * most_of_its_own;
  MipsMachine machine_{Endian::big, support::mips_cpu("r3000")};
};

TEST_F(SharedCode, TheFirstProcessorPaysForAll) {
  EXPECT_GT(bytes() / length, least_of_all);
}

TEST_F(SharedCode, AChildPaysForItsBlocks) {
  const auto memory = machine_.memory.fork();
  const auto child = machine_.cpu->fork(*memory);
  EXPECT_LT(cost_on(*child), most_of_its_own);
}

TEST_F(SharedCode, SoDoesAProcessorOfTheSameKind) {
  const auto again = mips::make_cpu(support::mips_cpu("r3000"), machine_.memory, {});
  EXPECT_LT(cost_on(*again), most_of_its_own);
}

TEST_F(SharedCode, AnotherKindHasItsOwn) {
  const auto other = mips::make_cpu(support::mips_cpu("r4400"), machine_.memory, {});
  EXPECT_GT(cost_on(*other), least_of_all);
}

// Cycles of an R10000 that runs off its page's end again and again. Its handler goes on in the line
// of instructions in which the last one was; that the fault empties the window is our choice, as
// for other traps (R10000 User's Manual, 2.4: exceptions are taken when all before has graduated).
std::uint64_t cycles_of_fetch_faults(bool reference) {
  constexpr std::uint32_t branch_over_two = 0x1000'0002, nop = 0, ori_4_4 = 0x3484'0001;
  MipsMachine machine(Endian::big, support::mips_cpu("r10000"), {.reference = reference});
  std::vector<std::uint8_t> code(page_size);
  std::uint8_t* word = &code[page_size - 16];
  for (const std::uint32_t each : {branch_over_two, nop, nop, ori_4_4}) {
    store_bytes(word, each, Endian::big);
    word += 4;
  }
  machine.load(GuestAddr(base), code);
  for (int i = 0; i < 20; ++i) {
    machine.registers().set_pc(base + page_size - 16);
    expect_trap(machine.run(), TrapKind::memory);
  }
  return machine.cpu->counts().cycles.value();
}

TEST(OutOfOrderEngine, AFetchThatFaultsEmptiesTheWindow) {
  EXPECT_EQ(cycles_of_fetch_faults(false), cycles_of_fetch_faults(true));
}

TEST_P(Engine, AnObserverSeesEachInstructionOnceBeforeItRuns) {
  const auto machine = load("bnel $0,$0,1f\n nop\n b 1f\n li $4,1\n 1: break");
  std::vector<std::uint64_t> pcs, cycles;
  machine->cpu->observe([&](const InstructionText& text, Cycles cycle) {
    std::array<std::uint8_t, 4> code{};
    EXPECT_TRUE(machine->memory.read_bytes(text.address, code));
    EXPECT_TRUE(std::ranges::equal(text.content(), code));
    pcs.push_back(text.pc().value() - base);
    cycles.push_back(cycle.value());
  });
  machine->run();
  EXPECT_EQ(pcs, (std::vector<std::uint64_t>{0, 8, 12, 16}));
  EXPECT_EQ(cycles, (std::vector<std::uint64_t>{0, 2, 3, 4})) << "the nullified slot takes a cycle";
}

TEST_P(Engine, SeesWhatAnotherProcessStoresIntoSharedCode) {
  MipsMachine machine(Endian::big, support::mips_cpu("r3000"), options());
  ASSERT_TRUE(machine.memory.map(GuestAddr(base), page_size, MipsMachine::all, "code", true));
  const auto other = machine.memory.fork();
  constexpr std::uint32_t addiu_4_4 = 0x2484'0000, break_0 = 0x0000'000d;
  ASSERT_TRUE(machine.memory.write<std::uint32_t>(GuestAddr(base), addiu_4_4 | 1));
  ASSERT_TRUE(machine.memory.write<std::uint32_t>(GuestAddr(base + 4), break_0));
  machine.registers().set_pc(base);
  machine.run();
  ASSERT_TRUE(other->write<std::uint32_t>(GuestAddr(base), addiu_4_4 | 100));
  machine.registers().set_pc(base);
  machine.run();
  EXPECT_EQ(machine.registers().gpr[4], 101u);
}

TEST_P(Engine, TheKernelMayChangeCodeBeforeAnythingRan) {
  const auto machine = load("mult $4,$5\n mflo $6\n mflo $7\n break");
  EXPECT_EQ(machine->run(Cycles(1), Instructions(0)).reason, StopReason::limit);
  EXPECT_EQ(machine->run(Cycles(0)).reason, StopReason::deadline);
  const std::vector<std::uint8_t> break_7 = {0, 7, 0, 0x0d};
  ASSERT_TRUE(machine->memory.write_bytes(GuestAddr(base), break_7));
  const Stop stop = machine->run();
  expect_trap(stop, TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().pc, base);
}

// ---- Profile. A tick that is due in a cycle is charged to the pc that the profile names for the
// cycle: so deadlines at every cycle in turn must reproduce the profile. And stopping changes
// nothing: the same cycles pass in all.

TEST_P(Engine, ADeadlineInEveryCycleReproducesTheProfile) {
  const mips::Mix mix{.branches = 25, .floating_point = 15, .multiply = 15};
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    mips::RandomProgram program(seed, mix, support::code_base, 40);
    const auto make = [&] {
      auto machine =
          std::make_unique<MipsMachine>(Endian::big, support::mips2_with_r3000_timing(), options());
      machine->cpu->collect_cycle_profile();
      machine->load(program.start(), program.bytes(Endian::big));
      EXPECT_TRUE(machine->memory.map(mips::data_start, mips::data_size, MipsMachine::all, "data"));
      return machine;
    };
    mips::Registers registers = program.registers();
    registers.set_pc(base);
    const auto whole = make();
    whole->registers() = registers;
    const Stop stop = whole->run(MipsMachine::far, Instructions(300));
    if (stop.reason == StopReason::trap) continue;  // it ran off its end
    const auto sliced = make();
    sliced->registers() = registers;
    CycleProfile charged;
    for (std::uint64_t cycle = 0; cycle < whole->now.value(); ++cycle) {
      ASSERT_EQ(sliced->run(Cycles(cycle)).reason, StopReason::deadline);
      charged.add(sliced->cpu->interrupted_pc(), 1);
    }
    sliced->run(whole->now);
    EXPECT_EQ(charged, whole->cpu->cycle_profile());
    EXPECT_EQ(sliced->registers().gpr, whole->registers().gpr);
    EXPECT_EQ(sliced->cpu->counts().instructions, whole->cpu->counts().instructions);
  }
}

// However the loop is stopped, and changed: each iteration costs four cycles, and a tick in the
// slot is charged to the branch.
TEST_P(Engine, ALoopOfOneBlockHasTheProfileOfItsIterations) {
  constexpr std::uint32_t iterations = 100'000;
  const auto machine = load("1: addiu $4,$4,1\n addiu $6,$6,-1\n bne $6,$0,1b\n nop\n break");
  machine->cpu->collect_cycle_profile();
  machine->registers().gpr[6] = iterations;
  while (machine->now < Cycles(iterations)) machine->run(machine->now + Cycles(777));
  while (machine->registers().pc != base) machine->run(machine->now + Cycles(1));
  const std::uint64_t ran = machine->registers().gpr[4];
  EXPECT_EQ(ran + machine->registers().gpr[6], iterations);
  const std::vector<std::uint8_t> addiu_4_4_2 = {0x24, 0x84, 0, 2};
  ASSERT_TRUE(machine->memory.write_bytes(GuestAddr(base), addiu_4_4_2));
  expect_trap(machine->run(), TrapKind::breakpoint);
  EXPECT_EQ(machine->registers().gpr[4], ran + 2 * (iterations - ran));
  const std::map<GuestAddr, std::uint64_t> expected = {{GuestAddr(base), iterations},
                                                       {GuestAddr(base + 4), iterations},
                                                       {GuestAddr(base + 8), 2 * iterations}};
  std::map<GuestAddr, std::uint64_t> seen = machine->cpu->cycle_profile().by_pc();
  seen.erase(GuestAddr(base + 16));  // the end
  EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace hardclock
