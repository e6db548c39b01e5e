// The guests that check themselves, in both byte orders. Their sources name the manual page behind
// each check.
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

void expect_all_ok(const Finished& run) {
  EXPECT_EQ(run.status, 0);
  const Tap tap = parse_tap(run.out);
  EXPECT_EQ(tap.wrong, "") << run.out;
  EXPECT_GT(tap.checks, 0);
  EXPECT_EQ(tap.checks, tap.plan) << run.out;
}

// They write behind holes of more than 4 GiB, which count.
const std::string room = "--max-disk=16G";

class TapGuest : public CommandTest, public ::testing::WithParamInterface<Case> {};

TEST_P(TapGuest, EveryCheckPasses) {
  expect_all_ok(
      hardclock({"run", room, "--timing=" + GetParam().timing, guest(GetParam().program)}));
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* name :
       {"breaks", "calls", "execself", "filecalls", "forkprof", "oddbuf", "partialwrite",
        "processes", "sgicalls", "sigprof", "sprofil", "unmap"}) {
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

// abis.c in the three data models, each of which executes the others one after another.
class TapAbis : public CommandTest, public ::testing::WithParamInterface<Case> {
 protected:
  std::string local_guest(const std::string& name) const {
    std::filesystem::copy_file(guest(name), path(name));
    return name;
  }
};

TEST_P(TapAbis, EveryCheckPasses) {
  const auto& [order, timing] = GetParam();
  const std::string o32 = local_guest("abis_o32" + order), n32 = local_guest("abis_n32" + order),
                    n64 = local_guest("abis_n64" + order);
  for (const auto& programs : {std::vector{o32, n32, n64}, {n32, n64, o32}, {n64, o32, n32}}) {
    std::vector<std::string> command = {"run", room, "--timing=" + timing};
    command.insert(command.end(), programs.begin(), programs.end());
    const Finished run = hardclock(command);
    expect_all_ok(run);
    const char* const last = programs.back() == o32 ? "1" : programs.back() == n32 ? "2" : "3";
    EXPECT_TRUE(contains(run.out, "# the last program's ABI is " + std::string(last) + "\n"));
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, TapAbis,
                         ::testing::Values(Case{"", "cycle"}, Case{"", "functional"},
                                           Case{"_little", "cycle"},
                                           Case{"_little", "functional"}));

// Guests for each ABI, in both byte orders.
class TapInEachAbi : public CommandTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(TapInEachAbi, EveryCheckPasses) {
  for (const char* abi : {"_o32", "_n32", "_n64"}) {
    const std::string program = std::string(GetParam()) + abi;
    for (const char* timing : {"--timing=cycle", "--timing=functional"}) {
      expect_all_ok(hardclock({"run", timing, guest(program)}));
    }
    // GNU tools made it, and it says nothing of IRIX; but its calls do.
    expect_all_ok(hardclock({"run", guest(program + "_little")}));
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, TapInEachAbi,
                         ::testing::Values("procfs", "ptrace", "threads", "timers"));

// ECOFF files, as IRIX 4 has them. A little-endian one could be Ultrix's.
class TapEcoff : public CommandTest {};

TEST_F(TapEcoff, EveryCheckPasses) {
  for (const char* timing : {"cycle", "functional"}) {
    expect_all_ok(hardclock({"run", "--timing=" + std::string(timing), guest("irix4")}));
    expect_all_ok(
        hardclock({"run", "--os=irix", "--timing=" + std::string(timing), guest("irix4_little")}));
  }
}

TEST_F(TapEcoff, ALittleEndianOneHasNoSystemOfItsOwn) {
  expect_complaint(hardclock({"run", guest("irix4_little")}),
                   {"irix4_little", "little-endian MIPS ECOFF", "no Ultrix", "--os="});
}

class TapImages : public CommandTest {};

// Both images of execself report; the first one's plan never comes, since exec(2) ends it.
TEST_F(TapImages, ExecselfRunsBothImages) {
  const Finished run = hardclock({"run", guest("execself")});
  EXPECT_TRUE(contains(run.out, "ok 2 - a failed exec leaves profiling on\n"));
  EXPECT_TRUE(contains(run.out, "ok 1 - after exec profiling is off\n"));
}

}  // namespace
}  // namespace hardclock::cli_test
