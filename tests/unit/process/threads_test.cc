// Several threads in one process: their ids, their ends, what remains of them, who takes a signal,
// and exec by any of them. Where a rule is a system's, the comment names it; Solaris is quoted from
// illumos.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/process/simulation.h"
#include "tests/unit/process/fake_machine.h"

namespace hardclock {
namespace {

using fake::add_process;
using fake::cpu_of;
using fake::FakeOs;
using fake::Script;
using fake::ScriptedCpu;
using fake::tick_cycles;
using Names = std::vector<std::string>;

void end_thread(Simulation& simulation, Thread& thread) {
  simulation.exit_thread(thread);
}

// ---- Turns.

// Else one that wakes another, and waits again before that one has had a turn, would keep the
// processor from it for ever.
TEST(Threads, AWaitBeginsNoNewTimeSlice) {
  FakeOs os([](Simulation&, Thread& thread) {
    if (thread.wait_before() != nullptr) return thread.cpu->complete_system_call();
    thread.start_waiting({.event = OthersTurn{}, .call = "gate"});
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{6 * tick_cycles + 1, 1'000'000}, {1'000'000}});
  simulation.on_poll([&] { return os.ticks.size() < 40; });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
  std::vector<std::pair<std::string, int>> turns;
  for (const auto& tick : os.ticks) {
    if (turns.empty() || turns.back().first != tick.thread) turns.push_back({tick.thread, 0});
    ++turns.back().second;
  }
  ASSERT_GE(turns.size(), 4u);
  turns.resize(4);
  EXPECT_EQ(turns, (std::vector<std::pair<std::string, int>>{
                       {"100.1", 6}, {"100.2", 10}, {"100.1", 4}, {"100.2", 10}}));
}

// ---- Ids and ends.

// lwp_create(), usr/src/uts/common/os/lwp.c: 1 is the main thread's, the next is the last one given
// plus one.
TEST(Threads, IdsCountFromOneAndAreNotUsedTwice) {
  FakeOs os(end_thread);
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{5}, {5}, {5}});
  EXPECT_EQ(process.threads[2]->id, 3);
  simulation.exit_thread(*process.thread(3));
  EXPECT_EQ(process.thread(3), nullptr);
  EXPECT_EQ(simulation.add_thread(process, std::make_unique<ScriptedCpu>(Script{5})).id, 4);
  EXPECT_EQ(process.thread(1), &process.main_thread());
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
}

// lwp_exit(), the same file: the last one's end is proc_exit(CLD_EXITED, 0).
TEST(Threads, TheFirstMayEndBeforeTheOthersAndTheLastEndsTheProcess) {
  Names ended;
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    ended.push_back(fake::name_of(thread));
    Process& process = thread.process;
    simulation.exit_thread(thread);
    if (ended.size() == 1) {
      EXPECT_EQ(process.main_thread().id, 2);
      EXPECT_FALSE(process.exit_status);
    }
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{10}, {200}, {100}});
  const SimulationEnd outcome = simulation.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::exited);
  EXPECT_FALSE(outcome.status.by_signal);
  EXPECT_EQ(outcome.status.code, 0u);
  EXPECT_EQ(ended, (Names{"100.1", "100.2", "100.3"}));
}

TEST(Threads, APersonalityMayGiveAnotherStatusToTheLastOne) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    simulation.exit_thread(thread, ExitStatus{false, static_cast<unsigned>(thread.id)});
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{10}, {20}});
  EXPECT_EQ(simulation.run().status.code, 2u);
}

TEST(Threads, AnExitEndsThemAll) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    simulation.exit(thread.process, ExitStatus{false, 9});
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{1'000'000}, {20}, {1'000'000}});
  EXPECT_EQ(simulation.run().status.code, 9u);
  EXPECT_EQ(simulation.finished_programs().size(), 1u);
}

TEST(Threads, OneMayEndAnother) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    if (Thread* const other = thread.process.thread(2); thread.id == 1 && other != nullptr) {
      simulation.exit_thread(*other);
      thread.cpu->complete_system_call();
    } else {
      simulation.exit_thread(thread);
    }
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{10, 10}, {1'000}, {30}});
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(simulation.finished_programs().at(0)->counts.instructions, Instructions(50));
}

TEST(Threads, TheLimitCountsThoseOfAllProcesses) {
  SimulationOptions few = fake::options();
  few.max_threads = 3;
  FakeOs os(end_thread);
  Simulation simulation(few);
  Process& process = add_process(simulation, os, {{5}, {5}});
  EXPECT_FALSE(simulation.at_thread_limit());
  add_process(simulation, os, {{5}});
  EXPECT_TRUE(simulation.at_thread_limit());
  simulation.exit_thread(*process.thread(1));
  EXPECT_FALSE(simulation.at_thread_limit());
}

TEST(Threads, ADeadlockNamesThem) {
  FakeOs os([](Simulation&, Thread& thread) { thread.start_waiting({.call = "join"}); });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{5}, {6}});
  const SimulationEnd outcome = simulation.run();
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::deadlock);
  EXPECT_EQ(outcome.detail, "pid 100 thread 1 in join, pid 100 thread 2 in join");
}

// ---- What remains.

TEST(Threads, NothingThatAnEndedThreadDidIsLost) {
  FakeOs os(end_thread);
  SimulationOptions options = fake::options();
  options.keep_profiles = true;
  Simulation simulation(options);
  add_process(simulation, os, {{100}, {2 * tick_cycles}, {300}});
  int polls = 0;
  simulation.on_poll([&] {
    std::uint64_t instructions = 0, profiled = 0;
    for (const auto& record : simulation.programs()) {
      instructions += record->counts.instructions.value();
      profiled += record->profile->cycles.own().total();
    }
    EXPECT_EQ(instructions, simulation.clock().now().value()) << "one a cycle";
    EXPECT_EQ(simulation.instructions(), Instructions(instructions));
    EXPECT_EQ(profiled, instructions);
    ++polls;
    return true;
  });
  simulation.run();
  EXPECT_GT(polls, 3);
  const ProgramRecord record = *simulation.finished_programs().at(0);
  EXPECT_EQ(record.counts.instructions, Instructions(400 + 2 * tick_cycles));
  EXPECT_EQ(record.counts.cycles, Cycles(400 + 2 * tick_cycles));
  // All start at 0x1000: each of the first 100 instructions has run in all three.
  const auto cycles = record.profile->cycles.own().by_pc();
  EXPECT_EQ(cycles.at(GuestAddr(0x1000)), 3u);
  EXPECT_EQ(cycles.at(GuestAddr(0x1000 + 4 * 100)), 2u);
  EXPECT_EQ(record.time.user, Ticks(2));
}

// Those of a process may run ever new code, one after the other.
TEST(Threads, CyclesOfEndedOnesAreCharged) {
  FakeOs os(end_thread);
  SimulationOptions options = fake::options();
  options.keep_profiles = true;
  Simulation simulation(options);
  add_process(simulation, os, {{100}, {2 * tick_cycles}});
  std::uint64_t charged = 0;
  simulation.on_poll([&] {
    if (simulation.finished_programs().empty()) charged = simulation.budget()->profile_bytes();
    return true;
  });
  simulation.run();
  EXPECT_EQ(charged, 2 * CycleProfile::page_bytes) << "its own cycles and the kernel's";
}

TEST(Threads, AnInstructionLimitCountsEndedOnes) {
  SimulationOptions limited = fake::options();
  limited.max_instructions = Instructions(150);
  FakeOs os(end_thread);
  Simulation simulation(limited);
  add_process(simulation, os, {{100}, {100}});
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::instruction_limit);
  EXPECT_EQ(simulation.instructions(), Instructions(150));
}

// ---- One processor: each tick finds one of them.

// 4.4BSD roundrobin(): every 100 ms the next one.
TEST(Threads, TakeTurnsLikeProcesses) {
  FakeOs os(end_thread);
  Simulation simulation(fake::options());
  add_process(simulation, os, {{20 * tick_cycles + 1}, {20 * tick_cycles + 1}});
  simulation.run();
  ASSERT_EQ(os.ticks.size(), simulation.clock().ticks().value()) << "one a tick";
  for (std::size_t k = 0; k < 40; ++k) {
    EXPECT_EQ(os.ticks[k].thread, k / 10 % 2 == 0 ? "100.1" : "100.2") << k;
  }
  EXPECT_EQ(simulation.finished_programs().at(0)->time.user, Ticks(os.ticks.size()));
}

// What one thread has in flight does not hold up another one; a thread that goes on keeps its own.
TEST(Threads, OnlyASwitchDrainsThePipeline) {
  const auto drains = [](std::size_t threads) {
    std::vector<int> seen;
    FakeOs os([&](Simulation& simulation, Thread& thread) {
      seen.push_back(cpu_of(thread).drains);
      simulation.exit_thread(thread);
    });
    Simulation simulation(fake::options());
    add_process(simulation, os, std::vector<Script>(threads, Script{25 * tick_cycles}));
    EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
    return seen;
  };
  EXPECT_EQ(drains(1), std::vector<int>{1});
  EXPECT_EQ(drains(2), (std::vector<int>{3, 3})) << "10 ticks, 10 ticks, 5 ticks";
}

TEST(Threads, AThreadKeepsAStateOfItsOwn) {
  struct Counter : OsState {
    void archive(Archive& to) override { to.state(alive); }
    Blank<OsState> blank() const override { return nullptr; }
    explicit Counter(int& alive) : alive(alive) { ++alive; }
    ~Counter() override { --alive; }
    int& alive;
  };
  int alive = 0;
  FakeOs os(end_thread);
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{10}, {50'000}});
  for (auto& thread : process.threads) thread->os_state = std::make_unique<Counter>(alive);
  int most = 0;
  simulation.on_poll([&] {
    most = std::max(most, alive);
    EXPECT_EQ(alive, static_cast<int>(process.threads.size())) << "gone with its thread";
    return process.threads.size() > 1;
  });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
  EXPECT_EQ(most, 2);
}

// ---- Signals to the process.

constexpr unsigned sig = 5;

// Waits for ever at its first call; the others end.
void wait_first(Simulation& simulation, Thread& thread) {
  if (cpu_of(thread).pc < FakeOs::handler && thread.id != 3) {
    thread.start_waiting({.call = "pause"});
  } else {
    simulation.exit_thread(thread);
  }
}

void post_once(Simulation& simulation, Process& process, Cycles when) {
  simulation.on_poll([&simulation, &process, when, posted = false]() mutable {
    if (!posted && simulation.clock().now() == when) {
      simulation.post_signal(process, sig);
      posted = true;
    }
    return true;
  });
}

TEST(ProcessSignals, OneOfTwoThatWaitIsInterrupted) {
  FakeOs os(wait_first);
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{5, 5}, {6, 5}, {50}});
  post_once(simulation, process, Cycles(61));
  const SimulationEnd outcome = simulation.run();
  EXPECT_EQ(os.noted("signal"), (Names{"100.1 signal 5 EINTR"}));
  EXPECT_EQ(outcome.kind, SimulationEnd::Kind::deadlock) << "the other one waits on";
  EXPECT_EQ(outcome.detail, "pid 100 in pause");
  EXPECT_EQ(os.noted("100.2 leaves"), Names{}) << "and has not been woken in between";
  EXPECT_TRUE(process.thread(2)->waiting());
}

TEST(ProcessSignals, OneThatBlocksItIsPassedOver) {
  FakeOs os(wait_first);
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{5, 5}, {6, 5}, {50}});
  process.thread(1)->blocked_signals.set(sig - 1);
  post_once(simulation, process, Cycles(61));
  EXPECT_EQ(simulation.run().detail, "pid 100 in pause");
  EXPECT_EQ(os.noted("signal"), (Names{"100.2 signal 5 EINTR"}));
}

TEST(ProcessSignals, OneThatRunsTakesItFromThoseThatWait) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    if (thread.id != 3) {
      thread.start_waiting({.call = "pause"});
    } else if (cpu_of(thread).pc < FakeOs::handler) {
      simulation.post_signal(thread.process, sig);
      thread.cpu->complete_system_call();
    } else {
      simulation.exit_thread(thread);
    }
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{5}, {6}, {50, 50}});
  const SimulationEnd outcome = simulation.run();
  EXPECT_EQ(os.noted("signal"), (Names{"100.3 signal 5"}));
  EXPECT_EQ(outcome.detail, "pid 100 thread 1 in pause, pid 100 thread 2 in pause");
  EXPECT_EQ(os.noted("leaves").size(), 1u) << "the third one, from the call that posted it";
}

TEST(ProcessSignals, ReachThoseWhoAreLeftWhenTheFirstHasEnded) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    if (thread.id == 2 && cpu_of(thread).pc < FakeOs::handler) {
      thread.start_waiting({.call = "pause"});
    } else {
      simulation.exit_thread(thread);
    }
  });
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{5}, {6, 5}});
  process.timer(TimerKind::real) = {.value = 30'000, .interval = 0};
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_EQ(os.noted("signal"), (Names{"100.2 signal 14 EINTR"}));
}

TEST(ProcessSignals, BlockedByAllItStaysPending) {
  FakeOs os(end_thread);
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{5}, {6}});
  for (auto& thread : process.threads) thread->blocked_signals.set(sig - 1);
  simulation.post_signal(process, sig);
  bool pending = false;
  simulation.on_poll([&] {
    pending = process.signals.pending.test(sig - 1);
    return true;
  });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  EXPECT_TRUE(pending);
  EXPECT_EQ(os.noted("signal"), Names{});
}

// ---- Exec.

// exec_common(), usr/src/uts/common/os/exec.c: the thread that called is the only one left and has
// id 1. execve(2): its signal mask stays, and so do its pending signals.
TEST(ThreadsExec, TheCallerAloneGoesOn) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    if (thread.process.program == "new") {
      EXPECT_EQ(thread.id, 1);
      EXPECT_TRUE(thread.blocked_signals.test(sig - 1));
      EXPECT_EQ(thread.blocked_signals.count(), 1u);
      EXPECT_TRUE(thread.pending_signals.test(sig - 1));
      EXPECT_EQ(thread.pending_signals.count(), 1u);
      EXPECT_EQ(simulation.add_thread(thread.process, std::make_unique<ScriptedCpu>(Script{1})).id,
                2);
      simulation.exit(thread.process, ExitStatus{false, 4});
    } else if (thread.id == 2) {
      simulation.record_program(thread.process, std::nullopt);
      thread.process.program = "new";
      Thread& only = simulation.replace_program(thread, fake::make_memory(simulation),
                                                std::make_unique<ScriptedCpu>(Script{7}));
      EXPECT_EQ(thread.process.threads.size(), 1u);
      EXPECT_EQ(&thread.process.main_thread(), &only);
    } else {
      simulation.exit_thread(thread);
    }
  });
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{10}, {20}, {1'000'000}});
  process.program = "old";
  process.thread(2)->blocked_signals.set(sig - 1);
  process.thread(2)->pending_signals.set(sig - 1);
  process.thread(3)->blocked_signals.set(sig);
  process.thread(3)->pending_signals.set(sig);
  EXPECT_EQ(simulation.run().status.code, 4u);
  const auto& records = simulation.finished_programs();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]->program, "old");
  EXPECT_EQ(records[0]->counts.instructions, Instructions(30)) << "the first one's too";
  EXPECT_FALSE(records[0]->exit_status);
  EXPECT_EQ(records[1]->program, "new");
  EXPECT_EQ(records[1]->counts.instructions, Instructions(7));
  EXPECT_EQ(simulation.instructions(), Instructions(37));
}

}  // namespace
}  // namespace hardclock
