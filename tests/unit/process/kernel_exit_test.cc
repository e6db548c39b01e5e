// Personality::leaving_kernel: once for each call and trap, behind signals and waits. The model is
// the end of trap() and syscall() in 4.3BSD's sys/vax/trap.c, which runs psig() if a signal is
// pending, swtch() if another process shall run, and then charges the system-mode ticks to the pc
// in the frame.
#include <gtest/gtest.h>

#include <memory>
#include <string>
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

// Completes the call; the thread's `last` one ends its process.
FakeOs::OnCall complete(int last) {
  return [last, calls = 0](Simulation& simulation, Thread& thread) mutable {
    thread.cpu->complete_system_call();
    if (++calls == last) simulation.exit(thread.process, ExitStatus{});
  };
}

// The script's processors start at 0x1000 and spend four bytes on an instruction or a call.
TEST(LeavingKernel, ComesOnceForEachCallWithTheResumedPc) {
  FakeOs os(complete(3));
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{1, 1, 1}});
  std::vector<int> interrupts;
  simulation.on_poll([&] {
    interrupts.push_back(cpu_of(process.main_thread()).interrupts);
    return true;
  });
  simulation.run();
  EXPECT_EQ(os.log, (Names{"100.1 leaves at " + std::to_string(0x1000 + 8),
                           "100.1 leaves at " + std::to_string(0x1000 + 16)}))
      << "not at the start, and not from exit()";
  EXPECT_EQ(interrupts.back(), 1) << "the link is broken on the way out, before the third run";
}

TEST(LeavingKernel, DoesNotComeAfterAClockInterrupt) {
  FakeOs os(complete(1));
  Simulation simulation(fake::options());
  add_process(simulation, os, {{25 * tick_cycles}});
  simulation.run();
  EXPECT_EQ(os.ticks.size(), 25u);
  EXPECT_EQ(os.noted("leaves"), Names{});
}

// 4.3BSD sys/vax/trap.c charges behind swtch(), on the way out of the very trap in which the
// process was switched away: not at its next call.
TEST(LeavingKernel, ComesAfterAContextSwitch) {
  FakeOs os(complete(1));
  SimulationOptions options = fake::options();
  options.kernel_costs.context_switch = Cycles(7);
  Simulation simulation(options);
  for (int i = 0; i < 2; ++i) add_process(simulation, os, {{15 * tick_cycles}});
  simulation.on_poll([&] { return os.noted("leaves").size() < 2; });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
  EXPECT_EQ(os.noted("leaves").front(), "101.1 leaves at " + std::to_string(0x1000))
      << "the first switch is to the second process, which has not run yet";
  EXPECT_TRUE(os.noted("leaves").back().starts_with("100.1 leaves at "));
}

// Each tick of a long stay in the kernel finds the clock at its own time.
TEST(LeavingKernel, TicksInTheKernelHaveTheirOwnTimes) {
  FakeOs os(complete(2));
  SimulationOptions options = fake::options();
  options.kernel_costs.system_call = Cycles(3 * tick_cycles + 5);
  Simulation simulation(options);
  add_process(simulation, os, {{1, 1}});
  simulation.run();
  Names times;
  for (const std::string& entry : os.noted("system "))
    times.push_back(entry.substr(entry.find('@')));
  Names expected;
  for (int tick = 1; tick <= 6; ++tick)
    expected.push_back("@" + std::to_string(tick * tick_cycles));
  EXPECT_EQ(times, expected);
}

TEST(LeavingKernel, ComesAfterATrap) {
  FakeOs os(complete(1));
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{1, 1}});
  cpu_of(process.main_thread()).traps_with = TrapKind::breakpoint;
  simulation.on_poll([&] { return os.log.empty(); });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
  EXPECT_EQ(os.log, (Names{"100.1 leaves at " + std::to_string(0x1000 + 8)}));
}

// psig() has pushed the handler's frame: locr0[PC] is the handler's.
TEST(LeavingKernel, SeesTheHandlerOfASignalThatTheCallPosted) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    const bool first = cpu_of(thread).pc < FakeOs::handler;
    thread.cpu->complete_system_call();
    if (!first) return simulation.exit(thread.process, ExitStatus{});
    simulation.post_signal(thread.process, 2);
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{1, 1}});
  simulation.run();
  EXPECT_EQ(os.log,
            (Names{"100.1 signal 2", "100.1 leaves at " + std::to_string(FakeOs::handler)}));
}

TEST(LeavingKernel, ComesAfterAWaitAndOnceThoughTheCallRunsAgain) {
  int calls = 0;
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    if (++calls <= 3) {
      thread.start_waiting({.event = OthersTurn{}, .call = "read"});
    } else if (calls == 4) {
      thread.cpu->complete_system_call();
    } else {
      simulation.exit(thread.process, ExitStatus{});
    }
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{1, 1}});
  simulation.run();
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(os.log, (Names{"100.1 leaves at " + std::to_string(0x1000 + 8)}));
}

TEST(LeavingKernel, ComesAfterAnInterruptedWait) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    if (cpu_of(thread).pc >= FakeOs::handler) {
      return simulation.exit(thread.process, ExitStatus{});
    }
    thread.start_waiting({.call = "pause"});
  });
  Simulation simulation(fake::options());
  Process& process = add_process(simulation, os, {{1, 1}});
  process.timer(TimerKind::real) = {.value = 10'000, .interval = 0};
  simulation.run();
  EXPECT_EQ(os.log,
            (Names{"100.1 signal 14 EINTR", "100.1 leaves at " + std::to_string(FakeOs::handler)}));
}

// swtch() comes before the charge: ticks in a call that uses up the time slice are charged when the
// thread is back.
TEST(LeavingKernel, ComesWhenTheThreadIsBackIfTheCallUsedUpItsTimeSlice) {
  SimulationOptions slow = fake::options();
  slow.kernel_costs.system_call = Cycles(10 * tick_cycles);
  FakeOs os(complete(2));
  Simulation simulation(slow);
  add_process(simulation, os, {{1, 5 * tick_cycles}});
  FakeOs other_os(complete(100));
  add_process(simulation, other_os, {{3 * tick_cycles, 1}});
  simulation.on_poll([&] { return os.noted("leaves").empty(); });
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::interrupted);
  EXPECT_EQ(os.noted("system").size(), 10u);
  EXPECT_EQ(os.noted("leaves").size(), 1u);
  EXPECT_GE(other_os.ticks.size(), 10u) << "the other one had its turn in between";
}

TEST(LeavingKernel, ComesOnceForAnExecWithTheNewProgramsPc) {
  FakeOs os([](Simulation& simulation, Thread& thread) {
    if (!thread.process.program.empty()) return simulation.exit(thread.process, ExitStatus{});
    thread.process.program = "new";
    auto cpu = std::make_unique<ScriptedCpu>(Script{5});
    cpu->pc = 0x4000;
    simulation.replace_program(thread, fake::make_memory(simulation), std::move(cpu));
  });
  Simulation simulation(fake::options());
  add_process(simulation, os, {{1}});
  simulation.run();
  EXPECT_EQ(os.log, (Names{"100.1 leaves at " + std::to_string(0x4000)}));
}

// ---- The cost of a call may change from call to call.

TEST(SystemCallCost, PutsAnyNumberOfTicksIntoOneCall) {
  Simulation simulation(fake::options());
  FakeOs os([&](Simulation&, Thread& thread) {
    thread.cpu->complete_system_call();
    os.note(thread, "call");
    switch (os.noted("call").size()) {
      case 1:
        return simulation.set_system_call_cost(Cycles(3 * tick_cycles));
      case 2:
        return simulation.set_system_call_cost(Cycles(0));
      case 3:
        return simulation.exit(thread.process, ExitStatus{});
    }
  });
  add_process(simulation, os, {{10, 10, 10}});
  simulation.run();
  EXPECT_EQ(simulation.finished_programs().at(0)->time.system, Ticks(3));
  const std::string call = "100.1 call";
  Names calls_and_ticks;
  for (const std::string& entry : os.log) {
    if (entry.find("leaves") == std::string::npos) calls_and_ticks.push_back(entry.substr(0, 12));
  }
  EXPECT_EQ(calls_and_ticks,
            (Names{call, "100.1 system", "100.1 system", "100.1 system", call, call}));
}

}  // namespace
}  // namespace hardclock
