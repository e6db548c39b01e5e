// hardclock systems: the rules are all there and fit a projector; the worked lines are right by the
// manual pages and the kernels' sources.
#include "cli/system_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cli/wrapped_text.h"

namespace hardclock {
namespace {

using profil::find_system;
using profil::SystemRules;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::size_t columns = 80;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The words with one space between them, as they were before they were wrapped.
std::string unwrapped(const std::string& text) {
  std::string words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words += word + " ";
  return words;
}

void expect_readable(const std::string& text) {
  EXPECT_THAT(text, EndsWith("\n"));
  for (const std::string& line : lines_of(text)) {
    EXPECT_LE(line.size(), columns) << line;
    EXPECT_THAT(line, Not(EndsWith(" ")));
    for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << line;
  }
}

std::string worked(std::string_view system, const profil::ProfilArguments& arguments,
                   std::vector<std::uint64_t> pcs) {
  const SystemRules* const found = find_system(system);
  if (found == nullptr) return "no such system";
  return worked_arithmetic(*found, arguments, pcs);
}

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("  call", "one two", 10), "  call    one two\n");
  EXPECT_EQ(wrapped("", "one", 2), "  one\n");
  EXPECT_EQ(wrapped("  a label:", "one two", 4), "  a label: one two\n");
  const std::string seven(70, 'x');
  EXPECT_EQ(wrapped("ab", seven + " 12345 123", 4), "ab  " + seven + " 12345\n    123\n");
  const std::string ninety(90, 'y');
  EXPECT_EQ(wrapped("ab", "one " + ninety + " two", 4), "ab  one\n    " + ninety + "\n    two\n");
}

TEST(Summary, OfEverySystem) {
  for (const SystemRules* const system : profil::systems()) {
    const std::string text = system_summary(*system);
    expect_readable(text);
    EXPECT_THAT(text, StartsWith(std::string(system->name) + " "));
    EXPECT_THAT(lines_of(text)[0], EndsWith(" " + std::string(system->title)));
    EXPECT_THAT(unwrapped(text), HasSubstr(std::string(system->description)));
  }
  // Manual pages: profil(2) of V7, sprofil(2) of HP-UX, pcsample(2) of Solaris.
  EXPECT_THAT(system_summary(*find_system("v7")), HasSubstr(" 60 Hz  profil  "));
  EXPECT_THAT(system_summary(*find_system("hpux")), HasSubstr("100 Hz  profil, sprofil  "));
  EXPECT_THAT(system_summary(*find_system("solaris")), HasSubstr("100 Hz  profil, pcsample "));
}

TEST(Rules, AreAllThereInOrderWithTheirSources) {
  for (const SystemRules* const system : profil::systems()) {
    SCOPED_TRACE(system->name);
    const std::string text = system_rules(*system);
    expect_readable(text);
    const std::string words = unwrapped(text);
    std::size_t at = 0;
    const auto expect_next = [&](const std::string& part) {
      const std::size_t found = words.find(part, at);
      EXPECT_NE(found, std::string::npos) << part;
      if (found != std::string::npos) at = found + part.size();
    };
    expect_next(std::string(system->title));
    expect_next(std::string(system->description));
    for (const profil::Rule& rule : system->rules) {
      expect_next(std::string(rule.topic) + " " + std::string(rule.rule));
      expect_next("[" + std::string(rule.source) + "]");
    }
    for (const profil::Contradiction& each : system->contradictions) {
      expect_next(std::string(each.id) + " " + std::string(each.conflict));
      expect_next("-> " + std::string(each.resolution));
    }
  }
}

// profil(2), V7: "0177777 gives a 1-1 mapping of pc's to words", "077777 maps each pair of
// instruction words together"; 4.2BSD: 0x10000 and 0x8000 instead.
TEST(WorkedArithmetic, RoundsAsTheSystemDid) {
  EXPECT_THAT(worked("v7", {0x4000, 64, 0, 0177777}, {4}), EndsWith("0x4004, element 2\n"));
  EXPECT_THAT(worked("v7", {0x4000, 64, 0, 077777}, {6}), EndsWith("0x4002, element 1\n"));
  EXPECT_THAT(worked("4.2bsd", {0x4000, 64, 0, 0177777}, {4}), EndsWith("4002, element 1\n"));
  EXPECT_THAT(worked("4.2bsd", {0x4000, 64, 0, 0x10000}, {4}), EndsWith("4004, element 2\n"));
  EXPECT_THAT(worked("4.2bsd", {0x4000, 64, 0, 0x8000}, {6}), EndsWith("4002, element 1\n"));
}

TEST(WorkedArithmetic, HasALineAPc) {
  const auto lines =
      lines_of(worked("irix", {0x4000, 64, 0x1000, 0x8000}, {0x1004, 0xfff, 0x2000}));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "irix: region 0 base 0x00004000 size 64: (0x00001004-0x00001000)*0x8000>>16 = 0x2 -> "
            "counter at 0x00004002, element 1");
  EXPECT_THAT(lines[1], EndsWith("is below offset 0x00001000 -> not counted"));
  EXPECT_THAT(lines[2], EndsWith("not below size 0x40 -> not counted"));
}

// profil(2) of IRIX: "turned off by giving a scale of 0 or 1"; 4.4BSD sys/kern/subr_prof.c
// profil(): EINVAL for a scale above 65536.
TEST(WorkedArithmetic, SaysWhatTheCallDoes) {
  EXPECT_THAT(worked("irix", {0x4000, 64, 0, 1}, {0}), HasSubstr("turns profiling off"));
  EXPECT_THAT(worked("4.3bsd", {0x4000, 64, 0, 1}, {0}), EndsWith("element 0\n"));
  EXPECT_EQ(worked("4.4bsd", {0x4000, 64, 0, 0x10001}, {0, 2}),
            "4.4bsd: profil fails with EINVAL and changes nothing\n");
}

// The PDP-11 traps a word access at an odd address, the VAX does not (observed on V7, 2.11BSD and
// 4.3BSD: docs/observed.md, section 2).
TEST(WorkedArithmetic, NamesFaultsOfAlignment) {
  EXPECT_THAT(worked("v7", {0x4001, 64, 0, 0xffff}, {0}), EndsWith(": not aligned, a fault\n"));
  EXPECT_THAT(worked("4.3bsd", {0x4001, 64, 0, 0xffff}, {0}), EndsWith("element 0\n"));
}

// A-H10 of HP-UX: the two lowest bits of the pc, the privilege level, are cleared before the
// search.
TEST(WorkedArithmetic, ClearsPrivilegeBits) {
  EXPECT_EQ(worked("hpux", {0x40010000, 64, 0x1000, 0x10000}, {0x1002}),
            "hpux: region 0 base 0x40010000 size 64: (0x00001000-0x00001000)*0x10000>>16 = 0x0 -> "
            "counter at 0x40010000, element 0; pc 0x1002 counts as 0x1000\n");
}

// AIX's page: the upper 16 bits of the scale are ignored, so that 0x10000 is 0.
TEST(WorkedArithmetic, CallsThatTurnProfilingOff) {
  EXPECT_EQ(worked("aix", {0x4000, 64, 0, 0x10000}, {0, 2}),
            "aix: the call turns profiling off; by which scales says: hardclock systems aix\n");
}

// Observed on the IRIX 6.2 kernel (fact 15): at 2^31 and above a counter is a fault.
TEST(WorkedArithmetic, CountersOfTheKernelsMemory) {
  EXPECT_THAT(worked("irix", {0x7ffffffe, 64, 0, 0x8000}, {0, 4}),
              EndsWith("element 1: the kernel's memory, a fault\n"));
}

// Words have 16 bits on the PDP-11.
TEST(WorkedArithmetic, NumbersThatDoNotFit) {
  EXPECT_EQ(worked("v7", {0x4000, 64, 0, 0x10000}, {0}),
            "v7: scale 0x10000 does not fit its 16-bit words\n");
  EXPECT_EQ(worked("2.11bsd", {0x10000, 64, 0, 2}, {0}),
            "2.11bsd: buff 0x10000 does not fit its 16-bit words\n");
  const auto lines = lines_of(worked("v7", {0x4000, 64, 0, 2}, {0x400000, 0}));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "v7: pc 0x400000 does not fit its 16-bit words");
  EXPECT_THAT(lines[1], EndsWith("element 0"));
}

}  // namespace
}  // namespace hardclock
