// tools/speedscope-check: speedscope's own importers read what hardclock writes for it. They are
// no package of Debian's and no part of the project: HARDCLOCK_SPEEDSCOPE is the folder of its
// sources (--test_env), and Debian's esbuild and nodejs are there. The rules of its published
// schema are checked in any case, by tests/unit/report/viewers/viewers_json_test.cc.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

class Speedscope : public CommandTest {
 protected:
  void SetUp() override {
    if (std::getenv("HARDCLOCK_SPEEDSCOPE") == nullptr)
      GTEST_SKIP() << "HARDCLOCK_SPEEDSCOPE names no folder with speedscope's sources";
  }

  // Of a simulator's profile of the program.
  Finished check(const std::string& simulator, const std::vector<std::string>& program) const {
    std::vector<std::string> command = {
        "env", "HARDCLOCK=" + simulator,
        std::filesystem::absolute("tools/speedscope-check").string(),
        std::getenv("HARDCLOCK_SPEEDSCOPE")};
    command.insert(command.end(), program.begin(), program.end());
    return other_program(command);
  }
};

void expect_equal(const Finished& run) {
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const auto lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 4U) << run.out << run.err;
  for (std::size_t i = 0;
       const char* format : {"speedscope: ", "folded: ", "perf: ", "callgrind: "})
    EXPECT_TRUE(lines[i++].starts_with(format)) << run.out;
}

TEST_F(Speedscope, ItsImportersHaveTheTablesCycles) {
  expect_equal(check(hardclock_path(), {guest("split75"), "1000"}));
  expect_equal(check(hardclock_path(), {guest("recursion"), "12"}));
}

// A check that read nothing, or compared nothing, would find no difference.
TEST_F(Speedscope, OtherNamesAreFound) {
  write("simulator", "#!/bin/sh\n" + hardclock_path() +
                         " \"$@\" || exit\nfor word; do case $word in\n"
                         "--output=*.speedscope) sed -i 's/\"hot\"/\"cold\"/' ${word#*=};;\n"
                         "esac; done\n");
  std::filesystem::permissions(path("simulator"), std::filesystem::perms::owner_all);
  const Finished run = check(path("simulator"), {guest("split75"), "1000"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_TRUE(contains(run.out, "\n  cold: undefined in the table, ")) << run.out << run.err;
}

}  // namespace
}  // namespace hardclock::cli_test
