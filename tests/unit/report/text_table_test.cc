#include "sim/report/text_table.h"

#include <gtest/gtest.h>

namespace hardclock::report {
namespace {

std::vector<Column> three_columns() {
  return {{.title = "count", .cells = {"1", "23"}, .rank = 1},
          {.title = "share", .cells = {"4", "96"}, .rank = 2},
          {.title = "function", .align = Align::left, .cells = {"f", "a_function_of_long_name"}}};
}

Terminal of_columns(std::size_t columns) {
  return {.columns = columns, .has_colour = false};
}

TEST(TextTable, IsWholeWhereThereIsRoom) {
  const char* const whole =
      "count  share  function\n"
      "    1      4  f\n"
      "   23     96  a_function_of_long_name\n";
  EXPECT_EQ(table_text(three_columns()), whole);
  EXPECT_EQ(table_text(three_columns(), {.terminal = of_columns(37)}), whole);
}

TEST(TextTable, ANameIsCutBeforeAColumnGoes) {
  EXPECT_EQ(table_text(three_columns(), {.terminal = of_columns(34)}),
            "count  share  function\n"
            "    1      4  f\n"
            "   23     96  a_function_of_long..\n");
}

TEST(TextTable, ColumnsGoByRank) {
  EXPECT_EQ(table_text(three_columns(), {.terminal = of_columns(30)}),
            "count  function\n"
            "    1  f\n"
            "   23  a_function_of_long_name\n"
            "(left out to fit: share)\n");
  EXPECT_EQ(table_text(three_columns(), {.terminal = of_columns(22)}),
            "function\n"
            "f\n"
            "a_function_of_long_n..\n"
            "(left out to fit:\n"
            "  share, count)\n");
}

TEST(TextTable, ColumnsWithoutRankStay) {
  std::vector<Column> columns = three_columns();
  for (Column& each : columns) each.rank = 0;
  EXPECT_EQ(table_text(columns, {.terminal = of_columns(20)}),
            "count  share  function\n"
            "    1      4  f\n"
            "   23     96  a_func..\n");
}

TEST(TextTable, LinesHaveTones) {
  const Terminal coloured = {.columns = 80, .has_colour = true};
  EXPECT_EQ(table_text({{.title = "n", .cells = {"1", "2"}}},
                       {.terminal = coloured, .tones = {Tone::hot}}),
            "\x1b[1mn\x1b[0m\n\x1b[31m1\x1b[0m\n2\n");
}

TEST(TextTable, NamesInUtf8StayAligned) {
  EXPECT_EQ(table_text({{.title = "name", .align = Align::left, .cells = {"\xc3\xbc", "u"}},
                        {.title = "n", .cells = {"1", "2"}}}),
            "name  n\n\xc3\xbc     1\nu     2\n");
}

}  // namespace
}  // namespace hardclock::report
