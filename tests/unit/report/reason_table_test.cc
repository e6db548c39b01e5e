// Tables of reasons. Every expected figure is worked out by hand beside it.
#include "sim/report/reason_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace hardclock::report {
namespace {

using testing::ElementsAre;

CyclesByReason why(std::initializer_list<std::pair<CycleReason, std::uint64_t>> cycles) {
  CyclesByReason all;
  for (const auto& [reason, count] : cycles) all[reason] += count;
  return all;
}

SymbolTable heavy_and_light() {
  return SymbolTable({{.address = GuestAddr(0x400100), .size = 8, .name = "heavy"},
                      {.address = GuestAddr(0x400108), .size = 8, .name = "light"},
                      {.address = GuestAddr(0x400110), .size = 8, .name = "idle"}},
                     GuestAddr(0x400118));
}

// heavy: 600 + 150 cycles, 500 of them issue and 250 wait for operands. light: 250 cycles, of which
// 249 are data misses. For idle the kernel works, and for heavy 30 cycles.
Profile thousand_cycles() {
  ProcessProfile process;
  process.program = "/bin/w";
  process.cycles = {
      {GuestAddr(0x400100), 600}, {GuestAddr(0x400104), 150}, {GuestAddr(0x400108), 250}};
  process.reasons[CycleReason::issue] = {
      {GuestAddr(0x400100), 400}, {GuestAddr(0x400104), 100}, {GuestAddr(0x400108), 1}};
  process.reasons[CycleReason::operand] = {{GuestAddr(0x400100), 200}, {GuestAddr(0x400104), 50}};
  process.reasons[CycleReason::data_miss] = {{GuestAddr(0x400108), 249}};
  process.reasons[CycleReason::kernel] = {{GuestAddr(0x400104), 30}, {GuestAddr(0x400110), 7}};
  Profile profile;
  profile.processes.push_back(std::move(process));
  return profile;
}

FlatReport table_of(const Profile& profile) {
  return flat(profile, heavy_and_light(), &profile);
}

TEST(ReasonTable, RowsAndTotalsAddUp) {
  const FlatReport report = table_of(thousand_cycles());
  ASSERT_TRUE(report.has_reasons);
  ASSERT_EQ(report.rows.size(), 3U);
  EXPECT_EQ(
      report.rows[0].reasons,
      why({{CycleReason::issue, 500}, {CycleReason::operand, 250}, {CycleReason::kernel, 30}}));
  EXPECT_EQ(report.rows[2].function, "idle");
  CyclesByReason sum;
  for (const FlatRow& row : report.rows) {
    EXPECT_EQ(row.reasons.own(), row.cycles.value()) << row.function;
    sum += row.reasons;
  }
  EXPECT_EQ(sum, report.reasons);
  EXPECT_EQ(report.reasons.own(), 1000U);
  EXPECT_EQ(report.reasons[CycleReason::kernel], 37U);
}

TEST(ReasonTable, Text) {
  EXPECT_EQ(reasons_text(table_of(thousand_cycles()), "function"),
            "reason          cycles      %  below\n"
            "issue              501   50.1  issue\n"
            "operand            250   25.0  opnd\n"
            "data miss          249   24.9  dmiss\n"
            "all               1000  100.0\n"
            "kernel, on top      37         kernel\n"
            "\n"
            "cycles    % issue opnd dmiss kernel function\n"
            "   750 75.0  66.7 33.3           30 heavy\n"
            "   250 25.0   0.4       99.6        light\n"
            "     0                            7 idle\n"
            "  1000  100  50.1 25.0  24.9     37 total\n");
}

// Another process of the program, whose file has no reasons: 1000 of 2000 cycles.
TEST(ReasonTable, CyclesWithoutReasonsAreNotHidden) {
  Profile profile = thousand_cycles();
  profile.processes.push_back(profile.processes[0]);
  profile.processes[1].reasons = {};
  const FlatReport report = table_of(profile);
  EXPECT_EQ(without_reason(report.cycles, report.reasons), 1000U);
  const std::string text = reasons_text(report, "function");
  EXPECT_THAT(text, testing::HasSubstr("not known         1000   50.0  ?\n"));
  EXPECT_THAT(text, testing::HasSubstr("\n  1500 75.0  33.3 16.7       50.0     30 heavy\n"));
}

// Nine reasons and the kernel's, as much as 999 million cycles of each.
TEST(ReasonTable, FitsInEightyColumns) {
  Profile profile;
  ProcessProfile& process = profile.processes.emplace_back();
  CyclesByReason all;
  for (const CycleReason reason : all_cycle_reasons) {
    all[reason] = 999'999'999 / 9;
    process.reasons[reason][GuestAddr(0x400100)] = all[reason];
  }
  process.cycles = {{GuestAddr(0x400100), all.own()}};
  std::istringstream lines(reasons_text(table_of(profile), "function"));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_EQ(reasons_in(all).size(), 9U);
}

TEST(ReasonTable, OtherProgramsAreOneRow) {
  Profile profile = thousand_cycles();
  profile.processes.push_back(profile.processes[0]);
  profile.processes[1].program = "/bin/other";
  const FlatReport report = table_of(profile);
  const auto other = std::ranges::find(report.rows, "(other program other)", &FlatRow::function);
  ASSERT_NE(other, report.rows.end());
  EXPECT_EQ(other->reasons, table_of(thousand_cycles()).reasons);
}

TEST(ReasonTable, WithoutExactCyclesThereAreNone) {
  const FlatReport report = flat(thousand_cycles(), heavy_and_light());
  EXPECT_FALSE(report.has_reasons);
  EXPECT_TRUE(report.rows.empty());
}

// 200 of 600 are 33.3 %.
TEST(ReasonTable, ShortTexts) {
  const Profile profile = thousand_cycles();
  const auto& reasons = profile.processes[0].reasons;
  EXPECT_EQ(main_reasons(reasons.at(GuestAddr(0x400100))), "issue 67 opnd 33");
  EXPECT_EQ(main_reasons(reasons.at(GuestAddr(0x400104))), "issue 67 opnd 33 kernel +30");
  EXPECT_EQ(main_reasons(reasons.at(GuestAddr(0x400110))), "kernel +7");
  EXPECT_EQ(main_reasons({}), "");
  EXPECT_EQ(
      main_reasons(why({{CycleReason::tlb, 1}, {CycleReason::unit, 3}, {CycleReason::issue, 2}})),
      "unit 50 issue 33");
  EXPECT_EQ(main_reasons(why({{CycleReason::tlb, 1}, {CycleReason::issue, 299}})), "issue 100");
  EXPECT_EQ(all_reasons(table_of(profile).rows[0]),
            "issue 66.7%, operand (opnd) 33.3%, kernel +30 cycles");
}

}  // namespace
}  // namespace hardclock::report
