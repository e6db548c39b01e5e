// What an in-order pipeline's waits are for, with the cycles of the sources in in_order_test.cc.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sim/timing/in_order.h"
#include "tests/unit/timing/made_in_order.h"

namespace hardclock {
namespace waits_test {
namespace {

constexpr const char* class_names[] = {"alu", "load", "branch", "mult", "div", "fp_add", "fp_mul"};
enum TestClass : std::uint8_t { alu, load, branch, mult, div, fp_add, fp_mul, classes };

// GCC's r4k_imul and r4k_idiv; H&P's stages of the R4000's FPU and its branch.
constexpr const char* r4000 = R"(
cpu   r4000
clock 100                                           published: none, a test
class alu,branch latency 1                          published: H&P
class load     latency 3                            published: H&P
class mult     latency 10 repeat 10 unit hilo       published: GCC r4k_imul
class div      latency 69 repeat 69 unit hilo       published: GCC r4k_idiv
class fp_add   latency 4  reserve U,S+A,A+R,R+S     published: H&P
class fp_mul   latency 8  reserve U,E+M,M,M,M,N,N+A,R published: H&P
redirect branch taken 2                             published: H&P
)";

// Two instructions a cycle, one that locks the processor, and a class that waits for another.
constexpr const char* two_ways = R"(
cpu   two_ways
clock 100                                           published: none, a test
issue 2                                             published: none, a test
pair alu with load,fp_add                           published: none, a test
class alu,branch latency 1                          published: none, a test
class load     latency 2                            published: none, a test
class mult,fp_mul latency 3 locks 1                 published: none, a test
class div      latency 9 repeat 9 unit divider      published: none, a test
class fp_add   latency 2                            published: none, a test
waits branch for fp_mul                             published: none, a test
overwrite load by alu operand 2 target 3            published: none, a test
redirect branch taken 1 not_taken 1                 published: none, a test
)";

constexpr Resource r2 = 2, r3 = 3, lo = 65, f4 = 36, f6 = 38;

class Waiting {
 public:
  explicit Waiting(const char* text) : pipeline_(made_in_order(text, class_names)) {}

  // What the next instruction waits for. Whatever it is, it is all of its cycles but its own.
  IssueWaits next(const InstructionTiming& instruction) {
    const IssueWaits waits = pipeline_->waits(state_, instruction);
    const std::uint32_t cycles = pipeline_->issue(state_, instruction);
    EXPECT_EQ(waits.total(), cycles == 0 ? 0 : cycles - 1);
    return waits;
  }
  void redirect(bool taken) { pipeline_->redirect(state_, branch, taken); }

 private:
  std::shared_ptr<const Pipeline> pipeline_;
  PipelineState state_;
};

void expect_waits(const IssueWaits& waits, std::uint32_t branch_cycles, std::uint32_t operand,
                  std::uint32_t unit) {
  EXPECT_EQ(waits.branch, branch_cycles);
  EXPECT_EQ(waits.operand, operand);
  EXPECT_EQ(waits.unit, unit);
}

TEST(Waits, NothingInFlightHoldsNothing) {
  Waiting r4000_pipeline(r4000);
  expect_waits(r4000_pipeline.next({.timing_class = alu, .reads = {r2}, .writes = {r3}}), 0, 0, 0);
  expect_waits(r4000_pipeline.next({.timing_class = alu, .reads = {r3}, .writes = {r3}}), 0, 0, 0);
}

TEST(Waits, AProductIsAnOperand) {
  Waiting pipeline(r4000);
  pipeline.next({.timing_class = mult, .reads = {r2, r3}, .writes = {lo}});
  const IssueWaits mflo = pipeline.next({.timing_class = alu, .reads = {lo}, .writes = {r2}});
  expect_waits(mflo, 0, 9, 0);
  EXPECT_EQ(mflo.awaited, std::optional(lo));
}

TEST(Waits, ABusyMultiplierIsAUnit) {
  Waiting pipeline(r4000);
  pipeline.next({.timing_class = mult, .reads = {r2, r3}, .writes = {}});
  expect_waits(pipeline.next({.timing_class = div, .reads = {r2, r3}, .writes = {}}), 0, 0, 9);
}

// H&P: an addition four cycles after a multiplication stalls for two, which need N+A and R.
TEST(Waits, AStageIsAUnit) {
  Waiting pipeline(r4000);
  pipeline.next({.timing_class = fp_mul, .reads = {f4}, .writes = {f6}});
  for (int i = 0; i < 3; ++i) pipeline.next({.timing_class = alu, .reads = {}, .writes = {}});
  expect_waits(pipeline.next({.timing_class = fp_add, .reads = {f4}, .writes = {f4}}), 0, 0, 2);
}

// The branch holds the instruction first; only what is left counts for the load.
TEST(Waits, ABranchComesBeforeOperands) {
  Waiting pipeline(r4000);
  pipeline.next({.timing_class = branch, .reads = {}, .writes = {}});
  pipeline.next({.timing_class = mult, .reads = {}, .writes = {lo}});
  pipeline.redirect(true);
  expect_waits(pipeline.next({.timing_class = alu, .reads = {lo}, .writes = {r2}}), 2, 7, 0);
}

TEST(Waits, OperandsComeBeforeUnits) {
  Waiting pipeline(r4000);
  pipeline.next({.timing_class = div, .reads = {}, .writes = {}});
  pipeline.next({.timing_class = load, .reads = {}, .writes = {r2}});
  expect_waits(pipeline.next({.timing_class = mult, .reads = {r2}, .writes = {}}), 0, 2, 65);
}

TEST(Waits, ALockIsAUnit) {
  Waiting pipeline(two_ways);
  pipeline.next({.timing_class = mult, .reads = {}, .writes = {}});
  expect_waits(pipeline.next({.timing_class = load, .reads = {}, .writes = {r2}}), 0, 0, 1);
}

TEST(Waits, WhatSharesACycleWaitsForNothing) {
  Waiting pipeline(two_ways);
  pipeline.next({.timing_class = load, .reads = {}, .writes = {r2}});
  expect_waits(pipeline.next({.timing_class = alu, .reads = {r3}, .writes = {r3}}), 0, 0, 0);
}

// Of whatever instructions, the waits and the issue are all cycles; next() compares.
TEST(Waits, AddUpForAnyProgram) {
  for (const char* const text : {r4000, two_ways}) {
    std::mt19937 random(1);
    Waiting pipeline(text);
    std::uint64_t waited = 0;
    for (int i = 0; i < 100'000; ++i) {
      InstructionTiming instruction;
      instruction.timing_class = static_cast<std::uint8_t>(random() % classes);
      for (unsigned n = random() % 3; n != 0; --n)
        instruction.reads.push_back(static_cast<Resource>(random() % 8));
      if (random() % 2 != 0) instruction.writes = {static_cast<Resource>(random() % 8)};
      waited += pipeline.next(instruction).total();
      if (random() % 8 == 0) pipeline.redirect(random() % 2 != 0);
    }
    EXPECT_GT(waited, 50'000u);
  }
}

}  // namespace
}  // namespace waits_test
}  // namespace hardclock
