// The table by source line. Every expected figure is worked out by hand beside it.
#include "sim/report/by_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace hardclock::report {
namespace {

using testing::ElementsAre;

// "name: ticks, cycles" of each row.
std::vector<std::string> texts_of(const FlatReport& report) {
  std::vector<std::string> texts;
  for (const FlatRow& row : report.rows) {
    texts.push_back(row.function + ": " + std::to_string(static_cast<int>(row.ticks * 1000)) +
                    "/1000, " + std::to_string(row.cycles.value()));
  }
  return texts;
}

// hot() at 0x100..0x110: line 3 up to 0x108, then line 4 and, from 0x10c on, line 9 of a header;
// bare() at 0x110..0x120 without lines.
LineTable lines_of_hot() {
  LineTableBuilder lines;
  const std::uint32_t own = *lines.file("/src/hot.c", "/src");
  const std::uint32_t header = *lines.file("/include/x.h", "/src");
  lines.add(GuestAddr(0x100), GuestAddr(0x108), own, 3);
  lines.add(GuestAddr(0x108), GuestAddr(0x10c), own, 4);
  lines.add(GuestAddr(0x10c), GuestAddr(0x110), header, 9);
  return std::move(lines).finish();
}

SymbolTable hot_and_bare() {
  return SymbolTable({{.address = GuestAddr(0x100), .size = 16, .name = "hot"},
                      {.address = GuestAddr(0x110), .size = 16, .name = "bare"}},
                     GuestAddr(0x120));
}

FlatReport lines_of(ProcessProfile process, const Objects& objects = {}, Lines lines = {}) {
  Profile profile;
  process.program = "/bin/p";
  profile.processes.push_back(std::move(process));
  lines[""] = lines_of_hot();
  return by_line(profile, hot_and_bare(), &profile, {.name = "p"}, objects, lines);
}

TEST(ByLine, SamplesAndCyclesBelongToTheirLine) {
  ProcessProfile process;
  process.samples = {
      {GuestAddr(0x100), 2}, {GuestAddr(0x104), 3}, {GuestAddr(0x10c), 1}, {GuestAddr(0x11c), 4}};
  process.cycles = {{GuestAddr(0x104), 70},
                    {GuestAddr(0x108), 30},
                    {GuestAddr(0x110), 8},
                    {GuestAddr(0x114), 8},
                    {GuestAddr(0x200), 1}};
  const FlatReport report = lines_of(process);
  // Line 3: 2 + 3 ticks.
  EXPECT_THAT(
      texts_of(report),
      ElementsAre("hot.c:3: 5000/1000, 70", "bare, no line: 4000/1000, 16",
                  "/include/x.h:9: 1000/1000, 0", "hot.c:4: 0/1000, 30", "(outside p): 0/1000, 1"));
  EXPECT_EQ(report.ticks, Ticks(10));
  EXPECT_EQ(report.cycles, Cycles(117));
}

// Counters of 16 bytes from 0xf8 on. The first has 8 bytes outside and 8 of line 3; the second 4 of
// line 4, 4 of line 9 and 8 of bare().
TEST(ByLine, CountersAreDividedByOverlap) {
  ProcessProfile process;
  process.histograms = {{GuestAddr(0xf8), GuestAddr(0x118), {6, 8}}};
  EXPECT_THAT(texts_of(lines_of(process)),
              ElementsAre("bare, no line: 4000/1000, 0", "hot.c:3: 3000/1000, 0",
                          "(outside p): 3000/1000, 0", "/include/x.h:9: 2000/1000, 0",
                          "hot.c:4: 2000/1000, 0"));
}

// A position-independent program 0x7000 above its own addresses, and a library at 0x9000.
TEST(ByLine, AddressesOfTheRunAreThoseOfTheFile) {
  ProcessProfile process;
  process.moved_by = 0x7000;
  process.mappings = {
      {.start = GuestAddr(0x7000), .size = 0x1000, .file = "/bin/p", .offset = 0},
      {.start = GuestAddr(0x9000), .size = 0x1000, .file = "/lib/l.so", .offset = 0}};
  process.cycles = {{GuestAddr(0x7108), 5}, {GuestAddr(0x9010), 7}};
  Image library;
  library.segments = {{.address = GuestAddr(0),
                       .memory_size = 0x100,
                       .permissions = {},
                       .bytes = std::vector<std::uint8_t>(0x100)}};
  LineTableBuilder lines;
  lines.add(GuestAddr(0x10), GuestAddr(0x14), *lines.file("l.c"), 40);
  EXPECT_THAT(texts_of(lines_of(process, {{"/lib/l.so", library}},
                                {{"/lib/l.so", std::move(lines).finish()}})),
              ElementsAre("l.c:40 (l.so): 0/1000, 7", "hot.c:4: 0/1000, 5"));
}

TEST(ByLine, TheTableNamesItsRows) {
  ProcessProfile process;
  process.samples = {{GuestAddr(0x100), 1}};
  EXPECT_EQ(to_text(lines_of(process), {.width = 0, .rows = "line"}),
            "ticks  ticks%            line\n"
            "    1   100.0  ########  hot.c:3\n"
            "    1   100.0            total\n");
}

// Lines 3 and 9 issue, bare() waits; the kernel works where there is no cycle.
TEST(ByLine, ReasonsBelongToTheirLine) {
  ProcessProfile process;
  process.cycles = {{GuestAddr(0x104), 70}, {GuestAddr(0x10c), 30}, {GuestAddr(0x110), 8}};
  process.reasons[CycleReason::issue][GuestAddr(0x104)] = 70;
  process.reasons[CycleReason::issue][GuestAddr(0x10c)] = 30;
  process.reasons[CycleReason::branch][GuestAddr(0x110)] = 8;
  process.reasons[CycleReason::kernel][GuestAddr(0x108)] = 5;
  const FlatReport report = lines_of(process);
  std::vector<std::string> texts;
  for (const FlatRow& row : report.rows) {
    texts.push_back(row.function + ": " + std::to_string(row.reasons[CycleReason::issue]) + " " +
                    std::to_string(row.reasons[CycleReason::branch]) + " " +
                    std::to_string(row.reasons[CycleReason::kernel]));
  }
  EXPECT_THAT(texts, ElementsAre("hot.c:3: 70 0 0", "/include/x.h:9: 30 0 0",
                                 "bare, no line: 0 8 0", "hot.c:4: 0 0 5"));
}

}  // namespace
}  // namespace hardclock::report
