// The guests of //tests/guests/lmbench, and lmbench of //tests/guests/ia64, measure what they say.
// What a call costs is --syscall-cycles, so each figure must grow by that for each call that its
// text makes. The loads are an R3000's from its first-level cache: one, and the instruction in its
// delay slot, a cycle each (G. Kane, "MIPS RISC Architecture": a load's latency is one
// instruction).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

constexpr double cycle = 1000.0 / 33;  // ns, at 33 MHz

class Lmbench : public CommandTest {
 protected:
  std::map<std::string, double> run(const std::string& cycles, std::vector<std::string> program) {
    program.front() = "lmbench/" + program.front();
    return run_with({"--cpu=r3000@33", "--syscall-cycles=" + cycles}, std::move(program));
  }
  std::map<std::string, double> run_on(const std::string& machine,
                                       std::vector<std::string> program) {
    return run_with({"--machine=" + machine}, std::move(program));
  }

  // Every line must be "NAME VALUE ns", or "... MB/s" of bw_mem.
  std::map<std::string, double> run_with(const std::vector<std::string>& options,
                                         std::vector<std::string> program) {
    program.front() = guest(program.front());
    program.insert(program.begin(), options.begin(), options.end());
    program.insert(program.begin(), "run");
    const Finished finished = hardclock(program);
    EXPECT_EQ(finished.status, 0) << finished.err;
    std::map<std::string, double> figures;
    std::istringstream words(finished.out);
    std::string name, unit;
    for (double value = 0; words >> name; figures[name] = value) {
      EXPECT_TRUE(words >> value >> unit && (unit == "ns" || unit == "MB/s")) << name;
    }
    return figures;
  }

  // Checks by how many calls each figure grows. The guest's clock shows microseconds, of which a
  // difference of two may lack two for each run, over `count` operations.
  void expect_calls(const std::vector<std::string>& program, double count,
                    const std::map<std::string, int>& calls) {
    constexpr int cycles = 3300;
    const auto quick = run("0", program);
    const auto slow = run(std::to_string(cycles), program);
    ASSERT_EQ(quick.size(), calls.size());
    for (const auto& [name, n] : calls) {
      ASSERT_TRUE(quick.contains(name) && slow.contains(name)) << name;
      EXPECT_GT(quick.at(name), 0) << name;
      EXPECT_NEAR(slow.at(name) - quick.at(name), n * cycles * cycle, 4000 / count + 0.2) << name;
    }
  }
};

TEST_F(Lmbench, ANullCallIsOneCall) {
  expect_calls({"lat_syscall", "1000"}, 1000, {{"null_call", 1}, {"null_write", 1}});
}

// fork, exit and wait; and exec.
TEST_F(Lmbench, ANewProcessIsThreeCallsOrFour) {
  expect_calls({"lat_proc", "50"}, 50, {{"fork_exit", 3}, {"fork_exec_exit", 4}});
}

// A write and a read, which a context switch is less of.
TEST_F(Lmbench, AContextSwitchIsWithoutThePipes) {
  expect_calls({"lat_ctx", "1000"}, 500, {{"pipe_overhead", 2}, {"context_switch", 0}});
}

// The loop around a hundred loads adds some hundredths of a cycle.
TEST_F(Lmbench, ALoadFromTheFirstLevelCache) {
  const auto figures = run("3300", {"lat_mem_rd_mips1", "8", "16", "128"});
  EXPECT_EQ(figures.size(), 2U * 9) << "512 bytes to 8 KB, and those and a half but the last";
  for (const auto& [name, time] : figures) {
    EXPECT_GE(time, 2 * cycle - 0.1) << name;
    EXPECT_LE(time, 2.1 * cycle) << name;
  }
}

// Published figures of the machines whose clock is known: within 10 %, or one unit of the table's
// last digit. tests/timing/lmbench.json says where each stands.
TEST_F(Lmbench, MachinesHaveTheirPublishedFigures) {
  const auto published = nlohmann::json::parse(read_file("tests/timing/lmbench.json"));
  // By machine and clock.
  std::map<std::pair<std::string, int>, unsigned> figures_of = {{{"indigo2-r4400", 200}, 11},
                                                                {{"735-99", 99}, 4},
                                                                {{"origin2000", 195}, 1},
                                                                {{"rx2600-900", 900}, 7}};
  const std::map<std::string, std::vector<std::string>> programs = {
      {"bw_mem", {"lmbench/bw_mem_irix"}},
      {"bw_mem_hpux", {"lmbench/bw_mem_hpux"}},
      {"bw_mmap", {"lmbench/bw_mmap_irix", "file"}},
      {"bw_mmap_hpux", {"lmbench/bw_mmap_hpux", "file"}},
      {"lat_mem_rd", {"lmbench/lat_mem_rd_mips1", "8192", "128"}},
      {"lat_syscall", {"lmbench/lat_syscall", "1000"}},
      {"lat_ctx", {"lmbench/lat_ctx", "500"}},
      // As many pages as a dynamically linked IRIX program touches (indigo2-r4400.machine).
      {"lat_proc", {"lmbench/lat_proc", "20", "3", "30"}},
      {"ia64 calls", {"ia64/prebuilt/lmbench", "calls"}},
      {"ia64 signals", {"ia64/prebuilt/lmbench", "signals"}},
      {"ia64 pages", {"ia64/prebuilt/lmbench", "pages", "file"}},
      {"ia64 switch", {"ia64/prebuilt/lmbench", "switch"}},
      {"ia64 processes", {"ia64/prebuilt/lmbench", "processes", "3", "30"}}};
  for (const auto& system : published.at("systems")) {
    if (system.at("machine").is_null() || system.at("mhz").is_null()) continue;
    const std::string machine = system.at("machine");
    const auto left = figures_of.find({machine, system.at("mhz").get<int>()});
    if (left == figures_of.end()) continue;
    std::map<std::string, std::map<std::string, double>> measured;
    for (const auto& figure : system.at("figures")) {
      const std::string guest_name = figure.at("guest");
      auto& figures = measured[guest_name];
      if (figures.empty()) figures = run_on(machine, programs.at(guest_name));
      const std::string name = figure.at("name");
      ASSERT_TRUE(figures.contains(name)) << name;
      const double value = figure.at("value");
      const double tolerance = std::max(value / 10, figure.at("step").get<double>());
      EXPECT_NEAR(figures.at(name), value, tolerance) << machine << " " << name;
      --left->second;
    }
  }
  for (const auto& [machine, left] : figures_of) EXPECT_EQ(left, 0u) << machine.first;
}

TEST_F(Lmbench, WrongArgumentsAreRefused) {
  for (const std::vector<std::string>& program :
       std::vector<std::vector<std::string>>{{"lat_syscall", "0"},
                                             {"lat_proc", "0"},
                                             {"lat_proc", "1", "65"},
                                             {"lat_proc", "1", "0", "65"},
                                             {"lat_ctx", "1"},
                                             {"lat_mem_rd_mips1", "8193"},
                                             {"lat_mem_rd_mips1", "8", "3"},
                                             {"lat_mem_rd_mips1", "8", "1024"}}) {
    std::vector<std::string> command = program;
    command.front() = guest("lmbench/" + program.front());
    command.insert(command.begin(), "run");
    const Finished finished = hardclock(command);
    EXPECT_EQ(finished.status, 1) << program.front();
    EXPECT_EQ(finished.out, "");
  }
}

}  // namespace
}  // namespace hardclock::cli_test
