// What in-order descriptions can say of bundles, predicted branches and registers that are written
// again, on the rules of the PA-7100LC as NetBSD's cpu(4) of hppa has them (Superscalar Execution)
// and GCC 12's gcc/config/pa (pa.md, pa_adjust_cost() of pa.cc). in_order_test.cc has the rest.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/timing/cpu_description.h"
#include "sim/timing/in_order.h"
#include "tests/unit/timing/made_in_order.h"

namespace hardclock {
namespace {

constexpr const char* class_names[] = {"flex", "load",     "store", "branch",
                                       "flop", "multiply", "div",   "sys"};
enum TestClass : std::uint8_t { flex, load, store, branch, flop, multiply, div, sys };

constexpr const char* lc = R"(
cpu   lc
clock 80                                             published: none, a test
issue 2                                              published: cpu(4)
pair flex then flex,load,store,branch,flop,multiply  published: cpu(4): flex
pair flop,multiply,div then flex,load,store,branch   published: cpu(4): flop
pair load,store then flex,flop,branch                published: cpu(4): ldst
pair_words load,store in doubleword                  published: cpu(4): double word load/store
alone delay_slots,odd_targets in cycle               published: cpu(4)
class flex,branch,sys latency 1                      published: GCC Y9
class load   latency 2 reserve D                     published: GCC Y2
class store  latency 1 reserve D*2                   published: GCC Y4
class flop   latency 2                               published: GCC Y0
class multiply latency 3 locks 1                     published: GCC comment
class div    latency 15 locks 14                     published: GCC comment
bypass flop to store latency 0                       published: cpu(4), an exception
overwrite flex,load,store,branch,flop,multiply,div by flex,load,flop operand 1 published: cpu(4)
overwrite flop by flop,load target 3                 published: GCC pa_adjust_cost
redirect branch taken 0 not_taken 1                  unverified: none, a test
)";

std::shared_ptr<const Pipeline> made(const std::string& text) {
  return made_in_order(text, class_names);
}

// Issues instructions one after the other; the first in cycle 0.
class Program {
 public:
  std::uint32_t issue(const InstructionTiming& instruction) {
    passed_ += pipeline_->issue(state_, instruction);
    return passed_ - 1;
  }
  std::uint32_t issue(TestClass timing_class, std::vector<Resource> reads = {},
                      std::vector<Resource> writes = {}) {
    return issue(InstructionTiming{timing_class, std::move(reads), std::move(writes)});
  }
  std::uint32_t issue_word(TestClass timing_class, std::uint32_t word, Resource base,
                           std::vector<Resource> writes = {}) {
    InstructionTiming access{timing_class, {base}, std::move(writes)};
    access.word_accessed = word;
    return issue(access);
  }
  std::uint32_t issue_at_odd_word() {
    InstructionTiming instruction{flex, {}, {}};
    instruction.odd_word = true;
    return issue(instruction);
  }
  void branch_ends(bool taken) { pipeline_->redirect(state_, branch, taken); }
  const PipelineState& state() const { return state_; }

 private:
  std::shared_ptr<const Pipeline> pipeline_ = made(lc);
  PipelineState state_;
  std::uint32_t passed_ = 0;
};

TEST(Bundles, HaveAnOrder) {
  Program program;
  EXPECT_EQ(program.issue(flex), 0u);
  EXPECT_EQ(program.issue(branch), 0u);
  EXPECT_EQ(program.issue(flex), 1u) << "nothing follows a branch in its cycle";
  EXPECT_EQ(program.issue(sys), 2u);
  EXPECT_EQ(program.issue(flex), 3u) << "nothing shares a cycle with sys";
}

TEST(Bundles, AResultCanBeThereInItsOwnCycle) {
  Program program;
  EXPECT_EQ(program.issue(flop, {1}, {2}), 0u);
  EXPECT_EQ(program.issue(store, {2}), 0u) << "cpu(4): the store of a flop's result";
  EXPECT_EQ(program.issue(flop, {1}, {3}), 1u);
  EXPECT_EQ(program.issue(flex, {3}), 3u) << "everybody else waits";
}

TEST(Bundles, NeitherInstructionTakesWhatTheOtherModifies) {
  Program program;
  EXPECT_EQ(program.issue(flex, {1}, {2}), 0u);
  EXPECT_EQ(program.issue(flex, {2}, {3}), 1u);
  EXPECT_EQ(program.issue(flex, {4}, {2}), 2u) << "it writes what the one before reads";
  EXPECT_EQ(program.issue(flex, {5}, {2}), 2u) << "no operand: two results to one register";
  EXPECT_EQ(program.issue(flex, {6}, {7}), 3u);
}

TEST(Bundles, NeighboursOfOneRegister) {
  constexpr Resource whole = first_in_one_cycle;
  Program program;
  EXPECT_EQ(program.issue(load, {1}, {2, whole}), 0u);
  EXPECT_EQ(program.issue(flop, {3, whole}, {4}), 1u) << "kept apart, and no longer";
  EXPECT_EQ(program.issue(load, {1}, {2, whole}), 2u) << "in either order";
}

TEST(Bundles, TwoWordsOfADoubleword) {
  Program program;
  EXPECT_EQ(program.issue_word(load, 8, 1, {2}), 0u);
  EXPECT_EQ(program.issue_word(load, 9, 1, {3}), 0u);
  EXPECT_EQ(program.issue_word(load, 9, 1, {4}), 1u);
  EXPECT_EQ(program.issue_word(load, 10, 1, {5}), 2u) << "of two doublewords";
  EXPECT_EQ(program.issue_word(store, 10, 1), 3u);
  EXPECT_EQ(program.issue_word(store, 11, 1), 3u) << "both in the stages of the first";
  EXPECT_EQ(program.issue_word(load, 12, 1, {6}), 5u);
  EXPECT_EQ(program.issue_word(load, 13, 6, {7}), 7u) << "its base is not there";
}

TEST(Bundles, ADelaySlotIsAlone) {
  for (const bool taken : {true, false}) {
    Program program;
    EXPECT_EQ(program.issue(branch), 0u);
    EXPECT_EQ(program.issue(flex), 1u);
    program.branch_ends(taken);
    EXPECT_EQ(program.issue(flex), taken ? 2u : 3u) << "not taken costs a cycle in this test";
    EXPECT_EQ(program.issue(flex), taken ? 2u : 3u);
  }
}

TEST(Bundles, ATargetAtAnOddWordIsAlone) {
  Program program;
  program.issue(branch);
  program.issue(flex);
  program.branch_ends(true);
  EXPECT_TRUE(program.state().at_target);
  EXPECT_EQ(program.issue_at_odd_word(), 2u);
  EXPECT_EQ(program.issue(flex), 3u);
  EXPECT_EQ(program.issue_at_odd_word(), 3u) << "no target";
  program.issue(branch);
  program.issue(flex);
  program.branch_ends(false);
  EXPECT_FALSE(program.state().at_target);
}

TEST(Locks, HoldEverythingButTheOtherOfTheBundle) {
  Program program;
  EXPECT_EQ(program.issue(multiply, {1}, {2}), 0u);
  EXPECT_EQ(program.issue(flex), 0u);
  EXPECT_EQ(program.issue(flex), 2u);
  EXPECT_EQ(program.issue(multiply, {1}, {3}), 2u) << "the second of a bundle locks, too";
  EXPECT_EQ(program.issue(flex), 4u);
  EXPECT_EQ(program.issue(sys), 5u);
  EXPECT_EQ(program.issue(div, {1}, {4}), 6u);
  EXPECT_EQ(program.issue(sys), 21u);
}

TEST(Overwriting, WaitsAsLongAsThePairSays) {
  Program program;
  EXPECT_EQ(program.issue(flop, {1}, {2}), 0u);
  EXPECT_EQ(program.issue(load, {3}, {2}), 3u) << "the target of an operation";
  EXPECT_EQ(program.issue(flop, {1}, {4}), 3u);
  EXPECT_EQ(program.issue(flop, {4}, {4}), 5u) << "it has waited for its operand";
  EXPECT_EQ(program.issue(load, {3}, {4}), 8u);
}

TEST(ModifiedBases, AreReadyInTheNextCycle) {
  Program program;
  InstructionTiming access{load, {1}, {1, 2}};
  access.modified_base = Resource{1};
  EXPECT_EQ(program.issue(access), 0u);
  EXPECT_EQ(program.issue(flex, {1}), 1u);
  EXPECT_EQ(program.issue(flex, {2}), 2u);
}

TEST(MakeInOrderBundles, NamesMistakesInTheseRows) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"pair flex then vex", "vex"},
      {"pair flex", "with"},
      {"pair_words load in halfword", "halfword"},
      {"alone cats in cycle", "cats"},
      {"alone delay_slots in", "in"},
      {"overwrite flop by load", "operand"},
      {"overwrite flop operand 1", "by"},
      {"overwrite flop by load target 0", "target"},
      {"redirect branch", "taken"},
      {"class flop latency 2 locks 0", "locks"},
  };
  for (const auto& [row, word] : mistakes) {
    const auto cpu = parse_cpu_description("cpu x\nclock 1 exact: x\nissue 2 exact: x\n" +
                                           std::string(row) + " exact: x\n");
    if (!cpu.ok()) {
      EXPECT_NE(cpu.error().find("line 4: "), std::string::npos) << cpu.error();
      continue;
    }
    const auto pipeline = make_in_order(*cpu, class_names);
    ASSERT_FALSE(pipeline.ok()) << row;
    EXPECT_NE(pipeline.error().find("line 4: "), std::string::npos) << pipeline.error();
    EXPECT_NE(pipeline.error().find(word), std::string::npos) << pipeline.error();
  }
}

}  // namespace
}  // namespace hardclock
