// Tick k is due at cycle ceil(k * cpu_hz / hz): the first whole cycle that is not earlier than k/hz
// seconds; with a TickCounter, that of its count number k * n. The oracle is Boost.Multiprecision's
// unbounded integers.
#include "sim/clock/virtual_clock.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <vector>

namespace hardclock {
namespace {

using boost::multiprecision::cpp_int;

cpp_int tick_cycle(std::uint64_t k, std::uint64_t cpu, std::uint64_t rate) {
  return (cpp_int(k) * cpu + rate - 1) / rate;
}

std::uint64_t first_tick_after(std::uint64_t now, std::uint64_t cpu, std::uint64_t rate) {
  return static_cast<std::uint64_t>(cpp_int(now) * rate / cpu) + 1;
}

rc::Gen<std::uint64_t> cpu_hertz() {
  return rc::gen::oneOf(
      rc::gen::element<std::uint64_t>(1, 12'500'000, 33'333'333, 200'000'000, 1'000'000'007),
      rc::gen::inRange<std::uint64_t>(1, 4'000'000'000));
}
rc::Gen<std::uint64_t> tick_hertz() {
  return rc::gen::oneOf(rc::gen::element<std::uint64_t>(1, 60, 64, 100, 1000, 1024),
                        rc::gen::inRange<std::uint64_t>(1, 100'000));
}

TEST(MultiplyDivide, IsExactNearTheLimits) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EQ(multiply_divide_down(most, most, most), most);
  EXPECT_EQ(multiply_divide_up(most, most, most), most);
  EXPECT_EQ(multiply_divide_up(most, most - 1, most), most - 1);
  EXPECT_EQ(multiply_divide_down(7, 3, 2), 10u);
  EXPECT_EQ(multiply_divide_up(7, 3, 2), 11u);
  EXPECT_EQ(multiply_divide_up(0, 3, 2), 0u);
}

RC_GTEST_PROP(MultiplyDivide, AgreesWithUnboundedIntegers,
              (std::uint64_t a, std::uint32_t b, std::uint64_t c)) {
  c |= b;  // keeps the quotient within 64 bits
  RC_PRE(c != 0u);
  RC_ASSERT(cpp_int(multiply_divide_down(a, b, c)) == cpp_int(a) * b / c);
  RC_ASSERT(cpp_int(multiply_divide_up(a, b, c)) == (cpp_int(a) * b + c - 1) / c);
}

TEST(PeriodicInterrupt, AtThirtyThreeMegahertz) {
  // 33333333 / 100 = 333333.33: by hand.
  PeriodicInterrupt ticks(Hertz(33'333'333), Hertz(100));
  const std::vector<std::uint64_t> expected = {333'334, 666'667, 1'000'000, 1'333'334};
  for (const std::uint64_t cycle : expected) {
    EXPECT_EQ(ticks.due(), Cycles(cycle));
    ticks.take();
  }
  EXPECT_EQ(ticks.taken(), Ticks(4));
}

RC_GTEST_PROP(PeriodicInterrupt, EachTickIsAtItsCycle, ()) {
  const std::uint64_t cpu = *cpu_hertz();
  const std::uint64_t rate = *tick_hertz();
  PeriodicInterrupt ticks{Hertz(cpu), Hertz(rate)};
  for (std::uint64_t k = 1; k <= 300; ++k) {
    RC_ASSERT(cpp_int(ticks.due().value()) == tick_cycle(k, cpu, rate));
    RC_ASSERT(ticks.taken() == Ticks(k - 1));
    ticks.take();
  }
}

RC_GTEST_PROP(PeriodicInterrupt, SkippingFindsTheFirstTickAfterNow, ()) {
  const std::uint64_t cpu = *cpu_hertz();
  const std::uint64_t rate = *tick_hertz();
  const std::uint64_t now = *rc::gen::inRange<std::uint64_t>(0, 100'000'000'000'000);
  PeriodicInterrupt ticks{Hertz(cpu), Hertz(rate)};
  ticks.skip_to(Cycles(now));
  RC_ASSERT(ticks.due() > Cycles(now));
  const std::uint64_t skipped = ticks.taken().value();
  RC_ASSERT(cpp_int(ticks.due().value()) == tick_cycle(skipped + 1, cpu, rate));
  RC_ASSERT(tick_cycle(skipped, cpu, rate) <= now);
}

TEST(PeriodicInterrupt, DoesNotDriftOverABillionTicks) {
  // 115 days at 100 Hz; a source that added a rounded interval would be off by 333 million cycles.
  constexpr std::uint64_t ticks_before = 1'000'000'000;
  PeriodicInterrupt ticks(Hertz(33'333'333), Hertz(100));
  ticks.skip_to(Cycles(ticks_before / 100 * 33'333'333));
  EXPECT_EQ(ticks.taken(), Ticks(ticks_before));
  for (std::uint64_t k = ticks_before + 1; k <= ticks_before + 1000; ++k) {
    EXPECT_EQ(cpp_int(ticks.due().value()), tick_cycle(k, 33'333'333, 100));
    ticks.take();
  }
}

// What kernels make of a rate and a counter, in the words of their sources.
std::uint64_t netbsd_ip12_counts(std::uint64_t hz) {
  return 500'000 / hz;  // sys/arch/sgimips/dev/int.c, int_8254_cal: timer 0 counts 500 hz
}
std::uint64_t linux_ip27_counts(std::uint64_t hz) {
  return 1'000'000'000 / 800 / hz;  // arch/mips/sgi-ip27/ip27-timer.c: CYCLES_PER_JIFFY
}
std::uint64_t netbsd_count_counts(std::uint64_t cpu, std::uint64_t hz) {
  return cpu / (2 * hz);  // int.c: ci_cycles_per_hz, added to Compare
}

TEST(TickCounter, MakesTheKernelsIntervals) {
  for (const std::uint64_t hz : {50, 60, 64, 100, 128, 1000, 1024, 2500, 10'000}) {
    SCOPED_TRACE(hz);
    // 33 MHz are 66 cycles a count of 2 us, 195 MHz 156 a count of 800 ns.
    EXPECT_EQ(
        PeriodicInterrupt(Hertz(33'000'000), Hertz(hz), TickCounter{33'000'000, 500'000}).due(),
        Cycles(netbsd_ip12_counts(hz) * 66));
    EXPECT_EQ(
        PeriodicInterrupt(Hertz(195'000'000), Hertz(hz), TickCounter{195'000'000, 1'250'000}).due(),
        Cycles(linux_ip27_counts(hz) * 156));
    for (const std::uint64_t cpu : {100'000'000, 133'000'000, 133'333'333, 200'000'000}) {
      EXPECT_EQ(PeriodicInterrupt(Hertz(cpu), Hertz(hz), TickCounter{2, 1}).due(),
                Cycles(netbsd_count_counts(cpu, hz) * 2));
    }
  }
  // By hand: 8333 counts of 66 cycles are 22 cycles less than a 60th of a second.
  EXPECT_EQ(PeriodicInterrupt(Hertz(33'000'000), Hertz(60), TickCounter{33'000'000, 500'000}).due(),
            Cycles(549'978));
}

TEST(TickCounter, CountsOnceATickAtLeast) {
  PeriodicInterrupt ticks(Hertz(1000), Hertz(100), TickCounter{50, 1});
  EXPECT_EQ(ticks.due(), Cycles(50));
  ticks.take();
  EXPECT_EQ(ticks.due(), Cycles(100));
}

RC_GTEST_PROP(TickCounter, EachTickIsAtTheEndOfItsCount, ()) {
  const std::uint64_t cpu = *rc::gen::inRange<std::uint64_t>(1'000'000, 4'000'000'000);
  const std::uint64_t rate = *tick_hertz();
  const TickCounter counter = *rc::gen::element(TickCounter{2, 1}, TickCounter{cpu, 500'000},
                                                TickCounter{cpu, 1'250'000}, TickCounter{7, 3});
  cpp_int counts = cpp_int(cpu) * counter.counts / (cpp_int(counter.cycles) * rate);
  if (counts == 0) counts = 1;
  const auto cycle_of = [&](std::uint64_t k) {
    return cpp_int((cpp_int(k) * counts * counter.cycles + counter.counts - 1) / counter.counts);
  };
  PeriodicInterrupt ticks{Hertz(cpu), Hertz(rate), counter};
  for (std::uint64_t k = 1; k <= 100; ++k) {
    RC_ASSERT(cpp_int(ticks.due().value()) == cycle_of(k));
    ticks.take();
  }
  const std::uint64_t now = *rc::gen::inRange<std::uint64_t>(0, 100'000'000'000'000);
  ticks.skip_to(Cycles(now));
  const std::uint64_t skipped = ticks.taken().value();
  RC_ASSERT(cpp_int(ticks.due().value()) == cycle_of(skipped + 1));
  RC_ASSERT(cycle_of(skipped) <= now);
  RC_ASSERT(cycle_of(skipped + 1) > now);
}

TEST(TickCounter, IsBothClocks) {
  // 133 MHz, 60 and 1024 Hz: 1108333 and 64941 counts of two cycles.
  VirtualClock clock(Hertz(133'000'000), Hertz(60), Hertz(1024), TickCounter{2, 1});
  EXPECT_EQ(clock.next_event(), Cycles(2'216'666));
  clock.enable_fast_clock(true);
  EXPECT_EQ(clock.next_event(), Cycles(129'882));
  EXPECT_EQ(clock.tick_rate(), Hertz(60));
}

TEST(VirtualClock, StartsAtZeroWithTheFirstTickAhead) {
  const VirtualClock clock(Hertz(1000), Hertz(100), Hertz(1000));
  EXPECT_EQ(clock.now(), Cycles(0));
  EXPECT_EQ(clock.ticks(), Ticks(0));
  EXPECT_EQ(clock.next_event(), Cycles(10));
  EXPECT_EQ(clock.microseconds(), 0u);
}

TEST(VirtualClock, AnEventIsTakenOnceAndNotBeforeItsTime) {
  VirtualClock clock(Hertz(1000), Hertz(100), Hertz(1000));
  clock.advance_to(Cycles(9));
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::none);
  clock.advance_to(Cycles(10));
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::tick);
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::none);
  EXPECT_EQ(clock.ticks(), Ticks(1));
  clock.now() += Cycles(25);  // two ticks late
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::tick);
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::tick);
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::none);
  EXPECT_EQ(clock.ticks(), Ticks(3));
}

TEST(VirtualClock, TimeDoesNotGoBack) {
  VirtualClock clock(Hertz(1000), Hertz(100), Hertz(1000));
  clock.advance_to(Cycles(8));
  clock.advance_to(Cycles(3));
  EXPECT_EQ(clock.now(), Cycles(8));
}

TEST(VirtualClock, MicrosecondsAreWholeOnes) {
  VirtualClock clock(Hertz(33'333'333), Hertz(100), Hertz(1000));
  clock.advance_to(Cycles(33));
  EXPECT_EQ(clock.microseconds(), 0u);
  clock.advance_to(Cycles(34));
  EXPECT_EQ(clock.microseconds(), 1u);
  clock.advance_to(Cycles(33'333'333ull * 3600));
  EXPECT_EQ(clock.microseconds(), 3'600'000'000u);
}

TEST(FastClock, IsOffUntilEnabledAndMissesWhatWasBefore) {
  VirtualClock clock(Hertz(33'333'333), Hertz(100), Hertz(1000));
  EXPECT_EQ(clock.next_event(), Cycles(333'334));
  clock.advance_to(Cycles(200'000));  // 6.0 ms: fast ticks 1 to 6 are over
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::none);
  clock.enable_fast_clock(true);
  EXPECT_EQ(clock.next_event(), Cycles(233'334)) << "the seventh: ceil(7 * 33333.333)";
  clock.enable_fast_clock(true);
  EXPECT_EQ(clock.next_event(), Cycles(233'334)) << "enabling twice changes nothing";
  clock.enable_fast_clock(false);
  EXPECT_EQ(clock.next_event(), Cycles(333'334));
}

TEST(FastClock, TheTickComesFirstInTheSameCycle) {
  VirtualClock clock(Hertz(1'000'000), Hertz(100), Hertz(1000));
  clock.enable_fast_clock(true);
  clock.advance_to(Cycles(10'000));
  for (int i = 1; i <= 9; ++i) {
    EXPECT_EQ(clock.take_event(), VirtualClock::Event::fast_tick) << i;
  }
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::tick);
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::fast_tick);
  EXPECT_EQ(clock.take_event(), VirtualClock::Event::none);
}

// Any order of running and switching: events come in the order of their times, none is lost while
// its source is on, and next_event never lies.
RC_GTEST_PROP(VirtualClock, EventsComeInOrder, ()) {
  const std::uint64_t cpu = *cpu_hertz();
  const std::uint64_t rate = *tick_hertz();
  const std::uint64_t fast_rate = *tick_hertz();
  const auto steps = *rc::gen::container<std::vector<std::pair<std::uint64_t, bool>>>(
      rc::gen::pair(rc::gen::inRange<std::uint64_t>(0, 3 * cpu / rate + 2),
                    rc::gen::weightedElement<bool>({{4, true}, {1, false}})));
  VirtualClock clock{Hertz(cpu), Hertz(rate), Hertz(fast_rate)};
  std::uint64_t tick = 1;
  std::uint64_t fast = 1;
  bool was_on = false;
  for (const auto& [cycles, fast_on] : steps) {
    clock.enable_fast_clock(fast_on);
    if (fast_on && !was_on) fast = first_tick_after(clock.now().value(), cpu, fast_rate);
    was_on = fast_on;
    clock.now() += Cycles(cycles);
    const cpp_int now = clock.now().value();
    for (int events = 0; events < 400; ++events) {
      const cpp_int tick_at = tick_cycle(tick, cpu, rate);
      const cpp_int fast_at = tick_cycle(fast, cpu, fast_rate);
      const bool is_fast = fast_on && fast_at < tick_at;
      RC_ASSERT(cpp_int(clock.next_event().value()) == (is_fast ? fast_at : tick_at));
      const auto event = clock.take_event();
      if ((is_fast ? fast_at : tick_at) > now) {
        RC_ASSERT(event == VirtualClock::Event::none);
        break;
      }
      RC_ASSERT(event == (is_fast ? VirtualClock::Event::fast_tick : VirtualClock::Event::tick));
      ++(is_fast ? fast : tick);
    }
  }
}

}  // namespace
}  // namespace hardclock
