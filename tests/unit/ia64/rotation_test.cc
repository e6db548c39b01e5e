// Rotation and loop branches: SDM 1, section 4.5.1, SDM 3, br (the decision trees of
// figures 2-3 and 2-4), by hand.
#include "isa/ia64/rotation.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "isa/ia64/register_stack.h"

namespace hardclock::ia64 {
namespace {

constexpr std::uint64_t bit(unsigned n) {
  return std::uint64_t{1} << n;
}

// ---- Renaming.
TEST(Ia64Rotation, OnlyRotatingRegistersAreRenamed) {
  EXPECT_EQ(physical_fr(31, 95), 31u);
  EXPECT_EQ(physical_fr(32, 0), 32u);
  EXPECT_EQ(physical_fr(32, 95), 127u);
  EXPECT_EQ(physical_fr(33, 95), 32u);
  EXPECT_EQ(physical_fr(127, 95), 126u);
  EXPECT_EQ(physical_pr(15, 47), 15u);
  EXPECT_EQ(physical_pr(16, 47), 63u);
  EXPECT_EQ(physical_pr(63, 1), 16u);
  EXPECT_EQ(renamed(40, 32, 8, 7), 40u);
  EXPECT_EQ(renamed(39, 32, 8, 7), 38u);
  EXPECT_EQ(renamed(35, 32, 0, 0), 35u);
}

// What was in r32 is in r33 after a rotation, and what was in the last comes to the first.
TEST(Ia64Rotation, MovesValuesUpByOneNumber) {
  for (const unsigned count : {8u, 48u, 96u}) {
    unsigned base = 0;
    for (unsigned turn = 0; turn < 2 * count; ++turn) {
      const unsigned next = rotated_base(base, count);
      for (unsigned i = 0; i < count; ++i) {
        EXPECT_EQ(renamed(32 + i, 32, count, base), renamed(32 + (i + 1) % count, 32, count, next));
      }
      base = next;
    }
    EXPECT_EQ(base, 0u);
  }
  EXPECT_EQ(rotated_base(0, 0), 0u);
}

TEST(Ia64Rotation, PredicatesByNameAndNumber) {
  const std::uint64_t by_number = bit(0) | bit(15) | bit(16) | bit(40);
  EXPECT_EQ(predicates_by_name(by_number, 0), by_number);
  // Base 47: p17 is physical register 16.
  EXPECT_EQ(predicates_by_name(by_number, 47), bit(0) | bit(15) | bit(17) | bit(41));
  EXPECT_EQ(predicates_by_name(bit(63), 47), bit(16));
  for (unsigned base = 0; base < rotating_prs; ++base) {
    const std::uint64_t numbers = 0x9e37'79b9'7f4a'7c15;
    const std::uint64_t names = predicates_by_name(numbers, base);
    for (unsigned p = 0; p < 64; ++p) {
      EXPECT_EQ(names >> p & 1, numbers >> physical_pr(p, base) & 1) << "p" << p << " rrb " << base;
    }
    EXPECT_EQ(predicates_by_number(names, base), numbers);
  }
}

// ---- Loop branches.
struct Row {
  LoopBranch branch;
  LoopCounters before;
  bool qp;
  LoopStep step;
};

constexpr auto cloop = LoopBranch::cloop, ctop = LoopBranch::ctop, cexit = LoopBranch::cexit,
               wtop = LoopBranch::wtop, wexit = LoopBranch::wexit;
constexpr bool yes = true, no = false;

// taken, {lc, ec}, writes p63, p63, rotates
constexpr Row rows[] = {
    {cloop, {0, 5}, yes, {no, {0, 5}, no, no, no}},
    {cloop, {1, 5}, yes, {yes, {0, 5}, no, no, no}},
    {cloop, {~std::uint64_t{0}, 0}, yes, {yes, {~std::uint64_t{1}, 0}, no, no, no}},
    // Prolog and kernel: LC counts.
    {ctop, {9, 3}, yes, {yes, {8, 3}, yes, yes, yes}},
    {ctop, {1, 0}, yes, {yes, {0, 0}, yes, yes, yes}},
    {cexit, {9, 3}, yes, {no, {8, 3}, yes, yes, yes}},
    {cexit, {1, 0}, yes, {no, {0, 0}, yes, yes, yes}},
    // Epilog: EC counts.
    {ctop, {0, 63}, yes, {yes, {0, 62}, yes, no, yes}},
    {ctop, {0, 2}, yes, {yes, {0, 1}, yes, no, yes}},
    {cexit, {0, 2}, yes, {no, {0, 1}, yes, no, yes}},
    // Its last stage rotates once more.
    {ctop, {0, 1}, yes, {no, {0, 0}, yes, no, yes}},
    {cexit, {0, 1}, yes, {yes, {0, 0}, yes, no, yes}},
    {ctop, {0, 0}, yes, {no, {0, 0}, yes, no, no}},
    {cexit, {0, 0}, yes, {yes, {0, 0}, yes, no, no}},
    // The qualifying predicate in the place of LC, which stays.
    {wtop, {7, 3}, yes, {yes, {7, 3}, yes, no, yes}},
    {wtop, {7, 0}, yes, {yes, {7, 0}, yes, no, yes}},
    {wexit, {7, 3}, yes, {no, {7, 3}, yes, no, yes}},
    {wtop, {7, 2}, no, {yes, {7, 1}, yes, no, yes}},
    {wexit, {7, 2}, no, {no, {7, 1}, yes, no, yes}},
    {wtop, {7, 1}, no, {no, {7, 0}, yes, no, yes}},
    {wexit, {7, 1}, no, {yes, {7, 0}, yes, no, yes}},
    {wtop, {7, 0}, no, {no, {7, 0}, yes, no, no}},
    {wexit, {7, 0}, no, {yes, {7, 0}, yes, no, no}},
};

TEST(Ia64LoopBranches, TheManualsCases) {
  for (const Row& row : rows) {
    EXPECT_EQ(loop_step(row.branch, row.before, row.qp), row.step) << &row - rows;
    // Only wtop and wexit look at their predicate.
    if (row.branch != wtop && row.branch != wexit) {
      EXPECT_EQ(loop_step(row.branch, row.before, !row.qp), row.step) << &row - rows;
    }
  }
}

// ---- Whole loops.
class NoBackingStore final : public BackingStore {
 public:
  std::optional<std::uint64_t> load(std::uint64_t, Endian) override { return std::nullopt; }
  bool store(std::uint64_t, std::uint64_t, Endian) override { return false; }
};

// A machine with what loops use.
struct LoopMachine {
  explicit LoopMachine(LoopCounters start) : counters(start) {
    NoBackingStore memory;
    EXPECT_EQ(registers.alloc(32, 10, 9, 8, memory), StackResult::done);
  }

  bool p(unsigned n) const {
    return (predicates >> physical_pr(n, registers.marker().rrb_pr) & 1) != 0;
  }
  void set_p(unsigned n, bool value) {
    const std::uint64_t mask = bit(physical_pr(n, registers.marker().rrb_pr));
    predicates = value ? predicates | mask : predicates & ~mask;
  }
  bool branch(LoopBranch kind, unsigned qp) {
    const LoopStep step = loop_step(kind, counters, p(qp));
    counters = step.counters;
    if (step.writes_p63) set_p(63, step.p63);
    if (step.rotates) registers.rotate();
    return step.taken;
  }

  RegisterStack registers;
  std::uint64_t predicates = 1;
  LoopCounters counters;
};

// y[i] = x[i] + 1 in three stages: (p16) load r32; (p17) r34 = r33 + 1; (p18) store r35.
TEST(Ia64LoopBranches, CountedLoopInThreeStages) {
  for (const LoopBranch kind : {ctop, cexit}) {
    for (const unsigned n : {1u, 2u, 3u, 10u, 50u}) {
      LoopMachine m({n - 1, 3});
      m.set_p(16, true);
      std::vector<std::uint64_t> y;
      unsigned loaded = 0, iterations = 0;
      for (bool more = true; more; ++iterations) {
        if (m.p(18)) y.push_back(m.registers.value(35));
        if (m.p(17)) m.registers.write(34, m.registers.value(33) + 1, false);
        if (m.p(16)) m.registers.write(32, 100 + loaded++, false);
        more = m.branch(kind, 0) == (kind == ctop);
      }
      EXPECT_EQ(iterations, n + 2);
      EXPECT_EQ(m.counters, (LoopCounters{0, 0}));
      ASSERT_EQ(y.size(), n);
      for (unsigned i = 0; i < n; ++i) EXPECT_EQ(y[i], 101u + i);
    }
  }
}

// Copies up to and with the first zero. p17 says that an element is one of the string, p16 that its
// successor is; the store is one stage later.
TEST(Ia64LoopBranches, WhileLoop) {
  for (const LoopBranch kind : {wtop, wexit}) {
    for (const unsigned length : {0u, 1u, 7u, 30u}) {
      LoopMachine m({5, 2});
      m.set_p(17, true);
      std::vector<std::uint64_t> copy;
      unsigned loaded = 0;
      for (bool more = true; more;) {
        if (m.p(18)) copy.push_back(m.registers.value(33));
        m.registers.write(32, loaded < length ? 200 + loaded : 0, false);
        ++loaded;
        m.set_p(16, m.p(17) && m.registers.value(32) != 0);  // cmp.ne.unc
        more = m.branch(kind, 16) == (kind == wtop);
      }
      EXPECT_EQ(loaded, length + 2);
      EXPECT_EQ(m.counters, (LoopCounters{5, 0}));
      ASSERT_EQ(copy.size(), length + 1);
      for (unsigned i = 0; i < length; ++i) EXPECT_EQ(copy[i], 200u + i);
      EXPECT_EQ(copy.back(), 0u);
    }
  }
}

// A file of predicates kept by name, one rotation at a time, is the same as a renamed one.
TEST(Ia64LoopBranches, PredicatesByNameTurnWithEachRotation) {
  LoopMachine m({60, 10});
  std::uint64_t names = m.predicates;
  bool more = true;
  while (more) {
    const LoopStep step = loop_step(ctop, m.counters, true);
    names = (names & ~bit(63)) | (step.p63 ? bit(63) : 0);
    if (step.rotates) names = predicates_by_name(names, rotating_prs - 1);
    more = m.branch(ctop, 0);
    EXPECT_EQ(names, predicates_by_name(m.predicates, m.registers.marker().rrb_pr));
  }
}

}  // namespace
}  // namespace hardclock::ia64
