// Time in the kernel: --syscall-cycles gives system calls a length, so that clock interrupts find
// the processor in them.
#include <gtest/gtest.h>

#include <tuple>

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

// profil(2), IRIX and Solaris: "when the process is interrupted for a clock tick, the value of
// offset is subtracted from the current value of the program counter". The IRIX 6.2 kernel was
// observed to charge before it delivers (docs/observed.md, rule 23). All other kernels count a user
// tick at the pc that it interrupts. V7, 4.1BSD and our AIX have no interval timers.
TEST_F(SystemTicks, OfTimersWhoseSignalsAreCaught) {
  const std::string timers =
      "real: every tick in work\nvirtual: every tick in work\nprof: every tick in work\n";
  const std::pair<const char*, std::string> systems[] = {
      {"irix", timers + "fast: every tick in work\n"},
      {"solaris", timers},
      {"solaris2.5", timers},
      {"4.2bsd", timers},
      {"4.3bsd", timers},
      {"2.11bsd", timers},
      {"4.4bsd", timers},
      {"aix", "no timers\n"},
      {"hpux", timers},
      {"v7", "no timers\n"},
      {"4.1bsd", "no timers\n"},
  };
  for (const auto& [os, answer] : systems) {
    const Finished finished = hardclock(
        {"run", "--os", os, std::string_view(os) == "hpux" ? "--cpu=pa7100@6" : "--cpu=r3000@6",
         "--explain=e", cli_guest(std::string("caught_") + os), "timers"});
    EXPECT_EQ(finished.out, answer) << os << "\n" << read("e");
  }
}

// Each call lasts one tick. illumos uts/intel/os/syscall.c post_syscall(): profil_tick(rp->r_pc)
// before psig(), and IRIX as above; V7 sys/trap.c, the VAX's and 2.11BSD's: psig() before addupc();
// 2.11BSD starts a handler by a trampoline of the C library's; 4.4BSD's MIPS port charges the
// trapped pc, which for the return from a handler is not in the text. HP-UX and AIX count no ticks
// of the kernel.
TEST_F(SystemTicks, OfCallsThatEndWithACaughtSignal) {
  const std::string ahead = "10 signals: 20 ticks in kill, 0 at the handler\n";
  const std::string behind = "10 signals: 10 ticks in kill, 10 at the handler\n";
  const std::string nowhere = "10 signals: 0 ticks in kill, 0 at the handler\n";
  const std::tuple<const char*, std::uint64_t, std::string> systems[] = {
      {"irix", 100, ahead},
      {"solaris", 100, ahead},
      {"solaris2.5", 100, ahead},
      {"v7", 60, behind},
      {"2.11bsd", 60, "10 signals: 10 ticks in kill, 0 at the handler\n"},
      {"4.1bsd", 60, behind},
      {"4.2bsd", 100, behind},
      {"4.3bsd", 100, behind},
      {"4.4bsd", 64, "10 signals: 10 ticks in kill, 0 at the handler\n"},
      {"hpux", 100, nowhere},
      {"aix", 100, nowhere},
  };
  for (const auto& [os, rate, answer] : systems) {
    const Finished finished = hardclock(
        {"run", "--os", os, std::string_view(os) == "hpux" ? "--cpu=pa7100@6" : "--cpu=r3000@6",
         "--syscall-cycles=" + std::to_string(6'000'000 / rate), "--explain=e",
         cli_guest(std::string("caught_") + os), "kill"});
    EXPECT_EQ(finished.out, answer) << os << "\n" << read("e");
  }
}

// Two ticks of 10 ms fall into each delivery. By psig()'s place in the kernels they are the
// handler's on the VAX and those of the call on 4.4BSD (64 a second). The IRIX kernel was seen to
// charge them to nobody; those of Solaris are owed until the call that the handler makes.
TEST_F(SystemTicks, OfTheDeliveryItself) {
  write("slow.machine",
        "cpu slow\nabout a test\nprocessor r3000 mhz 6 \\\n unverified: a test\n"
        "memory main ns 0 \\\n unverified: a test\n"
        "kernel signal_delivery ns 20000000 \\\n unverified: a test\n");
  const std::pair<const char*, const char*> systems[] = {
      {"irix", "10 signals: 0 ticks in kill, 0 at the handler\n"},
      {"solaris", "10 signals: 0 ticks in kill, 0 at the handler\n"},
      {"4.3bsd", "10 signals: 0 ticks in kill, 20 at the handler\n"},
      {"4.4bsd", "10 signals: 12 ticks in kill, 0 at the handler\n"},
  };
  for (const auto& [os, answer] : systems) {
    const Finished finished =
        hardclock({"run", "--os", os, "--machine=./slow.machine", "--explain=e",
                   cli_guest(std::string("caught_") + os), "kill"});
    EXPECT_EQ(finished.out, answer) << os << "\n" << read("e");
    const std::string explained = read("e");
    EXPECT_EQ(contains(explained, "for a signal: not charged"), std::string_view(os) == "irix");
    EXPECT_EQ(contains(explained, "<_sigaction+0x8>: region"), std::string_view(os) == "solaris");
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
