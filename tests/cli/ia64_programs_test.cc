// Programs for Linux on IA-64 that check themselves (tests/guests/ia64). Their sources name what
// each check goes by.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/command_test.h"
#include "tests/cli/tap.h"

namespace hardclock::cli_test {
namespace {

struct Case {
  std::string program;
  std::string option;
};

class Ia64Guest : public CommandTest, public ::testing::WithParamInterface<Case> {};

TEST_P(Ia64Guest, EveryCheckPasses) {
  const auto& [program, option] = GetParam();
  // One of them execs itself by the path that it was started with.
  std::filesystem::copy_file(guest("ia64/prebuilt/" + program), path(program));
  std::vector<std::string> command = {"run", option, program};
  if (program == "calls") command.push_back("argument");
  const Finished run = hardclock(command);
  EXPECT_EQ(run.status, 0) << run.err;
  const Tap tap = parse_tap(run.out);
  EXPECT_EQ(tap.wrong, "") << run.out;
  EXPECT_GT(tap.checks, 0);
  EXPECT_EQ(tap.checks, tap.plan) << run.out << run.err;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* program : {"calls", "processes", "signals", "tracing"}) {
    for (const char* option : {"--timing=cycle", "--timing=functional"}) {
      all.push_back({program, option});
    }
  }
  return all;
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return replace(info.param.program + info.param.option, "--timing=", "_");
}

INSTANTIATE_TEST_SUITE_P(Guests, Ia64Guest, ::testing::ValuesIn(cases()), name_of);

class Ia64Program : public CommandTest {};

// The names and kinds of arguments are those of the call table; addresses are of 64 bits.
TEST_F(Ia64Program, StraceShowsItsCalls) {
  const Finished run = hardclock({"run", "--strace", guest("ia64/prebuilt/signals")});
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(contains(run.err, "rt_sigaction(SIGUSR1, 0x6000")) << run.err;
  EXPECT_TRUE(contains(run.err, "kill(")) << run.err;
  EXPECT_TRUE(contains(run.err, ", SIGUSR1) = 0")) << run.err;
  EXPECT_TRUE(contains(run.err, "rt_sigreturn() = ?")) << run.err;
  EXPECT_TRUE(contains(run.err, "setitimer(2, 0x6000")) << run.err;
}

}  // namespace
}  // namespace hardclock::cli_test
