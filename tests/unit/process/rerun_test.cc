// run() may stop wherever on_poll's function says and be called again: the machine goes on as if it
// had not stopped. The expectation is the same machine, run in one piece.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "sim/process/simulation.h"
#include "tests/unit/process/fake_machine.h"

namespace hardclock {
namespace {

using fake::add_process;
using fake::cpu_of;
using fake::FakeOs;
using fake::tick_cycles;
using Names = std::vector<std::string>;

struct Course {
  Names log;
  SimulationEnd outcome;
  Cycles end;
  std::vector<int> drains;  // of each thread's pipeline: one at the start of each time slice
  int stops = 0;
};

// Two processes of two threads each, which compute, take ticks in calls, wait for the time, for
// each other and for signals. `stops()`: whether to stop here.
Course run_machine(const std::function<bool()>& stops) {
  Course course;
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    os.note(thread, "call @" + std::to_string(simulation.clock().now().value()));
    const std::size_t calls = os.noted(fake::name_of(thread) + " call").size();
    if (calls == 7) {
      course.drains.push_back(cpu_of(thread).drains);
      return simulation.exit_thread(thread);
    }
    if (calls % 3 == 2 && thread.wait_before() == nullptr) {
      const Ticks until = simulation.clock().ticks() + Ticks(2 + calls);
      return thread.start_waiting({.until = until, .call = "sleep"});
    }
    if (calls == 4) simulation.post_signal(thread.process, 20);
    thread.cpu->complete_system_call();
  });
  SimulationOptions options = fake::options();
  options.kernel_costs.system_call = Cycles(tick_cycles * 2 / 3);
  Simulation simulation(options);
  for (int process = 0; process < 2; ++process) {
    add_process(simulation, os,
                {{10, 25 * tick_cycles, 40, 500, 3 * tick_cycles, 7, 9},
                 {200, 2 * tick_cycles, 12 * tick_cycles, 80, 30, 15 * tick_cycles, 1}})
        .timer(TimerKind::real) = {.value = 70'000, .interval = 50'000};
  }
  simulation.on_poll([&] { return !stops(); });
  while (true) {
    course.outcome = simulation.run();
    if (course.outcome.kind != SimulationEnd::Kind::interrupted) break;
    ++course.stops;
  }
  course.log = os.log;
  course.end = simulation.clock().now();
  return course;
}

TEST(Rerun, StoppingAnywhereChangesNothing) {
  const Course whole = run_machine([] { return false; });
  ASSERT_EQ(whole.outcome.kind, SimulationEnd::Kind::exited);
  for (const char* what : {"user", "system", "call", "signal 14", "signal 20", "EINTR", "leaves"}) {
    const bool found = std::any_of(whole.log.begin(), whole.log.end(), [&](const std::string& at) {
      return at.find(what) != std::string::npos;
    });
    EXPECT_TRUE(found) << what << ": the machine does not do what this test is about";
  }
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Course stopped = run_machine([&] { return random() % (1 + seed % 5) == 1; });
    EXPECT_EQ(stopped.stops == 0, seed % 5 == 0) << "modulo 1 never stops, the others do";
    ASSERT_EQ(stopped.log, whole.log);
    EXPECT_EQ(stopped.end, whole.end);
    EXPECT_EQ(stopped.drains, whole.drains);
  }
}

// One step at a time: every second poll stops.
TEST(Rerun, EveryCallOfRunMakesOneStep) {
  const Course whole = run_machine([] { return false; });
  bool stop = false;
  const Course stepped = run_machine([&] { return !(stop = !stop); });
  EXPECT_EQ(stepped.log, whole.log);
  EXPECT_GT(stepped.stops, 100);
}

TEST(Rerun, AThreadEndedWhileStoppedInItsTimeSliceIsGone) {
  FakeOs os([](Simulation& simulation, Thread& thread) { simulation.exit_thread(thread); });
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{3 * tick_cycles}, {5}});
  bool is_stopping = true;
  simulation.on_poll([&] { return !is_stopping || os.ticks.size() != 1; });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
  simulation.exit_thread(process.main_thread());
  is_stopping = false;
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(os.ticks.size(), 1u);
}

TEST(Rerun, AThreadMadeToWaitWhileStoppedWaits) {
  bool open = false;
  FakeOs os([](Simulation& simulation, Thread& thread) { simulation.exit_thread(thread); });
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{3 * tick_cycles + 1}, {2 * tick_cycles + 1}});
  std::function<bool()> goes_on = [&] { return os.ticks.size() != 1; };
  simulation.on_poll([&] { return goes_on(); });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
  process.main_thread().start_waiting({.event = fake::when([&] { return open; }),
                                       .on_signal = Uninterruptible{},
                                       .call = "stopped"});
  goes_on = [&] { return process.threads.size() == 2; };
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
  EXPECT_EQ(process.main_thread().id, 1) << "the second one ran and ended";
  open = true;
  goes_on = [] { return true; };
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(simulation.finished_programs().at(0)->time.user, Ticks(5));
}

// A limit's outcome does not change by asking again.
TEST(Rerun, ALimitStaysReached) {
  SimulationOptions limited = fake::options();
  limited.max_cycles = Cycles(12'345);
  FakeOs os([](Simulation& simulation, Thread& thread) { simulation.exit_thread(thread); });
  Simulation simulation(limited);
  add_process(simulation, os, {{100'000}});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::cycle_limit);
    EXPECT_EQ(simulation.clock().now(), Cycles(12'345));
  }
}

}  // namespace
}  // namespace hardclock
