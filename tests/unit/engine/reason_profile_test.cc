// What sim/engine/reason_profile.h promises.
#include "sim/engine/reason_profile.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>

namespace hardclock {
namespace {

using CyclesByPc = std::map<GuestAddr, std::uint64_t>;

TEST(ReasonProfile, HasTheCyclesOfEachPcAndReason) {
  std::mt19937 random(1);
  ReasonProfile profile;
  std::array<CyclesByPc, cycle_reasons> expected;  // by reason
  std::uint64_t own = 0;
  for (int i = 0; i < 5000; ++i) {
    // In four pages; some where no instruction can be.
    const GuestAddr pc(0x400000 + random() % 4 * 0x1000 + 4 * (random() % 64) +
                       (random() % 50 == 0 ? 2 : 0));
    const auto reason = static_cast<CycleReason>(random() % cycle_reasons);
    const std::uint64_t cycles = 1 + random() % 9;
    profile.add(pc, reason, cycles);
    expected[static_cast<std::size_t>(reason)][pc] += cycles;
    if (reason != CycleReason::kernel) own += cycles;
  }
  for (std::size_t i = 0; i < cycle_reasons; ++i) {
    EXPECT_EQ(profile.of(static_cast<CycleReason>(i)).by_pc(), expected[i])
        << cycle_reason_names[i];
  }
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
