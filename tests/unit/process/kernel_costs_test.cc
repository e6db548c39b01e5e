// Kernel time: which event costs what, how often, and in which mode the clock interrupts in it find
// the processor. The figures follow from the rules in sim/process/kernel_costs.h alone: with a
// price of P on an event that a script brings about N times, the run takes N * P cycles longer.
#include "sim/process/kernel_costs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/process/simulation.h"
#include "sim/timing/cpu_description.h"
#include "tests/unit/process/fake_machine.h"

namespace hardclock {
namespace {

using fake::add_process;
using fake::cpu_of;
using fake::FakeOs;
using fake::Script;
using fake::ScriptedCpu;
using fake::tick_cycles;

SimulationOptions with(Cycles KernelCosts::*field, std::uint64_t cycles) {
  SimulationOptions options = fake::options();
  options.kernel_costs.*field = Cycles(cycles);
  return options;
}

// Completes its calls; each thread's call at `end` ends its process.
FakeOs::OnCall exit_after(std::uint64_t instructions) {
  return [instructions](Simulation& simulation, Thread& thread) {
    if (thread.cpu->counts().instructions >= Instructions(instructions)) {
      simulation.exit(thread.process, ExitStatus{});
    } else {
      thread.cpu->complete_system_call();
    }
  };
}

// Runs scripts, one a process, to their ends; returns the time that took.
Cycles time_of(const SimulationOptions& options, FakeOs& os, const std::vector<Script>& scripts) {
  Simulation simulation(options);
  for (const Script& script : scripts) add_process(simulation, os, {script});
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  return simulation.clock().now();
}

TEST(KernelCosts, NothingCostsAnythingUnlessSaid) {
  EXPECT_EQ(SimulationOptions{}.kernel_costs, KernelCosts{});
  FakeOs os(exit_after(30));
  EXPECT_EQ(time_of(fake::options(), os, {{10, 10, 10}}), Cycles(30));
}

TEST(KernelCosts, EachCallIsPaidOnceAlsoWhenItIsMadeAgain) {
  int asked = 0;
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    if (thread.cpu->counts().instructions < Instructions(20)) {
      thread.cpu->complete_system_call();
    } else if (++asked < 4) {
      thread.start_waiting({.event = OthersTurn{}, .call = "read"});
    } else {
      simulation.exit(thread.process, ExitStatus{});
    }
  });
  EXPECT_EQ(time_of(with(&KernelCosts::system_call, 7), os, {{10, 10}}), Cycles(20 + 2 * 7));
  EXPECT_EQ(asked, 4);
}

TEST(KernelCosts, ATrapIsNoSystemCall) {
  for (const auto field : {&KernelCosts::trap, &KernelCosts::system_call}) {
    SimulationOptions options = with(field, 7);
    options.max_instructions = Instructions(30);
    FakeOs os(exit_after(30));
    Simulation simulation(options);
    cpu_of(add_process(simulation, os, {{10, 10, 20}}).main_thread()).traps_with =
        TrapKind::breakpoint;
    EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::instruction_limit);
    const std::uint64_t paid = field == &KernelCosts::trap ? 2 * 7 : 0;
    EXPECT_EQ(simulation.clock().now(), Cycles(30 + paid));
  }
}

TEST(KernelCosts, EachProcessPaysItsEnd) {
  FakeOs os(exit_after(10));
  EXPECT_EQ(time_of(with(&KernelCosts::exit, 7), os, {{10}, {10}, {10}}), Cycles(30 + 3 * 7));
}

TEST(KernelCosts, TheEndIsInTheProgramsRecord) {
  FakeOs os(exit_after(10));
  Simulation simulation(with(&KernelCosts::exit, 3 * tick_cycles));
  add_process(simulation, os, {{10}});
  simulation.run();
  EXPECT_EQ(simulation.finished_programs().at(0)->time.system, Ticks(3));
}

// Two threads that wait for each other in turn: A B A B, so three switches; the first thread of all
// did not take the processor from anyone.
TEST(KernelCosts, AnotherThreadThanTheLastOneIsAContextSwitch) {
  const Script script = {10, 10};
  for (const bool same_process : {true, false}) {
    std::string turn = "A";
    FakeOs os([&](Simulation& simulation, Thread& thread) {
      const std::string own = thread.process.pid == 100 && thread.id == 1 ? "A" : "B";
      if (turn != own)
        return thread.start_waiting(
            {.event = fake::when([&turn, own] { return turn == own; }), .call = "turn"});
      turn = own == "A" ? "B" : "A";
      if (thread.cpu->counts().instructions < Instructions(20)) {
        thread.cpu->complete_system_call();
      } else {
        simulation.exit_thread(thread);
      }
    });
    Simulation simulation(with(&KernelCosts::context_switch, 7));
    if (same_process) {
      add_process(simulation, os, {script, script});
    } else {
      add_process(simulation, os, {script});
      add_process(simulation, os, {script});
    }
    EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
    EXPECT_EQ(simulation.clock().now(), Cycles(4 * 10 + 3 * 7));
  }
}

// 4.4BSD roundrobin(): 100 ms each. The switch is before the slice, not part of it: the second
// process gets its ten ticks and computes for all of them.
TEST(KernelCosts, ALongContextSwitchLeavesTimeToRun) {
  FakeOs os(exit_after(15 * tick_cycles + 1));
  Simulation simulation(with(&KernelCosts::context_switch, 20 * tick_cycles));
  for (int i = 0; i < 2; ++i) add_process(simulation, os, {{15 * tick_cycles + 1}});
  EXPECT_EQ(simulation.run().kind, SimulationEnd::Kind::exited);
  // 100 runs 10 ticks, 101 runs 10, 100 ends, 101 ends.
  EXPECT_EQ(simulation.clock().now(), Cycles(2 * (15 * tick_cycles + 1) + 3 * 20 * tick_cycles));
  for (const auto& record : simulation.finished_programs()) {
    EXPECT_EQ(record->time.user, Ticks(15));
  }
}

TEST(KernelCosts, AThreadThatGoesOnIsNotSwitchedTo) {
  FakeOs os(exit_after(25 * tick_cycles));
  EXPECT_EQ(time_of(with(&KernelCosts::context_switch, 7), os, {{25 * tick_cycles}}),
            Cycles(25 * tick_cycles));
}

// The first call maps two pages and stores to both, the second reads one of them and a third.
TEST(KernelCosts, TheFirstTouchOfAPageIsAFault) {
  constexpr Permissions rw{.read = true, .write = true};
  int calls = 0;
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    AddressSpace& memory = *thread.process.memory;
    thread.cpu->complete_system_call();
    switch (++calls) {
      case 1:
        ASSERT_TRUE(memory.map(GuestAddr(0x1000), 3 * page_size, rw, "data").ok());
        ASSERT_TRUE(memory.write<std::uint64_t>(GuestAddr(0x1ff8), 1).ok());
        ASSERT_TRUE(memory.write<std::uint64_t>(GuestAddr(0x2000), 1).ok());
        break;
      case 2:
        ASSERT_TRUE(memory.read<std::uint64_t>(GuestAddr(0x2ff8)).ok());
        ASSERT_TRUE(memory.read<std::uint64_t>(GuestAddr(0x3000)).ok());
        break;
      default:
        simulation.exit(thread.process, ExitStatus{});
    }
  });
  EXPECT_EQ(time_of(with(&KernelCosts::page_fault, 7), os, {{10, 10, 10}}), Cycles(30 + 3 * 7));
}

// ---- The clock interrupt's own time.

// 25 ticks' worth of instructions at 1000 cycles a tick and 100 for each: the first interval has
// 1000 cycles for the program, each other one 900, so 27 ticks come before the end.
TEST(ClockTickCost, IsPaidForEachTick) {
  FakeOs os(exit_after(25 * tick_cycles));
  Simulation simulation(with(&KernelCosts::clock_tick, 100));
  add_process(simulation, os, {{25 * tick_cycles}});
  simulation.run();
  EXPECT_EQ(simulation.clock().now(), Cycles(25 * tick_cycles + 27 * 100));
  EXPECT_EQ(simulation.finished_programs().at(0)->time.user, Ticks(27));
  EXPECT_EQ(simulation.finished_programs().at(0)->time.system, Ticks(0));
}

// A call of three ticks and 50 cycles, 400 more for each tick: 3050 + 1200 = 4250 has a fourth
// tick, 4650 no fifth.
TEST(ClockTickCost, MayBringTheNextTick) {
  SimulationOptions options = with(&KernelCosts::clock_tick, 400);
  options.kernel_costs.system_call = Cycles(3 * tick_cycles);
  FakeOs os(exit_after(50));
  Simulation simulation(options);
  add_process(simulation, os, {{50}});
  simulation.run();
  EXPECT_EQ(simulation.clock().now(), Cycles(50 + 3 * tick_cycles + 4 * 400));
  EXPECT_EQ(simulation.finished_programs().at(0)->time.system, Ticks(4));
}

TEST(ClockTickCost, AnIdleMachineDoesNotPay) {
  FakeOs os([&](Simulation& simulation, Thread& thread) {
    if (simulation.clock().ticks() >= Ticks(10)) return simulation.exit(thread.process, {});
    thread.start_waiting({.until = Ticks(10), .call = "sleep"});
  });
  EXPECT_EQ(time_of(with(&KernelCosts::clock_tick, 400), os, {{50}}), Cycles(10 * tick_cycles));
}

TEST(ClockTickCost, MayTakeHalfTheTime) {
  KernelCosts costs;
  costs.clock_tick = Cycles(165'000);
  EXPECT_FALSE(error_in(costs, Hertz(33'000'000), Hertz(100)));
  costs.clock_tick = Cycles(165'001);
  EXPECT_EQ(error_in(costs, Hertz(33'000'000), Hertz(100)),
            "a clock interrupt of 165001 cycles is too long: at 100 ticks a second clock_tick may "
            "be 165000 at most");
  FakeOs os(exit_after(50));
  SimulationOptions half = with(&KernelCosts::clock_tick, tick_cycles / 2);
  half.kernel_costs.system_call = Cycles(1000 * tick_cycles);
  EXPECT_LE(time_of(half, os, {{50}}), Cycles(50 + 2000 * tick_cycles));
}

// ---- Kernel time and profiles: nothing that counts user time sees the ticks in it.

// A process that runs two stretches; the first call touches a page, the second is the end.
ProgramRecord record_of(FakeOs& os, Cycles KernelCosts::*field, TrapKind traps_with) {
  SimulationOptions options = with(field, 3 * tick_cycles);
  options.max_instructions = Instructions(20);
  options.keep_profiles = true;
  Simulation simulation(options);
  Process& process = add_process(simulation, os, {{10, 10}});
  process.timer(TimerKind::virtual_) = {.value = 10'000, .interval = 0};
  cpu_of(process.main_thread()).traps_with = traps_with;
  simulation.run();
  return *simulation.programs().at(0);
}

TEST(KernelCosts, TicksInKernelTimeAreSystemTicks) {
  struct Case {
    Cycles KernelCosts::*field;
    TrapKind traps_with;
    std::uint64_t events;
  };
  for (const Case& each : {Case{&KernelCosts::system_call, TrapKind::system_call, 2},
                           Case{&KernelCosts::trap, TrapKind::breakpoint, 2},
                           Case{&KernelCosts::exit, TrapKind::system_call, 1},
                           Case{&KernelCosts::page_fault, TrapKind::system_call, 1}}) {
    FakeOs os([](Simulation& simulation, Thread& thread) {
      constexpr Permissions rw{.read = true, .write = true};
      AddressSpace& memory = *thread.process.memory;
      if (thread.cpu->counts().instructions == Instructions(20)) {
        return simulation.exit(thread.process, ExitStatus{});
      }
      thread.cpu->complete_system_call();
      ASSERT_TRUE(memory.map(GuestAddr(0x1000), page_size, rw, "data").ok());
      ASSERT_TRUE(memory.write<std::uint64_t>(GuestAddr(0x1000), 1).ok());
    });
    const ProgramRecord record = record_of(os, each.field, each.traps_with);
    EXPECT_EQ(os.ticks.size(), 3 * each.events);
    for (const FakeOs::Tick& tick : os.ticks) EXPECT_EQ(tick.mode, ProcessorMode::system);
    EXPECT_EQ(record.time.system, Ticks(3 * each.events));
    EXPECT_EQ(record.time.user, Ticks(0));
    EXPECT_TRUE(record.profile->tick_samples.empty());
    EXPECT_TRUE(os.noted("signal").empty()) << "ITIMER_VIRTUAL counts user time";
  }
}

// ---- Rows of a description.

std::vector<TimingRow> rows_of(const std::string& rows) {
  const auto parsed =
      parse_machine_description("cpu test\nprocessor x mhz 100 published: manual\n" + rows);
  EXPECT_TRUE(parsed.ok()) << parsed.error();
  return parsed->rows;
}

// 100 MHz: 10 ns a cycle. 133 MHz: 11 us are 1463 cycles, and 1 ns is 0.133.
TEST(KernelCostRows, AreCyclesOrNanoseconds) {
  const std::vector<TimingRow> rows = rows_of(
      "kernel system_call ns 11000 published: table\n"
      "cache l1d size 16K published: manual\n"
      "kernel fork cycles 300000 measured: here\n"
      "kernel page_fault ns 4 unverified: guess\n"
      "kernel copy_on_write_fault ns 5 unverified: guess\n");
  KernelCosts expected;
  expected.system_call = Cycles(1100);
  expected.fork = Cycles(300'000);
  expected.page_fault = Cycles(0);
  expected.copy_on_write_fault = Cycles(1);
  EXPECT_EQ(*kernel_costs(rows, Hertz(100'000'000)), expected);
  expected.system_call = Cycles(1463);
  expected.page_fault = Cycles(1);
  EXPECT_EQ(*kernel_costs(rows, Hertz(133'000'000)), expected);
}

TEST(KernelCostRows, HaveTheNamesOfTheFields) {
  KernelCosts expected;
  std::string rows;
  std::uint64_t value = 0;
  const auto add = [&](const char* name, Cycles KernelCosts::*field) {
    expected.*field = Cycles(++value);
    rows += std::string("kernel ") + name + " cycles " + std::to_string(value) + " exact: test\n";
  };
  add("system_call", &KernelCosts::system_call);
  add("trap", &KernelCosts::trap);
  add("signal_delivery", &KernelCosts::signal_delivery);
  add("signal_return", &KernelCosts::signal_return);
  add("fork", &KernelCosts::fork);
  add("fork_per_page", &KernelCosts::fork_per_page);
  add("exec", &KernelCosts::exec);
  add("exit", &KernelCosts::exit);
  add("context_switch", &KernelCosts::context_switch);
  add("page_fault", &KernelCosts::page_fault);
  add("copy_on_write_fault", &KernelCosts::copy_on_write_fault);
  add("clock_tick", &KernelCosts::clock_tick);
  EXPECT_EQ(*kernel_costs(rows_of(rows), Hertz(1'000'000)), expected);
}

TEST(KernelCostRows, SayWhatIsWrong) {
  const auto error_of = [](const std::string& row) {
    const auto costs = kernel_costs(rows_of(row), Hertz(100'000'000));
    return costs ? "none" : costs.error();
  };
  EXPECT_EQ(error_of("kernel reboot cycles 1 exact: test\n"),
            "line 3: unknown kernel cost 'reboot'");
  EXPECT_EQ(error_of("kernel fork exact: test\n"), "line 3: a cost needs either cycles or ns");
  EXPECT_EQ(error_of("kernel fork cycles 1 ns 10 exact: test\n"),
            "line 3: a cost needs either cycles or ns");
  EXPECT_EQ(error_of("kernel fork cycles 1000000001 exact: test\n"),
            "line 3: cycles needs a number from 0 to 1000000000, not '1000000001'");
  EXPECT_EQ(error_of("kernel fork ns -1 exact: test\n"),
            "line 3: ns needs a number from 0 to 1000000000, not '-1'");
  EXPECT_EQ(error_of("kernel fork ns 1 pages 3 exact: test\n"),
            "line 3: unknown word 'pages' in a kernel row");
}

}  // namespace
}  // namespace hardclock
