#include "syscalls/host/time_of_day.h"

#include <gtest/gtest.h>

#include <string>

namespace hardclock::host {
namespace {

// Expected numbers are from GNU date: date -u -d '1996-01-01' +%s, and so on.

TEST(TimeOfDay, StartsAtTheDocumentedDate) {
  EXPECT_EQ(TimeOfDay().epoch(), 820454400);
  EXPECT_EQ(TimeOfDay::parse("1996-01-01")->epoch(), default_guest_epoch);
}

TEST(TimeOfDay, ReadsDatesAndSeconds) {
  EXPECT_EQ(TimeOfDay::parse("1992-02-29T23:59:58")->epoch(), 699407998);
  EXPECT_EQ(TimeOfDay::parse("1970-01-01")->epoch(), 0);
  EXPECT_EQ(TimeOfDay::parse("2038-01-19T03:14:07")->epoch(), 2147483647);
  EXPECT_EQ(TimeOfDay::parse("@123")->epoch(), 123);
}

TEST(TimeOfDay, RefusesEverythingElseInOneLine) {
  for (const char* text :
       {"", "@", "@-1", "@1x", "1996", "1996-1-1", "1993-02-29", "1996-13-01", "1996-00-10",
        "1996-01-01T", "1996-01-01T24:00:00", "1996-01-01T00:00", "1996-01-01 00:00:00",
        "2038-01-19T03:14:08", "1969-12-31", "@99999999999999999999", "1996-01-+1"}) {
    const auto result = TimeOfDay::parse(text);
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_NE(result.error().find("; "), std::string::npos) << result.error();
    EXPECT_EQ(result.error().find('\n'), std::string::npos) << result.error();
  }
}

TEST(TimeOfDay, AdvancesWithVirtualTimeOnly) {
  EXPECT_EQ(TimeOfDay().at(0), (GuestTime{820454400, 0}));
  EXPECT_EQ(TimeOfDay().at(1'500'000'000), (GuestTime{820454401, 500'000'000}));
  EXPECT_EQ(TimeOfDay().at(~std::uint64_t{0}), (GuestTime{820454400 + 18446744073, 709'551'615}));
}

}  // namespace
}  // namespace hardclock::host
