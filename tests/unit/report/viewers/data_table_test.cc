// Tables as data: RFC 4180, and JSON as nlohmann's parser sees it.
#include "sim/report/viewers/data_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/viewers/report_tables.h"
#include "tests/unit/report/viewers/sorting.h"

namespace hardclock::report {
namespace {

DataTable of_all_kinds() {
  return {.name = "kinds",
          .columns = {"a", "b", "c"},
          .rows = {{std::string("x,\"y\"\n"), std::uint64_t{18446744073709551615U}, 0.1},
                   {DataCell(), std::int64_t{-5}, 2.0}}};
}

TEST(DataTable, Csv) {
  EXPECT_EQ(to_csv(of_all_kinds()), "a,b,c\n\"x,\"\"y\"\"?\",18446744073709551615,0.1\n,-5,2\n");
}

// Names of functions come from anyone; a spreadsheet would compute these
// (https://owasp.org/www-community/attacks/CSV_Injection). Numbers stay numbers.
TEST(DataTable, CsvHasNoFormulas) {
  const auto cell = [](std::string text) {
    return to_csv({.name = "t", .columns = {"a"}, .rows = {{std::move(text)}}});
  };
  EXPECT_EQ(cell("=cmd|'/C calc'!A0"), "a\n'=cmd|'/C calc'!A0\n");
  EXPECT_EQ(cell("+1"), "a\n'+1\n");
  EXPECT_EQ(cell("-f(\"x\",2)"), "a\n\"'-f(\"\"x\"\",2)\"\n");
  EXPECT_EQ(cell("@SUM(A1)"), "a\n'@SUM(A1)\n");
  EXPECT_EQ(cell("a=b"), "a\na=b\n");
}

TEST(DataTable, Json) {
  const auto json = nlohmann::json::parse(to_json(of_all_kinds()));
  EXPECT_EQ(json.at("format"), "hardclock-table");
  EXPECT_EQ(json.at("table"), "kinds");
  EXPECT_EQ(json.at("rows").at(0).at("a"), "x,\"y\"?");
  EXPECT_EQ(json.at("rows").at(0).at("b"), 18446744073709551615U);
  EXPECT_TRUE(json.at("rows").at(1).at("a").is_null());
  EXPECT_EQ(json.at("rows").at(1).at("b"), -5);
}

// Of sort<a;b>: 50 of 104 cycles and 5 of 10 ticks. The error of 10 samples with p = 50/104 is
// sqrt(10 * 50/104 * 54/104) = 1.57999..., the difference 5 - 10 * 50/104.
TEST(ReportTables, Functions) {
  const Profile profile = profile_of_sorting();
  const auto json = nlohmann::json::parse(
      to_json(table_of(flat(profile, symbols_of_sorting(), &profile, {.name = "s"}))));
  ASSERT_EQ(json.at("rows").size(), 4U);
  const auto& row = json.at("rows").at(0);
  EXPECT_EQ(row.at("function"), "sort<a;b>");
  EXPECT_EQ(row.at("address"), "0x00001010");
  EXPECT_TRUE(row.at("object").is_null());
  EXPECT_EQ(row.at("ticks"), 5);
  EXPECT_EQ(row.at("ticks_percent"), 50);
  EXPECT_EQ(row.at("seconds"), 0.05);
  EXPECT_EQ(row.at("cycles"), 50);
  EXPECT_NEAR(row.at("cycles_percent").get<double>(), 48.0769, 0.0001);
  EXPECT_NEAR(row.at("difference").get<double>(), 0.1923, 0.0001);
  EXPECT_NEAR(row.at("standard_error").get<double>(), 1.5799, 0.0001);
}

TEST(ReportTables, WithoutExactCyclesTheyAreNull) {
  const Profile profile = profile_of_sorting();
  const auto json = nlohmann::json::parse(to_json(table_of(flat(profile, symbols_of_sorting()))));
  EXPECT_TRUE(json.at("rows").at(0).at("cycles").is_null());
  EXPECT_TRUE(json.at("rows").at(0).at("standard_error").is_null());
}

// In parts a table has the bytes that it has at once.
TEST(DataTable, InParts) {
  for (const char* const format : {"csv", "json"}) {
    const DataTable table = of_all_kinds();
    DataTable empty = table;
    empty.rows.clear();
    DataWriter writer(format);
    std::string text = writer.begin(table) + writer.rows(empty);
    for (const auto& row : table.rows) {
      DataTable part = empty;
      part.rows.push_back(row);
      text += writer.rows(part);
    }
    EXPECT_EQ(text + writer.end(), data_text(table, format));
    EXPECT_EQ(data_text(empty, format), DataWriter(format).begin(empty) + DataWriter(format).end());
  }
}

// less has 40 of 104 cycles, of which 24 issue and 16 are data misses.
TEST(ReportTables, Reasons) {
  const Profile profile = with_reasons(profile_of_sorting());
  const FlatReport report = flat(profile, symbols_of_sorting(), &profile, {.name = "s"});
  const auto json = nlohmann::json::parse(to_json(reasons_table(report, "function")));
  EXPECT_EQ(json.at("table"), "reasons");
  ASSERT_EQ(json.at("rows").size(), 4U);
  const auto& row = json.at("rows").at(1);
  EXPECT_EQ(row.at("function"), "less");
  EXPECT_EQ(row.at("address"), "0x00001020");
  EXPECT_EQ(row.at("cycles"), 40);
  EXPECT_NEAR(row.at("cycles_percent").get<double>(), 38.4615, 0.0001);
  EXPECT_EQ(row.at("issue"), 24);
  EXPECT_EQ(row.at("issue_percent"), 60);
  EXPECT_EQ(row.at("data_miss"), 16);
  EXPECT_EQ(row.at("data_miss_percent"), 40);
  EXPECT_EQ(row.at("write_buffer"), 0);
  EXPECT_EQ(row.at("not_known"), 0);
  EXPECT_FALSE(row.contains("kernel_percent"));
  EXPECT_EQ(json.at("rows").at(2).at("function"), "main");
  EXPECT_EQ(json.at("rows").at(2).at("kernel"), 9);
  const std::string csv = to_csv(reasons_table(report, "line"));
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "line,object,address,cycles,cycles_percent,issue,issue_percent,operand,operand_percent,"
            "unit,unit_percent,branch,branch_percent,instruction_miss,instruction_miss_percent,"
            "data_miss,data_miss_percent,second_level,second_level_percent,tlb,tlb_percent,"
            "write_buffer,write_buffer_percent,kernel,not_known");
}

TEST(ReportTables, Difference) {
  Difference change;
  change.rows = {{.function = "f", .before = 9, .after = 16}};
  EXPECT_EQ(to_csv(table_of(change)),
            "function,unit,before,after,change,standard_error\nf,ticks,9,16,7,5\n");
}

}  // namespace
}  // namespace hardclock::report
