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
              AllOf(HasSubstr("not a profile in a known format"), HasSubstr("(hardclock, gnu, "),
                    HasSubstr("not sysv: "), Not(HasSubstr("\n"))));
}

// HP-UX maps shared libraries at 0x7b000000 and above: '{' is an ordinary first byte.
TEST(ReadProfile, BraceAloneIsNotJson) {
  const auto profile = read_profile(from_hex("7b0010007b001010000000000001"));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(profile->processes[0].histograms[0].low, GuestAddr(0x7b001000));
}

TEST(FormatNames, AnUnknownNameListsThem) {
  const Profile profile;
  for (const std::string& error :
       {write_profile_as(profile, "elf").error(), read_profile(to_bytes("x"), {}, "elf").error()}) {
    EXPECT_EQ(
        error,
        "no profile format is called 'elf'; the names are hardclock, gnu, bsd44, bsd43, sysv, v7, "
        "irix53, irix53-16, irix51");
  }
}

// All zeros but for the header and one halfword: as System V's a counter over 4 KiB behind 22 call
// counts, as 4.3BSD's 5 counters before 14 arcs, either with its functions in the text.
TEST(ReadProfile, AFileThatFitsTwoFormatsIsNotGuessed) {
  auto bytes = from_hex(
      "000000000000100000000016"
      "00000002");
  bytes.resize(22 + 14 * 12);
  const auto guess = read_profile(bytes);
  ASSERT_FALSE(guess);
  EXPECT_THAT(guess.error(),
              AllOf(HasSubstr("(bsd43)"), HasSubstr("(sysv)"), HasSubstr("--input-format")));
  EXPECT_TRUE(read_profile(bytes, {}, "bsd43"));
  EXPECT_TRUE(read_profile(bytes, {}, "sysv"));
}

// `gprof -s` adds files of one program.
TEST(WriteProfile, ProcessesOfOneProgramAreAdded) {
  Profile profile;
  for (const std::uint64_t ticks : {1, 2}) {
    ProcessProfile& process = profile.processes.emplace_back();
    process.program = "p";
    process.samples = {{GuestAddr(0x400000), ticks}, {GuestAddr(0x400004 + 4 * ticks), 5}};
    process.calls = {{GuestAddr(0x400000), ticks}};
    process.arcs = {{GuestAddr(0x400004), GuestAddr(0x400000), ticks}};
  }
  for (const char* format : {"gnu", "bsd44", "sysv"}) {
    const auto bytes = write_profile_as(profile, format);
    ASSERT_TRUE(bytes) << bytes.error();
    const auto back = read_profile(to_bytes(*bytes), {Endian::big, 32});
    ASSERT_TRUE(back) << back.error();
    ASSERT_EQ(back->processes.size(), 1U);
    EXPECT_EQ(back->processes[0].histograms,
              (std::vector<Histogram>{{GuestAddr(0x400000), GuestAddr(0x400010), {3, 0, 5, 5}}}));
    EXPECT_EQ(calls_of(back->processes[0]), (std::vector<CallCount>{{GuestAddr(0x400000), 3}}));
  }
}

// A position-independent program's own addresses begin at 0; its shared objects are not in
// gmon.out, which has no room for their names, nor is what lies in no file.
TEST(WriteProfile, FormatsWithoutFileNamesHoldTheProgramAtItsOwnAddresses) {
  Profile profile;
  profile.tick_rate = Hertz(100);
  ProcessProfile& process = profile.processes.emplace_back();
  process.program = "/bin/p";
  process.moved_by = 0x55550000;
  process.mappings = {{GuestAddr(0x55550000), 0x1000, "/bin/p", 0},
                      {GuestAddr(0x77000000), 0x1000, "/lib/libc.so.6", 0}};
  process.samples = {
      {GuestAddr(0x55550100), 3}, {GuestAddr(0x77000100), 4}, {GuestAddr(0x9000), 5}};
  process.calls = {{GuestAddr(0x55550100), 7}, {GuestAddr(0x77000100), 8}};
  for (const char* format : {"gnu", "bsd44", "sysv", "irix51"}) {
    const auto bytes = write_profile_as(profile, format);
    ASSERT_TRUE(bytes) << bytes.error();
    const auto back = read_profile(to_bytes(*bytes), {Endian::big, 32}, format);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->processes[0].histograms,
              (std::vector<Histogram>{{GuestAddr(0x100), GuestAddr(0x104), {3}}}))
        << format;
    if (format != std::string_view("irix51")) {
      EXPECT_EQ(calls_of(back->processes[0]), (std::vector<CallCount>{{GuestAddr(0x100), 7}}));
    }
  }
}

TEST(FindMapping, IsTheOneThatContainsThePc) {
  ProcessProfile process;
  EXPECT_EQ(find_mapping(process, GuestAddr(0)), nullptr);
  process.mappings = {{GuestAddr(0x1000), 0x100, "a", 0}, {GuestAddr(0x2000), 0x100, "b", 0}};
  EXPECT_EQ(find_mapping(process, GuestAddr(0xfff)), nullptr);
  EXPECT_EQ(find_mapping(process, GuestAddr(0x1000)), &process.mappings[0]);
  EXPECT_EQ(find_mapping(process, GuestAddr(0x10ff)), &process.mappings[0]);
  EXPECT_EQ(find_mapping(process, GuestAddr(0x1100)), nullptr);
  EXPECT_EQ(find_mapping(process, GuestAddr(0x2080)), &process.mappings[1]);
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
