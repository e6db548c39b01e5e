// Tick k of phase p of N is due at cycle ceil((k + p/N) * period). The oracle is
// Boost.Multiprecision's unbounded integers; phase 0 is the machine's own clock, PeriodicInterrupt.
#include "sim/clock/silent_clock.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <vector>

namespace hardclock {
namespace {

using Unbounded = boost::multiprecision::cpp_int;

std::uint64_t ceiling(const Unbounded& dividend, const Unbounded& divisor) {
  return static_cast<std::uint64_t>((dividend + divisor - 1) / divisor);
}

rc::Gen<TickPeriod> any_period() {
  return rc::gen::map(
      rc::gen::pair(rc::gen::oneOf(rc::gen::element<std::uint64_t>(33'000'000, 33'333'333, 7),
                                   rc::gen::inRange<std::uint64_t>(1, 4'000'000'000)),
                    rc::gen::inRange<std::uint64_t>(1, 2'000'000)),
      [](const auto& numbers) {
        return TickPeriod{numbers.first, numbers.second};
      });
}

std::vector<std::uint64_t> first_ticks(SilentClock clock, std::size_t count) {
  std::vector<std::uint64_t> due;
  for (; due.size() < count; clock.take()) due.push_back(clock.due().value());
  return due;
}

// 33 MHz and 100 Hz: 330000 cycles, a quarter of them 82500. By hand.
TEST(SilentClock, PhasesDivideThePeriod) {
  const TickPeriod period{33'000'000, 100};
  EXPECT_EQ(first_ticks({period, 0, 4}, 2), (std::vector<std::uint64_t>{330'000, 660'000}));
  EXPECT_EQ(first_ticks({period, 1, 4}, 3), (std::vector<std::uint64_t>{82'500, 412'500, 742'500}));
  EXPECT_EQ(first_ticks({period, 3, 4}, 2), (std::vector<std::uint64_t>{247'500, 577'500}));
}

// 10 cycles a second and 3 ticks: every 3.33 cycles; half a period later from 1.67 on. By hand.
TEST(SilentClock, RoundsEachTickUpAndDoesNotDrift) {
  const TickPeriod period{10, 3};
  EXPECT_EQ(first_ticks({period, 0, 2}, 4), (std::vector<std::uint64_t>{4, 7, 10, 14}));
  EXPECT_EQ(first_ticks({period, 1, 2}, 4), (std::vector<std::uint64_t>{2, 5, 9, 12}));
}

RC_GTEST_PROP(SilentClock, IsExact, ()) {
  const TickPeriod period = *any_period();
  const auto phases = *rc::gen::inRange<std::uint32_t>(1, 1001);
  const auto phase = *rc::gen::inRange<std::uint32_t>(0, phases);
  SilentClock clock(period, phase, phases);
  for (std::uint64_t k = phase == 0 ? 1 : 0; k < 300; ++k, clock.take()) {
    const Unbounded place = Unbounded(k) * phases + phase;
    RC_ASSERT(clock.due().value() ==
              ceiling(place * period.cycles, Unbounded(period.counts) * phases));
  }
}

RC_GTEST_PROP(SilentClock, OfPhase0IsTheMachinesClock, ()) {
  const Hertz cpu(*rc::gen::inRange<std::uint64_t>(1, 4'000'000'000));
  const Hertz rate(*rc::gen::inRange<std::uint64_t>(1, 100'000));
  std::optional<TickCounter> counter;
  if (*rc::gen::arbitrary<bool>()) {
    counter = TickCounter{*rc::gen::inRange<std::uint64_t>(1, 1'000),
                          *rc::gen::inRange<std::uint64_t>(1, 1'000)};
  }
  PeriodicInterrupt own(cpu, rate, counter);
  SilentClock clock(own.period(), 0, 1);
  for (int i = 0; i < 100; ++i, own.take(), clock.take()) RC_ASSERT(clock.due() == own.due());
}

// N clocks that divide a period tick like one that is N times as fast.
RC_GTEST_PROP(SilentClock, AllPhasesTogetherAreAFasterClock, ()) {
  const TickPeriod period = *any_period();
  const auto phases = *rc::gen::inRange<std::uint32_t>(1, 20);
  std::vector<std::uint64_t> all;
  for (std::uint32_t phase = 0; phase < phases; ++phase) {
    const auto ticks = first_ticks({period, phase, phases}, 20);
    all.insert(all.end(), ticks.begin(), ticks.end());
  }
  std::ranges::sort(all);
  const TickPeriod faster{period.cycles, period.counts * phases};
  const auto expected = first_ticks({faster, 0, 1}, 20);
  RC_ASSERT(std::equal(expected.begin(), expected.end(), all.begin()));
}

RC_GTEST_PROP(SilentClock, PassesOverAnyTime, ()) {
  const TickPeriod period = *any_period();
  const auto phases = *rc::gen::inRange<std::uint32_t>(1, 1001);
  const auto phase = *rc::gen::inRange<std::uint32_t>(0, phases);
  SilentClock clock(period, phase, phases);
  Unbounded taken = phase == 0 ? 1 : 0;  // the number of the next tick
  Cycles now;
  for (int i = 0; i < 10; ++i) {
    now += Cycles(*rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(0, 1'000'000),
                                  rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 40)));
    taken += clock.take_before(now);
    const Unbounded divisor = Unbounded(period.counts) * phases;
    const auto due_of = [&](const Unbounded& k) -> Unbounded {
      return ((k * phases + phase) * period.cycles + divisor - 1) / divisor;
    };
    RC_ASSERT(Unbounded(clock.due().value()) == due_of(taken));
    RC_ASSERT(clock.due() >= now);
    RC_ASSERT(taken == (phase == 0 ? 1 : 0) || due_of(taken - 1) < now.value());
  }
}

}  // namespace
}  // namespace hardclock
