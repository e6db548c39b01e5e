// The R10000 and R12000 as their .timing files describe them, against figures from elsewhere: GCC
// 12, gcc/config/mips/10000.md; the MIPS R10000 Microprocessor User's Manual, version 2.0 (1997),
// by section or page; and the limits of the machine worked out by hand from those.
#include "sim/timing/out_of_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "isa/mips/cpu.h"
#include "isa/mips/mips_decode.h"

namespace hardclock {
namespace {

using Times = OutOfOrderCore::Times;
using Transfer = OutOfOrderCore::Transfer;
using mips::TimingClass;

constexpr Resource r8 = 8;
constexpr Resource r9 = 9;
constexpr Resource r10 = 10;

constexpr Resource f(unsigned n) {
  return static_cast<Resource>(32 + n);
}

std::vector<const char*> class_names() {
  std::vector<const char*> names;
  for (std::size_t i = 0; i < mips::timing_class_count; ++i) {
    names.push_back(mips::timing_class_name(static_cast<TimingClass>(i)));
  }
  return names;
}

std::shared_ptr<const OutOfOrderDescription> described(const std::string& name) {
  const std::vector<CpuDescription>& cpus = mips::cpus();
  const auto cpu = std::find_if(cpus.begin(), cpus.end(),
                                [&](const CpuDescription& one) { return one.name == name; });
  if (cpu == cpus.end()) return nullptr;
  const auto description =
      make_out_of_order(*cpu, class_names(), mips::absent_timing_classes(*cpu));
  EXPECT_TRUE(description.ok()) << (description.ok() ? "" : description.error());
  return description.ok() ? *description : nullptr;
}

// A program that begins at the start of an instruction cache line and has been running for a while.
class Machine {
 public:
  explicit Machine(const std::string& cpu = "r10000") : core_(described(cpu)) {}

  Times run(TimingClass kind, std::vector<Resource> reads = {}, std::vector<Resource> writes = {},
            OutOfOrderCore::Dynamic dynamic = {}) {
    dynamic.pc = pc_;
    pc_ += 4;
    cycles_ += core_.retire({static_cast<std::uint8_t>(kind), std::move(reads), std::move(writes)},
                            dynamic);
    return core_.last();
  }
  Times nop() { return run(TimingClass::shift); }
  Times load(std::vector<Resource> writes, std::uint64_t address, std::uint32_t stall = 0,
             std::uint32_t busy = 0) {
    return run(TimingClass::load, {}, std::move(writes),
               {.is_memory = true,
                .memory = {.stall = stall, .busy = busy, .line = address / 32},
                .memory_address = address});
  }
  // A load or store of four bytes, with what it needs for its address and for its data.
  Times access(TimingClass kind, std::vector<Resource> bases, std::vector<Resource> data,
               std::uint64_t address) {
    const bool is_store = kind == TimingClass::store;
    InstructionTiming timing{static_cast<std::uint8_t>(kind), std::move(bases), {}};
    if (is_store) {
      timing.reads.insert(timing.reads.end(), data.begin(), data.end());
      timing.stored = std::move(data);
    } else {
      timing.writes = std::move(data);
    }
    timing.bytes_accessed = 4;
    const OutOfOrderCore::Dynamic dynamic{.pc = std::exchange(pc_, pc_ + 4),
                                          .is_memory = true,
                                          .is_store = is_store,
                                          .memory = {.line = address / 32},
                                          .memory_address = address};
    cycles_ += core_.retire(timing, dynamic);
    return core_.last();
  }
  // A branch without its delay slot.
  Times branch(bool taken, std::uint64_t target = 0, std::vector<Resource> reads = {}) {
    return transfer(
        TimingClass::branch,
        {.transfer = Transfer::conditional, .taken = taken, .target = target, .slots = 1},
        std::move(reads));
  }
  Times transfer(TimingClass kind, const OutOfOrderCore::Resolution& outcome,
                 std::vector<Resource> reads = {}) {
    const Times times = run(kind, std::move(reads));
    core_.resolve(outcome);
    return times;
  }
  void go_to(std::uint64_t pc) { pc_ = pc; }
  std::uint64_t pc() const { return pc_; }
  std::uint64_t cycles() const { return cycles_; }
  OutOfOrderCore& core() { return core_; }

 private:
  OutOfOrderCore core_;
  std::uint64_t pc_ = 0x10000;
  std::uint64_t cycles_ = 0;
};

// ---- The kernels of timing/kernels.json for the R10000: cycles an iteration.

template <class Body>
double cycles_an_iteration(Body body) {
  constexpr int trips = 100;
  Machine machine;
  std::vector<std::uint64_t> ends;
  for (int i = 0; i < 2 * trips; ++i) {
    machine.go_to(0x10000);
    body(machine);
    machine.branch(true, 0x10000, {r8});
    machine.run(TimingClass::alu, {r8}, {r8});
    ends.push_back(machine.cycles());
  }
  return static_cast<double>(ends[2 * trips - 1] - ends[trips - 1]) / trips;
}

TEST(R10000Kernels, ChainOfEightAdditions) {
  EXPECT_EQ(cycles_an_iteration([](Machine& m) {
              for (int i = 0; i < 8; ++i) m.run(TimingClass::alu, {r9, r10}, {r9});
            }),
            8);
}

TEST(R10000Kernels, ChainOfFourFloatingPointAdditions) {
  EXPECT_EQ(cycles_an_iteration([](Machine& m) {
              for (int i = 0; i < 4; ++i) m.run(TimingClass::fp_add_d, {f(4), f(6)}, {f(4)});
            }),
            8);
}

TEST(R10000Kernels, EightLoads) {
  EXPECT_EQ(cycles_an_iteration([](Machine& m) {
              for (Resource i = 0; i < 8; ++i) {
                m.load({static_cast<Resource>(r9 + i)}, 0x100 + 4 * i);
              }
            }),
            8);
}

TEST(R10000Kernels, FourMultiplicationsBesideFourAdditions) {
  EXPECT_EQ(cycles_an_iteration([](Machine& m) {
              for (unsigned i = 0; i < 8; i += 2) {
                m.run(TimingClass::fp_mul_d, {f(20), f(22)}, {f(i)});
                m.run(TimingClass::fp_add_d, {f(20), f(22)}, {f(i + 8)});
              }
            }),
            4);
}

// GCC: the result is there after 19 cycles, the divider is busy for 21.
TEST(R10000Kernels, ChainOfDivisions) {
  EXPECT_EQ(cycles_an_iteration([](Machine& m) {
              m.run(TimingClass::fp_div_d, {f(4), f(6)}, {f(4)});
            }),
            21);
}

// ---- Widths.

TEST(R10000, DecodesAndGraduatesFourInstructionsACycle) {
  Machine machine;
  std::map<std::uint64_t, int> decoded, graduated;
  for (int i = 0; i < 400; ++i) {
    const Times times = machine.nop();
    ++decoded[times.decode];
    ++graduated[times.graduate];
  }
  for (const auto& [cycle, count] : decoded) EXPECT_EQ(count, 4) << cycle;
  for (const auto& [cycle, count] : graduated) EXPECT_EQ(count, 4) << cycle;
  EXPECT_EQ(graduated.rbegin()->first - graduated.begin()->first, 99u);
}

// GCC r10k_arith: either ALU; r10k_brancher: ALU1.
TEST(R10000, HasTwoAlusAndOneShifter) {
  Machine machine;
  std::map<std::uint64_t, int> added, shifted;
  for (int i = 0; i < 100; ++i) ++added[machine.run(TimingClass::alu, {}, {r9}).issue];
  for (int i = 0; i < 100; ++i) ++shifted[machine.run(TimingClass::shift_v, {r10}, {r10}).issue];
  for (const auto& [cycle, count] : added) EXPECT_EQ(count, 2) << cycle;
  for (const auto& [cycle, count] : shifted) EXPECT_EQ(count, 1) << cycle;
}

// Manual 1.6: not across a block of 16 words.
TEST(R10000, DoesNotFetchAcrossALine) {
  Machine machine;
  machine.go_to(0x10000 + 64 - 8);
  const std::uint64_t first = machine.nop().fetch;
  EXPECT_EQ(machine.nop().fetch, first);
  EXPECT_EQ(machine.nop().fetch, first + 1);
}

TEST(R10000, WaitsForAnInstructionCacheMiss) {
  Machine machine;
  const std::uint64_t before = machine.nop().fetch;
  EXPECT_EQ(machine.run(TimingClass::shift, {}, {}, {.fetch_stall = 10}).fetch, before + 10);
  EXPECT_EQ(machine.nop().fetch, before + 10);
}

// Manual 1.6, stage 2: a second branch is not decoded until the next cycle.
TEST(R10000, DecodesOneBranchACycle) {
  Machine machine;
  const std::uint64_t first = machine.branch(false).decode;
  EXPECT_EQ(machine.nop().decode, first);
  EXPECT_EQ(machine.branch(false).decode, first + 1);
}

// ---- Limits of the window. Everything waits for one slow instruction.

// Manual p. 10: 32 entries. E2's figure for the R12000: 48.
TEST(OutOfOrder, ActiveListIsFullWithOneSlowInstructionAndTheRest) {
  for (const auto& [cpu, entries] : {std::pair{"r10000", 32}, {"r12000", 48}}) {
    Machine machine(cpu);
    const Times slow = machine.run(TimingClass::load_fp, {}, {f(0)},
                                   {.is_memory = true, .memory = {.stall = 200}});
    for (int i = 1; i < entries; ++i) EXPECT_LT(machine.nop().decode, slow.complete) << i;
    EXPECT_EQ(machine.nop().decode, slow.graduate + 1) << cpu;
  }
}

// Manual p. 267: a multiplication graduates as two instructions.
TEST(R10000, MultiplicationsTakeTwoEntriesEach) {
  Machine machine;
  const Times slow = machine.load({r9}, 0, 200);
  for (int i = 0; i < 15; ++i) {
    EXPECT_LT(machine.run(TimingClass::mult, {r10}, {64, 65}).decode, slow.complete);
  }
  EXPECT_EQ(machine.run(TimingClass::mult, {r10}, {64, 65}).decode, slow.graduate + 1);
}

// Manual 1.4: 16 entries, until issued.
TEST(R10000, IntegerQueueHoldsSixteenThatWait) {
  Machine machine;
  const Times slow = machine.load({r9}, 0, 200);
  for (int i = 0; i < 16; ++i) {
    const Times waiting = machine.run(TimingClass::shift_v, {r9}, {r10});
    EXPECT_LT(waiting.decode, slow.complete);
    EXPECT_EQ(waiting.issue, slow.complete + static_cast<unsigned>(i));
  }
  EXPECT_LT(machine.nop().decode, slow.complete);
  EXPECT_EQ(machine.run(TimingClass::alu, {}, {r10}).decode, slow.complete + 1);
}

TEST(R10000, FloatingPointQueueHoldsSixteenThatWait) {
  Machine machine;
  const Times slow = machine.load({f(0)}, 0, 200);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_LT(machine.run(TimingClass::fp_add_d, {f(0)}, {f(2)}).decode, slow.complete);
  }
  EXPECT_EQ(machine.run(TimingClass::fp_mul_d, {}, {f(4)}).decode, slow.complete + 1);
}

// Manual 1.4: 16 entries, until graduated.
TEST(R10000, AddressQueueHoldsSixteenUntilTheyGraduate) {
  Machine machine;
  const Times slow = machine.load({r9}, 0, 200);
  for (std::uint64_t i = 1; i < 16; ++i) EXPECT_LT(machine.load({r10}, 64).decode, slow.complete);
  EXPECT_LT(machine.run(TimingClass::alu, {}, {r10}).decode, slow.complete);
  EXPECT_EQ(machine.load({r10}, 64).decode, slow.graduate + 1);
}

// Manual p. 10: 64 physical integer registers, 33 of them mapped: 31 are spare. The active list
// would have room for one more.
TEST(R10000, ThirtyOneIntegerRegistersAreSpare) {
  Machine machine;
  const Times slow = machine.load({r9}, 0, 200);
  for (int i = 0; i < 30; ++i) {
    EXPECT_LT(machine.run(TimingClass::alu, {}, {r10}).decode, slow.complete);
  }
  EXPECT_EQ(machine.run(TimingClass::alu, {}, {r10}).decode, slow.graduate + 1);
}

// Manual p. 10: up to four deep.
TEST(R10000, FifthUnresolvedBranchWaits) {
  Machine machine;
  const Times slow = machine.load({r9}, 0, 200);
  Times first;
  for (int i = 0; i < 4; ++i) {
    const Times branch = machine.branch(false, 0, {r9});
    EXPECT_LT(branch.decode, slow.complete);
    if (i == 0) first = branch;
    machine.nop();
  }
  EXPECT_EQ(first.complete, slow.complete + 1);
  EXPECT_EQ(machine.branch(false, 0, {r9}).decode, first.complete + 1);
}

// Manual p. 32: four; the fifth miss begins when the first line is there.
TEST(R10000, FifthMissWaitsForTheFirst) {
  Machine machine;
  const Times first = machine.load({r9}, 0, 100);
  for (std::uint64_t i = 1; i < 4; ++i) {
    EXPECT_EQ(machine.load({r9}, i * 32, 100).complete, first.complete + i);
  }
  EXPECT_EQ(machine.load({r9}, 4 * 32, 100).complete, first.complete + 100 + 2);
}

// TAMU, "O2000 Node Board": a load takes 315 ns, but one processor reads 460 MB/s, a line of 128
// bytes in 278 ns: lines under way share the memory. What the second level answers does not.
TEST(R10000, LinesUnderWayShareTheMemory) {
  Machine machine;
  const Times first = machine.load({r9}, 0, 100, 40);
  EXPECT_EQ(machine.load({r9}, 1 * 32, 10).complete, first.complete + 1 - 90);
  EXPECT_EQ(machine.load({r9}, 2 * 32, 100, 40).complete, first.complete + 40);
  EXPECT_EQ(machine.load({r9}, 3 * 32, 100, 40).complete, first.complete + 80);
}

// A line of instructions waits for the data before it, and the data after it for the line.
TEST(R10000, LinesOfInstructionsShareTheMemory) {
  Machine machine;
  const Times data = machine.load({r9}, 0, 100, 200);
  const Times late =
      machine.run(TimingClass::shift, {}, {}, {.fetch_stall = 100, .fetch_busy = 160});
  EXPECT_EQ(late.fetch, data.issue + 200 + 100);
  EXPECT_EQ(machine.load({r9}, 1 * 32, 10).issue, late.fetch + 2);  // from the second level
  EXPECT_EQ(machine.load({r9}, 2 * 32, 100, 40).complete, late.fetch + 60 + 100 + 2);
}

TEST(R10000, LoadsFromALineUnderWayWaitForIt) {
  Machine machine;
  const Times miss = machine.load({r9}, 0x100, 100);
  EXPECT_EQ(machine.load({r10}, 0x108).complete, miss.complete);
  const Times elsewhere = machine.load({r10}, 0x120);
  EXPECT_EQ(elsewhere.complete, elsewhere.issue + 2);
}

// Manual 1.4: an instruction issues to the address calculation once, by read ports of its own; a
// store writes when it graduates. So its address does not wait for its data.
TEST(R10000, AStoresAddressGoesAheadOfItsData) {
  Machine machine;
  const Times slow = machine.run(TimingClass::fp_div_d, {}, {f(0)});
  const Times store = machine.access(TimingClass::store, {}, {f(0)}, 0x100);
  EXPECT_EQ(store.issue, store.decode + 1);
  EXPECT_EQ(store.complete, slow.complete + 1);
}

// US patent 6,216,200 (Yeager), abstract: a load depends on a store to a common doubleword and an
// overlapping byte.
TEST(R10000, LoadsWaitForOlderStoresToTheSameBytes) {
  Machine machine;
  machine.run(TimingClass::fp_div_d, {}, {f(0)});
  const Times store = machine.access(TimingClass::store, {}, {f(0)}, 0x100);
  EXPECT_GE(machine.access(TimingClass::load, {}, {r9}, 0x100).complete, store.complete);
  EXPECT_GE(machine.access(TimingClass::load, {}, {r9}, 0x102).complete, store.complete);
  EXPECT_LT(machine.access(TimingClass::load, {}, {r9}, 0x104).complete, store.complete);
  EXPECT_LT(machine.access(TimingClass::load, {}, {r9}, 0x108).complete, store.complete);
}

// The same abstract: before an address is calculated, a dependency on it is presumed.
TEST(R10000, AccessesWaitForTheAddressesOfOlderOnes) {
  for (const TimingClass kind : {TimingClass::load, TimingClass::store}) {
    Machine machine;
    const Times slow = machine.run(TimingClass::div, {}, {r8});
    const Times late = machine.access(kind, {r8}, {r9}, 0x100);
    EXPECT_EQ(late.issue, slow.complete);
    const Times load = machine.access(TimingClass::load, {}, {r10}, 0x200);
    EXPECT_LT(load.issue, late.issue);
    EXPECT_EQ(load.complete, late.issue + 1 + 2);
  }
}

// ---- Units. GCC 10000.md.

TEST(R10000, MultiplyAddsHandTheirSumOnAfterTwoCycles) {
  Machine machine;
  const Times first = machine.run(TimingClass::fp_madd_d, {f(0), f(2), f(4)}, {f(0)});
  const Times second = machine.run(TimingClass::fp_madd_d, {f(0), f(2), f(4)}, {f(0)});
  EXPECT_EQ(second.issue, first.issue + 2);
  EXPECT_EQ(machine.run(TimingClass::fp_add_d, {f(0)}, {f(6)}).issue, second.issue + 4);
}

TEST(R10000, MultiplyAddsTakeTheAdderToo) {
  Machine machine;
  const Times fused = machine.run(TimingClass::fp_madd_d, {f(2), f(4), f(6)}, {f(0)});
  std::vector<std::uint64_t> issued;
  for (unsigned i = 0; i < 3; ++i) {
    issued.push_back(machine.run(TimingClass::fp_add_d, {}, {f(8)}).issue);
  }
  EXPECT_EQ(issued, (std::vector{fused.issue, fused.issue + 1, fused.issue + 3}));
}

// r10k_fpdiv and r10k_fpsqrt "can operate in parallel"; Manual 1.4: they share the issue port.
TEST(R10000, DividesAndTakesRootsBesideMultiplications) {
  Machine machine;
  const std::uint64_t start = machine.run(TimingClass::fp_div_d, {}, {f(0)}).issue;
  EXPECT_EQ(machine.run(TimingClass::fp_sqrt_d, {}, {f(2)}).issue, start + 1);
  EXPECT_EQ(machine.run(TimingClass::fp_mul_d, {}, {f(4)}).issue, start + 2);
  EXPECT_EQ(machine.run(TimingClass::fp_div_s, {}, {f(6)}).issue, start + 21);
  EXPECT_EQ(machine.run(TimingClass::fp_sqrt_d, {}, {f(8)}).issue, start + 36);
}

TEST(R10000, YoungerInstructionsOvertakeThoseThatWait) {
  Machine machine;
  const Times slow = machine.load({r9}, 0, 50);
  const Times waiting = machine.run(TimingClass::alu, {r9}, {r10});
  const Times ready = machine.run(TimingClass::alu, {}, {r8});
  EXPECT_EQ(waiting.issue, slow.complete);
  EXPECT_LT(ready.complete, slow.complete);
  EXPECT_EQ(ready.graduate, waiting.graduate);
  EXPECT_EQ(waiting.graduate, waiting.complete + 1);
}

// ---- Branches. A branch alone in its cycle, decoded in cycle d; what follows it straight on, in
// the cycle after its delay slot, would be fetched in cycle d.

class Branching : public Machine {
 public:
  explicit Branching(const std::string& cpu = "r10000") : Machine(cpu) {}

  // A branch and its slot end a group; returns when what follows them is fetched, from d on.
  std::uint64_t next_fetch(TimingClass kind, OutOfOrderCore::Resolution outcome, std::uint64_t pc) {
    core().drain();
    go_to(pc);
    nop();
    nop();
    outcome.slots = 1;
    const Times branch = transfer(kind, outcome);
    nop();
    if (outcome.taken) go_to(outcome.target);
    return nop().fetch - branch.decode;
  }
  std::uint64_t conditional(bool taken) {
    return next_fetch(TimingClass::branch,
                      {.transfer = Transfer::conditional, .taken = taken, .target = 0x20000},
                      0x10000);
  }
};

// UW CSEP548 2000, lecture 2, slide 47: three cycles, two with the resume buffer (of a branch that
// was predicted taken). Manual 1.6: the target's address is known in stage 2; E2: a taken branch
// takes one cycle more.
TEST(R10000, MispredictionsCostTwoOrThreeCycles) {
  Branching machine;
  EXPECT_EQ(machine.conditional(false), 0u);
  EXPECT_EQ(machine.conditional(true), 3u);
  EXPECT_EQ(machine.conditional(true), 3u);
  EXPECT_EQ(machine.conditional(true), 1u);
  EXPECT_EQ(machine.conditional(false), 2u);
}

// E2: the R12000's branch target cache saves the cycle.
TEST(R12000, KnowsTargetsItHasSeen) {
  Branching machine("r12000");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(machine.conditional(true), 3u);
  EXPECT_EQ(machine.conditional(true), 0u);
}

// Manual 1.5: always predicted taken, and unknown to the predictor.
TEST(R10000, LikelyBranchesArePredictedTaken) {
  Branching machine;
  const auto likely = [&](bool taken) {
    return machine.next_fetch(TimingClass::branch,
                              {.transfer = Transfer::likely, .taken = taken, .target = 0x20000},
                              0x10000);
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(likely(false), 2u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(likely(true), 1u);
  EXPECT_EQ(machine.conditional(false), 0u);
}

// Manual 14.19: the branch return cache has one entry, which calls write.
TEST(R10000, ReturnsArePredictedFromTheLastCall) {
  Branching machine;
  const auto call = [&](std::uint64_t pc) {
    return machine.next_fetch(TimingClass::jump,
                              {.transfer = Transfer::direct,
                               .taken = true,
                               .links = true,
                               .target = 0x20000,
                               .return_address = pc + 16},
                              pc);
  };
  const auto returning = [&](std::uint64_t target) {
    return machine.next_fetch(TimingClass::jump,
                              {.transfer = Transfer::returns, .taken = true, .target = target},
                              0x30000);
  };
  const std::uint64_t unknown = returning(0x10010);
  EXPECT_GT(unknown, 1u);
  EXPECT_EQ(call(0x10000), 1u);
  EXPECT_EQ(returning(0x10010), 1u);
  call(0x10000);
  call(0x40000);
  EXPECT_EQ(returning(0x40010), 1u);
  EXPECT_EQ(returning(0x10010), unknown);
}

// Manual 14.19: VA[11:3] chooses one of 512 two-bit counters. The reference counts for itself.
TEST(R10000, CountersAreChosenByBits11To3) {
  Machine machine;
  std::mt19937 random(1);
  std::map<std::uint64_t, int> counters;
  std::uint64_t wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t pc = 4 * (random() % 4096);
    const bool taken = random() % 8 < pc / 4 % 8;
    int& counter = counters[pc % 4096 / 8];
    if ((counter > 1) != taken) ++wrong;
    counter = std::clamp(counter + (taken ? 1 : -1), 0, 3);
    machine.go_to(pc);
    machine.branch(taken, 0x20000);
  }
  EXPECT_EQ(machine.core().mispredicted(), wrong);
  EXPECT_EQ(machine.core().transfers(), 20000u);
  EXPECT_GT(wrong, 1000u);
  EXPECT_LT(wrong, 10000u);
}

// ---- Long runs.

TEST(R10000, NothingDriftsInManyCycles) {
  Machine machine;
  constexpr std::uint32_t longest_stall = (1U << 24) - 1;
  for (std::uint64_t i = 0; machine.cycles() >> 41 == 0; ++i) {
    machine.load({r9}, i * 32, longest_stall);
    machine.run(TimingClass::alu, {r9}, {r10});
    machine.run(TimingClass::alu, {}, {r9}, {.fetch_stall = longest_stall});
  }
  const auto chain = [&](int length) {
    for (int i = 0; i < length; ++i) machine.run(TimingClass::alu, {r9}, {r9});
    return machine.cycles();
  };
  const std::uint64_t before = chain(100);
  EXPECT_EQ(chain(1000) - before, 1000u);
}

TEST(R10000, ACopyGoesItsOwnWay) {
  Machine machine;
  machine.load({r9}, 0, 100);
  Machine copy = machine;
  const Times waiting = machine.run(TimingClass::alu, {r9}, {r10});
  EXPECT_EQ(copy.run(TimingClass::alu, {r9}, {r10}).issue, waiting.issue);
  machine.core().drain();
  EXPECT_LT(machine.run(TimingClass::alu, {r9}, {r10}).issue, waiting.issue);
  EXPECT_GT(copy.run(TimingClass::alu, {r10}, {r10}).issue, waiting.issue);
}

}  // namespace
}  // namespace hardclock
