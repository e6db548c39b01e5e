// What is in flight in a pipeline, and the numbers of such states.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "sim/timing/in_order.h"

namespace hardclock {
namespace {

PipelineState busy(std::initializer_list<std::pair<Resource, std::uint16_t>> resources) {
  PipelineState state;
  for (const auto& [resource, cycles] : resources) state.set({resource, cycles, 0, false});
  return state;
}

TEST(PipelineState, ForgetsWhatIsReady) {
  PipelineState state = busy({{5, 3}, {2, 1}});
  EXPECT_EQ(state.find(5)->cycles, 3u);
  EXPECT_EQ(state.find(4), nullptr);
  state.advance(1);
  EXPECT_EQ(state.find(5)->cycles, 2u);
  EXPECT_EQ(state.find(2), nullptr);
  state.advance(100);
  EXPECT_EQ(state, PipelineState{});
}

TEST(PipelineState, DoesNotDependOnTheOrderOfEvents) {
  EXPECT_EQ(busy({{7, 2}, {3, 9}, {5, 4}}), busy({{5, 1}, {3, 9}, {5, 4}, {7, 2}}));
}

TEST(PipelineState, EqualMomentsAfterDifferentPastsAreEqual) {
  PipelineState a = busy({{3, 9}});
  BusyCycles cycles;
  cycles.set(3);
  a.reserve(2, cycles);
  a.advance(4);
  EXPECT_EQ(a, busy({{3, 5}}));
}

TEST(BusyCycles, ShiftAcrossWords) {
  BusyCycles late;
  late.set(127);
  for (unsigned passed = 0; passed < 127; ++passed) {
    BusyCycles one;
    one.set(127 - passed);
    BusyCycles shifted = late;
    shifted.advance(passed);
    EXPECT_EQ(shifted, one) << passed;
    BusyCycles first;
    first.set(0);
    EXPECT_TRUE(first.collides(late, 127));
    EXPECT_FALSE(first.collides(late, passed));
  }
  late.advance(128);
  EXPECT_TRUE(late.none());
}

TEST(PipelineStates, NumberEqualStatesEqually) {
  PipelineStates states;
  EXPECT_EQ(states.intern(PipelineState{}), 0u);
  const PipelineStates::Id id = states.intern(busy({{1, 2}}));
  EXPECT_NE(id, 0u);
  EXPECT_EQ(states.intern(busy({{1, 2}})), id);
  for (std::uint16_t i = 3; i < 200; ++i) states.intern(busy({{1, i}}));
  EXPECT_EQ(states[id], busy({{1, 2}})) << "a number keeps its state";
  EXPECT_EQ(states[0], PipelineState{});
}

}  // namespace
}  // namespace hardclock
