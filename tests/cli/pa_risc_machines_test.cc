// Programs for HP-UX on the processors and machines of PA-RISC 2.0 that issue out of order.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"
#include "tests/cli/tap.h"

namespace hardclock::cli_test {
namespace {

using Json = nlohmann::json;

constexpr const char* programs[] = {"hppa/hpux/hello", "hppa/hpux/hello_20"};

class PaRiscMachinesTest : public CommandTest {
 protected:
  Json statistics_of(const std::string& option, const std::string& program) {
    const Finished run = hardclock({"run", "--stats=s.json", option, "--", guest(program)});
    EXPECT_EQ(run.status, 0) << run.err;
    const Tap tap = parse_tap(run.out);
    EXPECT_EQ(tap.wrong, "") << run.out;
    EXPECT_GT(tap.checks, 0);
    EXPECT_EQ(tap.checks, tap.plan) << run.out << run.err;
    return Json::parse(read("s.json"));
  }
};

// The clocks: Computer Business Review (1996) has a PA-8000 of 180 MHz, Linux's start-up messages
// a C3000 of 400.
TEST_F(PaRiscMachinesTest, RunPrograms) {
  const struct {
    const char* machine;
    const char* cpu;
    std::uint64_t hertz;
  } machines[] = {{"c180", "pa8000", 180'000'000}, {"c3000", "pa8500", 400'000'000}};
  for (const auto& [machine, cpu, hertz] : machines) {
    for (const char* const program : programs) {
      SCOPED_TRACE(std::string(machine) + " " + program);
      const std::string option = std::string("--machine=") + machine;
      const Json stats = statistics_of(option, program);
      EXPECT_EQ(stats["machine"], machine);
      EXPECT_EQ(stats["cpu"], cpu);
      EXPECT_EQ(stats["clock_hz"], hertz);
      EXPECT_GT(stats["memory"]["l1i"]["misses"], 0);
      EXPECT_GT(stats["memory"]["l1d"]["misses"], 0);
      EXPECT_GT(stats["memory"]["tlb_misses"], 0);
      EXPECT_EQ(stats, statistics_of(option, program)) << "another run";
    }
  }
}

// Four instructions retire in a cycle at most (IEEE Micro 17(2), 1997).
TEST_F(PaRiscMachinesTest, EachProcessorRunsPrograms) {
  for (const std::string cpu : {"pa8000", "pa8200", "pa8500", "pa8600", "pa8700"}) {
    for (const char* const program : programs) {
      SCOPED_TRACE(cpu + " " + program);
      const Json stats = statistics_of("--cpu=" + cpu, program);
      EXPECT_EQ(stats["cpu"], cpu);
      EXPECT_GE(4 * stats["cycles"].get<std::uint64_t>(), stats["instructions"]);
    }
  }
}

TEST_F(PaRiscMachinesTest, ThePipelineIsShown) {
  const Finished run = hardclock(
      {"run", "--cpu=pa8000", "--pipeline=main+8,p.txt", "--", guest("hppa/hpux/hello_20")});
  EXPECT_EQ(run.status, 0) << run.err;
  const std::string text = read("p.txt");
  for (const std::string stage : {"fet", "dec", "iss", "gra"}) {
    std::size_t count = 0;
    for (std::size_t at = text.find(stage); at != std::string::npos;
         at = text.find(stage, at + 1)) {
      ++count;
    }
    EXPECT_EQ(count, 8u) << stage << "\n" << text;
  }
}

TEST_F(PaRiscMachinesTest, AreListed) {
  const std::string list = hardclock({"cpus"}).out;
  for (const std::string name :
       {"pa8000", "pa8200", "pa8500", "pa8600", "pa8700", "c180", "c3000"}) {
    EXPECT_TRUE(contains(list, "\n" + name + " ")) << name << "\n" << list;
    EXPECT_EQ(hardclock({"cpus", name}).status, 0) << name;
  }
}

}  // namespace
}  // namespace hardclock::cli_test
