// The systems' calls as their programs see them: //tests/cli/guests/systems, one program compiled
// for each, whose checks name the manual or the kernel's function behind them.
#include <gtest/gtest.h>

#include "tests/cli/command_test.h"
#include "tests/cli/tap.h"
#include "tests/guests/systems.h"

namespace hardclock::cli_test {
namespace {

struct Variant {
  std::string os;
  std::string order;  // of bytes: "" or "_little"

  std::string program() const { return cli_guest("calls_" + os + order); }
  // At 1 MHz a clock interrupt is 10000 to 17000 instructions away.
  std::string slow_processor() const { return os == "hpux" ? "--cpu=pa7100@1" : "--cpu=r3000@1"; }
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const guests::System& system : guests::systems) {
    all.push_back({std::string(system.name), ""});
  }
  all.push_back({"4.4bsd", "_little"});
  return all;
}

std::string name_of(const ::testing::TestParamInfo<Variant>& variant) {
  return replace(variant.param.os, ".", "_") + variant.param.order;
}

class Systems : public CommandTest, public ::testing::WithParamInterface<Variant> {};

TEST_P(Systems, EveryCheckPasses) {
  for (const char* timing : {"--timing=cycle", "--timing=functional"}) {
    SCOPED_TRACE(timing);
    const Finished run = hardclock(
        {"run", "--os", GetParam().os, GetParam().slow_processor(), timing, GetParam().program()});
    EXPECT_EQ(run.status, 0);
    const Tap tap = parse_tap(run.out);
    EXPECT_EQ(tap.wrong, "") << run.out;
    EXPECT_GT(tap.checks, 100) << "every theme has some";
    EXPECT_EQ(tap.checks, tap.plan) << run.out;
  }
}

// No call, whatever its arguments, ends hardclock itself; what the program says and how it ends is
// its own affair.
TEST_P(Systems, HostileCallsAreSurvived) {
  for (int seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    hardclock({"run", "--os", GetParam().os, GetParam().slow_processor(), "--max-cycles=3000000",
               "--max-memory=64M", "--syscall-cycles=100", "--strace=s", "--explain=e",
               "--stats=j.json", GetParam().program(), "random", std::to_string(seed), "20"});
    EXPECT_NE(read("j.json"), "");
  }
}

INSTANTIATE_TEST_SUITE_P(All, Systems, ::testing::ValuesIn(variants()), name_of);

}  // namespace
}  // namespace hardclock::cli_test
