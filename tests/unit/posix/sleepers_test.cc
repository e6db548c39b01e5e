#include "syscalls/posix/sleepers.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "sim/state/digest.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t all_of_them = 100;

constexpr SleepPlace at(std::uint64_t pages, std::uint64_t offset) {
  return {SleepPlace::In::shared_pages, pages, offset};
}

TEST(Sleepers, AreToldByWhoWakesThem) {
  Sleepers sleepers;
  const SleepPlace here = at(1, 8), elsewhere = at(1, 12);
  const auto first = sleepers.add(here, any_sleeper), second = sleepers.add(here, any_sleeper);
  EXPECT_EQ(sleepers.count(here), 2U);
  EXPECT_EQ(sleepers.count(elsewhere), 0U);
  EXPECT_EQ(sleepers.wake(elsewhere, any_sleeper, all_of_them), 0U);
  const StateDigest before = digest_of(sleepers);
  EXPECT_EQ(sleepers.wake(here, any_sleeper, 1, 7), 1U);
  EXPECT_NE(digest_of(sleepers), before);
  EXPECT_TRUE(first->is_woken);
  EXPECT_EQ(first->told, 7U);
  EXPECT_FALSE(second->is_woken);
  EXPECT_EQ(sleepers.count(here), 1U);
}

TEST(Sleepers, SavedWakesAreTakenOneByOneWhereTheyWereSaved) {
  Sleepers sleepers;
  const auto memory = std::make_shared<int>(0);
  const SleepPlace here = at(1, 8), elsewhere = at(1, 12);
  sleepers.save_wake(here, memory, 3);
  sleepers.save_wake(elsewhere, memory, 2);
  sleepers.save_wake(here, memory, 1);
  EXPECT_EQ(sleepers.saved_wakes(here), 2U);
  EXPECT_EQ(sleepers.take_saved_wake(here), std::optional<std::uint64_t>(1));
  EXPECT_EQ(sleepers.take_saved_wake(here), std::optional<std::uint64_t>(3));
  EXPECT_EQ(sleepers.take_saved_wake(here), std::nullopt);
  EXPECT_EQ(sleepers.saved_wakes(elsewhere), 1U);
  sleepers.drop_saved_wakes(elsewhere);
  EXPECT_EQ(sleepers.take_saved_wake(elsewhere), std::nullopt);
}

// A program may save them without end; where each were looked at again, this would not end.
TEST(Sleepers, ManySavedWakesAreCounted) {
  Sleepers sleepers;
  const auto memory = std::make_shared<int>(0);
  const SleepPlace here = at(1, 8);
  constexpr std::uint64_t many = 1'000'000;
  for (std::uint64_t i = 0; i < many; ++i) sleepers.save_wake(here, memory, i % 2);
  EXPECT_EQ(sleepers.saved_wakes(here), many);
  EXPECT_EQ(sleepers.take_saved_wake(here), std::optional<std::uint64_t>(0));
  EXPECT_EQ(sleepers.saved_wakes(here), many - 1);
}

// Places of many memories, of which only one is still there.
TEST(Sleepers, SavedWakesOfOthersStayWhenAMemoryIsGone) {
  Sleepers sleepers;
  const auto memory = std::make_shared<int>(0);
  const SleepPlace here = at(1, 8);
  sleepers.save_wake(here, memory, 1);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto other = std::make_shared<int>(0);
    sleepers.save_wake(at(2 + i, 8), other, 0);
  }
  EXPECT_EQ(sleepers.take_saved_wake(here), std::optional<std::uint64_t>(1));
}

}  // namespace
}  // namespace hardclock::posix
