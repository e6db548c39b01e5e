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
    EXPECT_LE(ticks.charged, ticks.clock);
    if (std::string_view(cycles) == "0") {
      EXPECT_EQ(ticks.system, 0U);
    }
    if (std::string_view(cycles) == "1000000") {
      EXPECT_GT(ticks.system, 30U);
    }
  }
}

// The guest's own figures. split75 makes no call between switching profil on and off, so its
// counters are as many as the user ticks in between, and at one address the ticks of the call that
// switched profiling on: IRIX's kernel charges a call's ticks when the process leaves it.
TEST_F(SystemTicks, CountersRiseForTheCallThatSwitchesOn) {
  run("1000000", {guest("split75"), "500"});
  const MonOut mon = parse_mon_out(read("mon.out"), false);
  const auto profile = nlohmann::json::parse(read("p.json"));
  const Counts samples = counts_of(profile.at("processes")[0], "samples");
  std::vector<std::uint64_t> more;
  for (const auto& [address, count] : mon.by_address()) {
    const auto found = samples.find(address);
    const std::uint64_t user = found == samples.end() ? 0 : found->second;
    if (count != user) more.push_back(count - user);
  }
  ASSERT_EQ(more.size(), 1U);
  EXPECT_GE(more.front(), 1'000'000U / 330'000);
  EXPECT_LE(more.front(), 1'000'000U / 330'000 + 1);
  const Ticks quiet = run("0", {guest("split75"), "500"});
  EXPECT_NEAR(static_cast<double>(sum(samples)), static_cast<double>(quiet.user), 1.0);
}

// Whose kernel looks at its state when the call is over counts the ticks of the call that turns
// profiling on: V7 sys/trap.c, "if(u.u_prof.pr_scale) addupc(pc, &u.u_prof, u_stime-syst)" behind
// the call, likewise 2.11BSD, the VAX's and 4.4BSD's (P_PROFIL) trap.c, and the observed IRIX
// kernel. Solaris's clock_tick() asks at the tick. HP-UX and AIX count no ticks of the kernel.
TEST_F(SystemTicks, OfTheCallThatTurnsProfilingOn) {
  // 100000 cycles at 1 MHz are a tenth of a second.
  const std::pair<const char*, const char*> systems[] = {
      {"v7", "6 ticks in 1 counters\n"},      {"2.11bsd", "6 ticks in 1 counters\n"},
      {"4.1bsd", "6 ticks in 1 counters\n"},  {"4.2bsd", "10 ticks in 1 counters\n"},
      {"4.3bsd", "10 ticks in 1 counters\n"}, {"4.4bsd", "6 ticks in 1 counters\n"},
      {"irix", "10 ticks in 1 counters\n"},   {"solaris", "0 ticks in 0 counters\n"},
      {"hpux", "0 ticks in 0 counters\n"},    {"aix", "0 ticks in 0 counters\n"},
  };
  for (const auto& [os, answer] : systems) {
    const Finished finished = hardclock(
        {"run", "--os", os, std::string_view(os) == "hpux" ? "--cpu=pa7100@1" : "--cpu=r3000@1",
         "--syscall-cycles=100000", "--explain=e", cli_guest(std::string("switch_on_") + os)});
    EXPECT_EQ(finished.out, answer) << os << "\n" << read("e");
  }
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
