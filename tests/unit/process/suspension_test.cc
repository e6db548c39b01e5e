// Processes that do not run: stopped ones, blocked ones, and those that wait for a time.
#include <gtest/gtest.h>

#include "tests/unit/process/fake_machine.h"

namespace hardclock {
namespace {

using fake::add_process;
using fake::cpu_of;
using fake::FakeOs;

// The calls of the first process stop the second one at its first call and continue it at its
// third.
TEST(Stop, OnlyTheOthersRun) {
  Process* second = nullptr;
  std::vector<std::string> calls;
  int calls_of_first = 0;
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    calls.push_back(fake::name_of(thread));
    if (&thread.process != second) {
      ++calls_of_first;
      if (calls_of_first == 1) simulation.stop(*second, 23);
      if (calls_of_first == 3) simulation.resume(*second);
      if (calls_of_first == 4) return simulation.exit(thread.process, {});
      thread.cpu->complete_system_call();
    } else {
      simulation.exit(thread.process, {});
    }
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{5, 5, 5, 5}});
  second = &add_process(simulation, os, {{5}});
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(calls, (std::vector<std::string>{"100.1", "100.1", "100.1", "100.1", "101.1"}));
}

TEST(Stop, IsToBeReportedUntilTheProcessGoesOn) {
  FakeOs os([](Simulation&, Thread&) {});
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{5}});
  simulation.stop(process, 23);
  EXPECT_FALSE(process.main_thread().may_run());
  EXPECT_EQ(process.stopped_by, 23U);
  EXPECT_TRUE(process.stop_to_report);
  simulation.resume(process);
  EXPECT_TRUE(process.main_thread().may_run());
  EXPECT_FALSE(process.stop_to_report);
  EXPECT_TRUE(process.continue_to_report);
}

TEST(Stop, OfItselfTakesEffectAtOnce) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    thread.cpu->complete_system_call();
    simulation.stop(thread.process, 19);
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{5, 1000}});
  const SimulationEnd outcome = simulation.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::deadlock);
  EXPECT_EQ(outcome.detail, "pid 100 stopped by signal 19");
  EXPECT_EQ(simulation.instructions(), Instructions(5));
}

TEST(Blocked, ForEverIsADeadlock) {
  FakeOs os([](Simulation&, Thread& thread) {
    thread.cpu->complete_system_call();
    thread.process.blocked = true;
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{5, 1000}});
  EXPECT_EQ(simulation.run().detail, "pid 100 blocked");
}

// A child is in its parent's group and session; the first process leads a group.
TEST(Groups, AreInherited) {
  FakeOs os([](Simulation&, Thread&) {});
  Simulation simulation(fake::options());
  Process& first = simulation.create_process(1, os);
  Process& child = simulation.create_process(first.pid, os);
  EXPECT_EQ(first.group, first.pid);
  EXPECT_EQ(first.session, 1);
  EXPECT_EQ(child.group, first.group);
  EXPECT_EQ(child.session, first.session);
}

// A wait with a limit ends with that tick when nothing else happens, and the call runs again.
TEST(TimedWait, EndsWithItsTick) {
  std::vector<std::uint64_t> ticks;
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    ticks.push_back(simulation.clock().ticks().value());
    if (ticks.size() == 2) return simulation.exit(thread.process, {});
    thread.start_waiting({.until = Ticks(7), .call = "sleep"});
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{5}});
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(ticks, (std::vector<std::uint64_t>{0, 7}));
}

TEST(TimedWait, EndsEarlierWhenItsConditionHolds) {
  std::vector<std::uint64_t> ticks;
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    ticks.push_back(simulation.clock().ticks().value());
    if (ticks.size() == 2) return simulation.exit(thread.process, {});
    thread.start_waiting({.event = SignalPending{SignalSet().set(FakeOs::alarm - 1)},
                          .until = Ticks(7),
                          .call = "sleep"});
  });
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{5}});
  process.main_thread().blocked_signals.set(FakeOs::alarm - 1);
  process.timer(TimerKind::real) = {.value = 25'000, .interval = 0};
  simulation.run();
  EXPECT_EQ(ticks, (std::vector<std::uint64_t>{0, 3}));
}

}  // namespace
}  // namespace hardclock
