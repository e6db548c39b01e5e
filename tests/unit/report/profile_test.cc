// Choosing a format: by bytes when reading, by suffix when writing.
#include "sim/report/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/report/bytes.h"

namespace hardclock::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ReadProfile, EmptyFileSaysSo) {
  EXPECT_THAT(read_profile({}).error(), HasSubstr("the profile is empty"));
}

TEST(ReadProfile, UnknownBytesListTheFormats) {
  const auto profile = read_profile(to_bytes("#!/bin/sh\necho hello\n"));
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error(),
              AllOf(HasSubstr("not a profile in a known format"), HasSubstr("hardclock JSON"),
                    HasSubstr("System V mon.out"), Not(HasSubstr("\n"))));
}

// HP-UX maps shared libraries at 0x7b000000 and above: '{' is an ordinary first byte.
TEST(ReadProfile, BraceAloneIsNotJson) {
  const auto profile = read_profile(from_hex("7b0010007b001010000000000001"));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(profile->processes[0].histograms[0].low, GuestAddr(0x7b001000));
}

TEST(WriteProfile, UnknownSuffixListsTheKnownOnes) {
  for (const char* name : {"w", "w.txt", "gmon.out", "json", "w.json.gz", ""}) {
    const auto bytes = write_profile(Profile(), name);
    ASSERT_FALSE(bytes) << name;
    EXPECT_THAT(bytes.error(),
                AllOf(HasSubstr("no profile format has this suffix"), HasSubstr(".json"),
                      HasSubstr("mon.out"), Not(HasSubstr("\n"))));
  }
}

TEST(TicksOf, PrefersSamplesToTheirCounters) {
  ProcessProfile process;
  process.histograms = {{.low = GuestAddr(0), .high = GuestAddr(8), .counts = {1, 2}},
                        {.low = GuestAddr(8), .high = GuestAddr(16), .counts = {3}}};
  EXPECT_EQ(ticks_of(process), 6U);
  process.samples = {{GuestAddr(4), 5}};
  EXPECT_EQ(ticks_of(process), 5U);
}

}  // namespace
}  // namespace hardclock::report
