// What sim/engine/cycle_profile.h promises.
#include "sim/engine/cycle_profile.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>

namespace hardclock {
namespace {

TEST(CycleProfile, HasTheCyclesOfEachPc) {
  CycleProfile profile;
  profile.add(GuestAddr(0x400000), 3);
  profile.add(GuestAddr(0x400ffc), 1);
  profile.add(GuestAddr(0x401000), 5);
  profile.add(GuestAddr(0x400000), 4);
  profile.add(GuestAddr(0x400002), 9);  // where a program jumped
  const std::map<GuestAddr, std::uint64_t> expected = {{GuestAddr(0x400000), 7},
                                                       {GuestAddr(0x400002), 9},
                                                       {GuestAddr(0x400ffc), 1},
                                                       {GuestAddr(0x401000), 5}};
  EXPECT_EQ(profile.by_pc(), expected);
  EXPECT_EQ(profile.total(), 22u);
  EXPECT_EQ(profile.elsewhere(), 0u);
}

TEST(CycleProfile, AddsUp) {
  CycleProfile a, b;
  a.add(GuestAddr(0x1000), 1);
  b.add(GuestAddr(0x1000), 2);
  b.add(GuestAddr(0x9000), 3);
  const CycleProfile copy = a;
  a.add(b);
  EXPECT_EQ(a.total(), 6u);
  EXPECT_EQ(copy.total(), 1u);
  EXPECT_FALSE(a == copy);
  CycleProfile moved = std::move(a);
  EXPECT_EQ(moved.by_pc().at(GuestAddr(0x1000)), 3u);
}

// A guest that runs ever new code fills no more memory than there is for profiles, and no cycle is
// lost.
TEST(CycleProfile, IsBounded) {
  const auto budget = std::make_shared<MemoryBudget>(0);
  const std::uint64_t most = budget->most_profile_bytes() / CycleProfile::page_bytes;
  {
    CycleProfile profile(budget);
    for (std::uint64_t page = 0; page < most + 10; ++page) {
      profile.add(GuestAddr(page * page_size), 1);
    }
    for (std::uint64_t i = 0; i < 5000; ++i) profile.add(GuestAddr(2 * i + 1), 1);
    EXPECT_EQ(profile.by_pc().size(), most + 1024);
    EXPECT_EQ(profile.elsewhere(), 10u + 5000 - 1024);
    EXPECT_EQ(profile.total(), most + 10 + 5000);
    EXPECT_EQ(budget->profile_bytes(), most * CycleProfile::page_bytes);
    CycleProfile other(budget);
    other = std::move(profile);
    EXPECT_EQ(budget->profile_bytes(), most * CycleProfile::page_bytes);
  }
  EXPECT_EQ(budget->profile_bytes(), 0u);
}

// Pages change hands: for a moment, too, there is room for one of each.
TEST(CycleProfile, TakesOverWhatAnotherHas) {
  const auto budget = std::make_shared<MemoryBudget>(0);
  const std::uint64_t most = budget->most_profile_bytes() / CycleProfile::page_bytes;
  CycleProfile from(budget), to(budget);
  to.add(GuestAddr(0), 1);
  for (std::uint64_t page = 0; page < most - 1; ++page) from.add(GuestAddr(page * page_size), 2);
  from.add(GuestAddr(2), 4);
  from.add(GuestAddr(most * page_size), 8);  // no room
  to.add(std::move(from));
  EXPECT_EQ(to.by_pc().size(), most);
  EXPECT_EQ(to.by_pc().at(GuestAddr(0)), 3u);
  EXPECT_EQ(to.by_pc().at(GuestAddr(2)), 4u);
  EXPECT_EQ(to.elsewhere(), 8u);
  EXPECT_EQ(budget->profile_bytes(), (most - 1) * CycleProfile::page_bytes);
  from.add(GuestAddr(0), 16);
  EXPECT_EQ(from.total(), 16u);
  EXPECT_EQ(budget->profile_bytes(), most * CycleProfile::page_bytes);
}

TEST(CycleProfile, KeepsTheSumOfWhatItTakesOverAndHasNoRoomFor) {
  const auto full = std::make_shared<MemoryBudget>(0);
  ASSERT_TRUE(full->take_profile_bytes(full->most_profile_bytes()));
  CycleProfile from, to(full);
  from.add(GuestAddr(0x1000), 3);
  from.add(GuestAddr(0x9000), 4);
  to.add(std::move(from));
  EXPECT_EQ(to.elsewhere(), 7u);
  EXPECT_TRUE(to.is_empty());
}

}  // namespace
}  // namespace hardclock
