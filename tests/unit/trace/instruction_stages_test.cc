#include "sim/trace/instruction_stages.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hardclock {
namespace {

TEST(WaitsOf, NamesEachReasonButTheIssue) {
  InstructionTimes times;
  times.reasons[CycleReason::issue] = 1;
  EXPECT_TRUE(waits_of(times, "$f0").empty());
  times.reasons[CycleReason::operand] = 7;
  times.reasons[CycleReason::instruction_miss] = 13;
  EXPECT_EQ(waits_of(times, "$f0"),
            (std::vector<std::string>{"waits 7 for $f0", "instruction miss 13"}));
}

}  // namespace
}  // namespace hardclock
