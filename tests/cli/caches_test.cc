// --cache, and --machine with a file of the user's own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

class CachesTest : public CommandTest {
 protected:
  Json statistics_of(const Words& options, const Words& program) const {
    Words command = {"run", "--stats=s.json"};
    command.insert(command.end(), options.begin(), options.end());
    command.emplace_back("--");
    command.insert(command.end(), program.begin(), program.end());
    const Finished finished = hardclock(command);
    EXPECT_EQ(finished.status, 0) << finished.err;
    return Json::parse(read("s.json"));
  }
  // What ten more rounds of reading 12 KB, a byte of each 16, miss in this data cache.
  std::uint64_t misses_of_ten_rounds(const std::string& cache) const {
    const auto misses = [&](const char* rounds) {
      return statistics_of({"--machine=indigo2-r4400", "--cache=" + cache},
                           {guest("walk"), "12", rounds})
          .at("memory")
          .at("l1d")
          .at("misses")
          .get<std::uint64_t>();
    };
    return misses("20") - misses("10");
  }
  void expect_refused(const Words& options, const Words& words) const {
    for (const char* const command : {"run", "sweep"}) {
      Words all = {command};
      all.insert(all.end(), options.begin(), options.end());
      all.push_back(guest("walk"));
      expect_complaint(hardclock(all), words);
    }
  }
};

// 768 lines. 16 KB hold them all. In 8 KB of one way, the third quarter drives out the first, and
// is driven out by it: 512 misses a round. In two ways under LRU, three lines take turns in each
// place, and each has left when it is wanted again: all miss. 4 KB are too few for any.
TEST_F(CachesTest, MissWhatTheirSizeLeaves) {
  EXPECT_EQ(misses_of_ten_rounds("l1d=16k,16,1"), 0U);
  EXPECT_EQ(misses_of_ten_rounds("l1d=8k,16,1"), 10 * 512U);
  EXPECT_EQ(misses_of_ten_rounds("l1d=8k,16,2"), 10 * 768U);
  EXPECT_EQ(misses_of_ten_rounds("l1d=4k,16,1"), 10 * 768U);
  EXPECT_EQ(misses_of_ten_rounds("l1d=8k,32,1"), 10 * 256U);  // lines of two reads
}

TEST_F(CachesTest, AChangedOneIsThatOfADescription) {
  const Finished made = hardclock({"cpus", "indigo2-r4400", "--output=my.machine"});
  ASSERT_EQ(made.status, 0) << made.err;
  const std::string original = read("my.machine");
  const std::string changed =
      replace(original, "cache l2 size 1M ways 1", "cache l2 size 32K ways 4");
  ASSERT_NE(changed, original);
  write("my.machine", changed);
  const Words program = {guest("walk"), "64", "3"};
  Json by_file = statistics_of({"--machine=./my.machine"}, program);
  Json by_option = statistics_of({"--machine=indigo2-r4400", "--cache=l2=32k,128,4"}, program);
  const Json as_sold = statistics_of({"--machine=indigo2-r4400"}, program);
  EXPECT_EQ(by_file["machine"], "indigo2-r4400 (./my.machine)");
  EXPECT_EQ(by_option["machine"], "indigo2-r4400");
  EXPECT_EQ(by_option["cache"], Json({"l2=32k,128,4"}));
  EXPECT_GT(by_option["cycles"], as_sold["cycles"]);
  for (Json* const each : {&by_file, &by_option}) {
    each->erase("machine");
    each->erase("cache");
  }
  EXPECT_EQ(by_file, by_option);
}

// Whatever the size, both engines agree, and the program gives its results.
TEST_F(CachesTest, OfAnySizeAreOneMachineForBothEngines) {
  for (const char* const machine : {"--machine=indigo2-r4400", "--machine=octane"}) {
    for (const Words& caches :
         {Words{"--cache=l1d=64,16,1", "--cache=l1i=64,64,1"}, Words{"--cache=l1i=16k,16,256"},
          Words{"--cache=l1d=1m,16,1", "--cache=l1i=1m,64,4"},
          Words{"--cache=l1d=512,64,2", "--cache=l1i=256,64,1", "--cache=l2=1k,128,8"}}) {
      SCOPED_TRACE(machine + caches.front());
      Words options = caches;
      options.emplace_back(machine);
      const bool is_indigo2 = machine == std::string_view("--machine=indigo2-r4400");
      if (!is_indigo2) options[0] = replace(options[0], ",16,", ",64,");
      Words other = options;
      other.emplace_back("--engine=interpreter");
      EXPECT_EQ(statistics_of(options, {guest("bench"), "1"}),
                statistics_of(other, {guest("bench"), "1"}));
    }
  }
}

TEST_F(CachesTest, AreNamedWhereTheProcessorIs) {
  const Words options = {"--machine=octane", "--cache=l2=2m,128,2", "--cache=l1d=16k,32,2"};
  const std::string name = "r10000 of octane, l2=2m,128,2, l1d=16k,32,2";
  Words command = {"run", "--stats", "--profile=p.json"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {guest("walk"), "1", "1"});
  const Finished run = hardclock(command);
  EXPECT_TRUE(contains(run.err, "cpu            " + name + " at 195 MHz")) << run.err;
  EXPECT_EQ(Json::parse(read("p.json")).at("processor"), name);
}

TEST_F(CachesTest, MistakesAreNamed) {
  expect_refused({"--machine=indigo2-r4400", "--cache=l3=1m,32,1"},
                 {"--cache=l3=1m,32,1", "l1d, l2"});
  expect_refused({"--machine=indigo2-r4400", "--cache=l1d=12k,32,1"}, {"power of two"});
  expect_refused({"--machine=indigo2-r4400", "--cache=l1d"},
                 {"--cache needs LEVEL=SIZE,LINE,WAYS"});
  expect_refused({"--machine=octane", "--cache=l1d=8k,32,1", "--cache=l1d=8k,32,2"}, {"l1d twice"});
  expect_refused({"--cache=l1d=8k,32,1"}, {"--machine"});
  expect_refused({"--cpu=r4400", "--cache=l1d=8k,32,1"}, {"--machine"});
  expect_refused({"--machine=octane", "--timing=functional", "--cache=l1d=8k,32,1"}, {"--timing"});
}

TEST_F(CachesTest, MistakesInADescriptionAreNamedWithTheirLine) {
  const std::string good =
      "cpu mine\nabout my own\nprocessor r4400 mhz 100 unverified: a test\n"
      "cache l2 size 1M ways 1 line 128 miss 0 unverified: a test\n"
      "kernel fork ns 100 unverified: a test\ntick_source count unverified: a test\n";
  write("my.machine", good);
  const Json stats = statistics_of({"--machine=./my.machine"}, {guest("walk"), "1", "1"});
  EXPECT_EQ(stats["machine"], "mine (./my.machine)");
  EXPECT_EQ(stats["clock_hz"], 100'000'000);
  EXPECT_TRUE(hardclock({"cpus", "./my.machine"}).out.starts_with("mine: my own\n"));
  const auto refused = [&](const std::string& text, const Words& words) {
    write("my.machine", text);
    Words all = words;
    all.emplace_back("./my.machine: ");
    expect_refused({"--machine=./my.machine"}, all);
    expect_complaint(hardclock({"cpus", "./my.machine"}), all);
  };
  refused("", {"no cpu line"});
  refused("cpu mine\n", {"no processor line"});
  refused(replace(good, "r4400", "r9999"), {"r9999", "hardclock cpus"});
  refused(replace(good, "size 1M", "size 3M"), {"line 4", "power of two"});
  refused(replace(good, "kernel fork", "kernel spoon"), {"line 5", "spoon"});
  refused(replace(good, "tick_source count", "tick_source sundial"), {"line 6", "sundial"});
  refused(replace(good, "tick_source", "sundial"), {"line 6", "sundial"});
  refused(good + "isa mips3\n", {"line 7", "isa"});
  refused(replace(good, "line 128", "line 8"), {"l2", "l1"});
  refused(std::string(2 << 20, '#'), {});
  expect_refused({"--machine=./none.machine"}, {"./none.machine"});
  expect_refused({"--machine=./"}, {"./"});
}

}  // namespace
}  // namespace hardclock::cli_test
