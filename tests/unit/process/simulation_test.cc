// The simulation loop with a processor that only burns cycles and a personality that writes down
// what it is told: scheduling, ticks, timers, waiting and limits without an instruction set.
#include "sim/process/simulation.h"
#include "tests/unit/process/fake_event.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hardclock {
namespace {

constexpr std::uint64_t hertz = 1'000'000;
constexpr std::uint64_t tick_cycles = hertz / 100;

// One cycle an instruction; after `life` of them it makes system calls.
class BurningCpu final : public Cpu {
 public:
  explicit BurningCpu(std::uint64_t life) : life_(life) {}
  std::unique_ptr<Cpu> fork(AddressSpace&) const override {
    return std::make_unique<BurningCpu>(life_);
  }
  Stop run(Cycles& now, Cycles deadline, Instructions limit) override {
    std::uint64_t left = limit.value();
    while (true) {
      if (done_ == life_) return Stop{StopReason::trap, Trap{TrapKind::system_call, 0, {}}};
      if (now >= deadline) return Stop{StopReason::deadline, {}};
      if (left-- == 0) return Stop{StopReason::limit, {}};
      ++done_;
      ++now;
    }
  }
  void sample_pcs(PcSampler*) override {}
  GuestAddr interrupted_pc() const override { return GuestAddr(0x1000 + done_); }
  void interrupted() override {}
  void drain_pipeline() override {}
  void complete_system_call() override {}
  std::optional<Fault> split_access(const Fault& refused) override { return refused; }
  ExecutionCounts counts() const override { return {Instructions(done_), Cycles(done_)}; }
  void archive(Archive& to) override { to.state(done_); }
  Maker maker() const override { return nullptr; }
  void collect_cycle_profile() override {}
  void collect_reasons() override {}
  ReasonProfile reason_profile() const override { return ReasonProfile(); }
  void count_kernel(Cycles) override {}
  void collect_calls(std::shared_ptr<FunctionFinder>) override {}
  void watch(const WatchedPlace&, std::shared_ptr<Awaited>) override {}
  CallRecord calls() const override { return {}; }
  void count_tick() override {}
  void observe(InstructionObserver) override {}
  void observe_timing(TimingObserver) override {}

 private:
  std::uint64_t life_;
  std::uint64_t done_ = 0;
};

class Recorder final : public Personality {
 public:
  using Handler = std::function<void(Simulation&, Thread&)>;
  explicit Recorder(Handler on_call) : on_call_(std::move(on_call)) {}

  void attach(Simulation& simulation) override { simulation_ = &simulation; }
  Simulation& simulation() const override { return *simulation_; }
  void system_call(Thread& thread) override { on_call_(*simulation_, thread); }
  void trap(Thread&, const Trap&) override {}
  void profile_tick(Thread& thread, GuestAddr pc, ClockKind kind, ProcessorMode mode) override {
    ticks.push_back({thread.process.pid, simulation_->clock().now(), pc, kind, mode});
  }
  void deliver_signals(Thread&) override {}
  bool interrupts_wait(const Thread&) const override { return false; }
  bool has_happened(const Thread&, const ObjectEvent& event) const override {
    return fake::condition_of(event).holds();
  }
  bool comes_from_outside(const ObjectEvent& event) const override {
    return fake::condition_of(event).is_outside;
  }
  void timer_expired(Process&, TimerKind timer) override {
    expired.push_back({timer, simulation_->clock().ticks()});
  }
  void child_exited(Process&, Process&) override {}
  void release(Process&) override {}
  void clear() override {}
  void archive(Archive&) override {}
  bool wants_fast_clock(const Process&) const override { return fast; }

  struct Tick {
    int pid;
    Cycles when;
    GuestAddr pc;
    ClockKind kind;
    ProcessorMode mode;
  };
  std::vector<Tick> ticks;
  std::vector<std::pair<TimerKind, Ticks>> expired;
  bool fast = false;

 private:
  Simulation* simulation_ = nullptr;
  Handler on_call_;
};

void exit_zero(Simulation& simulation, Thread& thread) {
  simulation.exit(thread.process, ExitStatus{false, 0});
}

SimulationOptions options() {
  SimulationOptions options;
  options.cpu_clock = Hertz(hertz);
  return options;
}

Process& add(Simulation& simulation, Personality& os, std::uint64_t life, int parent = 0) {
  Process& process = simulation.create_process(parent, os);
  process.memory =
      std::make_unique<AddressSpace>(simulation.budget(), Endian::big, GuestAddr(0x80000000));
  simulation.add_thread(process, std::make_unique<BurningCpu>(life));
  return process;
}

TEST(Simulation, TicksComeAtTheirCyclesAndAreConserved) {
  Recorder os(exit_zero);
  Simulation simulation(options());
  add(simulation, os, 5 * tick_cycles + 1);
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  ASSERT_EQ(os.ticks.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(os.ticks[k].when, Cycles((k + 1) * tick_cycles));
    EXPECT_EQ(os.ticks[k].pc, GuestAddr(0x1000 + (k + 1) * tick_cycles));
    EXPECT_EQ(os.ticks[k].mode, ProcessorMode::user);
  }
  const ProgramRecord record = *simulation.finished_programs().at(0);
  EXPECT_EQ(record.time.user, Ticks(5));
  EXPECT_EQ(record.time.system, Ticks(0));
}

TEST(Simulation, FastTicksComeBetweenAndAfterTheTickOfTheSameCycle) {
  Recorder os(exit_zero);
  os.fast = true;
  Simulation simulation(options());
  add(simulation, os, tick_cycles + 1);
  simulation.update_fast_clock();
  simulation.run();
  ASSERT_EQ(os.ticks.size(), 11u);  // 10 fast ones, and one tick before the last of them
  EXPECT_EQ(os.ticks[9].kind, ClockKind::clock);
  EXPECT_EQ(os.ticks[10].kind, ClockKind::fast_clock);
  EXPECT_EQ(os.ticks[9].when, os.ticks[10].when);
}

TEST(Simulation, KernelTimeIsChargedAsSystemTime) {
  SimulationOptions slow_calls = options();
  slow_calls.kernel_costs.system_call = Cycles(3 * tick_cycles);
  Recorder os(exit_zero);
  Simulation simulation(slow_calls);
  add(simulation, os, 10);
  simulation.run();
  EXPECT_EQ(simulation.finished_programs().at(0)->time.system, Ticks(3));
  EXPECT_EQ(simulation.finished_programs().at(0)->time.user, Ticks(0));
  for (const auto& tick : os.ticks) EXPECT_EQ(tick.mode, ProcessorMode::system);
}

// 4.4BSD roundrobin(): every 100 ms the next process.
TEST(Simulation, ProcessesTakeTurnsEveryTenTicks) {
  Recorder os(exit_zero);
  Simulation simulation(options());
  Process& first = add(simulation, os, 20 * tick_cycles + 1);
  Process& second = add(simulation, os, 20 * tick_cycles + 1, first.pid);
  const int a = first.pid, b = second.pid;
  simulation.run();
  ASSERT_GE(os.ticks.size(), 40u);
  for (std::size_t k = 0; k < 40; ++k) EXPECT_EQ(os.ticks[k].pid, k / 10 % 2 == 0 ? a : b) << k;
}

// itimerdecr() of 4.4BSD: REAL counts all time, VIRTUAL user time, PROF user and system time; an
// expired timer starts again with its interval.
TEST(Simulation, IntervalTimersCountTheirOwnTime) {
  Recorder os(exit_zero);
  Simulation simulation(options());
  Process& process = add(simulation, os, 6 * tick_cycles + 1);
  process.timer(TimerKind::real) = {.value = 15'000, .interval = 20'000};
  process.timer(TimerKind::virtual_) = {.value = 10'000, .interval = 0};
  process.timer(TimerKind::prof) = {.value = 40'000, .interval = 0};
  simulation.run();
  const std::vector<std::pair<TimerKind, Ticks>> expected = {{TimerKind::virtual_, Ticks(1)},
                                                             {TimerKind::real, Ticks(2)},
                                                             {TimerKind::real, Ticks(4)},
                                                             {TimerKind::prof, Ticks(4)},
                                                             {TimerKind::real, Ticks(6)}};
  EXPECT_EQ(os.expired, expected);
}

TEST(Simulation, AWaitEndsWhenItsConditionHolds) {
  bool open = false;
  Recorder os([&](Simulation& simulation, Thread& thread) {
    if (thread.process.pid == 100 && !open) {
      thread.start_waiting({.event = fake::when([&open] { return open; }), .call = "gate"});
      return;
    }
    open = true;
    simulation.exit(thread.process, ExitStatus{false, 7});
  });
  Simulation simulation(options());
  Process& waiter = add(simulation, os, 5);
  add(simulation, os, 50, waiter.pid);
  const SimulationEnd outcome = simulation.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(outcome.status.code, 7u);
}

TEST(Simulation, NobodyAbleToWakeIsADeadlockWithNames) {
  Recorder os([](Simulation&, Thread& thread) { thread.start_waiting({.call = "read"}); });
  Simulation simulation(options());
  add(simulation, os, 5);
  const SimulationEnd outcome = simulation.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::deadlock);
  EXPECT_EQ(outcome.detail, "pid 100 in read");
}

// A shell returns when its command does, whatever that left in the background.
TEST(Simulation, OrphansThatWaitForEverDoNotChangeTheStatus) {
  Recorder os([](Simulation& simulation, Thread& thread) {
    if (thread.process.pid == 100) {
      simulation.exit(thread.process, ExitStatus{false, 3});
    } else {
      thread.start_waiting({.call = "pause"});
    }
  });
  Simulation simulation(options());
  Process& first = add(simulation, os, 10);
  add(simulation, os, 10, first.pid);
  const SimulationEnd outcome = simulation.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(outcome.status.code, 3u);
  EXPECT_EQ(outcome.detail, "pid 101 in pause");
}

TEST(Simulation, AnIdleMachineStillCountsRealTime) {
  Recorder* recorder = nullptr;
  Recorder os([&](Simulation& simulation, Thread& thread) {
    if (recorder->expired.empty()) {
      thread.start_waiting({.event = fake::when([&recorder] { return !recorder->expired.empty(); }),
                            .call = "pause"});
    } else {
      exit_zero(simulation, thread);
    }
  });
  recorder = &os;
  Simulation simulation(options());
  add(simulation, os, 5).timer(TimerKind::real) = {.value = 1'000'000, .interval = 0};
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(simulation.clock().ticks(), Ticks(100));
  EXPECT_TRUE(os.ticks.empty()) << "nobody runs, nobody is charged";
}

// Tick by tick it would take the host hours: time passes to what can happen.
TEST(Simulation, ALongSleepIsShortForTheHost) {
  constexpr std::uint64_t seconds = std::uint64_t{1} << 31;
  bool has_slept = false;
  Recorder os([&](Simulation& simulation, Thread& thread) {
    if (std::exchange(has_slept, true)) {
      simulation.exit(thread.process, {});
      return;
    }
    thread.start_waiting(
        {.until = simulation.clock().ticks() + Ticks(seconds * 100), .call = "nanosleep"});
  });
  Simulation simulation(options());
  add(simulation, os, 5);
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(simulation.clock().ticks(), Ticks(seconds * 100));
}

// Where the kernel's timers interrupt by themselves, a wait needs no tick to end.
TEST(Simulation, AWaitMayEndBetweenTwoTicks) {
  Cycles woken;
  Recorder os([&](Simulation& simulation, Thread& thread) {
    if (thread.wait_before() != nullptr) {
      woken = simulation.clock().now();
      simulation.exit(thread.process, {});
      return;
    }
    Deadline until = Ticks(7);
    until.moment = Cycles(3 * tick_cycles + 21);
    thread.start_waiting({.until = until, .call = "nanosleep"});
  });
  Simulation simulation(options());
  add(simulation, os, 5);
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(woken, Cycles(3 * tick_cycles + 21));
  EXPECT_EQ(simulation.clock().ticks(), Ticks(3));
}

// A timer that expires in the middle of another's sleep does so at its own tick, and again.
TEST(Simulation, TimersExpireAtTheirTicksWhileAllSleep) {
  Recorder os([](Simulation& simulation, Thread& thread) {
    thread.start_waiting({.until = simulation.clock().ticks() + Ticks(100'000), .call = "pause"});
  });
  SimulationOptions limited = options();
  limited.max_cycles = Cycles(100'000 * tick_cycles + 1);
  Simulation simulation(limited);
  add(simulation, os, 5).timer(TimerKind::real) = {.value = 70'000, .interval = 300'000'000};
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::cycle_limit);
  EXPECT_EQ(simulation.clock().ticks(), Ticks(100'001)) << "no further than to the next tick";
  EXPECT_EQ(os.expired,
            (std::vector<std::pair<TimerKind, Ticks>>{{TimerKind::real, Ticks(7)},
                                                      {TimerKind::real, Ticks(30'007)},
                                                      {TimerKind::real, Ticks(60'007)},
                                                      {TimerKind::real, Ticks(90'007)}}));
}

// However slow the clock: who waits for the poll does not wait for a tick.
TEST(Simulation, IsAskedWhetherToStopInALongStretch) {
  SimulationOptions slow = options();
  slow.cpu_clock = Hertz(10'000'000'000);
  slow.tick_rate = Hertz(1);
  Recorder os(exit_zero);
  Simulation simulation(slow);
  add(simulation, os, std::uint64_t{1} << 26);
  int polls = 0;
  simulation.on_poll([&] { return ++polls < 10; });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
}

TEST(Simulation, StopsAtItsLimits) {
  SimulationOptions limited = options();
  limited.max_instructions = Instructions(12345);
  Recorder os(exit_zero);
  Simulation by_instructions(limited);
  add(by_instructions, os, 1'000'000);
  EXPECT_EQ(by_instructions.run().kind, SimulationEnd::Kind::instruction_limit);
  EXPECT_EQ(by_instructions.instructions(), Instructions(12345));

  limited = options();
  limited.max_cycles = Cycles(34567);
  Simulation by_cycles(limited);
  add(by_cycles, os, 1'000'000);
  EXPECT_EQ(by_cycles.run().kind, SimulationEnd::Kind::cycle_limit);
  EXPECT_EQ(by_cycles.clock().now(), Cycles(34567));
}

TEST(Simulation, TheUserCanStopIt) {
  Recorder os(exit_zero);
  Simulation simulation(options());
  add(simulation, os, 1'000'000);
  int polls = 0;
  simulation.on_poll([&] { return ++polls < 5; });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
  EXPECT_EQ(simulation.programs().size(), 1u) << "its record is there to report";
}

TEST(Simulation, TheStatusIsTheFirstProcessesAndOrphansRunOn) {
  Recorder os([](Simulation& simulation, Thread& thread) {
    simulation.exit(thread.process,
                    ExitStatus{false, static_cast<unsigned>(thread.process.pid - 100)});
  });
  Simulation simulation(options());
  Process& first = add(simulation, os, 10);
  add(simulation, os, 3 * tick_cycles, first.pid);
  const SimulationEnd outcome = simulation.run();
  EXPECT_EQ(outcome.status.code, 0u);
  EXPECT_EQ(simulation.finished_programs().size(), 2u);
}

}  // namespace
}  // namespace hardclock
