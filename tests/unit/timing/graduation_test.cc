// The reasons of the cycles before a graduation, each worked out by hand from the rule in
// docs/timing.md, "Cycles by reason". The machine graduates in the cycle after completion.
#include "sim/timing/graduation.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hardclock {
namespace {

using Reasons = std::map<CycleReason, std::uint64_t>;

Reasons last_cycles(const PassageTimes& times, std::uint64_t count, std::uint64_t skipped = 0) {
  Reasons reasons;
  LastCycles(times, 1).visit(
      skipped, count, [&](CycleReason reason, std::uint32_t cycles) { reasons[reason] += cycles; });
  return reasons;
}

// Fetched in 10, decoded in 11, issued in 12, done in 13, gone in 14.
constexpr PassageTimes addition{.fetch = 10,
                                .decode = 11,
                                .issue = 12,
                                .complete = 13,
                                .graduate = 14,
                                .ready = 12,
                                .executed = 13};

TEST(LastCycles, OneAfterTheOtherIsIssue) {
  EXPECT_EQ(last_cycles(addition, 1), (Reasons{{CycleReason::issue, 1}}));
  EXPECT_EQ(last_cycles(addition, 0), Reasons());
}

TEST(LastCycles, ALatencyOfThreeIsTwoOfTheUnit) {
  PassageTimes times = addition;
  times.complete = times.executed = 15;
  times.graduate = 16;
  EXPECT_EQ(last_cycles(times, 3), (Reasons{{CycleReason::issue, 1}, {CycleReason::unit, 2}}));
}

// It had its operands in 20 instead of 12, and a unit in 22.
TEST(LastCycles, OperandsAndUnits) {
  PassageTimes times = addition;
  times.ready = 20;
  times.issue = 22;
  times.complete = times.executed = 23;
  times.graduate = 24;
  EXPECT_EQ(last_cycles(times, 10),
            (Reasons{{CycleReason::issue, 1}, {CycleReason::unit, 2}, {CycleReason::operand, 7}}));
  // The eight cycles before are those of the wait, and what was before it is of the fetch.
  EXPECT_EQ(last_cycles(times, 13).at(CycleReason::operand), 8u);
  EXPECT_EQ(last_cycles(times, 13).at(CycleReason::branch), 2u);
}

TEST(LastCycles, LateDataIsAMissOrAStores) {
  PassageTimes times = addition;
  times.complete = 33;  // without the miss in 13
  times.graduate = 34;
  times.data_missed = true;
  EXPECT_EQ(last_cycles(times, 15),
            (Reasons{{CycleReason::issue, 1}, {CycleReason::data_miss, 14}}));
  times.data_missed = false;
  EXPECT_EQ(last_cycles(times, 15), (Reasons{{CycleReason::issue, 1}, {CycleReason::operand, 14}}));
}

TEST(LastCycles, ALateFetchIsABranchButForItsMiss) {
  PassageTimes times = addition;
  EXPECT_EQ(last_cycles(times, 6), (Reasons{{CycleReason::issue, 1}, {CycleReason::branch, 5}}));
  times.fetch_stall = 3;
  EXPECT_EQ(last_cycles(times, 6), (Reasons{{CycleReason::issue, 1},
                                            {CycleReason::instruction_miss, 3},
                                            {CycleReason::branch, 2}}));
}

// It was there in 6, and decoded in 11.
TEST(LastCycles, WhatCannotBeDecodedWaitsForAUnit) {
  PassageTimes times = addition;
  times.fetch = 6;
  times.fetch_stall = 3;
  EXPECT_EQ(last_cycles(times, 6), (Reasons{{CycleReason::issue, 1}, {CycleReason::unit, 5}}));
}

TEST(LastCycles, OfAnInterruptedOneTheFirst) {
  PassageTimes times = addition;
  times.ready = 20;
  times.issue = 20;
  times.complete = times.executed = 21;
  times.graduate = 22;
  // Ten cycles, of which the first four have passed.
  EXPECT_EQ(last_cycles(times, 4, 6),
            (Reasons{{CycleReason::operand, 3}, {CycleReason::branch, 1}}));
}

TEST(LastCycles, AddUp) {
  std::mt19937 random(1);
  for (int i = 0; i < 10'000; ++i) {
    PassageTimes times;
    times.fetch = random() % 10;
    times.decode = times.fetch + 1 + random() % 4;
    times.ready = times.decode + 1 + random() % 20;
    times.issue = times.ready + random() % 3;
    times.executed = times.issue + 1 + random() % 10;
    times.complete = times.executed + random() % 50;
    times.graduate = times.complete + 1 + random() % 2;
    times.fetch_stall = random() % 3 == 0 ? random() % 20 : 0;
    const std::uint64_t count = random() % 100, skipped = random() % 100;
    std::uint64_t sum = 0;
    for (const auto& [reason, cycles] : last_cycles(times, count, skipped)) sum += cycles;
    EXPECT_EQ(sum, count);
  }
}

}  // namespace
}  // namespace hardclock
