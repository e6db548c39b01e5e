// --machine: a workstation's processor, clock, caches and kernel, from the command line.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using Json = nlohmann::json;

class MachineTest : public CommandTest {
 protected:
  Json statistics_of(const std::vector<std::string>& options) {
    std::vector<std::string> command = {"run", "--stats=s.json"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", guest("bench"), "1"});
    const Finished finished = hardclock(command);
    EXPECT_EQ(finished.status, 0) << finished.err;
    return Json::parse(read("s.json"));
  }
};

// The clocks are those that SGI sold the machines with (isa/mips/machines, with their sources).
TEST_F(MachineTest, HasItsProcessorAndClock) {
  const struct {
    const char* machine;
    const char* cpu;
    std::uint64_t hertz;
  } machines[] = {{"indigo", "r3000", 33'000'000},      {"indy-r4600", "r4600", 133'000'000},
                  {"indy-r5000", "r5000", 180'000'000}, {"indigo2-r4400", "r4400", 200'000'000},
                  {"o2", "r5000", 200'000'000},         {"octane", "r10000", 195'000'000},
                  {"origin2000", "r10000", 195'000'000}};
  for (const auto& [machine, cpu, hertz] : machines) {
    SCOPED_TRACE(machine);
    const Json stats = statistics_of({std::string("--machine=") + machine});
    EXPECT_EQ(stats["machine"], machine);
    EXPECT_EQ(stats["cpu"], cpu);
    EXPECT_EQ(stats["clock_hz"], hertz);
    EXPECT_GT(stats["memory"]["l1i"]["misses"], 0);
    EXPECT_GT(stats["memory"]["l1d"]["misses"], 0);
    EXPECT_GT(stats["memory"]["tlb_misses"], 0);
    // Every instruction is fetched; those that a clock tick found waiting are fetched again.
    const std::uint64_t fetches = stats["memory"]["l1i"]["accesses"];
    EXPECT_GE(fetches, stats["instructions"]);
    EXPECT_LT(fetches, stats["instructions"].get<std::uint64_t>() + 1000);
  }
}

// What the caches cost comes on top of the pipeline's cycles, and nothing else changes.
// The machine's timer counts whole counts: 1250000 / 7777 = 160 of 800 ns each, 156 cycles, on the
// Origin 2000 (Linux, arch/mips/sgi-ip27/ip27-timer.c: CYCLES_PER_JIFFY); 500000 / 7777 = 64 of 66
// cycles on the Indigo (NetBSD, sys/arch/sgimips/dev/int.c: int_8254_cal). A --cpu has no timer:
// its ticks are 33000000 / 7777 cycles apart.
TEST_F(MachineTest, TicksComeWhenItsTimerHasCounted) {
  const struct {
    const char* option;
    double interval;
  } machines[] = {{"--machine=origin2000", 160 * 156},
                  {"--machine=indigo", 64 * 66},
                  {"--cpu=r3000@33", 33e6 / 7777}};
  for (const auto& [option, interval] : machines) {
    const Json stats = statistics_of({option, "--hz=7777", "--syscall-cycles=50000000"});
    const auto ticks = stats.at("clock_ticks").get<double>();
    EXPECT_EQ(ticks, std::floor(stats.at("elapsed_cycles").get<double>() / interval)) << option;
    EXPECT_GT(ticks, 2000) << "else one interval could be mistaken for another";
  }
}

TEST_F(MachineTest, MissesCostCycles) {
  const Json core = statistics_of({"--cpu=r4600@133"});
  const Json whole = statistics_of({"--machine=indy-r4600"});
  EXPECT_TRUE(core["machine"].is_null());
  EXPECT_FALSE(core.contains("memory"));
  EXPECT_EQ(core["instructions"], whole["instructions"]);
  const std::uint64_t misses = whole["memory"]["l1i"]["misses"].get<std::uint64_t>() +
                               whole["memory"]["l1d"]["misses"].get<std::uint64_t>();
  // 702 ns at 133 MHz are 93 cycles; TLB refills and l1's own cycles come to that.
  EXPECT_GE(whole["cycles"].get<std::uint64_t>(),
            core["cycles"].get<std::uint64_t>() + misses * 93);
}

TEST_F(MachineTest, FunctionalTimingHasNoCaches) {
  const Json stats = statistics_of({"--machine=octane", "--timing=functional"});
  EXPECT_EQ(stats["cycles"], stats["instructions"]);
  EXPECT_FALSE(stats.contains("memory"));
}

TEST_F(MachineTest, RunsAreEqual) {
  for (const char* const machine : {"indigo", "o2", "octane"}) {
    const Json first = statistics_of({std::string("--machine=") + machine});
    EXPECT_EQ(first, statistics_of({std::string("--machine=") + machine})) << machine;
  }
}

// ---- --placement

TEST_F(MachineTest, ASeedIsAPlacement) {
  // The R4400's first level is indexed by virtual addresses, its second by physical ones; the
  // R3000 has a first level alone, indexed by physical addresses.
  for (const char* const machine : {"--machine=indigo2-r4400", "--machine=indigo"}) {
    SCOPED_TRACE(machine);
    const Json without = statistics_of({machine});
    EXPECT_FALSE(without.contains("placement"));
    std::set<std::uint64_t> cycles;
    for (const char* const seed : {"0", "1", "2", "3", "4", "5", "6", "7", "4294967295"}) {
      const std::string option = std::string("--placement=") + seed;
      const Json stats = statistics_of({machine, option});
      EXPECT_EQ(stats, statistics_of({machine, option}));
      EXPECT_EQ(stats.at("placement"), std::stoull(seed));
      EXPECT_EQ(stats.at("instructions"), without.at("instructions"));
      cycles.insert(stats.at("cycles").get<std::uint64_t>());
    }
    EXPECT_GT(cycles.size(), 1u);
  }
}

// With --trace every instruction is executed alone: the remembered accesses must not know better.
TEST_F(MachineTest, PlacedPagesCostTheSameStepByStep) {
  for (const char* const machine : {"--machine=indigo2-r4400", "--machine=indigo"}) {
    std::vector<std::string> command = {
        "run",           "--stats=s.json", "--max-instructions=200000",
        "--placement=5", machine,          guest("bench")};
    hardclock(command);
    const Json quick = Json::parse(read("s.json"));
    command.insert(command.begin() + 1, "--trace=trace");
    hardclock(command);
    EXPECT_EQ(quick, Json::parse(read("s.json"))) << machine;
    EXPECT_EQ(quick.at("instructions"), 200000);
  }
}

TEST_F(MachineTest, APlacementNeedsAMachine) {
  expect_complaint(hardclock({"run", "--placement=1", "--cpu=r4400", "--", guest("bench")}),
                   {"--placement", "add --machine"});
  for (const char* const wrong : {"-1", "4294967296", "x"}) {
    expect_complaint(hardclock({"run", "--machine=o2", std::string("--placement=") + wrong, "--",
                                guest("bench")}),
                     {"--placement needs a whole number from 0 to 4294967295"});
  }
}

TEST_F(MachineTest, ReadableStatisticsShowTheCaches) {
  const Finished finished =
      hardclock({"run", "--stats", "--machine=indigo2-r4400", "--", guest("bench"), "1"});
  EXPECT_EQ(finished.status, 0);
  for (const char* const part :
       {"r4400 of indigo2-r4400 at 200 MHz", "l1i ", "l1d ", "l2 ", "tlb "}) {
    EXPECT_TRUE(contains(finished.err, part)) << part << "\n" << finished.err;
  }
}

TEST_F(MachineTest, MistakesAreNamed) {
  expect_complaint(hardclock({"run", "--machine=vax", "--", guest("bench")}),
                   {"unknown machine 'vax'", "indigo2-r4400"});
  expect_complaint(hardclock({"run", "--machine=indy", "--", guest("bench")}),
                   {"unknown machine 'indy'", "did you mean indy-r4600, indy-r5000?"});
  expect_complaint(hardclock({"run", "--cpu=r440", "--", guest("bench")}), {"r4400"});
  expect_complaint(hardclock({"run", "--machine=o2", "--cpu=r5000", "--", guest("bench")}),
                   {"--machine has its own processor", "--cpu"});
  expect_complaint(hardclock({"run", "--machine=indigo", "--", guest("abis_n32")}),
                   {"64-bit registers", "r3000"});
}

TEST_F(MachineTest, NamesMayBeInCapitals) {
  EXPECT_EQ(statistics_of({"--machine=Indigo"})["machine"], "indigo");
  EXPECT_EQ(statistics_of({"--cpu=R4400@100", "--os=IRIX"})["cpu"], "r4400");
  EXPECT_EQ(hardclock({"cpus", "R3000"}).out, hardclock({"cpus", "r3000"}).out);
  EXPECT_EQ(hardclock({"systems", "IRIX"}).out, hardclock({"systems", "irix"}).out);
  EXPECT_EQ(hardclock({"syscalls", "--os=IRIX"}).out, hardclock({"syscalls"}).out);
}

TEST_F(MachineTest, CpusListsAndDescribesThem) {
  const Finished list = hardclock({"cpus"});
  EXPECT_EQ(list.status, 0);
  EXPECT_TRUE(contains(list.out, "origin2000"));
  const Finished page = hardclock({"cpus", "indigo2-r4400"});
  EXPECT_EQ(page.status, 0);
  for (const char* const part : {"processor        r4400", "ns 942", "lmbench", "published"}) {
    EXPECT_TRUE(contains(page.out, part)) << part;
  }
  expect_complaint(hardclock({"cpus", "vax"}), {"unknown cpu or machine 'vax'", "hardclock cpus"});
}

}  // namespace
}  // namespace hardclock::cli_test
