// hardclock sweep: what silent clocks find, and that they change nothing. pace75.S and split75.c
// say what their loops take; the ticks that follow from that are worked out beside each test.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

class Sweep : public CommandTest {
 protected:
  // The sweep of a program as JSON; the options come first.
  Json sweep(Words options, const Words& program) {
    options.insert(options.begin(), {"sweep", "--format=json", "--output=sweep.json"});
    options.insert(options.end(), program.begin(), program.end());
    const Finished run = hardclock(options);
    EXPECT_EQ(run.err, "");
    return Json::parse(read("sweep.json"));
  }

  // The ticks of one clock by pc, all programs together.
  static Counts ticks_of(const Json& sweep, std::size_t clock) {
    Counts ticks;
    for (const Json& program : sweep.at("programs")) {
      for (const Json& pc : program.at("pcs")) {
        if (!pc.contains("ticks") || pc.at("ticks")[clock] == 0) continue;
        const auto address = std::stoul(pc.at("pc").get<std::string>(), nullptr, 16);
        ticks[static_cast<std::uint32_t>(address)] += pc.at("ticks")[clock].get<std::uint64_t>();
      }
    }
    return ticks;
  }
};

// 33 MHz. A loop of 8 cycles, which takes 33,000,000 in all and begins before the first tick: the
// six nops at `six` have a cycle each, the branch at `two` has its own and its slot's.
class Pace75 : public Sweep {
 protected:
  void SetUp() override {
    program_ = guest("pace75");
    const auto symbols = parse_nm(other_program({"mips-linux-gnu-nm", program_}).out);
    six_ = symbols.at("six");
    two_ = symbols.at("two");
  }
  std::uint64_t in_two(const Counts& ticks) const {
    const auto at = ticks.find(two_);
    return at == ticks.end() ? 0 : at->second;
  }

  std::string program_;
  std::uint32_t six_ = 0, two_ = 0;
};

// 330,000, 33,000 and 264,000 cycles are multiples of 8: all ticks meet one instruction.
TEST_F(Pace75, AClockInStepMeetsOneInstruction) {
  const Json json = sweep({"--cpu=r3000", "--hz=100,125,1000"}, {program_});
  const std::size_t ticks[] = {100, 125, 1000};
  for (std::size_t clock = 0; clock < 3; ++clock) {
    const Counts found = ticks_of(json, clock);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.begin()->second, ticks[clock]);
  }
}

// 33,000,000 / 64 = 515,625 = 8 * 64,453 + 1: each tick is an instruction further on. 64 ticks meet
// each of the eight cycles 8 times.
TEST_F(Pace75, AClockOneCycleOffMeetsAllEvenly) {
  const Counts found = ticks_of(sweep({"--cpu=r3000", "--hz=64"}, {program_}), 0);
  Counts expected;
  for (std::uint32_t i = 0; i < 6; ++i) expected[six_ + 4 * i] = 8;
  expected[two_] = 16;
  EXPECT_EQ(found, expected);
}

// 33,000,000 / 96 = 343,750 = 8 * 42,968 + 6: of the eight cycles every second one is met, 24 times
// each, and one of these is the branch's.
TEST_F(Pace75, AClockMayMissHalfOfTheLoop) {
  const Counts found = ticks_of(sweep({"--cpu=r3000", "--hz=96"}, {program_}), 0);
  ASSERT_EQ(found.size(), 4U);
  for (const auto& [pc, ticks] : found) EXPECT_EQ(ticks, 24U) << std::hex << pc;
  EXPECT_EQ(in_two(found), 24U);
}

// A sixteenth of 330,000 cycles is 20,625 = 8 * 2,578 + 1: of 16 phases each stands on one
// instruction for ever, and two on each cycle. So every clock is wrong, and their mean is exact.
// The share of `two` is 1/4; that of 100 ticks has the standard error sqrt(3/16/100) = 4.33 %, and
// 3/4 is 17.3 of them.
TEST_F(Pace75, TheMeanOfAllPhasesIsExact) {
  const Json json = sweep({"--cpu=r3000", "--hz=100", "--phase=16"}, {program_});
  unsigned stand_in_two = 0;
  for (std::size_t clock = 0; clock < 16; ++clock) {
    const Counts found = ticks_of(json, clock);
    ASSERT_EQ(found.size(), 1U);
    if (in_two(found) != 0) ++stand_in_two;
  }
  EXPECT_EQ(stand_in_two, 4U);
  const Finished text = hardclock({"sweep", "--cpu=r3000", "--hz=100", "--phase=16", program_});
  EXPECT_TRUE(contains(text.err, "two: exactly 25.00 % of 33000"));
  EXPECT_TRUE(contains(text.err,
                       " hz  mean%  lowest  highest  error  worst\n"
                       "100  25.00    0.00   100.00   4.33   17.3\n"))
      << text.err;
}

// N phases of a rate are the ticks of a clock that is N times as fast.
TEST_F(Pace75, PhasesDivideTheTick) {
  const Json phases = sweep({"--cpu=r3000", "--hz=77", "--phase=3"}, {program_});
  const Json faster = sweep({"--cpu=r3000", "--hz=231"}, {program_});
  Counts sum;
  for (std::size_t clock = 0; clock < 3; ++clock) {
    for (const auto& [pc, ticks] : ticks_of(phases, clock)) sum[pc] += ticks;
  }
  EXPECT_EQ(sum, ticks_of(faster, 0));
}

struct Watched {
  const char* name;
  Words options;
  std::string program;
  Words arguments;
};

class WatchedRun : public Sweep, public ::testing::WithParamInterface<Watched> {
 protected:
  Finished go(Words command, const std::string& stats, const std::string& profile) {
    const Watched& run = GetParam();
    command.insert(command.end(),
                   {"--stats=" + stats, "--profile=" + profile, "--explain=" + stats + ".explain"});
    command.insert(command.end(), run.options.begin(), run.options.end());
    command.push_back(run.program.starts_with("/") ? run.program : guest(run.program));
    command.insert(command.end(), run.arguments.begin(), run.arguments.end());
    return hardclock(command);
  }
};

// Cycles, output, statistics (misses included), every tick and the profile are those of hardclock
// run; and the clock of the machine's own rate has the ticks of that profile, pc by pc.
TEST_P(WatchedRun, IsTheSameRunAndTheOwnRateHasItsTicks) {
  const Finished run = go({"run"}, "run.json", "run-profile.json");
  const Finished swept =
      go({"sweep", "--hz=60-64,100,997,12000", "--phase=2", "--format=json", "--output=sweep.json"},
         "sweep-stats.json", "sweep-profile.json");
  ASSERT_NE(run.out + run.err + std::to_string(run.status), "125");
  EXPECT_EQ(swept.status, run.status);
  EXPECT_EQ(swept.out, run.out);
  EXPECT_EQ(swept.err, run.err);
  EXPECT_EQ(read("sweep-stats.json"), read("run.json"));
  EXPECT_EQ(read("sweep-profile.json"), read("run-profile.json"));
  EXPECT_EQ(read("sweep-stats.json.explain"), read("run.json.explain"));

  const Json json = Json::parse(read("sweep.json"));
  const Json profile = Json::parse(read("run-profile.json"));
  const Json stats = Json::parse(read("run.json"));
  ASSERT_EQ(stats.at("tick_hz"), 100);
  constexpr std::size_t own = 2 * 5;
  ASSERT_EQ(json.at("clocks")[own].at("hz"), 100);
  Counts samples;
  for (const Json& process : profile.at("processes")) {
    for (const auto& [pc, ticks] : counts_of(process, "samples")) samples[pc] += ticks;
  }
  EXPECT_EQ(ticks_of(json, own), samples);
  std::uint64_t system = 0;
  for (const Json& program : stats.at("programs")) {
    system += program.at("ticks").at("system").get<std::uint64_t>();
  }
  const Json& clock = json.at("clocks")[own];
  EXPECT_EQ(clock.at("user"), sum(samples));
  EXPECT_EQ(clock.at("kernel"), system);
  EXPECT_EQ(clock.at("idle"), stats.at("clock_ticks").get<std::uint64_t>() - system - sum(samples));
  EXPECT_GT(json.at("clocks")[own + 4].at("user"), 100);  // of 12000 Hz
}

INSTANTIATE_TEST_SUITE_P(
    Runs, WatchedRun,
    ::testing::Values(
        Watched{"in_order", {"--cpu=r3000"}, "split75", {"500"}},
        Watched{"without_pipeline", {"--timing=functional"}, "bench", {"2"}},
        Watched{"interpreted", {"--cpu=r4400", "--engine=interpreter"}, "bench", {"2"}},
        Watched{"dual_issue", {"--cpu=r5000"}, "bench", {"2"}},
        Watched{"caches", {"--machine=indigo"}, "bench", {"2"}},
        Watched{"caches_r4400", {"--machine=indigo2-r4400"}, "bench", {"2"}},
        Watched{"out_of_order", {"--cpu=r10000"}, "bench", {"20"}},
        Watched{"out_of_order_caches", {"--machine=octane"}, "bench", {"20"}},
        Watched{"processes", {"--machine=indy-r5000"}, "forkprof", {}},
        Watched{"signals", {"--machine=indigo2-r4400"}, "sigprof", {}},
        Watched{"fast_clock", {"--machine=indigo"}, "sprofil", {}},
        Watched{"stepped", {"--machine=indigo", "--trace=/dev/null"}, "split75", {"20"}}),
    [](const auto& run) { return std::string(run.param.name); });

// On a processor whose ticks cost nothing, a machine with that clock would have seen the same.
TEST_F(Sweep, OfAnyRateIsTheRunAtThatRate) {
  const std::string program = guest("compute");
  for (const std::string cpu : {"r3000", "r4400", "r5000"}) {
    const Json json = sweep({"--cpu=" + cpu, "--hz=997,9999"}, {program});
    for (const std::size_t clock : {0U, 1U}) {
      const std::string rate = clock == 0 ? "997" : "9999";
      hardclock({"run", "--cpu=" + cpu, "--hz=" + rate, "--profile=own.json", program});
      const Json profile = Json::parse(read("own.json"));
      EXPECT_EQ(ticks_of(json, clock), counts_of(profile.at("processes")[0], "samples")) << cpu;
    }
  }
}

// split75 has a counter for each instruction, so nothing is binning: its counters are the ticks.
TEST_F(Sweep, ReportTellsBinningFromChance) {
  const std::string program = guest("split75");
  EXPECT_EQ(hardclock({"run", "--profile=exact.json", program, "1000"}).status, 0);
  const Finished told = hardclock({"report", "mon.out", program, "--exact=exact.json", "--truth"});
  EXPECT_TRUE(contains(told.out, "counters%  binning  samples%  chance, beat  error  off  exact%"))
      << told.out << told.err;
  const Json profile = Json::parse(read("exact.json"));
  const auto symbols = parse_nm(other_program({"mips-linux-gnu-nm", program}).out);
  const Counts samples = counts_of(profile.at("processes")[0], "samples");
  const double in_hot = static_cast<double>(sum(samples, symbols.at("hot"), symbols.at("warm")));
  char row[64];
  const double share = 100 * in_hot / static_cast<double>(sum(samples));
  std::snprintf(row, sizeof row, "%9.2f     0.00  %8.2f", share, share);
  EXPECT_TRUE(contains(told.out, row)) << row << "\n" << told.out;

  const auto refused = [&](const Words& options, const std::string& why) {
    Words command = {"report", "mon.out", program};
    command.insert(command.end(), options.begin(), options.end());
    const Finished run = hardclock(command);
    EXPECT_EQ(run.status, own_failure);
    EXPECT_TRUE(contains(run.err, why)) << run.err;
  };
  refused({"--truth"}, "--truth needs the ticks of the same run by pc");
  refused({"--truth", "--annotate"}, "--annotate and --truth exclude each other");
  refused({"--truth", "--format=csv"}, "--truth answers in text; leave out --format=csv");
}

TEST_F(Sweep, TheAnswerGoesToStandardErrorOrAFile) {
  const std::string program = guest("pace75");
  const Finished shown = hardclock({"sweep", "--hz=64", program});
  EXPECT_EQ(shown.status, 0);
  EXPECT_EQ(shown.out, "");
  EXPECT_TRUE(contains(shown.err, "64          64       0     0\n")) << shown.err;
  const Finished written = hardclock({"sweep", "--hz=64", "--output=answer.txt", program});
  EXPECT_EQ(written.err, "");
  EXPECT_EQ(read("answer.txt"), shown.err);
}

TEST_F(Sweep, WithoutRatesItTakesTheOwnOneAndThoseOfOthers) {
  const Finished found = hardclock({"sweep", "--format=csv", guest("pace75")});
  for (const char* const rate : {"60", "64", "99", "100", "101", "1000"}) {
    EXPECT_TRUE(contains(found.err, "\n" + std::string(rate) + ",0,1,six,")) << rate;
  }
  const Finished other = hardclock({"sweep", "--own-hz=50", "--format=csv", guest("pace75")});
  for (const char* const rate : {"49", "50", "51", "60", "64", "100", "1000"}) {
    EXPECT_TRUE(contains(other.err, "\n" + std::string(rate) + ",0,1,six,")) << rate;
  }
}

TEST_F(Sweep, MistakesAreRefusedBeforeTheRun) {
  const std::string program = path("pace75");
  write("pace75", read_file(guest("pace75")));
  const auto refused = [&](const Words& options, const std::string& why) {
    Words command = {"sweep"};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(program);
    const Finished run = hardclock(command);
    EXPECT_EQ(run.status, own_failure);
    EXPECT_TRUE(contains(run.err, why)) << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  };
  const std::string list =
      "--hz needs rates from 1 to 1000000 like 60,100 or 90-110 or 100-1000/50, not '";
  for (const std::string bad :
       {"0", "60,,64", "60,", "100-90", "90-", "1-5/0", "1000001", "x", "-5"})
    refused({"--hz=" + bad}, list + bad + "'");
  refused({"--hz="}, "--hz");
  refused({"--phase=0"}, "--phase needs a whole number from 1 to 1000, not '0'");
  refused({"--hz=1-1001"}, "--hz and --phase ask for more than 1000 clocks");
  refused({"--hz=1-1000000"}, "--hz and --phase ask for more than 1000 clocks");
  refused({"--hz=60,64", "--phase=501"}, "--hz and --phase ask for more than 1000 clocks");
  refused({"--phase=1000"}, "--hz and --phase ask for more than 1000 clocks");
  refused({"--format=xml"}, "--format needs text, json, csv or svg, not 'xml'");
  refused({"--output=no/such/folder"}, "no/such/folder");
  refused({"--output=" + program}, "which is the program");
  refused({"--output=a.json", "--stats=a.json"}, "both write 'a.json'");
}

}  // namespace
}  // namespace hardclock::cli_test
