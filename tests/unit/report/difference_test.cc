// Two profiles beside each other. Every expected figure is worked out by hand beside it.
#include "sim/report/difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace hardclock::report {
namespace {

using testing::ElementsAre;

FlatRow of(const std::string& function, double ticks, std::uint64_t cycles) {
  FlatRow row;
  row.function = function;
  row.ticks = ticks;
  row.cycles = Cycles(cycles);
  return row;
}

FlatReport table(std::vector<FlatRow> rows, bool has_cycles) {
  FlatReport report;
  report.rows = std::move(rows);
  report.has_cycles = has_cycles;
  return report;
}

DifferenceRow differs(const std::string& function, double before, double after) {
  return {.function = function, .before = before, .after = after};
}

TEST(DifferenceOfProfiles, LargestChangeFirst) {
  const auto before = table({of("a", 0, 100), of("b", 0, 500), of("gone", 0, 7)}, true);
  const auto after = table({of("new", 0, 30), of("b", 0, 200), of("a", 0, 140)}, true);
  const Difference found = difference(before, after);
  EXPECT_TRUE(found.of_cycles);
  EXPECT_THAT(found.rows, ElementsAre(differs("b", 500, 200), differs("a", 100, 140),
                                      differs("new", 0, 30), differs("gone", 7, 0)));
  EXPECT_EQ(found.total, differs("total", 607, 370));  // 100 + 500 + 7; 30 + 200 + 140
}

TEST(DifferenceOfProfiles, EqualChangesAreSortedByName) {
  const auto before = table({of("z", 0, 10), of("m", 0, 10), of("same", 0, 9)}, true);
  const auto after = table({of("m", 0, 15), of("z", 0, 5), of("same", 0, 9)}, true);
  EXPECT_THAT(difference(before, after).rows,
              ElementsAre(differs("m", 10, 15), differs("z", 10, 5), differs("same", 9, 9)));
}

// -300 of 500 is -60 percent; -237 of 607 is -39.04.
TEST(DifferenceOfProfiles, Table) {
  const auto before = table({of("a", 0, 100), of("b", 0, 500), of("gone", 0, 7)}, true);
  const auto after = table({of("new\n", 0, 30), of("b", 0, 200), of("a", 0, 140)}, true);
  EXPECT_EQ(to_text(difference(before, after)),
            "cycles before  cycles after  change      %  function\n"
            "          500           200    -300  -60.0  b\n"
            "          100           140     +40  +40.0  a\n"
            "            0            30     +30    new  new?\n"
            "            7             0      -7   gone  gone\n"
            "          607           370    -237  -39.0  total\n");
}

// Cycles of one alone are none. Counts of 9 and 16 differ by 7 with a standard error of 5, the root
// of 25; 9.5 and 0 with one of 3.1; in all it is the root of 34.5.
TEST(DifferenceOfProfiles, TicksHaveAStandardError) {
  const auto before = table({of("a", 9, 100), of("b", 9.5, 5)}, true);
  const auto after = table({of("a", 16, 0)}, false);
  EXPECT_EQ(to_text(difference(before, after)),
            "ticks before  ticks after  change   +-      %  function\n"
            "         9.5            0    -9.5  3.1   gone  b\n"
            "           9           16      +7  5.0  +77.8  a\n"
            "        18.5           16    -2.5  5.9  -13.5  total\n");
}

}  // namespace
}  // namespace hardclock::report
