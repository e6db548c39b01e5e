// What a whole program costs on an out-of-order core does not depend on whether its blocks go
// through remembered windows or, because somebody watches, instruction by instruction.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

struct Case {
  const char* guest;
  const char* processor;
};

class OutOfOrder : public CommandTest, public ::testing::WithParamInterface<Case> {
 protected:
  // All that a run with many ticks leaves, the log of its instructions excepted.
  std::string results(const std::vector<std::string>& more) const {
    std::vector<std::string> command = {
        "run",        "--stats=stats.json", "--profile=profile.json", "--explain=explain.txt",
        "--hz=10000", GetParam().processor};
    command.insert(command.end(), more.begin(), more.end());
    command.insert(command.end(), {"--", guest(GetParam().guest), "1"});
    const Finished run = hardclock(command);
    EXPECT_EQ(run.status, 0) << run.err;
    return run.out + read("stats.json") + read("profile.json") + read("explain.txt");
  }
};

TEST_P(OutOfOrder, BlocksAgreeWithSingleInstructions) {
  const std::string blocks = results({});
  EXPECT_EQ(blocks, results({"--trace=trace.txt"}));
  EXPECT_GT(std::filesystem::file_size(path("trace.txt")), 100'000u);
}

INSTANTIATE_TEST_SUITE_P(Guests, OutOfOrder,
                         ::testing::Values(Case{"split75", "--cpu=r10000"},
                                           Case{"split75", "--machine=octane"},
                                           Case{"bench", "--cpu=r12000"},
                                           Case{"bench", "--machine=octane"},
                                           Case{"hppa/hpux/hello_20", "--cpu=pa8000"},
                                           Case{"hppa/hpux/hello_20", "--machine=c180"}));

}  // namespace
}  // namespace hardclock::cli_test
