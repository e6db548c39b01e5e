// What a sweep says of shares and chance. Every expected figure is worked out by hand beside it;
// the standard error of a share is that of a binomial proportion, sqrt(p (1 - p) / n).
#include "sim/report/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hardclock::report {
namespace {

using testing::HasSubstr;

Symbol sweep_function(std::uint64_t address, std::string name) {
  return {.address = GuestAddr(address), .size = 64, .name = std::move(name)};
}

SymbolTable sweep_functions() {
  return SymbolTable({sweep_function(0x400100, "heavy"), sweep_function(0x400140, "light"),
                      sweep_function(0x400180, "rare,\"<&")},
                     GuestAddr(0x4001c0));
}

// 75, 24.5 and 0.5 % of 1000 cycles. Two rates of two phases: 48 and 48 user ticks, 60 and 40.
Sweep three_functions() {
  Sweep sweep;
  sweep.command = "w";
  sweep.cpu = Hertz(1'000'000);
  sweep.tick_rate = Hertz(100);
  sweep.rates = {Hertz(60), Hertz(70)};
  sweep.phases = 2;
  sweep.idle = {0, 0, 3, 0};
  SweepProgram program;
  program.process.program = "/bin/w";
  program.cycles = {{GuestAddr(0x400100), 700},
                    {GuestAddr(0x400110), 50},
                    {GuestAddr(0x400140), 245},
                    {GuestAddr(0x400180), 5}};
  program.ticks = {
      {GuestAddr(0x400100), 0, 36}, {GuestAddr(0x400100), 1, 47}, {GuestAddr(0x400100), 2, 40},
      {GuestAddr(0x400100), 3, 20}, {GuestAddr(0x400110), 1, 1},  {GuestAddr(0x400110), 2, 5},
      {GuestAddr(0x400140), 0, 12}, {GuestAddr(0x400140), 2, 15}, {GuestAddr(0x400140), 3, 20}};
  program.elsewhere = {0, 0, 0, 0};
  program.kernel = {0, 7, 0, 0};
  sweep.programs.push_back(program);
  return sweep;
}

struct SweepReport : testing::Test {
  SweepTable table() { return tabulate(sweep, symbols, {.name = "w"}, {}); }
  Sweep sweep = three_functions();
  SymbolTable symbols = sweep_functions();
};

TEST_F(SweepReport, RowsAreByCycles) {
  const SweepTable made = table();
  ASSERT_EQ(made.rows.size(), 3U);
  EXPECT_EQ(made.rows[0].place.function, "heavy");
  EXPECT_EQ(made.rows[0].ticks, (ClockTicks{36, 48, 45, 20}));
  EXPECT_EQ(made.rows[2].place.function, "rare,\"<&");
  EXPECT_EQ(made.cycles, Cycles(1000));
  EXPECT_EQ(made.user, (ClockTicks{48, 48, 60, 40}));
  EXPECT_EQ(made.kernel, (ClockTicks{0, 7, 0, 0}));
  EXPECT_DOUBLE_EQ(made.exact_share(made.rows[0]), 0.75);
}

// 60 Hz: 36/48 = 0.75 and 48/48 = 1; sqrt(0.75 * 0.25 / 48) = 0.0625, of which 0.25 is 4.
// 70 Hz: 45/60 = 0.75 and 20/40 = 0.5; mean 50 ticks: sqrt(0.1875 / 50) = 0.061237;
// the far phase's own error sqrt(0.1875 / 40) = 0.068465, of which 0.25 is 3.6515.
TEST_F(SweepReport, SharesAreComparedWithChance) {
  const SweepTable made = table();
  const SeenShare first = seen_share(made, made.rows[0], 0);
  EXPECT_EQ(first.ticks, 96U);
  EXPECT_EQ(first.clocks, 2U);
  EXPECT_DOUBLE_EQ(first.mean, 0.875);
  EXPECT_DOUBLE_EQ(first.lowest, 0.75);
  EXPECT_DOUBLE_EQ(first.highest, 1);
  EXPECT_DOUBLE_EQ(first.standard_error, 0.0625);
  EXPECT_DOUBLE_EQ(first.worst, 4);
  const SeenShare second = seen_share(made, made.rows[0], 1);
  EXPECT_DOUBLE_EQ(second.mean, 0.625);
  EXPECT_NEAR(second.standard_error, 0.061237, 1e-6);
  EXPECT_NEAR(second.worst, 3.6515, 1e-4);
}

TEST_F(SweepReport, AClockWithoutTicksIsLeftOut) {
  std::erase_if(sweep.programs[0].ticks, [](const TicksAtPc& at) { return at.clock == 0; });
  const SweepTable made = table();
  const SeenShare seen = seen_share(made, made.rows[0], 0);
  EXPECT_EQ(seen.clocks, 1U);
  EXPECT_DOUBLE_EQ(seen.lowest, 1);
  EXPECT_THAT(sweep_csv(made), HasSubstr("60,0,2,heavy,,750,0.75000000,0,0,,\n"));
}

TEST_F(SweepReport, TextHasAllPhasesAndLosesNothing) {
  EXPECT_THAT(sweep_text(table()), HasSubstr("hz  user ticks  kernel  idle\n"
                                             "60          96       7     0\n"
                                             "70         100       0     3\n"
                                             "\n"
                                             "heavy: exactly 75.00 % of 1000 cycles\n"
                                             "hz  mean%  lowest  highest  error  worst\n"
                                             "60  87.50   75.00   100.00   6.25    4.0\n"
                                             "70  62.50   50.00    75.00   6.12    3.7\n"
                                             "\n"
                                             "light: exactly 24.50 % of 1000 cycles\n"));
  // sqrt(0.005 * 0.995 / 48) = 0.0102, and zero is 0.5 of it away; with 60 and 40 ticks
  // sqrt(0.004975 / 50) = 0.00998, and 0.005 is 0.55 of sqrt(0.004975 / 60).
  EXPECT_THAT(sweep_text(table()), HasSubstr("others, 1 function: exactly 0.50 % of 1000 cycles\n"
                                             "hz  mean%  lowest  highest  error  worst\n"
                                             "60   0.00    0.00     0.00   1.02    0.5\n"
                                             "70   0.00    0.00     0.00   1.00    0.5\n"));
}

TEST_F(SweepReport, CsvHasALineForEachRatePhaseAndFunction) {
  const std::string csv = sweep_csv(table());
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 2 * 2 * 3);
  EXPECT_THAT(csv, HasSubstr("\n60,0,2,heavy,,750,0.75000000,36,48,0.75000000,0.06250000\n"));
  EXPECT_THAT(csv,
              HasSubstr("\n70,1,2,\"rare,\"\"<&\",,5,0.00500000,0,40,0.00000000,0.01115235\n"));
}

// A spreadsheet would compute it.
TEST_F(SweepReport, CsvHasNoFormulas) {
  symbols = SymbolTable({sweep_function(0x400100, "=cmd|'/C calc'!A0")}, GuestAddr(0x400140));
  EXPECT_THAT(sweep_csv(table()), HasSubstr("\n60,0,2,'=cmd|'/C calc'!A0,,750,"));
}

TEST_F(SweepReport, JsonHasEverythingByPcAndFunction) {
  const SweepTable made = table();
  const auto json = nlohmann::json::parse(sweep_json(made, symbols, {.name = "w"}, {}));
  EXPECT_EQ(json.at("clocks").size(), 4U);
  EXPECT_EQ(json.at("clocks")[1].at("kernel"), 7);
  EXPECT_EQ(json.at("clocks")[2].at("idle"), 3);
  EXPECT_EQ(json.at("functions")[0].at("ticks"), (std::vector<int>{36, 48, 45, 20}));
  const auto& pcs = json.at("programs")[0].at("pcs");
  ASSERT_EQ(pcs.size(), 4U);
  EXPECT_EQ(pcs[1].at("pc"), "0x00400110");
  EXPECT_EQ(pcs[1].at("function"), "heavy");
  EXPECT_EQ(pcs[1].at("cycles"), 50);
  EXPECT_EQ(pcs[1].at("ticks"), (std::vector<int>{0, 1, 5, 0}));
  EXPECT_FALSE(pcs[3].contains("ticks"));
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A panel for each function of at least a hundredth, a dot for each clock in each. Beyond chance is
// less than 1 % for all 12 looks, 0.00083: heavy's clock that saw 48 of 48, 2.0e-6, and light's
// that saw none of 48, 2.8e-6; their next ones, 20 of 40, have 0.0011 and 0.00086 (Python's
// fractions). One dot more of each kind is in the legend.
TEST_F(SweepReport, SvgHasADotForEachClock) {
  const std::string svg = sweep_svg(table());
  EXPECT_EQ(occurrences(svg, "<g>"), 2U);
  EXPECT_EQ(occurrences(svg, "<circle class=\"out\""), 2U + 1);
  EXPECT_EQ(occurrences(svg, "<circle class=\"in\""), 6U + 1);
  EXPECT_THAT(svg, HasSubstr("exactly 75.00 % of the cycles"));
  EXPECT_EQ(svg, sweep_svg(table()));
}

TEST_F(SweepReport, SvgTakesNamesForText) {
  sweep.programs[0].cycles.back().second = 500;  // at 0x400180
  const std::string svg = sweep_svg(table());
  EXPECT_THAT(svg, HasSubstr(">rare,&quot;&lt;&amp;</text>"));
  EXPECT_THAT(svg, testing::Not(HasSubstr("nan")));
}

// Of nothing there are no shares, and no text is broken by that.
TEST_F(SweepReport, ARunWithoutTicks) {
  sweep.programs.clear();
  const SweepTable made = table();
  EXPECT_TRUE(made.rows.empty());
  EXPECT_THAT(sweep_text(made), HasSubstr("60           0       0     0\n"));
  EXPECT_THAT(sweep_svg(made), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace hardclock::report
