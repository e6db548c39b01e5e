// tools/placement-range: with a simulator of the test's own, whose cycles are known, and with the
// real one.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

class PlacementRange : public CommandTest {
 protected:
  Finished range(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {std::filesystem::absolute("tools/placement-range").string(),
                                        "--hardclock"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return other_program(command);
  }
  // A simulator that takes 1000 cycles, and 100 more for each of its seed; of `instructions`, which
  // a shell expands.
  std::string simulator(const std::string& instructions) const {
    write("simulator",
          "#!/bin/sh\nseed=0\nfor word; do case $word in --placement=*) seed=${word#*=};; "
          "--stats=*) file=${word#*=};; esac; done\necho \"$@\" >>" +
              path("runs") + "\necho '{\"elapsed_cycles\": '$((1000 + 100 * seed))', " +
              "\"instructions\": '" + instructions + "'}' >$file\n");
    std::filesystem::permissions(path("simulator"), std::filesystem::perms::owner_all);
    return path("simulator");
  }
};

TEST_F(PlacementRange, SaysWhatTheSeedsMake) {
  const Finished run =
      range({simulator("7"), "--seeds", "4", "--", "--machine=m", "p", "--", "-x"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 6U) << run.out;
  EXPECT_TRUE(contains(lines[0], "seed 0") && lines[0].ends_with(" 1000"));
  EXPECT_TRUE(contains(lines[3], "seed 3") && lines[3].ends_with(" 1300"));
  EXPECT_TRUE(contains(lines[4], "without a seed") && lines[4].ends_with(" 1000"));
  EXPECT_EQ(lines[5], "4 seeds: 1000 to 1300 cycles, mean 1150; 1300 is 30.0 % above 1000");
  for (const std::string& words : lines_of(read("runs"))) {
    EXPECT_TRUE(words.starts_with("run --stats=") && words.ends_with(" --machine=m p -- -x"))
        << words;
  }
}

TEST_F(PlacementRange, ProgramsThatLookAtTheirAddressesAreNamed) {
  const Finished run = range({simulator("$((7 + seed))"), "--seeds=2", "--", "p"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(contains(run.err, "different numbers of instructions")) << run.err;
}

TEST_F(PlacementRange, TheRealSimulatorIsMeasured) {
  const Finished run =
      range({hardclock_path(), "--seeds=3", "--", "--machine=indigo", guest("bench"), "1"});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 5U) << run.out;
  hardclock({"run", "--stats=s.json", "--machine=indigo", "--placement=2", guest("bench"), "1"});
  const auto cycles = nlohmann::json::parse(read("s.json")).at("elapsed_cycles").dump();
  EXPECT_TRUE(lines[2].ends_with(" " + cycles)) << lines[2] << "\n" << cycles;
}

TEST_F(PlacementRange, MistakesAreNamed) {
  const auto expect = [](const Finished& run, const std::string& part) {
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    EXPECT_TRUE(run.err.starts_with("tools/placement-range: ") && contains(run.err, part))
        << run.err;
  };
  expect(range({simulator("7")}), "no program");
  for (const char* const seeds : {"0", "10001", "-1", "many"}) {
    expect(range({simulator("7"), std::string("--seeds=") + seeds, "--", "p"}),
           "--seeds needs a whole number from 1 to 10000");
  }
  expect(range({path("nowhere"), "--", "p"}), "pass --hardclock FILE");
  expect(range({hardclock_path(), "--", "--machine=o2", path("nowhere")}), "no such program");
  expect(range({hardclock_path(), "--", guest("bench")}), "add --machine");
}

}  // namespace
}  // namespace hardclock::cli_test
