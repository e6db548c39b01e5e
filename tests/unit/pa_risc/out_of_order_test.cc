// The PA-8000 and its successors as their .timing files describe them, against figures from
// elsewhere, and against limits worked out by hand from those. Kumar is A. Kumar, "The HP PA-8000
// RISC CPU", IEEE Micro 17(2), 1997; Gaddis "A 56-entry instruction reorder buffer", ISSCC 1996,
// the abstract; Wikipedia its article "PA-8000"; GCC is GCC 12, gcc/config/pa/pa.md, by the names
// of its reservations; GMP is GMP, mpn/pa64/README; 7-cpu is 7-cpu.com, PA-8600.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "isa/pa_risc/isa.h"
#include "sim/timing/out_of_order.h"
#include "tests/unit/pa_risc/instruction_sequences.h"

namespace hardclock::pa_risc {
namespace {

// ---- Short sequences of instructions.
std::uint64_t launch(const InstructionTimes& times) {
  return times.out_of_order->issue;
}

std::uint64_t retirement(const InstructionTimes& times) {
  return times.issue;
}

void expect_moments(const std::vector<const char*>& cpus, Moment& moment,
                    const std::vector<Sequence>& sequences) {
  expect_cycles(cpus, moment, sequences, "2.0");
}

const std::vector<const char*> all = {"pa8000", "pa8200", "pa8500", "pa8600", "pa8700"};

constexpr const char* two_each = "Gaddis: two launches a cycle from each buffer";

TEST(Pa8000, LaunchesTwoFromEachBuffer) {
  expect_moments(
      all, launch,
      {{" or %r4,%r5,%r6\n or %r4,%r5,%r7\n or %r4,%r5,%r8\n or %r4,%r5,%r9",
        {0, 0, 1, 1},
        two_each},
       {" or %r4,%r5,%r6\n extru %r4,7,8,%r7\n extru %r4,7,8,%r8\n fadd,dbl %fr8,%fr9,%fr10",
        {0, 0, 1, 1},
        "GMP: integer and floating-point operations count alike"},
       {" or %r4,%r5,%r6\n ldw 0(%r21),%r7\n or %r4,%r5,%r8\n ldw 8(%r21),%r9",
        {0, 0, 0, 0},
        two_each},
       {" ldw 0(%r21),%r6\n ldw 8(%r21),%r7\n ldw 16(%r21),%r8\n ldw 24(%r21),%r9",
        {0, 0, 1, 1},
        two_each},
       {" or %r4,%r5,%r6\n addib,= 1,%r7,.+8\n nop", {0, 0, 1}, "a J5000: one launch"},
       {" b .+8\n nop\n or %r4,%r5,%r6", {0, 0, 3}, "a J5000; Wikipedia: two cycles lost"}});
}

TEST(Pa8000, HasThePublishedLatencies) {
  expect_moments(
      all, launch,
      {{" or %r4,%r5,%r6\n or %r6,%r5,%r7", {0, 1}, "Kumar: integer units, one cycle"},
       {" extru %r4,7,8,%r6\n or %r6,%r5,%r7", {0, 1}, "Kumar: integer units, one cycle"},
       {" ldw 0(%r21),%r6\n or %r6,%r5,%r7", {0, 3}, "7-cpu: 3 cycles"},
       {" fadd,dbl %fr8,%fr9,%fr10\n fadd,dbl %fr10,%fr9,%fr11", {0, 3}, "Kumar: three cycles"},
       {" fmpy,sgl %fr8,%fr9,%fr10\n fadd,sgl %fr10,%fr9,%fr11", {0, 3}, "Kumar: three cycles"},
       {" fmpyfadd,dbl %fr8,%fr9,%fr10,%fr10\n fmpyfadd,dbl %fr8,%fr9,%fr10,%fr10",
        {0, 3},
        "Kumar: three cycles"},
       {" xmpyu %fr8,%fr9,%fr10\n fstd %fr10,0(%r21)", {0, 3}, "Wikipedia: in the FMAC units"},
       {" fdiv,sgl %fr8,%fr9,%fr10\n fadd,sgl %fr10,%fr9,%fr11", {0, 17}, "Kumar; GCC Z6"},
       {" fsqrt,sgl %fr8,%fr10\n fadd,sgl %fr10,%fr9,%fr11", {0, 17}, "Kumar; GCC Z6"},
       {" fdiv,dbl %fr8,%fr9,%fr10\n fadd,dbl %fr10,%fr9,%fr11", {0, 31}, "Kumar; GCC Z7"},
       {" fsqrt,dbl %fr8,%fr10\n fadd,dbl %fr10,%fr9,%fr11", {0, 31}, "Kumar; GCC Z7"}});
}

// Kumar: two units, not pipelined; the FMAC units go on.
TEST(Pa8000, HasTwoDividersBesideTheOtherUnits) {
  const char* const source = "Kumar: two divide and square root units, not pipelined";
  expect_moments(
      all, launch,
      {{" fdiv,sgl %fr8,%fr9,%fr10\n fdiv,sgl %fr8,%fr9,%fr11\n fdiv,sgl %fr8,%fr9,%fr12\n"
        " fadd,dbl %fr8,%fr9,%fr13",
        {0, 0, 17, 1},
        source},
       {" fdiv,dbl %fr8,%fr9,%fr10\n fsqrt,sgl %fr8,%fr11\n fdiv,sgl %fr8,%fr9,%fr12",
        {0, 0, 17},
        source}});
}

TEST(Pa8000, RenamesCarriesAndTheShiftAmount) {
  expect_moments(all, launch,
                 {{" add %r4,%r5,%r6\n add,c %r4,%r5,%r7\n add,c %r4,%r5,%r8\n add,c %r4,%r5,%r9",
                   {0, 0, 1, 1},
                   "GMP: two ADD,DC a cycle"},
                  {" ldw 0(%r21),%r6\n add %r6,%r5,%r7\n add %r4,%r5,%r8\n add,c %r4,%r5,%r9",
                   {0, 3, 0, 0},
                   "Gaddis: renaming: the carry is the second ADD's"},
                  {" mtsar %r4\n shrpw %r4,%r5,%sar,%r6", {0, 1}, "Kumar: one cycle"},
                  {" mtsar %r4\n shrpw %r4,%r5,%sar,%r6\n mtsar %r5\n shrpw %r4,%r5,%sar,%r7",
                   {0, 1, 0, 1},
                   "Gaddis: renaming"}});
}

// GMP: ADD,DC after ADD or another ADD,DC does not stall, after operations that write no carry it
// does. An ADD that launches in cycle 0 retires in 2 (Gaddis, and the row `graduate`).
TEST(Pa8000, HasACarryLateThatTheInstructionBeforeHasNotWritten) {
  const char* const late = "GMP: long delays after operations that do not set carry";
  const char* const early = "GMP: no stall";
  expect_moments(
      all, launch,
      {{" add %r4,%r5,%r6\n or %r4,%r5,%r7\n add,c %r4,%r5,%r8", {0, 0, 3}, late},
       {" or %r4,%r5,%r7\n add %r4,%r5,%r6\n add,c %r4,%r5,%r8", {0, 0, 1}, early},
       {" add %r4,%r5,%r6\n ldw 0(%r21),%r7\n add,c %r4,%r5,%r8", {0, 0, 0}, early},
       {" add %r4,%r5,%r6\n ldo 8(%r21),%r7\n add,c %r4,%r5,%r8\n add,c %r4,%r5,%r9",
        {0, 0, 3, 3},
        "GMP: the first ADD,DC after LDO"},
       {" add %r4,%r5,%r6\n extru %r4,7,8,%r7\n sub,b %r4,%r5,%r8", {0, 0, 3}, late},
       {" add %r4,%r5,%r6\n or %r4,%r5,%r7\n or %r4,%r5,%r8", {0, 0, 1}, "no carry read"}});
}

// GMP's lshift, and mul_1: how many of the two accesses of a cycle stores take.
TEST(Pa8000, StoresTakeAccessesByTheirKind) {
  const char* const stores =
      " stw %r4,0(%r21)\n stw %r4,8(%r21)\n stw %r4,16(%r21)\n ldw 0(%r22),%r6";
  const char* const float_stores =
      " fstd %fr8,0(%r21)\n fstd %fr8,8(%r21)\n fstd %fr8,16(%r21)\n ldw 0(%r22),%r6";
  expect_moments({"pa8000", "pa8200"}, launch,
                 {{stores, {0, 0, 2, 2}, "GMP, lshift: two each"},
                  {float_stores, {0, 0, 1, 2}, "GMP, mul_1: three for two"}});
  expect_moments({"pa8500", "pa8600", "pa8700"}, launch,
                 {{stores, {0, 0, 1, 1}, "GMP, lshift: one each"},
                  {float_stores, {0, 0, 1, 1}, "GMP, lshift: one each"}});
}

TEST(Pa8000, RetiresTwoFromEachBufferAndOneStore) {
  const char* const loads = " ldw 0(%r21),%r6\n ldw 8(%r21),%r7\n ldw 16(%r21),%r8";
  const char* const stores = " stw %r4,0(%r21)\n stw %r4,8(%r21)\n stw %r4,16(%r21)";
  expect_moments(all, retirement,
                 {{" or %r4,%r5,%r6\n or %r4,%r5,%r7\n or %r4,%r5,%r8", {0, 0, 1}, "Gaddis"},
                  {loads, {0, 0, 1}, "Gaddis"}});
  expect_moments({"pa8500", "pa8600", "pa8700"}, retirement,
                 {{stores, {0, 1, 2}, "GCC Z1: one store a cycle; GMP"}});
}

// A possible nullifier and the instruction after it. What is nullified retires and costs its slot,
// once: two of the first buffer retire in a cycle (Gaddis), so that the third waits.
TEST(Pa8000, TiesANullifierToTheNextInstruction) {
  const char* const tied = "the next instruction depends on it";
  expect_moments(all, launch,
                 {{" comclr,<> %r4,%r4,%r6\n or %r4,%r5,%r7", {0, 1}, tied},
                  {" or %r4,%r4,%r6\n or %r4,%r5,%r7", {0, 0}, tied},
                  {" comclr,= %r4,%r4,%r6\n fdiv,dbl %fr8,%fr9,%fr10\n or %r4,%r5,%r7",
                   {0, 0},
                   "a nullified division holds no unit"}});
  expect_moments(
      all, retirement,
      {{" comclr,= %r4,%r4,%r6\n or %r4,%r5,%r7\n or %r4,%r5,%r8", {0, 1}, "Gaddis"},
       {" comclr,= %r4,%r4,%r6\n ldw 0(%r21),%r7\n or %r4,%r5,%r8", {0, 0}, "Gaddis"},
       {" comclr,= %r4,%r4,%r6\n fdiv,dbl %fr8,%fr9,%fr10\n or %r4,%r5,%r7", {0, 1}, "Gaddis"}});
}

// ---- The window, filled until it is full, and predictions.
class Window {
 public:
  explicit Window(const char* cpu) : core_(described(cpu)) {}

  OutOfOrderCore::Times run(TimingClass kind, std::vector<Resource> writes = {},
                            std::vector<Resource> reads = {}) {
    OutOfOrderCore::Dynamic dynamic;
    dynamic.pc = pc_;
    dynamic.is_memory = kind == TimingClass::load;
    pc_ += 4;
    core_.retire({static_cast<std::uint8_t>(kind), std::move(reads), std::move(writes)}, dynamic);
    return core_.last();
  }
  // Lost cycles after a conditional branch at `pc` and its delay slot, both in one fetch.
  std::uint64_t lost_after(std::uint64_t pc, bool taken) {
    const std::uint64_t target = pc + (taken ? 0x1000 : 8);
    pc_ = pc;
    core_.drain();
    const std::uint64_t branch = run(TimingClass::branch_forward).fetch;
    core_.resolve({.taken = taken, .target = target, .slots = 1});
    run(TimingClass::alu);
    pc_ = target;
    const std::uint64_t next = run(TimingClass::alu).fetch;
    return next - branch - (taken || next != branch ? 1 : 0);
  }

 private:
  static std::shared_ptr<const OutOfOrderDescription> described(const char* name) {
    std::vector<const char*> names;
    for (std::size_t i = 0; i < timing_class_count; ++i) {
      names.push_back(timing_class_name(static_cast<TimingClass>(i)));
    }
    const auto description = make_out_of_order(support::pa_risc_cpu(name), names);
    CHECK(description.ok());
    return *description;
  }

  OutOfOrderCore core_;
  std::uint64_t pc_ = 0x10000;
};

// Gaddis: 28 entries in each buffer. Behind a division of 31 cycles nothing retires.
TEST(Pa8000, HoldsTwentyEightOfEachKindUntilTheyRetire) {
  for (const char* const cpu : all) {
    SCOPED_TRACE(cpu);
    for (const bool loads : {false, true}) {
      Window window(cpu);
      const OutOfOrderCore::Times division = window.run(TimingClass::fp_div_d);
      const TimingClass kind = loads ? TimingClass::load : TimingClass::alu;
      for (int others = loads ? 28 : 27; others > 0; --others) {
        EXPECT_LT(window.run(kind).decode, division.complete);
      }
      EXPECT_EQ(window.run(kind).decode, division.graduate + 1);
    }
  }
}

TEST(Pa8000, HoldsFiftySix) {
  for (const char* const cpu : all) {
    Window window(cpu);
    const OutOfOrderCore::Times division = window.run(TimingClass::fp_div_d);
    for (int i = 0; i < 27; ++i) {
      window.run(TimingClass::alu);
      EXPECT_LT(window.run(TimingClass::load).decode, division.complete);
    }
    EXPECT_LT(window.run(TimingClass::load).decode, division.complete);
    EXPECT_EQ(window.run(TimingClass::load).decode, division.graduate + 1);
  }
}

// Wikipedia: branches are placed in both buffers.
TEST(Pa8000, BranchesAreInBothBuffers) {
  Window window("pa8000");
  const OutOfOrderCore::Times division = window.run(TimingClass::fp_div_d);
  for (int i = 0; i < 27; ++i) window.run(TimingClass::branch_stack);
  EXPECT_EQ(window.run(TimingClass::branch).decode, division.graduate + 1);
  Window other("pa8000");
  const OutOfOrderCore::Times first = other.run(TimingClass::fp_div_d);
  for (int i = 0; i < 28; ++i) other.run(TimingClass::load);
  EXPECT_EQ(other.run(TimingClass::branch).decode, first.graduate + 1);
}

constexpr std::uint64_t wrong = 5;   // Wikipedia: a penalty of five cycles
constexpr std::uint64_t bubble = 2;  // Wikipedia: two cycles, when the target is not in the BTAC

// Kumar: the majority of the last three; the BTAC has predicted-taken branches only, and those cost
// nothing; one that is predicted untaken is deleted from it.
TEST(Pa8000, PredictsTheMajorityOfThree) {
  Window window("pa8000");
  const std::pair<bool, std::uint64_t> outcomes[] = {
      {false, 0},    {true, wrong}, {true, wrong},  {true, bubble}, {true, 0},      {false, wrong},
      {true, 0},     {true, 0},     {true, 0},      {false, wrong}, {false, wrong}, {false, 0},
      {true, wrong}, {true, wrong}, {true, bubble}, {true, 0}};
  for (std::size_t i = 0; i < std::size(outcomes); ++i) {
    const auto& [taken, lost] = outcomes[i];
    EXPECT_EQ(window.lost_after(0x10000, taken), lost) << i;
  }
}

// Wikipedia: an algorithm of two bits. After two untaken ones a single taken one turns it.
TEST(Pa8200, HasCountersOfTwoBits) {
  for (const char* const cpu : {"pa8200", "pa8500", "pa8600", "pa8700"}) {
    SCOPED_TRACE(cpu);
    Window window(cpu);
    const std::pair<bool, std::uint64_t> outcomes[] = {
        {true, wrong},  {true, wrong},  {true, bubble}, {true, 0},
        {false, wrong}, {false, wrong}, {true, wrong},  {true, bubble}};
    for (std::size_t i = 0; i < std::size(outcomes); ++i) {
      const auto& [taken, lost] = outcomes[i];
      EXPECT_EQ(window.lost_after(0x10000, taken), lost) << i;
    }
  }
}

// Kumar: 32 entries, fully associative; Wikipedia: replaced round robin.
TEST(Pa8000, RemembersThirtyTwoTargets) {
  for (const char* const cpu : all) {
    SCOPED_TRACE(cpu);
    Window window(cpu);
    const auto train = [&](std::uint64_t branch) {
      for (int i = 0; i < 3; ++i) window.lost_after(0x10000 + 64 * branch, true);
    };
    const auto lost = [&](std::uint64_t branch) {
      return window.lost_after(0x10000 + 64 * branch, true);
    };
    for (std::uint64_t branch = 0; branch < 32; ++branch) train(branch);
    for (std::uint64_t branch = 0; branch < 32; ++branch) EXPECT_EQ(lost(branch), 0u) << branch;
    train(32);
    EXPECT_EQ(lost(1), 0u);
    EXPECT_EQ(lost(0), bubble) << "the oldest entry went, though it was used last but one";
    EXPECT_EQ(lost(1), bubble);
    EXPECT_EQ(lost(32), 0u);
  }
}

}  // namespace
}  // namespace hardclock::pa_risc
