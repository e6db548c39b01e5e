// Branches that a two-level predictor is known to get right, or not: Yeh and Patt, "Two-Level
// Adaptive Training Branch Prediction" (MICRO-24, 1991): after it has learnt, it predicts whatever
// repeats within its history.
#include "sim/timing/two_level_predictor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace hardclock {
namespace {

constexpr std::uint64_t branch = 0x4000'0002;

// Of the last 100 of 200 rounds through `outcomes`, T and N, those that were mispredicted.
unsigned mispredictions(TwoLevelPredictor& predictor, std::string_view outcomes,
                        std::uint64_t pc = branch) {
  unsigned wrong = 0;
  for (unsigned round = 0; round < 200; ++round) {
    for (const char outcome : outcomes) {
      const bool taken = outcome == 'T';
      const bool is_wrong = predictor.predict(pc, true, taken) != taken;
      if (round >= 100) wrong += is_wrong;
    }
  }
  return wrong;
}

TwoLevelPredictor predictor(std::uint32_t history, std::uint32_t ways = 4) {
  return TwoLevelPredictor({.sets = 128, .ways = ways, .history = history});
}

TEST(TwoLevelPredictor, PredictsWhatRepeatsWithinItsHistory) {
  for (const std::string_view pattern : {"T", "N", "TN", "TTN", "TTTN", "TTTTN", "TTNN", "TNTTN"}) {
    TwoLevelPredictor four = predictor(4);
    EXPECT_EQ(mispredictions(four, pattern), 0u) << pattern;
  }
}

// After TTTT it cannot know whether this is the fourth or the fifth: the loop's end is lost.
TEST(TwoLevelPredictor, LosesTheEndOfALoopThatIsLongerThanItsHistory) {
  TwoLevelPredictor four = predictor(4);
  EXPECT_EQ(mispredictions(four, "TTTTTTTN"), 100u);
  TwoLevelPredictor eight = predictor(8);
  EXPECT_EQ(mispredictions(eight, "TTTTTTTN"), 0u);
}

TEST(TwoLevelPredictor, PredictsTheHintOfABranchThatItDoesNotKnow) {
  for (const bool hint : {false, true}) {
    for (const bool taken : {false, true}) {
      TwoLevelPredictor fresh = predictor(4);
      EXPECT_EQ(fresh.predict(branch, hint, taken), hint);
      EXPECT_EQ(fresh.predict(branch, !taken, taken), taken) << "and then the outcome";
    }
  }
}

// The branches of one set: as many as there are ways stay known, the last used ones.
TEST(TwoLevelPredictor, ForgetsTheLeastRecentlyUsedBranchOfASet) {
  constexpr std::uint64_t to_same_set = 128 * 16;
  TwoLevelPredictor two = predictor(4, 2);
  const auto knows = [&](std::uint64_t pc) { return two.predict(pc, false, true); };
  knows(branch);
  knows(branch + to_same_set);
  EXPECT_TRUE(knows(branch));
  EXPECT_FALSE(knows(branch + 2 * to_same_set));
  EXPECT_TRUE(knows(branch));
  EXPECT_FALSE(knows(branch + to_same_set));
  EXPECT_TRUE(knows(branch));
  // Those of other bundles and slots are other branches.
  EXPECT_FALSE(knows(branch + 16));
  EXPECT_FALSE(knows(branch + 15));
}

}  // namespace
}  // namespace hardclock
