// System V mon.out: golden bytes, and files that are damaged or too big for the format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/report/profile.h"
#include "tests/unit/report/bytes.h"

namespace hardclock::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Source: vector svr_mon_be32 of the project's conformance file formats.json, whose layout is
// <mon.h>'s (illumos head/mon.h): lpc 0x2000, hpc 0x2040, one cnt {0x2010, 5}, samples 0 1 2 3.
constexpr std::string_view big_endian_file =
    "00002000000020400000000100002010000000050000000100020003";
// The same fields with the bytes of each reversed.
constexpr std::string_view little_endian_file =
    "00200000402000000100000010200000050000000000010002000300";

Profile golden(Endian order) {
  ProcessProfile process;
  process.histograms.push_back(
      {.low = GuestAddr(0x2000), .high = GuestAddr(0x2040), .counts = {0, 1, 2, 3}});
  process.calls.push_back({.function = GuestAddr(0x2010), .calls = 5});
  Profile profile;
  profile.byte_order = order;
  profile.processes.push_back(process);
  return profile;
}

TEST(Svr4Mon, ReadsGoldenBytes) {
  const auto big = read_profile(from_hex(big_endian_file));
  ASSERT_TRUE(big) << big.error();
  EXPECT_EQ(*big, golden(Endian::big));
  const auto little = read_profile(from_hex(little_endian_file));
  ASSERT_TRUE(little) << little.error();
  EXPECT_EQ(*little, golden(Endian::little));
}

TEST(Svr4Mon, WritesGoldenBytes) {
  for (const auto& [order, hex] :
       {std::pair{Endian::big, big_endian_file}, {Endian::little, little_endian_file}}) {
    const auto bytes = write_profile_as(golden(order), "sysv");
    ASSERT_TRUE(bytes) << bytes.error();
    EXPECT_EQ(to_bytes(*bytes), from_hex(hex));
  }
}

// monitor(3C) reserves call counts; the unused ones are zero (illumos
// usr/src/lib/libc/port/gen/mon.c).
TEST(Svr4Mon, DropsUnusedCallCounts) {
  const auto profile =
      read_profile(from_hex("000020000000204000000003"
                            "0000201000000005"
                            "0000000000000000"
                            "0000000000000000"
                            "0000000100020003"));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, golden(Endian::big));
}

// Without call counts both byte orders are possible here; only the program can tell for sure.
TEST(Svr4Mon, CallerMayNameTheByteOrder) {
  const auto bytes = from_hex("0000200000002040000000000001");
  const auto guessed = read_profile(bytes);
  ASSERT_TRUE(guessed) << guessed.error();
  EXPECT_EQ(guessed->byte_order, Endian::big);
  EXPECT_EQ(guessed->processes[0].histograms[0].counts, std::vector<std::uint64_t>{1});
  // One counter for 1 GiB of text is more than profil's scale can say: not without being told.
  const Target little{Endian::little, 32};
  EXPECT_THAT(read_profile(bytes, little).error(), HasSubstr("1 counters are too few"));
  const auto told = read_profile(bytes, little, "sysv");
  ASSERT_TRUE(told) << told.error();
  EXPECT_EQ(told->processes[0].histograms[0].low, GuestAddr(0x200000));
  EXPECT_EQ(told->processes[0].histograms[0].counts, std::vector<std::uint64_t>{0x100});
}

// The same file in the other order: read as big endian, its text would have 1 GiB.
TEST(Svr4Mon, TakesTheOrderWithLessText) {
  const auto profile = read_profile(from_hex("0020000040200000000000000100"));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(profile->byte_order, Endian::little);
  EXPECT_EQ(profile->processes[0].histograms[0].counts, std::vector<std::uint64_t>{1});
}

struct Damaged {
  const char* hex;
  const char* why;
};

TEST(Svr4Mon, DamagedFilesGetOneLine) {
  const Damaged cases[] = {
      {"0000200000", "5 bytes are less than a header of 12"},
      {"000020000000204000000004"
       "0000201000000005"
       "0001",
       "4 call counts do not fit into a file of 22 bytes"},
      {"0000200000002040ffffffff"
       "0000201000000005"
       "0001",
       "4294967295 call counts do not fit"},
      {"0000204000002000"
       "00000001"
       "0000201000000005"
       "0001",
       "high pc 0x00002000 is not above low pc 0x00002040"},
      {"0000204000002040"
       "00000001"
       "0000201000000005"
       "0001",
       "is not above"},
      {"000020000000204000000001"
       "0000201000000005",
       "ends before the first counter"},
      {"000020000000204000000001"
       "0000201000000005"
       "000102",
       "ends within a counter"},
  };
  for (const Damaged& damaged : cases) {
    const auto profile = read_profile(from_hex(damaged.hex));
    ASSERT_FALSE(profile) << damaged.hex;
    EXPECT_THAT(profile.error(), HasSubstr(damaged.why));
    EXPECT_THAT(profile.error(), Not(HasSubstr("\n")));
  }
}

TEST(Svr4Mon, SamplesBecomeCountersOfFourBytes) {
  Profile profile;
  ProcessProfile& process = profile.processes.emplace_back();
  process.samples = {{GuestAddr(0x400102), 1}, {GuestAddr(0x400104), 2}, {GuestAddr(0x40010c), 3}};
  const auto bytes = write_profile_as(profile, "sysv");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(to_bytes(*bytes), from_hex("004001000040011000000000"
                                       "0001000200000003"));
}

TEST(Svr4Mon, RefusesWhatItCannotHold) {
  const auto refused = [](auto change, const char* why) {
    Profile profile = golden(Endian::big);
    change(profile);
    const auto bytes = write_profile_as(profile, "sysv");
    ASSERT_FALSE(bytes);
    EXPECT_THAT(bytes.error(), HasSubstr(why));
    EXPECT_THAT(bytes.error(), Not(HasSubstr("\n")));
  };
  refused([](Profile& p) { p.processes.emplace_back().program = "b"; },
          "holds one program and this profile has '' and 'b'");
  refused([](Profile& p) { p.processes.clear(); }, "this profile has 0");
  refused([](Profile& p) { p.processes[0].histograms.clear(); }, "no tick was charged");
  refused(
      [](Profile& p) {
        p.processes[0].histograms.push_back({GuestAddr(0), GuestAddr(2), {1}});
      },
      "one range of text");
  refused([](Profile& p) { p.processes[0].histograms[0].counts[1] = 65536; },
          "a counter has 65536 ticks and the counters of System V mon.out end at 65535");
  refused([](Profile& p) { p.processes[0].calls[0].calls = 1ULL << 32; },
          "4294967296 calls of 0x2010 are more than the 4294967295 that fit");
  refused([](Profile& p) { p.processes[0].histograms[0].high = GuestAddr(1ULL << 32); },
          "pc 0x100000000 does not fit");
  refused(
      [](Profile& p) {
        p.processes[0].histograms.clear();
        p.processes[0].samples = {{GuestAddr(0x400000), 1}, {GuestAddr(0x7fff0000), 1}};
      },
      "one range of text and this profile has 2");
}

}  // namespace
}  // namespace hardclock::report
