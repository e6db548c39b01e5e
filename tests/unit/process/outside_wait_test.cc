// Idle machines with somebody outside who may type: how long they wait, and what their clock says
// then.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <vector>

#include "tests/unit/process/fake_machine.h"

namespace hardclock::fake {
namespace {

using std::chrono::microseconds;
using Most = std::optional<microseconds>;

// A machine with one thread that waits, first of all, and then ends.
class Waiting {
 public:
  explicit Waiting(std::optional<Ticks> until, bool is_outside)
      : os_([this, until, is_outside](Simulation& simulation, Thread& thread) {
          if (thread.wait_before() != nullptr) {
            simulation.exit(thread.process, ExitStatus{});
          } else {
            thread.start_waiting({.event = when([this] { return has_come; }, is_outside),
                                  .until = until,
                                  .call = "read"});
          }
        }),
        simulation_(options()) {
    add_process(simulation_, os_, {{5}});
  }
  SimulationEnd run(Simulation::OutsideWait wait, Simulation::Outside outside = {}) {
    simulation_.on_outside_wait(std::move(wait), outside);
    return simulation_.run();
  }
  Ticks ticks() const { return simulation_.clock().ticks(); }

  bool has_come = false;

 private:
  FakeOs os_;
  Simulation simulation_;
};

TEST(OutsideWait, TimePassesAsOutside) {
  Waiting machine(std::nullopt, true);
  std::vector<Most> asked;
  const SimulationEnd end = machine.run([&](Most most) {
    asked.push_back(most);
    machine.has_come = asked.size() == 3;
    return microseconds(12'500);
  });
  EXPECT_EQ(end.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(asked, (std::vector<Most>{std::nullopt, std::nullopt, std::nullopt}));
  // A tick is 10 ms; what is left of a wait counts with the next one.
  EXPECT_EQ(machine.ticks(), Ticks(2));
}

TEST(OutsideWait, EndsWithTheTimeLimit) {
  Waiting machine(Ticks(7), true);
  std::vector<Most> asked;
  const SimulationEnd end = machine.run([&](Most most) {
    asked.push_back(most);
    return microseconds(asked.size() == 1 ? 30'000 : 41'000);
  });
  EXPECT_EQ(end.kind, SimulationEnd::Kind::exited);
  // The program has run for 50 us before.
  EXPECT_EQ(asked, (std::vector<Most>{microseconds(69'950), microseconds(39'950)}));
  EXPECT_EQ(machine.ticks(), Ticks(7));
}

// Nobody outside can do anything about it: a sleep takes no time.
TEST(OutsideWait, IsNotForSleeping) {
  Waiting machine(Ticks(7), false);
  int asked = 0;
  machine.run([&](Most) {
    ++asked;
    return microseconds(0);
  });
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(machine.ticks(), Ticks(7));
}

// A peer sees when the sleeper goes on.
TEST(OutsideWait, IsForSleepingToKeepPace) {
  Waiting machine(Ticks(7), false);
  std::vector<Most> asked;
  machine.run(
      [&](Most most) {
        asked.push_back(most);
        return asked.size() == 1 ? microseconds(25'000) : *most;
      },
      {.brings_signals = false, .keeps_pace = true});
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(*asked[0] - *asked[1], microseconds(25'000));
  EXPECT_EQ(machine.ticks(), Ticks(7));
}

// Whoever waits for ever may still get a signal from outside.
TEST(OutsideWait, TakesThePlaceOfADeadlock) {
  Waiting machine(std::nullopt, false);
  const SimulationEnd end = machine.run([&](Most most) {
    EXPECT_EQ(most, std::nullopt);
    machine.has_come = true;
    return microseconds(0);
  });
  EXPECT_EQ(end.kind, SimulationEnd::Kind::exited);
}

// Where no signals come from, nobody outside could help.
TEST(OutsideWait, IsNotForADeadlockWithoutSignals) {
  Waiting machine(std::nullopt, false);
  int asked = 0;
  const SimulationEnd end = machine.run(
      [&](Most) {
        ++asked;
        return microseconds(0);
      },
      {.brings_signals = false});
  EXPECT_EQ(end.kind, SimulationEnd::Kind::deadlock);
  EXPECT_EQ(asked, 0);
}

}  // namespace
}  // namespace hardclock::fake
