// What silent clocks find, with a processor of one instruction a cycle and a clock of 100 Hz, whose
// tick is 1000 cycles. A tick is charged as one of the kernel's own clock would be: at the first
// instruction boundary at or after it, or to the kernel's time or to nobody.
#include "sim/process/clock_sweep.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/unit/process/fake_machine.h"

namespace hardclock {
namespace {

using fake::FakeOs;
using Places = std::map<std::uint64_t, std::uint64_t>;  // pc, ticks

SimulationOptions sweeping(std::vector<Hertz> rates, std::uint32_t phases = 1) {
  SimulationOptions options = fake::options();
  options.keep_profiles = true;
  options.sweep = SweepOptions{std::move(rates), phases};
  return options;
}

// Completes all calls but the last one, which ends the process.
FakeOs::OnCall end_after(std::uint64_t instructions) {
  return [instructions](Simulation& simulation, Thread& thread) {
    if (thread.cpu->counts().instructions >= Instructions(instructions)) {
      simulation.exit(thread.process, ExitStatus{});
    } else {
      thread.cpu->complete_system_call();
    }
  };
}

Places user_ticks(const SweepCounts& counts, std::size_t clock) {
  Places places;
  for (const SweepTicks& at : counts.user()) {
    if (at.clock == clock) places[at.pc.value()] = at.ticks;
  }
  return places;
}

const SweepCounts& counts_in(const Simulation& simulation, std::size_t program = 0) {
  return simulation.programs().at(program)->profile->sweep;
}

// The pc of the instruction that issues in cycle n is 0x1000 + 4 n.
TEST(ClockSweep, FindsTheInstructionOfItsCycle) {
  FakeOs os(end_after(1000));
  Simulation simulation(sweeping({Hertz(250), Hertz(300)}));  // 400 cycles; 333.33, rounded up
  add_process(simulation, os, {{1000}});
  simulation.run();
  EXPECT_EQ(user_ticks(counts_in(simulation), 0), (Places{{0x1000 + 1600, 1}, {0x1000 + 3200, 1}}));
  EXPECT_EQ(user_ticks(counts_in(simulation), 1),
            (Places{{0x1000 + 4 * 334, 1}, {0x1000 + 4 * 667, 1}}));
}

// The last call begins at cycle 1000, with the third tick of 333.33 cycles: that one found a system
// call without length.
TEST(ClockSweep, ATickAtASystemCallIsTheKernels) {
  FakeOs os(end_after(1000));
  Simulation simulation(sweeping({Hertz(300)}));
  add_process(simulation, os, {{1000}});
  simulation.run();
  EXPECT_EQ(counts_in(simulation).kernel()[0], 1U);
  EXPECT_EQ(simulation.sweep()->idle()[0], 0U);
}

// A call at cycle 300 that takes 500 cycles; then 200 instructions and another such call. Ticks
// every 100 cycles, from 100 on: 100 and 200 in the program; 300 to 800, both ends included, and
// 1000 to 1500 in the kernel; 900 in the program, 100 instructions behind the call's pc.
TEST(ClockSweep, KernelTimeIsToldApart) {
  SimulationOptions options = sweeping({Hertz(1000)});
  options.kernel_costs.system_call = Cycles(500);
  FakeOs os(end_after(500));
  Simulation simulation(options);
  add_process(simulation, os, {{300, 200}});
  simulation.run();
  EXPECT_EQ(counts_in(simulation).kernel()[0], 6U + 6U);
  EXPECT_EQ(user_ticks(counts_in(simulation), 0),
            (Places{{0x1000 + 400, 1}, {0x1000 + 800, 1}, {0x1000 + 4 * 300 + 4 + 400, 1}}));
}

// The process sleeps from cycle 250 until the machine's fifth tick, at 5000. Of ticks every 1000
// cycles 4 find nobody, and so does the fifth, with which the process wakes up.
TEST(ClockSweep, IdleTimeIsToldApart) {
  bool has_slept = false;
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    if (!std::exchange(has_slept, true)) {
      thread.start_waiting({.event = NoEvent{}, .until = Ticks(5), .call = "sleep"});
    } else {
      simulation.exit(thread.process, ExitStatus{});
    }
  });
  Simulation simulation(sweeping({Hertz(100), Hertz(200)}));
  add_process(simulation, os, {{250}});
  simulation.run();
  EXPECT_EQ(simulation.sweep()->idle()[0], 5U);
  EXPECT_EQ(simulation.sweep()->idle()[1], 10U);
}

// The clock of the machine's own rate has its ticks: those that the profile has, and the system's.
TEST(ClockSweep, OfTheOwnRateHasTheRunsTicks) {
  SimulationOptions options = sweeping({Hertz(100)});
  options.kernel_costs.system_call = Cycles(700);
  options.kernel_costs.clock_tick = Cycles(40);
  FakeOs os(end_after(4000 + 5000));
  Simulation simulation(options);
  add_process(simulation, os, {{900, 1100, 300, 700, 1000, 5000}});
  simulation.run();
  const auto record = simulation.programs().at(0);
  Places own;
  for (const auto& [pc, ticks] : record->profile->tick_samples) own[pc.value()] = ticks;
  EXPECT_EQ(user_ticks(record->profile->sweep, 0), own);
  EXPECT_EQ(record->profile->sweep.kernel()[0], record->time.system.value());
  EXPECT_GE(record->time.user, Ticks(5));
  EXPECT_GE(record->time.system, Ticks(2));
}

// Two processes take turns of ten ticks; each has its own counts.
TEST(ClockSweep, ProgramsAreToldApart) {
  FakeOs os(end_after(15'000));
  Simulation simulation(sweeping({Hertz(100)}));
  add_process(simulation, os, {{15'000}});
  add_process(simulation, os, {{15'000}});
  simulation.run();
  for (const std::size_t program : {0U, 1U}) {
    std::uint64_t all = counts_in(simulation, program).kernel()[0];
    for (const auto& [pc, ticks] : user_ticks(counts_in(simulation, program), 0)) all += ticks;
    EXPECT_EQ(all, 15U);
  }
}

TEST(ClockSweep, ChangesNothing) {
  FakeOs plain(end_after(9000)), watched(end_after(9000));
  SimulationOptions options = fake::options();
  options.keep_profiles = true;
  options.kernel_costs.clock_tick = Cycles(40);
  Simulation alone(options);
  options.sweep = SweepOptions{{Hertz(7), Hertz(1300)}, 3};
  Simulation with_clocks(options);
  add_process(alone, plain, {{900, 8100}});
  add_process(with_clocks, watched, {{900, 8100}});
  alone.run();
  with_clocks.run();
  EXPECT_EQ(with_clocks.clock().now(), alone.clock().now());
  EXPECT_EQ(watched.log, plain.log);
}

}  // namespace
}  // namespace hardclock
