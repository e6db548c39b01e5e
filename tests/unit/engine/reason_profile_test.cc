// What sim/engine/reason_profile.h promises.
#include "sim/engine/reason_profile.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hardclock {
namespace {

TEST(ReasonProfile, HasTheCyclesOfEachPcAndReason) {
  std::mt19937 random(1);
  ReasonProfile profile;
  std::map<GuestAddr, CyclesByReason> expected;
  EXPECT_EQ(profile.by_pc(), expected);
  for (int i = 0; i < 5000; ++i) {
    // In four pages; some where no instruction can be.
    const GuestAddr pc(0x400000 + random() % 4 * 0x1000 + 4 * (random() % 64) +
                       (random() % 50 == 0 ? 2 : 0));
    const auto reason = static_cast<CycleReason>(random() % cycle_reasons);
    const std::uint64_t cycles = 1 + random() % 9;
    profile.add(pc, reason, cycles);
    expected[pc][reason] += cycles;
  }
  EXPECT_EQ(profile.by_pc(), expected);
  std::uint64_t own = 0;
  for (const auto& [pc, reasons] : expected) own += reasons.own();
  EXPECT_EQ(profile.own().total(), own);
  EXPECT_EQ(profile.own_elsewhere(), 0U);
}

TEST(ReasonProfile, TellsWhatHadNoRoomWithoutTheKernels) {
  const auto full = std::make_shared<MemoryBudget>(0);
  ASSERT_TRUE(full->take_profile_bytes(full->most_profile_bytes()));
  ReasonProfile profile(full);
  profile.add(GuestAddr(0x400000), CycleReason::issue, 3);
  profile.add(GuestAddr(0x400000), CycleReason::tlb, 4);
  profile.add(GuestAddr(0x400000), CycleReason::kernel, 5);
  EXPECT_EQ(profile.own_elsewhere(), 7U);
}

}  // namespace
}  // namespace hardclock
