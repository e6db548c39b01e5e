#include "syscalls/host/time_of_day.h"

#include <gtest/gtest.h>

namespace hardclock::host {
namespace {

// Expected numbers are from GNU date: date -u -d '1996-01-01' +%s.

TEST(TimeOfDay, StartsAtTheDocumentedDate) {
  EXPECT_EQ(TimeOfDay().epoch(), 820454400);
  EXPECT_EQ(TimeOfDay(123).epoch(), 123);
}

TEST(TimeOfDay, AdvancesWithVirtualTimeOnly) {
  EXPECT_EQ(TimeOfDay().at(0), (GuestTime{820454400, 0}));
  EXPECT_EQ(TimeOfDay().at(1'500'000'000), (GuestTime{820454401, 500'000'000}));
  EXPECT_EQ(TimeOfDay().at(~std::uint64_t{0}), (GuestTime{820454400 + 18446744073, 709'551'615}));
}

}  // namespace
}  // namespace hardclock::host
