// The same input gives the same bytes: whoever runs it, where, and how fast the host is.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> outputs = {"stats.json", "profile.json", "explain.txt", "strace.txt",
                                          "mon.out"};

struct Case {
  std::string program;
  std::vector<std::string> arguments;
};

// Runs a copy of the guest as ./PROGRAM in a folder of the fixture's.
class Determinism : public CommandTest, public ::testing::WithParamInterface<Case> {
 protected:
  static std::vector<std::string> command() {
    std::vector<std::string> all = {"run",
                                    "--stats=stats.json",
                                    "--explain=explain.txt",
                                    "--profile=profile.json",
                                    "--strace=strace.txt",
                                    "--syscall-cycles=777"};
    all.push_back("./" + GetParam().program);
    all.insert(all.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    return all;
  }

  Surroundings prepare(const std::string& name) const {
    fs::create_directories(path(name));
    write(name + "/" + GetParam().program, read_file(guest(GetParam().program)));
    return {.directory = path(name)};
  }

  // Everything that the run left, with `folder` written as FOLDER: the program's absolute path is a
  // fact of the run that statistics and profiles tell.
  std::string results(const Finished& run, const std::string& folder) const {
    std::string all = "status " + std::to_string(run.status) + "\n" + run.out + "\n" + run.err;
    for (const std::string& name : outputs) {
      all += "\n== " + name + "\n" + read_file(path(folder) + "/" + name);
    }
    return replace(all, path(folder), "FOLDER");
  }

  std::string results_of(const Surroundings& surroundings, const std::string& folder) const {
    const Finished run = hardclock(command(), surroundings);
    EXPECT_NE(run.out, "");
    return results(run, folder);
  }
};

TEST_P(Determinism, AgainInTheSamePlace) {
  const Surroundings place = prepare("a");
  const std::string first = results_of(place, "a");
  EXPECT_TRUE(contains(first, "\"clock_ticks\""));
  EXPECT_EQ(results_of(place, "a"), first);
}

TEST_P(Determinism, InAnotherPlaceAndEnvironment) {
  const std::string first = results_of(prepare("a"), "a");
  Surroundings other = prepare("a-much/longer/place/than/the/other one");
  other.environment = {"PATH=/usr/bin:/bin",
                       "LC_ALL=de_DE.UTF-8",
                       "TZ=Asia/Tokyo",
                       "HOME=/nonexistent",
                       "K=v",
                       "COLUMNS=20",
                       std::string(3000, 'X') + "=1"};
  EXPECT_EQ(results_of(other, "a-much/longer/place/than/the/other one"), first);
}

TEST_P(Determinism, WithAndWithoutRandomAddresses) {
  Surroundings place = prepare("a");
  const std::string first = results_of(place, "a");
  place.random_addresses = false;
  EXPECT_EQ(results_of(place, "a"), first);
}

// Interpreted, and with everything translated before it first runs; with a pipeline alone, and with
// a machine's caches.
TEST_P(Determinism, WhateverTheEngine) {
  const Surroundings place = prepare("a");
  for (const char* const processor : {"--cpu=r4400", "--machine=indigo2-r4400"}) {
    SCOPED_TRACE(processor);
    const auto with = [&](std::vector<std::string> options) {
      std::vector<std::string> all = command();
      options.emplace_back(processor);
      all.insert(all.begin() + 1, options.begin(), options.end());
      return results(hardclock(all, place), "a");
    };
    const std::string interpreted = with({"--engine=interpreter"});
    EXPECT_TRUE(contains(interpreted, "\"clock_ticks\""));
    EXPECT_EQ(with({}), interpreted);
    EXPECT_EQ(with({"--engine=translator,0"}), interpreted);
  }
}

TEST_P(Determinism, OnASlowHost) {
  const Surroundings place = prepare("a");
  const std::string first = results_of(place, "a");
  std::vector<std::string> all = command();
  all.insert(all.begin(), hardclock_path());
  Child child(all, place);
  for (int i = 0; i < 3; ++i) {
    ::usleep(10'000);
    child.send(SIGSTOP);
    ::usleep(200'000);
    child.send(SIGCONT);
  }
  EXPECT_EQ(results(child.wait(), "a"), first);
}

TEST_P(Determinism, WatchingChangesNothing) {
  const Surroundings place = prepare("a");
  hardclock(command(), place);
  const std::string stats = read("a/stats.json");
  std::vector<std::string> quiet = {"run", "--stats=stats.json", "--syscall-cycles=777",
                                    "./" + GetParam().program};
  quiet.insert(quiet.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  hardclock(quiet, place);
  EXPECT_EQ(read("a/stats.json"), stats);
}

// No date, duration, host name or user in what is written to be compared.
TEST_P(Determinism, JsonKnowsNothingOfTheHost) {
  hardclock(command(), prepare("a"));
  char host[256] = {};
  ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
  for (const char* name : {"a/stats.json", "a/profile.json"}) {
    const std::string text = replace(read(name), path("a"), "FOLDER");
    EXPECT_FALSE(contains(text, "host")) << text;
    EXPECT_FALSE(contains(text, "second")) << text;
    EXPECT_FALSE(contains(text, "date")) << text;
    EXPECT_FALSE(contains(text, std::string("\"") + host)) << text;
    EXPECT_FALSE(nlohmann::json::parse(text).empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Guests, Determinism,
                         ::testing::Values(Case{"split75", {"300"}}, Case{"forkprof", {}},
                                           Case{"sprofil", {}}, Case{"sigprof_little", {}},
                                           Case{"calls", {}}),
                         [](const auto& guest) { return guest.param.program; });

// mon.out holds one program's counters, so this format is for programs that do not fork.
TEST(DeterminismOfMonOut, Again) {
  support::TemporaryFolder folder;
  const std::vector<std::string> command = {hardclock_path(), "run", "--profile=out.mon.out",
                                            guest("split75"), "300"};
  std::string first;
  for (int i = 0; i < 2; ++i) {
    const Finished run = Child(command, {.directory = folder.path()}).wait();
    expect_sound(run);
    EXPECT_EQ(run.status, 0) << run.err;
    const std::string bytes = read_file(folder.path() + "/out.mon.out");
    EXPECT_NE(bytes, "");
    if (i > 0) {
      EXPECT_EQ(bytes, first);
    }
    first = bytes;
  }
}

}  // namespace
}  // namespace hardclock::cli_test
