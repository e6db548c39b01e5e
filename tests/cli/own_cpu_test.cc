// --cpu and `hardclock cpus` with a file of the user's own, which describes a processor.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

// An R4000 but for `rows`.
std::string like_r4000(const std::string& rows) {
  return "cpu mine\nisa mips3\npipeline in-order\nabout my own\n"
         "like r4000 unverified: a test\nclock 50 unverified: a test\n"
         "revision processor value 0x0400 unverified: a test\n" +
         rows;
}

class OwnCpu : public CommandTest {
 protected:
  // The cycles of a program that divides.
  std::uint64_t cycles(const std::string& cpu) const {
    const Finished run =
        hardclock({"run", "--hz=1", "--stats=stats.json", "--cpu=" + cpu, guest("split75"), "20"});
    EXPECT_EQ(run.status, 0) << run.err;
    return nlohmann::json::parse(read("stats.json"))["cycles"].get<std::uint64_t>();
  }
  void expect_refused(const std::string& description, const std::vector<std::string>& words) {
    write("mine.timing", description);
    std::vector<std::string> all = words;
    all.emplace_back("./mine.timing");
    expect_complaint(hardclock({"run", "--cpu=./mine.timing", guest("split75")}), all);
    expect_complaint(hardclock({"cpus", "./mine.timing"}), all);
  }
};

TEST_F(OwnCpu, IsTheOneThatItIsLikeButForItsRows) {
  write("same.timing", like_r4000(""));
  EXPECT_EQ(cycles("./same.timing"), cycles("r4000"));
  write("slower.timing", like_r4000("redirect branch,jump taken 5 unverified: a test\n"));
  EXPECT_GT(cycles("./slower.timing"), cycles("r4000"));
}

TEST_F(OwnCpu, HasItsClockUnlessTheOptionHasOne) {
  write("mine.timing", like_r4000(""));
  const auto clock = [&](const std::string& cpu) {
    const Finished run = hardclock({"run", "--stats", "--cpu=" + cpu, guest("split75"), "1"});
    return run.err;
  };
  EXPECT_TRUE(contains(clock("./mine.timing"), "50 MHz")) << clock("./mine.timing");
  EXPECT_TRUE(contains(clock("./mine.timing@25"), "25 MHz")) << clock("./mine.timing@25");
}

TEST_F(OwnCpu, IsShownWithItsSources) {
  write("mine.timing", like_r4000("class mult latency 12 repeat 12 unit hilo reserve EX \\\n"
                                  "    measured: on my desk\n"));
  const Finished run = hardclock({"cpus", "./mine.timing"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("mine: my own\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "on my desk")) << run.out;
  EXPECT_TRUE(contains(run.out, "as r4000")) << run.out;
}

TEST_F(OwnCpu, WhatIsWrongWithAFileIsSaid) {
  expect_refused("", {});
  expect_refused("not a row\n", {"line 1"});
  expect_refused(like_r4000("class mult repeat 2 unverified: a test\n"), {"line 8", "latency"});
  expect_refused(like_r4000("unit alu1 queue integer unverified: a test\n"), {"line 8", "unit"});
  expect_refused(replace(like_r4000(""), "mips3", "pdp11"), {"pdp11"});
  expect_refused(replace(like_r4000(""), "like r4000", "like r9999"), {"r9999"});
  expect_refused(replace(like_r4000(""), "like r4000", "like r10000"), {"kind of pipeline"});
  expect_refused(replace(like_r4000(""), "like r4000 unverified: a test\n", ""), {"class"});
  expect_refused(std::string(2 << 20, '#'), {});
}

TEST_F(OwnCpu, AFileThatIsNotThereIsAMistake) {
  expect_complaint(hardclock({"run", "--cpu=./none.timing", guest("split75")}), {"./none.timing"});
  expect_complaint(hardclock({"cpus", "./none.timing"}), {"./none.timing"});
  expect_complaint(hardclock({"run", "--cpu=./", guest("split75")}), {"./"});
}

}  // namespace
}  // namespace hardclock::cli_test
