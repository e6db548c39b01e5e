// Which error of a profile is whose. Every expected figure is worked out by hand beside it.
#include "sim/report/error_sources.h"

#include <gtest/gtest.h>

#include <string>

namespace hardclock::report {
namespace {

Symbol half(std::uint64_t address, std::string name) {
  return {.address = GuestAddr(address), .size = 64, .name = std::move(name)};
}

SymbolTable two_halves() {
  return SymbolTable({half(0x400100, "heavy"), half(0x400140, "light")}, GuestAddr(0x400180));
}

// One counter for both functions, which cover half of it each. By pc 80 of 100 ticks, and 75 % of
// the cycles, are heavy's.
Profile shared_counter() {
  Profile profile;
  profile.processes.emplace_back();
  profile.processes[0].histograms = {{GuestAddr(0x400100), GuestAddr(0x400180), {100}}};
  return profile;
}

Profile ticks_and_cycles() {
  Profile profile;
  profile.processes.emplace_back();
  profile.processes[0].samples = {{GuestAddr(0x400104), 80}, {GuestAddr(0x400140), 20}};
  profile.processes[0].cycles = {{GuestAddr(0x400104), 750}, {GuestAddr(0x400140), 250}};
  return profile;
}

std::vector<ErrorSources> found() {
  const Profile counters = shared_counter(), exact = ticks_and_cycles();
  return error_sources(flat(counters, two_halves()), flat(exact, two_halves(), &exact));
}

TEST(ErrorSources, SharedCountersAndTicksAreToldApart) {
  const auto rows = found();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (ErrorSources{"heavy", 50, 80, 75}));
  EXPECT_EQ(rows[1], (ErrorSources{"light", 50, 20, 25}));
  EXPECT_DOUBLE_EQ(rows[0].binning(), -30);
  EXPECT_DOUBLE_EQ(rows[0].chance_and_beat(), 5);
}

// sqrt(0.75 * 0.25 / 100) = 4.33 %, of which 5 is 1.15.
TEST(ErrorSources, Text) {
  EXPECT_EQ(error_sources_text(found(), Ticks(100)),
            "counters%  binning  samples%  chance, beat  error  off  exact%  function\n"
            "    50.00   -30.00     80.00         +5.00   4.33  1.2   75.00  heavy\n"
            "    50.00   +30.00     20.00         -5.00   4.33  1.2   25.00  light\n");
}

// What only the counters show was no function of the run.
TEST(ErrorSources, NoRowIsLost) {
  Profile counters = shared_counter();
  counters.processes[0].histograms[0].high = GuestAddr(0x400200);
  const Profile exact = ticks_and_cycles();
  const auto rows = error_sources(flat(counters, two_halves()), flat(exact, two_halves(), &exact));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_DOUBLE_EQ(rows[2].counters, 50);
  EXPECT_EQ(rows[2].exact, 0);
}

}  // namespace
}  // namespace hardclock::report
