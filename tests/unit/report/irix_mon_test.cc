// IRIX's mon.out. The expected bytes are put together here from what was seen in files that SGI's
// libprof wrote and its prof read (docs/observed.md, section 4), field by field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/report/profile.h"
#include "tests/unit/report/bytes.h"

namespace hardclock::report {
namespace {

using testing::HasSubstr;
using testing::Not;

using Bytes = std::vector<std::uint8_t>;

void put(Bytes& bytes, std::size_t at, unsigned size, std::uint64_t value) {
  if (bytes.size() < at + size) bytes.resize(at + size);
  for (unsigned i = 0; i < size; ++i) {
    bytes[at + i] = static_cast<std::uint8_t>(value >> 8 * (size - 1 - i));
  }
}

void put(Bytes& bytes, std::size_t at, std::string_view text) {
  for (const char c : text) put(bytes, at++, 1, static_cast<std::uint8_t>(c));
  put(bytes, at, 1, 0);
}

struct Segment53 {
  std::uint64_t path;  // in the strings
  std::uint64_t name;  // in the strings
  std::uint64_t address;
  std::uint64_t size;
  std::uint64_t counters;  // in the file
  std::uint64_t bytes;
  std::uint64_t scale;
};

void put_segment(Bytes& bytes, std::uint64_t index, const Segment53& segment) {
  const std::size_t at = 192 + 112 * index;
  put(bytes, at, 4, segment.path);
  put(bytes, at + 8, 4, segment.name);  // DSO name
  put(bytes, at + 16, 8, segment.address);
  put(bytes, at + 24, 8, segment.size);
  put(bytes, at + 32, 4, segment.counters);
  put(bytes, at + 40, 8, segment.bytes);
  put(bytes, at + 56, 8, segment.scale);
  put(bytes, at + 96, 8, 1);  // active
  put(bytes, at + 104, 8, index);
}

void put_header(Bytes& bytes, unsigned counter_size, std::uint64_t segments,
                std::uint64_t strings) {
  put(bytes, 0, 4, 0x0f0e0030);
  put(bytes, 4, 1, 2);  // libprof
  put(bytes, 5, 1, 4);  // version 4.0.0
  put(bytes, 8, 1, 2);  // format
  put(bytes, 24, 8, counter_size);
  put(bytes, 32, 4, 192);
  put(bytes, 40, 8, segments);
  put(bytes, 48, 4, strings);
  put(bytes, 56, 8, 10000);
  put(bytes, 88, 8, 1);     // n_cpus
  put(bytes, 112, 8, 100);  // pid, and that of the first process
  put(bytes, 120, 8, 100);
  put(bytes, 136, 4, 192 + 112 * segments);  // where the pids of children would be
  put(bytes, 184, 8, 0);
}

// libprof's default: counters of 32 bits, one for 4 bytes; the program and libc. Strings at 416:
// "pp" 0, "/tmp/pp" 3, "/usr/lib/libc.so.1" 11 and its name 20, 30 bytes; counters at 448 and 464.
Bytes golden_32() {
  Bytes bytes;
  put_header(bytes, 4, 2, 416);
  put_segment(bytes, 0, {3, 3, 0x400000, 16, 448, 16, 0x10000});
  put_segment(bytes, 1, {11, 20, 0xfa90000, 8, 464, 8, 0x10000});
  put(bytes, 416, "pp");
  put(bytes, 419, "/tmp/pp");
  put(bytes, 427, "/usr/lib/libc.so.1");
  for (const std::uint64_t count : {0U, 75U, 0x10001U, 1U}) {
    put(bytes, bytes.size() < 448 ? 448 : bytes.size(), 4, count);
  }
  put(bytes, 464, 4, 9);
  put(bytes, 468, 4, 0);
  return bytes;
}

Profile golden_profile() {
  Profile profile;
  profile.tick_rate = Hertz(100);
  ProcessProfile& process = profile.processes.emplace_back();
  process.pid = 100;
  process.program = "/tmp/pp";
  process.mappings = {{GuestAddr(0x400000), 16, "/tmp/pp", 0},
                      {GuestAddr(0xfa90000), 8, "/usr/lib/libc.so.1", 0}};
  process.histograms = {{GuestAddr(0x400000), GuestAddr(0x400010), {0, 75, 0x10001, 1}},
                        {GuestAddr(0xfa90000), GuestAddr(0xfa90008), {9, 0}}};
  return profile;
}

TEST(Irix53, ReadsCountersOf32Bits) {
  const auto profile = read_profile(golden_32());
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, golden_profile());
}

TEST(Irix53, WritesTheSameBytes) {
  const auto bytes = write_profile_as(golden_profile(), "irix53");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(to_bytes(*bytes), golden_32());
}

// PROF_COUNTSIZE=2: a counter of 16 bits for 4 bytes is scale 0x8000.
TEST(Irix53, CountersOf16Bits) {
  Bytes bytes;
  put_header(bytes, 2, 1, 304);
  put_segment(bytes, 0, {3, 3, 0x400000, 16, 320, 8, 0x8000});
  put(bytes, 304, "pp");
  put(bytes, 307, "/tmp/pp");
  for (std::size_t i = 0; i < 4; ++i) put(bytes, 320 + 2 * i, 2, i * 20000);
  Profile expected = golden_profile();
  expected.processes[0].mappings.pop_back();
  expected.processes[0].histograms = {
      {GuestAddr(0x400000), GuestAddr(0x400010), {0, 20000, 40000, 60000}}};
  const auto profile = read_profile(bytes);
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, expected);
  const auto written = write_profile_as(expected, "irix53-16");
  ASSERT_TRUE(written) << written.error();
  EXPECT_EQ(to_bytes(*written), bytes);
}

// PCS_GRAIN divides the scale: 8 and 64 bytes for a counter of 32 bits, and 12 and a bit.
TEST(Irix53, CoarserGrain) {
  for (const std::uint64_t grain : {2, 3, 16}) {
    Bytes bytes = golden_32();
    put(bytes, 192 + 56, 8, 0x10000 / grain);
    put(bytes, 192 + 24, 8, 16 * grain);
    const auto profile = read_profile(bytes);
    ASSERT_TRUE(profile) << profile.error();
    const Histogram& text = profile->processes[0].histograms[0];
    EXPECT_EQ(text.high, GuestAddr(0x400000 + 16 * grain));
    EXPECT_EQ(text.counts.size(), 4U);
    const auto written = write_profile_as(*profile, "irix53");
    ASSERT_TRUE(written) << written.error();
    EXPECT_EQ(to_bytes(*written), bytes);
  }
}

// Samples become counters of the whole of each mapping that has one, as libprof counts.
TEST(Irix53, SamplesBecomeCountersByFile) {
  Profile profile = golden_profile();
  ProcessProfile& process = profile.processes[0];
  process.histograms.clear();
  process.samples = {{GuestAddr(0x400004), 75},
                     {GuestAddr(0x400008), 0x10001},
                     {GuestAddr(0x40000c), 1},
                     {GuestAddr(0x500000), 4},
                     {GuestAddr(0xfa90000), 9}};
  process.mappings.push_back({GuestAddr(0xfb00000), 8, "/lib/rld", 0});
  const auto bytes = write_profile_as(profile, "irix53");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(to_bytes(*bytes), golden_32());
}

TEST(Irix53, DamagedFilesGetOneLine) {
  const auto refused = [](auto change, const char* why) {
    Bytes bytes = golden_32();
    change(bytes);
    const auto profile = read_profile(bytes);
    ASSERT_FALSE(profile) << why;
    EXPECT_THAT(profile.error(), HasSubstr(why));
    EXPECT_THAT(profile.error(), HasSubstr("IRIX 5.3 mon.out: "));
    EXPECT_THAT(profile.error(), Not(HasSubstr("\n")));
  };
  refused([](Bytes& b) { b.resize(191); }, "191 bytes are less than a header of 192");
  refused([](Bytes& b) { b.pop_back(); }, "counters lie beyond the end of the file");
  refused([](Bytes& b) { b.resize(420); }, "a name in it does not end");
  refused([](Bytes& b) { put(b, 4, 1, 1); }, "made by pixie");
  refused([](Bytes& b) { put(b, 8, 1, 1); }, "format is 1");
  refused([](Bytes& b) { put(b, 24, 8, 8); }, "counters have 8 bytes");
  refused([](Bytes& b) { put(b, 40, 8, ~0ULL); }, "segments do not fit");
  refused([](Bytes& b) { put(b, 32, 4, 0xffffffff); }, "beyond the end");
  refused([](Bytes& b) { put(b, 48, 4, 0xffffffff); }, "strings lie beyond");
  refused([](Bytes& b) { put(b, 192, 4, 0xfffffff0); }, "strings lie beyond");
  refused([](Bytes& b) { put(b, 192 + 56, 8, 0); }, "scale of /tmp/pp is 0x0");
  refused([](Bytes& b) { put(b, 192 + 40, 8, 3); }, "within a counter");
  refused([](Bytes& b) { put(b, 192 + 16, 8, 0xfffffff8); }, "leaves the addresses of 32 bits");
  refused([](Bytes& b) { put(b, 192 + 112 + 16, 8, 0x400008); }, "over each other");
}

TEST(Irix53, RefusesWhatItCannotHold) {
  const auto refused = [](const char* format, auto change, const char* why) {
    Profile profile = golden_profile();
    change(profile);
    const auto bytes = write_profile_as(profile, format);
    ASSERT_FALSE(bytes) << why;
    EXPECT_THAT(bytes.error(), HasSubstr(why));
    EXPECT_THAT(bytes.error(), Not(HasSubstr("\n")));
  };
  refused(
      "irix53-16", [](Profile&) {}, "a counter has 65537 ticks");
  refused(
      "irix53", [](Profile& p) { p.byte_order = Endian::little; }, "big-endian");
  refused(
      "irix53", [](Profile& p) { p.tick_rate = Hertz(); }, "sampling interval");
  refused(
      "irix53", [](Profile& p) { p.processes[0].histograms[0].counts[0] = 1ULL << 32; },
      "a counter has 4294967296 ticks");
  refused(
      "irix53", [](Profile& p) { p.processes[0].histograms[0].high = GuestAddr(0x400018); },
      "4 counters for 24 bytes");
  refused(
      "irix53", [](Profile& p) { p.processes[0].histograms.clear(); }, "no tick was charged");
  refused(
      "irix53", [](Profile& p) { p.processes.emplace_back().program = "b"; }, "one program");
}

// ---- 5.1: magic, _eprol, _etext, bytes of counters, 0, counters of 16 bits for 4 bytes.

constexpr std::string_view golden51 =
    "0f0e0001"
    "00400120"
    "00400130"
    "00000008"
    "00000000"
    "0000004b00190001";

TEST(Irix51, ReadsAndWritesGoldenBytes) {
  const auto profile = read_profile(from_hex(golden51));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(profile->processes[0].histograms,
            (std::vector<Histogram>{{GuestAddr(0x400120), GuestAddr(0x400130), {0, 75, 25, 1}}}));
  EXPECT_EQ(profile->tick_rate, Hertz());
  const auto bytes = write_profile_as(*profile, "irix51");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(to_bytes(*bytes), from_hex(golden51));
}

TEST(Irix51, DamagedFilesGetOneLine) {
  for (const auto& [hex, why] :
       {std::pair{"0f0e000100400120", "8 bytes are less than a header of 20"},
        {"0f0e0001004001200040013000000008000000000001", "says 8 bytes of counters and 2 follow"},
        {"0f0e0001004001300040012000000002000000000001", "is not above low pc"}}) {
    const auto profile = read_profile(from_hex(hex));
    ASSERT_FALSE(profile) << hex;
    EXPECT_THAT(profile.error(), HasSubstr("IRIX 5.1 mon.out: "));
    EXPECT_THAT(profile.error(), HasSubstr(why));
    EXPECT_THAT(profile.error(), Not(HasSubstr("\n")));
  }
  EXPECT_THAT(read_profile(from_hex(golden51), {Endian::little, 32}).error(),
              HasSubstr("big-endian"));
}

}  // namespace
}  // namespace hardclock::report
