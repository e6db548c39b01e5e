// Time in the kernel: --syscall-cycles gives system calls a length, so that clock interrupts find
// the processor in them.
#include <gtest/gtest.h>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

struct Ticks {
  std::uint64_t user = 0, system = 0, charged = 0, clock = 0, idle = 0;
};

class SystemTicks : public CommandTest {
 protected:
  Ticks run(const std::string& cycles, std::vector<std::string> program) {
    program.insert(program.begin(),
                   {"run", "--stats=s.json", "--profile=p.json", "--syscall-cycles=" + cycles});
    last_ = hardclock(program);
    EXPECT_EQ(last_.status, 0) << last_.out << last_.err;
    const auto stats = nlohmann::json::parse(read("s.json"));
    Ticks ticks;
    ticks.clock = stats.at("clock_ticks");
    for (const auto& each : stats.at("programs")) {
      ticks.user += each.at("ticks").at("user").get<std::uint64_t>();
      ticks.system += each.at("ticks").at("system").get<std::uint64_t>();
      ticks.charged += each.at("ticks").at("charged").get<std::uint64_t>();
    }
    return ticks;
  }

  Finished last_;
};

TEST_F(SystemTicks, EveryTickIsUserOrSystem) {
  for (const char* cycles : {"0", "1", "33000", "1000000"}) {
    SCOPED_TRACE(cycles);
    const Ticks ticks = run(cycles, {guest("split75"), "500"});
    EXPECT_EQ(ticks.user + ticks.system, ticks.clock);
    EXPECT_LE(ticks.charged, ticks.user);
    if (std::string_view(cycles) == "0") {
      EXPECT_EQ(ticks.system, 0U);
    }
    if (std::string_view(cycles) == "1000000") {
      EXPECT_GT(ticks.system, 30U);
    }
  }
}

// The guest's own figures: profil's counters are as many as the user ticks while it was on, however
// long the kernel takes. split75 makes no call between switching profil on and off.
TEST_F(SystemTicks, CountersDoNotRiseForThem) {
  run("1000000", {guest("split75"), "500"});
  const MonOut mon = parse_mon_out(read("mon.out"), false);
  const auto profile = nlohmann::json::parse(read("p.json"));
  const Counts samples = counts_of(profile.at("processes")[0], "samples");
  EXPECT_EQ(mon.by_address(), samples);
  const Ticks quiet = run("0", {guest("split75"), "500"});
  EXPECT_NEAR(static_cast<double>(sum(samples)), static_cast<double>(quiet.user), 1.0);
}

// A system call that is longer than a tick takes several: here each takes ten and a bit.
TEST_F(SystemTicks, LongCallsTakeManyTicks) {
  const Ticks ticks = run("3333333", {guest("badsys")});
  // badsys makes three calls: 1999, write and exit.
  EXPECT_EQ(ticks.system, 3 * 3'333'333 / 330'000);
  EXPECT_EQ(ticks.user, 0U);
}

TEST_F(SystemTicks, ProgramsThatForkConserveTicks) {
  const Ticks ticks = run("5000", {guest("forkprof")});
  EXPECT_EQ(ticks.user + ticks.system, ticks.clock);
  EXPECT_FALSE(contains(last_.out, "not ok"));
}

}  // namespace
}  // namespace hardclock::cli_test
