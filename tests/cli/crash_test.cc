// How programs end. Statuses are 128 + the signal's number, as shells show them; the numbers are
// System V's (IRIX signal(5)): SIGILL 4, SIGFPE 8, SIGBUS 10, SIGSEGV 11. The sources of the guests
// say why that signal.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

struct Crash {
  std::string program;
  int status;
  std::vector<std::string> words;  // in the one line on standard error
};

class CrashGuest : public CommandTest, public ::testing::WithParamInterface<Crash> {};

TEST_P(CrashGuest, EndsWithItsSignalAndOneLine) {
  for (const std::string_view order : both_byte_orders) {
    const Finished run =
        hardclock({"run", "--stats=stats.json", guest(GetParam().program + std::string(order))});
    EXPECT_EQ(run.status, GetParam().status);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    EXPECT_TRUE(run.err.starts_with("hardclock: pid ")) << run.err;
    for (const std::string& word : GetParam().words) {
      EXPECT_TRUE(contains(run.err, word)) << word << "\n" << run.err;
    }
    const auto stats = nlohmann::json::parse(read("stats.json"));
    EXPECT_EQ(stats.at("programs")[0].at("ended"),
              "signal " + std::to_string(GetParam().status - 128));
  }
}

// The stack ends at 0x7fff8000 and may be 64 MB (getrlimit(2), RLIMIT_STACK), so that its last
// page begins at 0x7bff8000.
INSTANTIATE_TEST_SUITE_P(
    Guests, CrashGuest,
    ::testing::Values(Crash{"illegal", 132, {"SIGILL", "reserved instruction", "pc main+0x4"}},
                      Crash{"breakdiv", 136, {"SIGFPE", "break 7, division by zero", "pc main+"}},
                      Crash{"wildjump", 138, {"SIGBUS", "0x00000003", "not aligned"}},
                      Crash{"nullread", 139, {"SIGSEGV", "read at 0x00000000", "pc main+"}},
                      Crash{"stackoverflow", 139, {"SIGSEGV", "write at 0x7bff7", "pc descend+"}}),
    [](const auto& crash) { return crash.param.program; });

class Endings : public CommandTest {};

TEST_F(Endings, StatusIsTheGuests) {
  EXPECT_EQ(hardclock({"run", cli_guest("files"), "r"}).status, 2);
  EXPECT_EQ(hardclock({"run", cli_guest("copy")}).status, 0);
}

TEST_F(Endings, DeadlockNamesWhoWaitsForWhat) {
  const Finished run = hardclock({"run", "--stats=stats.json", guest("deadlock")});
  EXPECT_EQ(run.status, own_failure);
  EXPECT_EQ(run.out, "about to read from an empty pipe\n");
  EXPECT_EQ(lines_of(run.err).size(), 1U);
  EXPECT_TRUE(contains(run.err, "pid 100 in read")) << run.err;
  EXPECT_EQ(nlohmann::json::parse(read("stats.json")).at("outcome"), "deadlock");
}

TEST_F(Endings, CycleLimitIsExact) {
  const Finished run =
      hardclock({"run", "--stats=stats.json", "--max-cycles=1000000", guest("spin")});
  expect_complaint(run, {"--max-cycles in main", "raise it"});
  // spin is a branch to itself with its slot: no instruction of it takes more than a cycle or two.
  const std::uint64_t cycles = nlohmann::json::parse(read("stats.json")).at("elapsed_cycles");
  EXPECT_GE(cycles, 1'000'000U);
  EXPECT_LE(cycles, 1'000'003U);
}

TEST_F(Endings, InstructionLimitIsExact) {
  const Finished run =
      hardclock({"run", "--stats=stats.json", "--max-instructions=1234567", guest("spin")});
  expect_complaint(run, {"--max-instructions", "raise it"});
  const auto stats = nlohmann::json::parse(read("stats.json"));
  EXPECT_EQ(stats.at("instructions"), 1'234'567);
  EXPECT_EQ(stats.at("outcome"), "instruction limit");
}

// ENOSYS is 89 on System V (IRIX <sys/errno.h>).
TEST_F(Endings, MissingCallIsNamedOnce) {
  const Finished run = hardclock({"run", "--stats=stats.json", guest("badsys")});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "system call 1999 returned -1, errno 89\n");
  EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(contains(run.err, "1999")) << run.err;
  EXPECT_EQ(nlohmann::json::parse(read("stats.json")).at("missing_calls").size(), 1U);
}

// calls.c asks for number 1999 twice, directly and through syscall(2), and once for number 1007.
TEST_F(Endings, RepeatedMissingCallsAreCounted) {
  const Finished run = hardclock({"run", "--stats=stats.json", guest("calls")});
  EXPECT_EQ(lines_of(run.err).size(), 2U) << run.err;
  const auto stats = nlohmann::json::parse(read("stats.json"));
  const auto missing = stats.at("missing_calls");
  std::uint64_t asked = 0;
  for (const auto& [name, count] : missing.items()) asked += count.get<std::uint64_t>();
  EXPECT_EQ(missing.size(), 2U);
  EXPECT_EQ(asked, 3U);
}

}  // namespace
}  // namespace hardclock::cli_test
