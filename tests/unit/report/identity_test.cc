// Whether a profile is of a program.
#include "sim/report/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/load/text_hash.h"

namespace hardclock::report {
namespace {

using testing::HasSubstr;
using testing::Optional;

constexpr Permissions text_address{.read = true, .execute = true};

Image image_of(const std::string& text, std::uint64_t address = 0x400000) {
  Image image;
  image.segments = {{GuestAddr(address), 0x1234, text_address, {text.begin(), text.end()}},
                    {GuestAddr(0x10000000), 0x100, {.read = true, .write = true}, {1, 2, 3}}};
  return image;
}

// Test vectors of draft-eastlake-fnv, appendix C: FNV-1a of "", "a" and "foobar".
TEST(TextHash, IsFnv1a) {
  EXPECT_EQ(text_hash(image_of("")), "cbf29ce484222325");
  EXPECT_EQ(text_hash(image_of("a")), "af63dc4c8601ec8c");
  EXPECT_EQ(text_hash(image_of("foobar")), "85944171f73967e8");
}

// strip(1) changes the section table's place, which is in the header; nor does the place in memory
// count.
TEST(TextHash, LeavesTheElfHeaderOut) {
  const std::string header32 = std::string(
                                   "\x7f"
                                   "ELF\1") +
                               std::string(47, 's');
  const std::string header64 = std::string(
                                   "\x7f"
                                   "ELF\2") +
                               std::string(59, 't');
  EXPECT_EQ(text_hash(image_of(header32 + "foobar")), "85944171f73967e8");
  EXPECT_EQ(text_hash(image_of(header64 + "foobar", 0x1000)), "85944171f73967e8");
  EXPECT_EQ(text_hash(image_of("\x7f"
                               "ELF\1")),
            "cbf29ce484222325");
}

// 32 bits, big-endian, two program headers of 32 bytes behind the header: e_phoff is at 28,
// e_phentsize at 42, e_phnum at 44.
std::string sgi_text(char program_header, const std::string& behind) {
  std::string header(52, 's');
  header.replace(0, 6,
                 "\x7f"
                 "ELF\1\2");
  header.replace(28, 4, std::string("\0\0\0\x34", 4));
  header.replace(42, 4, std::string("\0\x20\0\2", 4));
  return header + std::string(64, program_header) + behind;
}

// GNU's strip and objcopy write other program headers and leave the rest of the last page out;
// SGI's ld has both in the executable segment.
TEST(TextHash, LeavesOutWhatStripChanges) {
  const std::string zeros(4000, '\0');
  EXPECT_EQ(text_hash(image_of(sgi_text('p', "foobar" + zeros))), "85944171f73967e8");
  EXPECT_EQ(text_hash(image_of(sgi_text('q', "foobar"))), "85944171f73967e8");
  EXPECT_EQ(text_hash(image_of(sgi_text('p', zeros))), "cbf29ce484222325");
  EXPECT_NE(text_hash(image_of(sgi_text('p', "foo" + zeros + "bar"))), "85944171f73967e8");
}

Profile ran(const std::string& program, const std::string& hash) {
  Profile profile;
  ProcessProfile& process = profile.processes.emplace_back();
  process.program = program;
  process.text_hash = hash;
  return profile;
}

// What profiles of before have.
TEST(Objection, TheFormerHashDecidesToo) {
  const Image image = image_of(sgi_text('p', "foobar"));
  const std::string former = former_text_hash(image);
  EXPECT_EQ(former, text_hash(image_of(std::string(64, 'p') + "foobar")));
  EXPECT_EQ(objection(ran("/tmp/w", former), identity_of("./w", image)), std::nullopt);
  EXPECT_NE(objection(ran("/tmp/w", former), identity_of("./w", image_of("a"))), std::nullopt);
}

TEST(Objection, TheHashDecides) {
  const Identity program = identity_of("./w", image_of("a"));
  EXPECT_EQ(objection(ran("/tmp/w", "af63dc4c8601ec8c"), program), std::nullopt);
  EXPECT_EQ(objection(ran("/tmp/renamed", "af63dc4c8601ec8c"), program), std::nullopt);
  EXPECT_THAT(objection(ran("/tmp/w", "85944171f73967e8"), program),
              Optional(HasSubstr("./w was another one")));
  EXPECT_THAT(objection(ran("/tmp/cc", "85944171f73967e8"), program),
              Optional(HasSubstr("it is of cc, and ./w has other code")));
}

TEST(Objection, TheNameDecidesWithoutAHash) {
  const Identity program = identity_of("./w", image_of("a"));
  EXPECT_EQ(objection(ran("/tmp/w", ""), program), std::nullopt);
  EXPECT_EQ(objection(ran("", ""), program), std::nullopt);
  EXPECT_EQ(objection(Profile(), program), std::nullopt);
  EXPECT_THAT(objection(ran("/tmp/cc", ""), program), Optional(HasSubstr("it is of cc")));
}

TEST(Objection, OneProcessIsEnough) {
  Profile profile = ran("/bin/cc", "85944171f73967e8");
  profile.processes.push_back(ran("/bin/w", "af63dc4c8601ec8c").processes[0]);
  EXPECT_EQ(objection(profile, identity_of("w", image_of("a"))), std::nullopt);
}

// The text is 0x400000 to 0x401234. glibc's gmon.c rounds the end up to 4 counters, IRIX's libprof
// both ends to pages.
TEST(Objection, CountersLieInTheText) {
  const Identity program = identity_of("w", image_of("a"));
  const auto of_counters = [&](std::uint64_t low, std::uint64_t high) {
    Profile profile = ran("", "");
    profile.processes[0].histograms = {{GuestAddr(low), GuestAddr(high), {1}}};
    return objection(profile, program);
  };
  EXPECT_EQ(of_counters(0x400100, 0x401234), std::nullopt);
  EXPECT_EQ(of_counters(0x400000, 0x401240), std::nullopt);
  EXPECT_EQ(of_counters(0x400000, 0x402000), std::nullopt);
  EXPECT_THAT(of_counters(0x400000, 0x401900),
              Optional(HasSubstr("0x00400000 to 0x00401900, and the text of w is not: 0x00400000 "
                                 "to 0x00401234")));
  EXPECT_TRUE(of_counters(0x400000, 0x403000));
  EXPECT_TRUE(of_counters(0x3ff000, 0x400100));
  EXPECT_TRUE(of_counters(0x10000000, 0x10000100));
}

// IRIX 5.3's mon.out has counters of shared objects, too.
TEST(Objection, CountersOfSharedObjectsAreElsewhere) {
  Profile profile = ran("w", "");
  ProcessProfile& process = profile.processes[0];
  process.mappings = {{GuestAddr(0x400000), 0x1234, "w", 0},
                      {GuestAddr(0xfa90000), 0x1000, "/usr/lib/libc.so.1", 0}};
  process.histograms = {{GuestAddr(0x400000), GuestAddr(0x401234), {1}},
                        {GuestAddr(0xfa90000), GuestAddr(0xfa91000), {1}}};
  EXPECT_EQ(objection(profile, identity_of("w", image_of("a"))), std::nullopt);
}

}  // namespace
}  // namespace hardclock::report
