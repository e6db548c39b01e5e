// Programs that mean the same under IRIX and Linux print what QEMU prints for them: both what it
// printed once (tests/guests/expected) and what it prints now.
#include <gtest/gtest.h>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

class Oracle : public CommandTest, public ::testing::WithParamInterface<std::string> {
 protected:
  std::string expected(std::string_view order) const {
    const bool differs = GetParam() == "unaligned" && order == "_little";
    return expected_output(GetParam() + (differs ? "-little.txt" : ".txt"));
  }
};

TEST_P(Oracle, PrintsWhatQemuPrinted) {
  for (const std::string_view order : both_byte_orders) {
    for (const char* timing : {"cycle", "functional"}) {
      const Finished run = hardclock(
          {"run", std::string("--timing=") + timing, guest(GetParam() + std::string(order))});
      EXPECT_EQ(run.status, 0);
      EXPECT_EQ(run.out, expected(order)) << order << timing;
      EXPECT_EQ(run.err, "");
    }
  }
}

// Clock interrupts change nothing that a program computes, however many there are.
TEST_P(Oracle, PrintsItAtEveryTickRate) {
  const Finished run =
      hardclock({"run", "--hz=10000", "--syscall-cycles=12345", guest(GetParam())});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, expected(""));
}

TEST_P(Oracle, PrintsWhatQemuPrintsNow) {
  if (!support::missing_qemu().empty()) GTEST_SKIP() << support::missing_qemu() << " is missing";
  for (const std::string_view order : both_byte_orders) {
    const std::string program = guest(GetParam() + std::string(order));
    const Finished peer =
        other_program({order.empty() ? "qemu-mips" : "qemu-mipsel", program + "_linux"});
    EXPECT_EQ(peer.status, 0);
    EXPECT_EQ(hardclock({"run", program}).out, peer.out) << order;
  }
}

INSTANTIATE_TEST_SUITE_P(Guests, Oracle,
                         ::testing::Values("bench", "compute", "delay", "floats", "unaligned"));

class OracleArguments : public CommandTest {};

// Another argument than the one behind expected/bench.txt.
TEST_F(OracleArguments, ReachTheProgram) {
  if (!support::missing_qemu().empty()) GTEST_SKIP() << support::missing_qemu() << " is missing";
  const Finished peer = other_program({"qemu-mips", guest("bench_linux"), "3"});
  EXPECT_EQ(hardclock({"run", guest("bench"), "3"}).out, peer.out);
  EXPECT_TRUE(contains(peer.out, "bench 3 rounds"));
}

}  // namespace
}  // namespace hardclock::cli_test
