// The guests that check themselves, in both byte orders. Their sources name the manual page behind
// each check.
#include <gtest/gtest.h>

#include "tests/cli/command_test.h"
#include "tests/cli/tap.h"

namespace hardclock::cli_test {
namespace {

struct Case {
  std::string program;
  std::string timing;
};

class TapGuest : public CommandTest, public ::testing::WithParamInterface<Case> {};

TEST_P(TapGuest, EveryCheckPasses) {
  const Finished run =
      hardclock({"run", "--timing=" + GetParam().timing, guest(GetParam().program)});
  EXPECT_EQ(run.status, 0);
  const Tap tap = parse_tap(run.out);
  EXPECT_EQ(tap.wrong, "") << run.out;
  EXPECT_GT(tap.checks, 0);
  EXPECT_EQ(tap.checks, tap.plan) << run.out;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* name : {"breaks", "calls", "execself", "forkprof", "oddbuf", "partialwrite",
                           "sigprof", "sprofil", "unmap"}) {
    for (const std::string_view order : both_byte_orders) {
      for (const char* timing : {"cycle", "functional"}) {
        all.push_back({name + std::string(order), timing});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Guests, TapGuest, ::testing::ValuesIn(cases()), [](const auto& guest) {
  return guest.param.program + "_" + guest.param.timing;
});

class TapImages : public CommandTest {};

// Both images of execself report; the first one's plan never comes, since exec(2) ends it.
TEST_F(TapImages, ExecselfRunsBothImages) {
  const Finished run = hardclock({"run", guest("execself")});
  EXPECT_TRUE(contains(run.out, "ok 2 - a failed exec leaves profiling on\n"));
  EXPECT_TRUE(contains(run.out, "ok 1 - after exec profiling is off\n"));
}

}  // namespace
}  // namespace hardclock::cli_test
