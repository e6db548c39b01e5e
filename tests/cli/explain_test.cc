// --explain: a line for each clock tick, whose arithmetic is done again here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/command_test.h"
#include "tests/cli/explain_lines.h"

namespace hardclock::cli_test {
namespace {

constexpr std::uint64_t cpu_hertz = 33'000'000;
// Longer than any integer instruction of an R3000: a divide has 35 cycles (GCC,
// config/mips/3000.md, r3k_idiv). A tick waits for the next instruction boundary.
constexpr std::uint64_t longest_wait = 40;

class Explain : public CommandTest {
 protected:
  std::vector<ExplainLine> explain(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "--explain=explain.txt", "--stats=stats.json"});
    EXPECT_EQ(hardclock(arguments).status, 0);
    stats_ = nlohmann::json::parse(read("stats.json"));
    std::vector<ExplainLine> ticks;
    for (const std::string& line : lines_of(read("explain.txt"))) {
      const auto tick = parse_explain(line);
      EXPECT_TRUE(tick) << line;
      if (tick) ticks.push_back(*tick);
    }
    return ticks;
  }

  std::uint64_t total(const char* kind) const {
    std::uint64_t all = 0;
    for (const auto& program : stats_.at("programs")) {
      all += program.at("ticks").at(kind).get<std::uint64_t>();
    }
    return all;
  }

  nlohmann::json stats_;
};

bool is_off(const ExplainLine& tick) {
  return tick.rest.starts_with("profiling is off: ");
}

// IRIX looks at the counter when munmap() returns (docs/observed.md, rule 18): no tick has come.
TEST_F(Explain, AKernelExitWithoutATick) {
  explain({guest("unmap")});
  const std::string text = read("explain.txt");
  EXPECT_TRUE(contains(text, " kernel exit without a tick, pid 100 pc 0x")) << text;
  EXPECT_FALSE(contains(text, "system ticks")) << text;
}

TEST_F(Explain, OneLineATick) {
  for (const std::string_view order : both_byte_orders) {
    const auto ticks = explain({guest("split75" + std::string(order)), "500"});
    EXPECT_EQ(ticks.size(), stats_.at("clock_ticks"));
    EXPECT_EQ(ticks.size(), total("user"));
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      // Clock tick k of a 100 Hz clock is due k hundredths of a second after the start.
      const std::uint64_t due = (i + 1) * (cpu_hertz / 100);
      EXPECT_GE(ticks[i].cycle, due);
      EXPECT_LT(ticks[i].cycle, due + longest_wait);
    }
  }
}

TEST_F(Explain, ArithmeticIsProfils) {
  std::map<std::uint32_t, std::uint64_t> counters;
  std::uint64_t counted = 0;
  for (const ExplainLine& line : explain({guest("split75"), "500"})) {
    const auto tick = parse_counted(line.rest);
    ASSERT_TRUE(tick) << line.rest;
    EXPECT_EQ(tick->pc, line.pc);
    EXPECT_EQ(wrong_arithmetic(*tick, 2), "") << line.rest;
    EXPECT_EQ(tick->before, counters[tick->counter]) << line.rest;
    counters[tick->counter] = tick->after;
    ++counted;
  }
  EXPECT_EQ(counted, total("charged"));
}

// Every scale that oddbuf.c tries, and counters of 32 bits in sprofil.c.
TEST_F(Explain, ArithmeticOfOtherScales) {
  std::set<std::uint32_t> scales;
  std::uint64_t counted = 0;
  for (const ExplainLine& line : explain({guest("oddbuf")})) {
    const auto tick = parse_counted(line.rest);
    if (!tick) continue;
    ++counted;
    scales.insert(tick->scale);
    EXPECT_EQ(wrong_arithmetic(*tick, 2), "") << line.rest;
  }
  EXPECT_GE(scales.size(), 3U);
  EXPECT_LE(counted, total("charged"));

  std::set<std::uint32_t> bases;
  for (const ExplainLine& line : explain({guest("sprofil_little")})) {
    const auto tick = parse_counted(line.rest);
    if (!tick) continue;
    bases.insert(tick->base);
    EXPECT_EQ(wrong_arithmetic(*tick, 4), "") << line.rest;
  }
  EXPECT_EQ(bases.size(), 2U) << "sprofil.c has two scaled regions";
}

// profil(2): "0x0002 ... maps (by convention) the entire region starting with offset to the first
// counter"; a scale of 0 or 1 is off; a bufsiz of 0 is "ineffective".
TEST_F(Explain, SaysWhyNot) {
  std::set<std::string> reasons;
  for (const ExplainLine& line : explain({guest("oddbuf")})) {
    for (const char* reason : {"first counter", "the program stopped it", "buffer is empty",
                               "not below size", "not aligned"}) {
      if (contains(line.rest, reason)) reasons.insert(reason);
    }
  }
  EXPECT_EQ(reasons.size(), 5U) << ::testing::PrintToString(reasons);
}

// unmap.c: counting, then a fault, then off until profil is called again, which counts from 0.
TEST_F(Explain, UnmapTurnsProfilingOff) {
  const auto ticks = explain({guest("unmap")});
  const auto own = std::ranges::count(ticks, false, &ExplainLine::is_later);
  EXPECT_EQ(own, stats_.at("clock_ticks").get<std::ptrdiff_t>());
  std::size_t at = 0;
  while (at < ticks.size() && parse_counted(ticks[at].rest)) ++at;
  ASSERT_GT(at, 0U);
  ASSERT_LT(at, ticks.size());
  EXPECT_TRUE(ticks[at].rest.ends_with("not mapped: profiling is off from now on"))
      << ticks[at].rest;
  EXPECT_TRUE(ticks[at].is_later) << "found on the way out of munmap(), as IRIX's kernel does";
  std::size_t off = 0;
  while (++at < ticks.size() && is_off(ticks[at])) {
    EXPECT_TRUE(contains(ticks[at].rest, "fault")) << ticks[at].rest;
    ++off;
  }
  EXPECT_GE(off, 19U) << "unmap.c burns twice ten ticks after the fault";
  ASSERT_LT(at, ticks.size());
  const auto again = parse_counted(ticks[at].rest);
  ASSERT_TRUE(again) << ticks[at].rest;
  EXPECT_EQ(again->before, 0U);
}

TEST_F(Explain, ForkedProcessesHaveTheirOwnTicks) {
  std::map<int, std::size_t> ticks_of;
  std::map<int, bool> counted, off;
  for (const ExplainLine& line : explain({guest("forkprof")})) {
    if (!line.is_later) ++ticks_of[line.pid];
    (is_off(line) ? off : counted)[line.pid] = true;
  }
  ASSERT_EQ(ticks_of.size(), 2U);
  EXPECT_EQ(counted.size(), 2U);
  EXPECT_EQ(off.size(), 1U) << "only the child turns profiling off";
  for (const auto& program : stats_.at("programs")) {
    EXPECT_EQ(ticks_of[program.at("pid").get<int>()], program.at("ticks").at("user"));
  }
}

// sprofil(2), PROF_FAST: a tick of 1 ms. At one cycle an instruction an instruction ends at every
// cycle, so the ticks come exactly when they are due: at k * 33 MHz / 1000.
TEST_F(Explain, FastTicksComeEveryMillisecond) {
  for (const char* timing : {"functional", "cycle"}) {
    std::uint64_t previous = 0;
    std::size_t fast = 0;
    const std::uint64_t wait = timing[0] == 'f' ? 0 : longest_wait;
    for (const ExplainLine& line : explain({std::string("--timing=") + timing, guest("sprofil")})) {
      if (!line.fast) continue;
      const std::uint64_t number = line.cycle / (cpu_hertz / 1000);
      EXPECT_LE(line.cycle % (cpu_hertz / 1000), wait) << line.cycle;
      if (previous != 0) {
        EXPECT_EQ(number, previous + 1);
      }
      previous = number;
      ++fast;
    }
    EXPECT_GE(fast, 60U);
  }
}

// 33.333333 MHz does not divide by 1024: tick k is due at the first cycle at or after k / 1024 s.
TEST_F(Explain, OddClocksDoNotDrift) {
  const auto ticks = explain(
      {"--cpu=r3000@33.333333", "--hz=1024", "--timing=functional", guest("split75"), "200"});
  ASSERT_GT(ticks.size(), 100U);
  for (std::uint64_t k = 1; k <= ticks.size(); ++k) {
    EXPECT_EQ(ticks[k - 1].cycle, (k * 33'333'333 + 1023) / 1024);
  }
}

// "... -> counter at 0x10000010: 3 ticks: 0 -> 3"; 0: not counted.
unsigned ticks_charged(const std::string& rest) {
  const std::size_t counter = rest.find(" -> counter at ");
  unsigned address = 0, ticks = 0;
  if (counter == std::string::npos) return 0;
  std::sscanf(rest.c_str() + counter, " -> counter at 0x%x: %u ticks", &address, &ticks);
  return ticks;
}

// --syscall-cycles: the kernel's own time, which IRIX's kernel was seen to charge in one step when
// the process leaves it. Each tick in it has a line with its own time, and the charge has one.
TEST_F(Explain, SystemTicksAreChargedLater) {
  const auto lines = explain({"--syscall-cycles=1000000", guest("split75"), "500"});
  EXPECT_EQ(total("user") + total("system"), stats_.at("clock_ticks"));
  std::size_t system = 0, user = 0, later = 0;
  std::set<std::uint64_t> times;
  for (const ExplainLine& line : lines) {
    if (line.is_later) {
      later += ticks_charged(line.rest);
      continue;
    }
    EXPECT_TRUE(times.insert(line.cycle).second) << "two ticks at cycle " << line.cycle;
    if (contains(line.rest, "in the kernel: ")) {
      EXPECT_EQ(line.cycle % 330'000, 0U) << "33 MHz, 100 Hz";
      ++system;
    } else {
      user += parse_counted(line.rest) ? 1 : 0;
    }
  }
  EXPECT_EQ(system, total("system"));
  EXPECT_GE(later, 3U) << "of the call that turns profiling on";
  EXPECT_EQ(user + later, total("charged"));
}

}  // namespace
}  // namespace hardclock::cli_test
