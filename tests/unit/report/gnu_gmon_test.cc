// GNU gmon.out: several histograms, counters of more than 16 bits, and what gprof refuses too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/report/profile.h"
#include "tests/unit/report/bytes.h"

namespace hardclock::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// glibc gmon/gmon_out.h: the header, "gmon" and version 1.
const std::string file_header =
    "676d6f6e"
    "00000001"
    "000000000000000000000000";
// 100 ticks a second, "seconds", 's'.
const std::string seconds =
    "00000064"
    "7365636f6e64730000000000000000"
    "73";

std::string histogram(const std::string& low_high_n, const std::string& counters) {
  return "00" + low_high_n + seconds + counters;
}

const std::string first_histogram = histogram("004000000040000800000002", "00010002");

Profile two_counters(std::vector<Histogram> histograms) {
  Profile profile;
  profile.tick_rate = Hertz(100);
  profile.processes.emplace_back().histograms = std::move(histograms);
  return profile;
}

// binutils gprof/hist.c, hist_read_rec(): counters of a range that is already there are added.
TEST(GnuGmon, RecordsOfOneRangeAreAdded) {
  const auto profile = read_profile(from_hex(file_header + first_histogram + first_histogram));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, two_counters({{GuestAddr(0x400000), GuestAddr(0x400008), {2, 4}}}));
}

TEST(GnuGmon, WideCountersAreSplit) {
  const auto profile = two_counters({{GuestAddr(0x400000), GuestAddr(0x400008), {65537, 65535}}});
  const auto bytes = write_profile_as(profile, "gnu");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(to_bytes(*bytes),
            from_hex(file_header + histogram("004000000040000800000002", "ffffffff") +
                     histogram("004000000040000800000002", "00020000")));
}

TEST(GnuGmon, SamplesFarApartBecomeSeveralHistograms) {
  Profile profile;
  profile.tick_rate = Hertz(100);
  profile.processes.emplace_back().samples = {
      {GuestAddr(0x400002), 1}, {GuestAddr(0x400004), 2}, {GuestAddr(0x0fa00000), 3}};
  const auto bytes = write_profile_as(profile, "gnu");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(to_bytes(*bytes), from_hex(file_header + first_histogram +
                                       histogram("0fa000000fa0000400000001", "0003")));
}

// A System V call count has no caller.
TEST(GnuGmon, CallsBecomeArcsFromNowhere) {
  Profile profile;
  profile.processes.emplace_back().calls = {{GuestAddr(0x400000), 7}};
  const auto bytes = write_profile_as(profile, "gnu");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(to_bytes(*bytes), from_hex(file_header + "01"
                                                     "00000000"
                                                     "00400000"
                                                     "00000007"));
}

// gprof/basic_blocks.c, bb_read_rec(): a count of blocks, then an address and a count for each.
TEST(GnuGmon, BasicBlocksArePassedOver) {
  const auto profile = read_profile(from_hex(file_header +
                                             "02"
                                             "00000002"
                                             "00400000"
                                             "00000001"
                                             "00400004"
                                             "00000002" +
                                             first_histogram),
                                    {Endian::big, 32});
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, two_counters({{GuestAddr(0x400000), GuestAddr(0x400008), {1, 2}}}));
}

TEST(GnuGmon, RefusesWhatGprofRefuses) {
  const std::pair<std::string, const char*> cases[] = {
      {"676d6f6e", "4 bytes are less than a header of 20"},
      {"676d6f6e"
       "00000002"
       "000000000000000000000000",
       "its version is not 1"},
      {file_header + "09", "a record of unknown kind 9 at byte 20"},
      {file_header + first_histogram.substr(0, first_histogram.size() - 2),
       "it ends at byte 56 within a record"},
      {file_header + histogram("0040000000400008ffffffff", "00010002"), "within a record"},
      {file_header + histogram("004000000040000800000000", ""), "ends before the first counter"},
      {file_header + histogram("004000080040000800000001", "0001"), "is not above"},
      {file_header + first_histogram + histogram("004000040040000c00000002", "00010002"),
       "overlap"},
      {file_header + first_histogram + histogram("004000080040001000000001", "0001"),
       "differ in width"},
      {file_header + first_histogram + histogram("004000000040000800000001", "0001"),
       "differ in width"},
      {file_header + "02"
                     "ffffffff",
       "within a record"},
      {file_header + "00"
                     "00400000"
                     "00400004"
                     "00000001"
                     "00000064"
                     "6d6574657273000000000000000000"
                     "6d"
                     "0001",
       "does not count seconds"},
  };
  for (const auto& [hex, why] : cases) {
    const auto profile = read_profile(from_hex(hex), {Endian::big, 32});
    ASSERT_FALSE(profile) << hex;
    EXPECT_THAT(profile.error(), HasSubstr("GNU gmon.out: "));
    EXPECT_THAT(profile.error(), HasSubstr(why));
    EXPECT_THAT(profile.error(), Not(HasSubstr("\n")));
  }
}

// Read with addresses of the wrong size, its counters would not even be of seconds.
TEST(GnuGmon, TheOtherWordSizeIsNamed) {
  const std::string wide =
      file_header + histogram("0000000120000000000000012000000800000002", "00010002");
  const auto narrow_program = read_profile(from_hex(wide), {Endian::big, 32});
  ASSERT_FALSE(narrow_program);
  EXPECT_THAT(narrow_program.error(), HasSubstr("it is the profile of a big-endian 64-bit program, "
                                                "and this one is big-endian 32-bit"));
  const auto wide_program =
      read_profile(from_hex(file_header + first_histogram), {Endian::big, 64});
  ASSERT_FALSE(wide_program);
  EXPECT_THAT(wide_program.error(), HasSubstr("a big-endian 32-bit program"));
}

TEST(GnuGmon, RefusesToWriteWhatGprofRefuses) {
  const auto refused = [](std::vector<Histogram> histograms, const char* why) {
    const auto bytes = write_profile_as(two_counters(std::move(histograms)), "gnu");
    ASSERT_FALSE(bytes);
    EXPECT_THAT(bytes.error(), HasSubstr(why));
    EXPECT_THAT(bytes.error(), HasSubstr(".json"));
  };
  refused({{GuestAddr(0), GuestAddr(8), {1}}, {GuestAddr(4), GuestAddr(12), {1}}}, "overlap");
  refused({{GuestAddr(0), GuestAddr(8), {1}}, {GuestAddr(8), GuestAddr(12), {1}}}, "width");
  // 2^63 ticks would be 2^47 records.
  refused({{GuestAddr(0), GuestAddr(8), {1ULL << 63}}}, "9223372036854775808 ticks");
}

}  // namespace
}  // namespace hardclock::report
