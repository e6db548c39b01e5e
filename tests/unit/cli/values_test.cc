// The notations are hardclock's own; their source is the manual page (hardclock.1). Dates: the
// seconds are those of GNU date, `date -u -d DATE +%s`.
#include "cli/values.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace hardclock {
namespace {

constexpr std::uint64_t highest_accepted = std::numeric_limits<std::uint64_t>::max();

TEST(WholeNumber, TakesDigitsInRange) {
  EXPECT_EQ(parse_whole_number("0", 0, highest_accepted), 0U);
  EXPECT_EQ(parse_whole_number("007", 0, highest_accepted), 7U);
  EXPECT_EQ(parse_whole_number("18446744073709551615", 0, highest_accepted), highest_accepted);
  EXPECT_EQ(parse_whole_number("1", 1, 3), 1U);
  EXPECT_EQ(parse_whole_number("3", 1, 3), 3U);
}

TEST(WholeNumber, RefusesTheRest) {
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "0x10", "1e3", "1.0", "abc", "1a",
                           "18446744073709551616", "99999999999999999999999999"}) {
    EXPECT_EQ(parse_whole_number(text, 0, highest_accepted), std::nullopt) << text;
  }
  EXPECT_EQ(parse_whole_number("0", 1, 3), std::nullopt);
  EXPECT_EQ(parse_whole_number("4", 1, 3), std::nullopt);
}

// C's integer constants (ISO C 6.4.4.1) without suffixes.
TEST(CNumber, HasThreeBases) {
  EXPECT_EQ(parse_c_number("0", highest_accepted), 0U);
  EXPECT_EQ(parse_c_number("65536", highest_accepted), 65536U);
  EXPECT_EQ(parse_c_number("0x10000", highest_accepted), 65536U);
  EXPECT_EQ(parse_c_number("0XfF", highest_accepted), 255U);
  EXPECT_EQ(parse_c_number("0177777", highest_accepted), 65535U);
  EXPECT_EQ(parse_c_number("00", highest_accepted), 0U);
  EXPECT_EQ(parse_c_number("0xffffffffffffffff", highest_accepted), highest_accepted);
  EXPECT_EQ(parse_c_number("256", 256), 256U);
}

TEST(CNumber, RefusesTheRest) {
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "0x", "x1", "08", "12a", "0x1g", "1.0", "1u",
                           "0x-1", "0-1", "0b1", "1'0", "0x10000000000000000"}) {
    EXPECT_EQ(parse_c_number(text, highest_accepted), std::nullopt) << text;
  }
  EXPECT_EQ(parse_c_number("257", 256), std::nullopt);
}

TEST(Size, CountsIn1024) {
  EXPECT_EQ(parse_size("4096", 0, highest_accepted), 4096U);
  EXPECT_EQ(parse_size("64K", 0, highest_accepted), 65536U);
  EXPECT_EQ(parse_size("2m", 0, highest_accepted), 2097152U);
  EXPECT_EQ(parse_size("1G", 0, highest_accepted), 1073741824U);
  EXPECT_EQ(parse_size("17179869183G", 0, highest_accepted), 18446744072635809792U);  // 2^64 - 2^30
}

TEST(Size, RefusesOverflowAndTheRest) {
  for (const char* text : {"", "K", "1T", "1KB", "1 K", "1.5G", "-1K", "0x1G", "K1", "17179869184G",
                           "18446744073709551615K"}) {
    EXPECT_EQ(parse_size(text, 0, highest_accepted), std::nullopt) << text;
  }
  EXPECT_EQ(parse_size("63K", 65536, highest_accepted), std::nullopt);
  EXPECT_EQ(parse_size("1G", 0, 1048576), std::nullopt);
}

// As SI prefixes: a limit on events, not on memory.
TEST(Count, TakesPrefixesAndExponents) {
  EXPECT_EQ(parse_count("250000", 1), 250'000U);
  EXPECT_EQ(parse_count("250k", 1), 250'000U);
  EXPECT_EQ(parse_count("1K", 1), 1000U);
  EXPECT_EQ(parse_count("10M", 1), 10'000'000U);
  EXPECT_EQ(parse_count("10m", 1), 10'000'000U);
  EXPECT_EQ(parse_count("2G", 1), 2'000'000'000U);
  EXPECT_EQ(parse_count("2g", 1), 2'000'000'000U);
  EXPECT_EQ(parse_count("1e6", 1), 1'000'000U);
  EXPECT_EQ(parse_count("12E0", 1), 12U);
  EXPECT_EQ(parse_count("18446744073709551615", 1), highest_accepted);
  EXPECT_EQ(parse_count("1e19", 1), 10'000'000'000'000'000'000U);
}

TEST(Count, RefusesOverflowAndTheRest) {
  for (const char* text : {"", "0", "0M", "k", "1T", "1kk", "1.5M", "-1", "e6", "1e", "1e-1",
                           "1e20", "2e19", "18446744073709552K", "1e6M", "0x10"}) {
    EXPECT_EQ(parse_count(text, 1), std::nullopt) << text;
  }
}

TEST(Megahertz, IsExactToTheHertz) {
  EXPECT_EQ(parse_megahertz("33"), Hertz(33'000'000));
  EXPECT_EQ(parse_megahertz("33.33"), Hertz(33'330'000));
  EXPECT_EQ(parse_megahertz("33.333333"), Hertz(33'333'333));
  EXPECT_EQ(parse_megahertz("180MHz"), Hertz(180'000'000));
  EXPECT_EQ(parse_megahertz("0.000001"), Hertz(1));
  EXPECT_EQ(parse_megahertz("10000"), Hertz(10'000'000'000));
}

TEST(Megahertz, RefusesTheRest) {
  for (const char* text :
       {"", "0", "0.0", ".5", "33.", "33.3333333", "10000.000001", "10001", "-1", "+1", "1e3",
        "33,3", "33 ", "MHz", "33GHz", "1.-5", "1.+5", "18446744073710"}) {
    EXPECT_EQ(parse_megahertz(text), std::nullopt) << text;
  }
}

TEST(Address, IsHexadecimal) {
  EXPECT_EQ(parse_address("400120"), GuestAddr(0x400120));
  EXPECT_EQ(parse_address("0x400120"), GuestAddr(0x400120));
  EXPECT_EQ(parse_address("0XFFFFFFFFFFFFFFFF"), GuestAddr(highest_accepted));
  for (const char* text : {"", "0x", "0x0x1", "main", "-1", "1 ", "10000000000000000"}) {
    EXPECT_EQ(parse_address(text), std::nullopt) << text;
  }
}

std::optional<std::int64_t> seconds(const char* text) {
  const auto time = parse_time_of_day(text);
  if (!time) return std::nullopt;
  return time->time_since_epoch().count();
}

TEST(TimeOfDay, TakesSecondsAndDates) {
  EXPECT_EQ(seconds("0"), 0);
  EXPECT_EQ(seconds("2147483647"), 2147483647);
  EXPECT_EQ(seconds("1970-01-01"), 0);
  EXPECT_EQ(seconds("1996-01-01"), 820454400);
  EXPECT_EQ(seconds("1996-02-29T23:59:59"), 825638399);
  EXPECT_EQ(seconds("1996-02-29T23:59:59Z"), 825638399);
  EXPECT_EQ(seconds("2038-01-19T03:14:07"), 2147483647);
}

TEST(TimeOfDay, RefusesTheRest) {
  for (const char* text : {"",
                           "-1",
                           "2147483648",
                           "99999999999999999999",
                           "1996-1-1",
                           "1996-01-1",
                           "96-01-01",
                           "1995-02-29",
                           "1996-13-01",
                           "1996-00-01",
                           "1996-01-00",
                           "1996-01-32",
                           "1996/01/01",
                           "1996-01-01T",
                           "1996-01-01T12",
                           "1996-01-01T12:00",
                           "1996-01-01T24:00:00",
                           "1996-01-01T23:60:00",
                           "1996-01-01T23:59:60",
                           "1996-01-01 12:00:00",
                           "1996-01-01Z",
                           "1996-01-01T12:00:00ZZ",
                           "1969-12-31",
                           "2038-01-19T03:14:08",
                           "2038-01-20",
                           "9999-12-31",
                           "1996-01--1",
                           "-996-01-01",
                           "now"}) {
    EXPECT_EQ(seconds(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace hardclock
