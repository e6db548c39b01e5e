// tools/published-check: what it makes of figures that are made up, with a simulator that is; and,
// where SGI's compiler has made the program beside the source tree, one cipher on an R4400.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* head =
    "| program | machine | published | hardclock | difference | why |\n"
    "|---|---|---|---|---|---|\n";

Json published(const std::string& benchmark, const std::string& unit, double value) {
  return {{"machine", "a machine"}, {"cpu", "r3000"}, {"mhz", 25},      {"benchmark", benchmark},
          {"quantity", "the most"}, {"unit", unit},   {"value", value}, {"source", "a book"}};
}

// A set of one row, on a machine of 25 MHz.
Json set_of(const Json& row) {
  return {{"name", "R3000"}, {"of", {{"source", "book"}}}, {"machine", "indigo"},
          {"mhz", 25},       {"program", "made"},          {"rows", Json::array({row})}};
}

Json row(const std::string& benchmark) {
  return {{"benchmark", benchmark}, {"quantity", "the most"}, {"run", "it"}};
}

Json with(Json object, const std::string& key, const Json& value) {
  object[key] = value;
  return object;
}

class PublishedCheck : public CommandTest {
 protected:
  // A simulator on which an operation of "program" takes 100 cycles, of "other" 125, and one with a
  // lower stack 50 more; a guest prints "rate 50.0 MB/s". It notes each run.
  void SetUp() override {
    write("runs", "");
    write("program", "1");
    write("other", "2");
    write("simulator", "#!/bin/sh\necho \"$@\" >>" + path("runs") +
                           "\nfor last; do :; done\nper=100\n"
                           "case \"$*\" in */other*) per=125;; esac\n"
                           "case \"$*\" in *LOWER=x*) per=$((per + 50));; esac\n"
                           "case \"$*\" in *--stats*) echo \"{\\\"cycles\\\": $((7000 + per * "
                           "last))}\" >stats.json;; *) echo 'rate 50.0 MB/s';; esac\n");
    fs::permissions(path("simulator"), fs::perms::owner_all);
  }

  Finished check(const std::vector<Json>& figures, const std::vector<Json>& sets,
                 const std::vector<std::string>& options = {}) const {
    write("published.json", Json(figures).dump());
    write("rows.json", Json(sets).dump());
    std::vector<std::string> command = {fs::absolute("tools/published-check").string(),
                                        "published.json",
                                        "--hardclock",
                                        path("simulator"),
                                        "--rows",
                                        "rows.json"};
    command.insert(command.end(), options.begin(), options.end());
    return other_program(command);
  }
  // With the program in one link order.
  Finished check_one(const std::vector<Json>& figures, const std::vector<Json>& sets,
                     std::vector<std::string> options = {}) const {
    options.insert(options.end(), {"--program", "made=program"});
    return check(figures, sets, options);
  }
};

void expect_refused(const Finished& run, const std::vector<std::string>& words) {
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(run.err.starts_with("tools/published-check: ")) << run.err;
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  for (const std::string& word : words) {
    EXPECT_TRUE(contains(run.err, word)) << word << "\n" << run.err;
  }
}

// 100 cycles at 25 MHz are 4 us: 8000 bytes in that time are 2 GB/s.
TEST_F(PublishedCheck, ARateIsBytesByTheDifferenceOfTwoRuns) {
  const Finished run = check_one({published("cipher", "1000 bytes/s", 1900000)},
                                 {set_of(with(row("cipher"), "bytes", 8000))});
  EXPECT_EQ(run.out, head + std::string("| cipher, the most | R3000 | 1900000 kB/s | 2000000 | "
                                        "+5.3 % |  |\n"));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "1 rows, 1 within 10 %, 0 beyond it without a reason, 0 not run\n");
}

// Plus is too fast, for times as well.
TEST_F(PublishedCheck, ATimeIsTheDifferenceOfTwoRuns) {
  const Json named = with(row("sum"), "name", "sums");
  const Finished run = check_one({published("sum", "s", 4.2e-6)}, {set_of(named)});
  EXPECT_TRUE(contains(run.out, "| sums | R3000 | 0.0000 s | 0.0000 | +5.0 % |")) << run.out;
}

TEST_F(PublishedCheck, FiguresOfSeveralMachinesAreARange) {
  Json set = set_of(with(row("copy"), "run", "rate"));
  set.erase("program");
  set["guest"] = "program";
  const Finished guests = check(
      {published("copy", "MB/s", 52), published("copy", "MB/s", 40), published("copy", "MB/s", 50)},
      {set}, {"--guests", folder()});
  EXPECT_EQ(guests.out, head + std::string("| copy, the most | R3000 | 40 to 52 MB/s | 50 | "
                                           "+0.0 % |  |\n"));
}

TEST_F(PublishedCheck, OtherPlacementsAreARange) {
  Json set = set_of(with(row("cipher"), "bytes", 8000));
  const std::vector<Json> figures = {published("cipher", "1000 bytes/s", 2000000)};
  const Finished orders = check(figures, {set}, {"--program", "made=program,other"});
  EXPECT_TRUE(contains(orders.out, "| 2000000 (1600000 to 2000000) | +0.0 % |")) << orders.out;
  set["stacks"] = {16};
  const Finished stacks = check_one(figures, {set});
  EXPECT_TRUE(contains(stacks.out, "| 2000000 (1333333 to 2000000) | +0.0 % |")) << stacks.out;
}

TEST_F(PublishedCheck, WhatIsFarAwayNeedsAReason) {
  const Json far = with(row("cipher"), "bytes", 8000);
  const std::vector<Json> figures = {published("cipher", "1000 bytes/s", 1000000)};
  const Finished silent = check_one(figures, {set_of(far)});
  EXPECT_EQ(silent.status, 1);
  EXPECT_TRUE(contains(silent.err, "0 within 10 %, 1 beyond it without a reason")) << silent.err;
  const Finished explained = check_one(figures, {set_of(with(far, "why", "not explained"))});
  EXPECT_EQ(explained.status, 0);
  EXPECT_TRUE(contains(explained.out, "| +100.0 % | not explained |")) << explained.out;
}

TEST_F(PublishedCheck, RowsWithoutTheirProgramAreLeftOut) {
  const Finished run =
      check({published("cipher", "1000 bytes/s", 1)}, {set_of(with(row("cipher"), "bytes", 8000))});
  EXPECT_EQ(run.out, head);
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(contains(run.err, "1 not run")) << run.err;
}

TEST_F(PublishedCheck, WhatWasMeasuredIsNotMeasuredAgain) {
  const std::vector<Json> figures = {published("cipher", "1000 bytes/s", 2000000)};
  const std::vector<Json> sets = {set_of(with(row("cipher"), "bytes", 8000))};
  const Finished first = check_one(figures, sets, {"--results", "results.json"});
  EXPECT_EQ(lines_of(read("runs")).size(), 2U);
  const Finished second = check_one(figures, sets, {"--results", "results.json"});
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(lines_of(read("runs")).size(), 2U);
  write("program", "another one");
  check_one(figures, sets, {"--results", "results.json"});
  EXPECT_EQ(lines_of(read("runs")).size(), 4U);
}

TEST_F(PublishedCheck, TheTableGoesBetweenItsLines) {
  const std::string begin = "<!-- published-check makes this table -->\n";
  const std::string end = "<!-- the end of published-check's table -->\n";
  write("page.md", "before\n" + begin + "old\n" + end + "after\n");
  const std::vector<Json> figures = {published("cipher", "1000 bytes/s", 2000000)};
  const std::vector<Json> sets = {set_of(with(row("cipher"), "bytes", 8000))};
  const Finished run = check_one(figures, sets, {"--into", "page.md"});
  EXPECT_EQ(read("page.md"), "before\n" + begin + run.out + end + "after\n");
  write("page.md", "no lines\n");
  EXPECT_EQ(check_one(figures, sets, {"--into", "page.md"}).status, 2);
  EXPECT_EQ(read("page.md"), "no lines\n");
}

TEST_F(PublishedCheck, NamesMistakes) {
  const std::vector<Json> figures = {published("cipher", "1000 bytes/s", 2000000)};
  const std::vector<Json> sets = {set_of(row("cipher"))};
  expect_refused(check_one(figures, {set_of(row("other"))}), {"other", "0 entries"});
  expect_refused(check_one({published("cipher", "furlongs", 1)}, sets), {"furlongs"});
  expect_refused(check_one({Json::object({{"machine", "a"}})}, sets), {"entry 1", "'cpu'"});
  expect_refused(check_one(figures, {Json::object({{"name", "a"}})}), {"entry 1", "'of'"});
  expect_refused(check(figures, sets, {"--program", "made=absent"}), {"absent", "--program made"});
  expect_refused(check(figures, sets, {"--program", "made"}), {"NAME=FILE"});
  expect_refused(check(figures, sets, {"--hardclock", "absent"}), {"absent", "--hardclock"});
  expect_refused(check(figures, sets, {"--what"}), {"--what", "see --help"});
  write("simulator", "#!/bin/sh\necho 'hardclock: no memory' >&2; exit 125\n");
  expect_refused(check_one(figures, sets), {"hardclock: no memory"});
}

// Every row of the project's own file, in shape.
TEST_F(PublishedCheck, OwnRowsGiveReasonsThatFitIntoATable) {
  const Json sets = Json::parse(read_file("tests/timing/published_why.json"));
  for (const Json& set : sets) {
    EXPECT_EQ(set.contains("program") + set.contains("guest") + set.contains("loops"), 1);
    for (const Json& each : set["rows"]) {
      const std::string why = each.value("why", "");
      EXPECT_FALSE(contains(why, "|") || contains(why, "\n")) << why;
    }
  }
}

}  // namespace
}  // namespace hardclock::cli_test
