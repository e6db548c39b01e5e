// Programs for HP-UX on PA-RISC that check themselves (tests/guests/hppa/hpux): SOM files for
// PA-RISC 1.1 and 2.0. Their sources name what each check goes by.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/command_test.h"
#include "tests/cli/tap.h"

namespace hardclock::cli_test {
namespace {

struct Case {
  std::string program;
  std::string timing;
};

class HpuxGuest : public CommandTest, public ::testing::WithParamInterface<Case> {};

TEST_P(HpuxGuest, EveryCheckPasses) {
  // forkexec finds itself by the path that it was started with.
  const std::string name = "program";
  std::filesystem::copy_file(guest("hppa/hpux/" + GetParam().program), path(name));
  const Finished run = hardclock({"run", "--os=hpux", "--timing=" + GetParam().timing, name});
  EXPECT_EQ(run.status, 0) << run.err;
  const Tap tap = parse_tap(run.out);
  EXPECT_EQ(tap.wrong, "") << run.out;
  EXPECT_GT(tap.checks, 0);
  EXPECT_EQ(tap.checks, tap.plan) << run.out << run.err;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* name : {"files", "forkexec", "hello", "signals", "split75", "sprofil"}) {
    for (const char* level : {"", "_20"}) {
      for (const char* timing : {"cycle", "functional"}) {
        all.push_back({std::string(name) + level, timing});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Guests, HpuxGuest, ::testing::ValuesIn(cases()), [](const auto& guest) {
  return guest.param.program + "_" + guest.param.timing;
});

class HpuxProgram : public CommandTest {};

TEST_F(HpuxProgram, GetsItsArguments) {
  const Finished run = hardclock({"run", guest("hppa/hpux/hello"), "a", "b c"});
  EXPECT_TRUE(contains(run.out, "# hello a b c\n")) << run.out;
}

// A call that nobody knows and an entry of the gateway page that is no call's are said, once each.
TEST_F(HpuxProgram, MissingCallsAreSaid) {
  const Finished run = hardclock({"run", guest("hppa/hpux/hello")});
  EXPECT_TRUE(contains(run.err, "call 999 is not implemented: answered with ENOSYS")) << run.err;
  EXPECT_TRUE(contains(run.err, "lightweight call at 0xc0000040 in the gateway page")) << run.err;
}

}  // namespace
}  // namespace hardclock::cli_test
