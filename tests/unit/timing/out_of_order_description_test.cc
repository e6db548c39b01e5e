// Mistakes in the rows of an out-of-order processor: each is named with its line.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sim/timing/out_of_order.h"

namespace hardclock {
namespace {

constexpr std::array<const char*, 2> classes = {"alu", "load"};

// Lines 1 to 12; more rows begin in line 13.
constexpr const char* smallest =
    "cpu test\n"
    "isa mips4\n"
    "pipeline out-of-order\n"
    "clock 100 exact: the test\n"
    "queue all entries 4 until issue exact: the test\n"
    "unit one queue all exact: the test\n"
    "unit two queue all port one exact: the test\n"
    "fetch all width 1 exact: the test\n"
    "decode all width 1 exact: the test\n"
    "graduate all width 1 exact: the test\n"
    "active all entries 4 exact: the test\n"
    "class alu latency 1 unit one exact: the test\n";
constexpr const char* load = "class load latency 1 unit one exact: the test\n";

std::string error_of(const std::string& text) {
  const auto parsed = parse_cpu_description(text);
  if (!parsed.ok()) return "does not parse: " + parsed.error();
  const auto made = make_out_of_order(*parsed, classes);
  return made.ok() ? "" : made.error();
}

TEST(OutOfOrderDescription, TheSmallestOneIsEnough) {
  EXPECT_EQ(error_of(std::string(smallest) + load), "");
}

TEST(OutOfOrderDescription, MistakesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"", "no row for timing class load"},
      {"class load latency 1 exact: t", "line 13: class load needs unit"},
      {"class load unit one exact: t", "line 13: class load needs latency"},
      {"class load latency 1 unit three exact: t", "line 13: unknown unit 'three'"},
      {"class store latency 1 unit one exact: t", "line 13: unknown timing class store"},
      {"class load,alu latency 1 unit one exact: t", "line 13: a second row for class alu"},
      {"class load latency 1 unit one,two takes all exact: t",
       "line 13: one that takes all of its units can hold none, and each needs a port of its own"},
      {"class load latency 1 repeat 2 every 0 unit one exact: t",
       "line 13: every needs a number from 1 to 16, not '0'"},
      {"class load latency 1 unit one every 2 exact: t", "line 13: 'every' needs a repeat above 1"},
      {"class load latency 1 unit one takes some exact: t", "line 13: unknown takes 'some'"},
      {"class load latency 1 unit one entry other exact: t", "line 13: unknown queue 'other'"},
      {"class load latency 1 unit one entry all exact: t",
       "line 13: a second entry in its units' own queue"},
      {"result r first 3 latency 1 exact: t", "line 13: result r needs last"},
      {"result r first 3 last 2 latency 1 exact: t",
       "line 13: last needs a number from 3 to 32767, not '2'"},
      {"late r first 3 last 3 exact: t", "line 13: late r needs queue"},
      {"late r first 3 last 2 queue all exact: t",
       "line 13: last needs a number from 3 to 32767, not '2'"},
      {"late r first 3 last 3 queue other exact: t", "line 13: unknown queue 'other'"},
      {"late r first 3 last 3 queue all exact: t\nlate s first 4 last 4 queue all exact: t",
       "line 14: a second row of late registers"},
      {"tie load exact: t", "line 13: tie load needs latency"},
      {"predictor targets entries 4 shift 3 associative yes exact: t",
       "line 13: associative takes no shift"},
      {"predictor bht entries 4 history 2 exact: t", "line 13: history needs an odd number"},
      {"predictor bht entries 4 history 9 exact: t",
       "line 13: history needs a number from 1 to 7, not '9'"},
      {"class load latency 1 unit one also two after 1 exact: t",
       "line 13: 'also' needs a unit with a port of its own"},
      {"class load latency 1 unit one also one exact: t", "line 13: class load needs after"},
      {"class load latency 1 unit one speed 3 exact: t",
       "line 13: unknown word 'speed' in a class row"},
      {"unit three queue other exact: t", "line 13: unknown queue 'other'"},
      {"unit three queue all port two exact: t",
       "line 13: unit three issues through one that has no port of its own"},
      {"queue other entries 0 until issue exact: t",
       "line 13: entries needs a number from 1 to 4096, not '0'"},
      {"queue other entries 3 until dawn exact: t", "line 13: unknown until 'dawn'"},
      {"registers r first 4 last 3 free 8 exact: t",
       "line 13: last needs a number from 4 to 32767, not '3'"},
      {"registers r first 1 last 3 with s exact: t", "line 13: unknown registers 's'"},
      {"registers r first 1 last 3 free 3 exact: t",
       "line 13: free needs a number from 4 to 4096, not '3'"},
      {"predictor bht entries 3 exact: t", "line 13: entries needs a power of two"},
      {"predictor oracle entries 4 exact: t", "line 13: unknown predictor 'oracle'"},
      {"mispredict sometimes cycles 4 exact: t", "line 13: unknown misprediction 'sometimes'"},
      {"active alu each 2 exact: t\n" + std::string(load),
       "class alu takes more entries than can graduate in a cycle"},
      {"graduate alu width 1 exact: t\nactive alu each 2 exact: t\n" + std::string(load),
       "class alu takes more entries than can graduate in a cycle"},
      {"bypass alu to mul latency 2 exact: t", "line 13: unknown timing class mul"},
      {"fetch alu width 2 exact: t", "line 13: fetch is for all"},
  };
  for (const auto& [row, error] : mistakes) {
    EXPECT_EQ(error_of(smallest + row), "test: " + error) << row;
  }
}

TEST(OutOfOrderDescription, NeedsARowForEachStage) {
  for (const std::string stage : {"fetch", "decode", "graduate", "active"}) {
    std::string text = std::string(smallest) + load;
    const std::size_t start = text.find(stage + " all");
    text.erase(start, text.find('\n', start) + 1 - start);
    EXPECT_EQ(error_of(text), "test: no row '" + stage + " all'");
  }
}

}  // namespace
}  // namespace hardclock
