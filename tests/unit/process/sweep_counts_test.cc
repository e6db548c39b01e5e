// What sim/process/sweep_counts.h promises.
#include "sim/process/sweep_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <utility>

namespace hardclock {
namespace {

using Known = std::map<std::pair<GuestAddr, std::uint32_t>, std::uint64_t>;

Known known(const SweepCounts& counts) {
  Known all;
  for (const SweepTicks& at : counts.user()) {
    EXPECT_TRUE(all.emplace(std::pair(at.pc, at.clock), at.ticks).second);
  }
  return all;
}

TEST(SweepCounts, KeepTheTicksOfEachPcAndClockInOrder) {
  SweepCounts counts(3, nullptr);
  counts.add_user(GuestAddr(0x2000), 1, 5);
  counts.add_user(GuestAddr(0x1000), 2, 1);
  counts.add_user(GuestAddr(0x2000), 0, 2);
  counts.add_user(GuestAddr(0x2000), 1, 4);
  counts.add_kernel(2, 7);
  EXPECT_EQ(counts.user(),
            (std::vector<SweepTicks>{
                {GuestAddr(0x1000), 2, 1}, {GuestAddr(0x2000), 0, 2}, {GuestAddr(0x2000), 1, 9}}));
  EXPECT_EQ(counts.kernel()[2], 7U);
  EXPECT_EQ(counts.clocks(), 3U);
}

TEST(SweepCounts, LoseNothing) {
  std::mt19937 random(1);
  const auto budget = std::make_shared<MemoryBudget>(std::uint64_t{1} << 30);
  Known expected;
  {
    SweepCounts counts(20, budget);
    for (int i = 0; i < 20'000; ++i) {
      const GuestAddr pc(4 * (random() % 100));
      const auto clock = static_cast<std::uint32_t>(random() % 20);
      counts.add_user(pc, clock, 1 + i % 3);
      expected[{pc, clock}] += 1 + i % 3;
    }
    EXPECT_EQ(known(counts), expected);
    EXPECT_EQ(counts.bytes(), budget->profile_bytes());
    const SweepCounts copy = counts;
    EXPECT_EQ(known(copy), expected);
    EXPECT_EQ(counts.bytes(), budget->profile_bytes());
  }
  EXPECT_EQ(budget->profile_bytes(), 0U);
}

TEST(SweepCounts, AreChargedToWhomTheyAreGivenTo) {
  const auto before = std::make_shared<MemoryBudget>(std::uint64_t{1} << 30);
  const auto after = std::make_shared<MemoryBudget>(std::uint64_t{1} << 30);
  const auto full = std::make_shared<MemoryBudget>(0);
  ASSERT_TRUE(full->take_profile_bytes(full->most_profile_bytes()));
  SweepCounts counts(2, before);
  for (std::uint64_t pc = 0; pc < 400; pc += 4) counts.add_user(GuestAddr(pc), 1, 1);
  EXPECT_TRUE(counts.charge_to(after));
  EXPECT_EQ(before->profile_bytes(), 0U);
  EXPECT_EQ(after->profile_bytes(), counts.bytes());
  EXPECT_FALSE(counts.charge_to(full));
  EXPECT_EQ(after->profile_bytes(), 0U);
  EXPECT_EQ(full->profile_bytes(), full->most_profile_bytes());
  EXPECT_TRUE(counts.charge_to(after));
  EXPECT_TRUE(counts.charge_to(nullptr));
  EXPECT_EQ(after->profile_bytes(), 0U);
  EXPECT_EQ(known(counts).size(), 100U);
}

// A pc takes 512 bytes, so there is room for 8 of them, and for no counters of 1000 clocks: each is
// known for 8 times.
TEST(SweepCounts, WhatHasNoRoomIsCountedElsewhere) {
  const auto budget = std::make_shared<MemoryBudget>(std::uint64_t{1} << 30);
  const std::uint64_t taken = budget->most_profile_bytes() - 4096;
  ASSERT_TRUE(budget->take_profile_bytes(taken));
  {
    SweepCounts counts(1000, budget);
    for (std::uint32_t i = 0; i < 10; ++i) counts.add_user(GuestAddr(4 * i), i, 2);
    EXPECT_EQ(known(counts).size(), 8U);
    EXPECT_EQ(counts.elsewhere()[7], 0U);
    EXPECT_EQ(counts.elsewhere()[8], 2U);
    EXPECT_EQ(counts.elsewhere()[9], 2U);
    for (int i = 0; i < 9; ++i) counts.add_user(GuestAddr(0), 5, 3);
    EXPECT_EQ(known(counts).at({GuestAddr(0), 5}), 21U);
    EXPECT_EQ(counts.elsewhere()[5], 6U);
    EXPECT_EQ(budget->profile_bytes(), taken + 4096);
    SweepCounts sum;
    sum.add(counts);
    sum.add(counts);
    EXPECT_EQ(known(sum).at({GuestAddr(0), 5}), 42U);
    EXPECT_EQ(sum.elsewhere()[9], 4U);
  }
  EXPECT_EQ(budget->profile_bytes(), taken);
}

}  // namespace
}  // namespace hardclock
