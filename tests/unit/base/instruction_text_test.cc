#include "sim/base/instruction_text.h"

#include <gtest/gtest.h>

namespace hardclock {
namespace {

TEST(InstructionText, OneInstructionATextFollowsWhereTheTextEnds) {
  const InstructionText first{.address = GuestAddr(0x1000), .length = 4};
  const InstructionText next{.address = GuestAddr(0x1004), .length = 4};
  EXPECT_EQ(next.pc(), GuestAddr(0x1004));
  EXPECT_TRUE(next.follows(first));
  EXPECT_FALSE(first.follows(next));
  EXPECT_FALSE(first.follows(first));
}

TEST(InstructionText, SlotsFollowEachOtherWithinAText) {
  const InstructionText slots[] = {{.address = GuestAddr(0x1000), .length = 16, .slot = 0},
                                   {.address = GuestAddr(0x1000), .length = 16, .slot = 1},
                                   {.address = GuestAddr(0x1010), .length = 16, .slot = 0}};
  EXPECT_EQ(slots[1].pc(), GuestAddr(0x1001));
  EXPECT_EQ(slots[1].content().size(), 16U);
  EXPECT_TRUE(slots[1].follows(slots[0]));
  EXPECT_TRUE(slots[2].follows(slots[1])) << "where the last slot ends, the instruction set says";
  EXPECT_FALSE(slots[0].follows(slots[1]));
}

}  // namespace
}  // namespace hardclock
