// Pipelines against cycle counts worked out by hand from the R3000 and R3010 rows of
// gcc/config/mips/3000.md (GCC 12): mult 12, div 35, fadd 2, fmul.d 5, fdiv.d 19 cycles; each FP
// unit is busy until its result is there.
#include "sim/timing/pipeline.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace hardclock {
namespace {

enum TestClass : std::uint8_t { alu, mult, div, fp_add, fp_mul_d, fp_div_d, unpipelined };

constexpr Resource hilo_unit = first_unit;
constexpr Resource add_unit = first_unit + 1;
constexpr Resource mul_unit = first_unit + 2;
constexpr Resource div_unit = first_unit + 3;
constexpr Resource other_unit = first_unit + 4;

constexpr Resource hi = 64;
constexpr Resource lo = 65;
constexpr Resource f4 = 36;
constexpr Resource f6 = 38;
constexpr Resource f8 = 40;

InOrderPipeline r3000() {
  return InOrderPipeline({{1, 1, 0},
                          {12, 12, hilo_unit},
                          {35, 35, hilo_unit},
                          {2, 2, add_unit},
                          {5, 5, mul_unit},
                          {19, 19, div_unit},
                          {3, 7, other_unit}});
}

// Issues instructions one after the other and notes the cycle of each.
class Program {
 public:
  std::uint32_t issue(TestClass timing_class, std::vector<Resource> reads,
                      std::vector<Resource> writes) {
    const std::uint32_t wait = pipeline_.issue(
        state_, InstructionTiming{timing_class, std::move(reads), std::move(writes)});
    const std::uint32_t at = now_ + wait;
    now_ = at + 1;
    return at;
  }
  void idle(std::uint32_t instructions) {
    for (std::uint32_t i = 0; i < instructions; ++i) issue(alu, {}, {});
  }
  const PipelineState& state() const { return state_; }

 private:
  InOrderPipeline pipeline_ = r3000();
  PipelineState state_;
  std::uint32_t now_ = 0;
};

TEST(InOrderPipeline, IndependentInstructionsIssueEveryCycle) {
  Program program;
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(program.issue(alu, {1, 2}, {static_cast<Resource>(3 + i)}), i);
  }
  EXPECT_EQ(program.state(), PipelineState{});
}

TEST(InOrderPipeline, AResultOfLatencyOneIsThereInTheNextCycle) {
  Program program;
  EXPECT_EQ(program.issue(alu, {}, {1}), 0u);
  EXPECT_EQ(program.issue(alu, {1}, {1}), 1u);
  EXPECT_EQ(program.issue(alu, {1}, {1}), 2u);
}

TEST(InOrderPipeline, AReaderWaitsForTheProduct) {
  Program program;
  EXPECT_EQ(program.issue(mult, {1, 2}, {hi, lo}), 0u);
  EXPECT_EQ(program.issue(alu, {lo}, {3}), 12u);
  EXPECT_EQ(program.issue(alu, {hi}, {3}), 13u);
}

// Kernel r3k_mult_overlap of the published kernels: eleven instructions hide the multiplication.
TEST(InOrderPipeline, ElevenInstructionsHideAMultiplication) {
  Program program;
  program.issue(mult, {1, 2}, {hi, lo});
  program.idle(11);
  EXPECT_EQ(program.issue(alu, {lo}, {3}), 12u);

  Program shorter;
  shorter.issue(mult, {1, 2}, {hi, lo});
  shorter.idle(10);
  EXPECT_EQ(shorter.issue(alu, {lo}, {3}), 12u) << "one cycle of waiting";
}

TEST(InOrderPipeline, AUnitIsBusyUntilItsResult) {
  Program program;
  EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f4}), 0u);
  EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f8}), 5u) << "no dependence, same unit";
  EXPECT_EQ(program.issue(fp_add, {f6}, {10}), 6u) << "the adder is another unit";
  EXPECT_EQ(program.issue(fp_add, {f6}, {11}), 8u);
}

TEST(InOrderPipeline, MultiplierAndDividerAreOneUnit) {
  Program program;
  EXPECT_EQ(program.issue(mult, {1, 2}, {hi, lo}), 0u);
  EXPECT_EQ(program.issue(div, {1, 2}, {hi, lo}), 12u);
  EXPECT_EQ(program.issue(alu, {hi}, {3}), 47u);
}

TEST(InOrderPipeline, UnitsOverlap) {
  Program program;
  EXPECT_EQ(program.issue(fp_div_d, {f6}, {f4}), 0u);
  EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f8}), 1u);
  EXPECT_EQ(program.issue(fp_add, {f8}, {10}), 6u);
  EXPECT_EQ(program.issue(fp_add, {f4}, {10}), 19u);
}

TEST(InOrderPipeline, AResultDoesNotOvertakeAnOlderOne) {
  Program program;
  EXPECT_EQ(program.issue(fp_div_d, {f6}, {f4}), 0u);   // $f4 in cycle 19
  EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f4}), 14u);  // its own in 14 + 5
  EXPECT_EQ(program.issue(fp_add, {f4}, {f8}), 19u);
}

TEST(InOrderPipeline, TheUnitMayStayBusyLongerThanTheResultTakes) {
  Program program;
  EXPECT_EQ(program.issue(unpipelined, {}, {1}), 0u);
  EXPECT_EQ(program.issue(alu, {1}, {2}), 3u);
  EXPECT_EQ(program.issue(unpipelined, {}, {3}), 7u);
}

TEST(InOrderPipeline, TheLongestWaitCounts) {
  Program program;
  program.issue(fp_div_d, {f6}, {f4});
  program.issue(fp_mul_d, {f6}, {f8});
  EXPECT_EQ(program.issue(fp_add, {f8, f4}, {10}), 19u);
}

TEST(InOrderPipeline, ANullifiedSlotTakesOneCycle) {
  EXPECT_EQ(r3000().nullified_cycles(), 1u);
}

TEST(FunctionalPipeline, IsOneInstructionACycle) {
  const FunctionalPipeline pipeline;
  PipelineState state;
  EXPECT_EQ(pipeline.issue(state, {div, {1, 2}, {hi, lo}}), 0u);
  EXPECT_EQ(pipeline.issue(state, {alu, {lo}, {3}}), 0u);
  EXPECT_EQ(state, PipelineState{});
  EXPECT_EQ(pipeline.nullified_cycles(), 0u);
}

TEST(PipelineState, ForgetsWhatIsReady) {
  PipelineState state;
  state.set(5, 3);
  state.set(2, 1);
  EXPECT_EQ(state.remaining(5), 3u);
  EXPECT_EQ(state.remaining(2), 1u);
  EXPECT_EQ(state.remaining(4), 0u);
  state.advance(1);
  EXPECT_EQ(state.remaining(5), 2u);
  EXPECT_EQ(state.remaining(2), 0u);
  state.advance(100);
  EXPECT_EQ(state, PipelineState{});
}

TEST(PipelineState, DoesNotDependOnTheOrderOfEvents) {
  PipelineState a;
  a.set(7, 2);
  a.set(3, 9);
  a.set(5, 4);
  PipelineState b;
  b.set(5, 1);
  b.set(3, 9);
  b.set(5, 4);
  b.set(7, 2);
  b.set(6, 3);
  b.set(6, 0);
  EXPECT_EQ(a, b);
}

TEST(PipelineState, EqualMomentsAfterDifferentPastsAreEqual) {
  PipelineState a;
  a.set(3, 9);
  a.advance(4);
  PipelineState b;
  b.set(3, 5);
  EXPECT_EQ(a, b);
}

TEST(PipelineStates, NumberEqualStatesEqually) {
  PipelineStates states;
  EXPECT_EQ(states.intern(PipelineState{}), 0u);
  PipelineState busy;
  busy.set(1, 2);
  const PipelineStates::Id id = states.intern(busy);
  EXPECT_NE(id, 0u);
  EXPECT_EQ(states.intern(busy), id);
  EXPECT_EQ(states[id], busy);
  for (std::uint32_t i = 3; i < 200; ++i) {
    PipelineState other;
    other.set(1, i);
    states.intern(other);
  }
  EXPECT_EQ(states[id], busy) << "a number keeps its state";
  EXPECT_EQ(states[0], PipelineState{});
}

}  // namespace
}  // namespace hardclock
