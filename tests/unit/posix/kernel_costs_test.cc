// Kernel time of what personalities do: fork, exec, exit, signals and page faults, counted on one
// program whose events can be read off its text. The figures follow from the rules in
// sim/process/kernel_costs.h: a price of P on an event that happens N times makes the run N * P
// cycles longer.
#include "sim/process/kernel_costs.h"

#include <gtest/gtest.h>

#include <string>

#include "syscalls/systems.h"
#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

constexpr std::uint32_t sigusr1 = 30;  // 4.3BSD, signal.h

// A parent that catches a signal and forks, and a child that runs the same program again.
Program family() {
  Program program(*find_unix_system("4.3bsd", Architecture::mips));
  const Label child = program.label(), second = program.label(), handler = program.label();
  program.data(own_data, 0x2f73656c);  // "/self"
  program.data(own_data + 4, 0x66000000);
  program.data(own_data + 0x40, handler);  // struct sigvec
  program.raw(0x8fa80000);                 // lw t0, 0(sp): argc, which is 0 after the exec
  program.raw(0);
  program.raw(0xac080000 | (own_data + 0x100));  // sw t0
  program.jump_if_zero(own_data + 0x100, second);
  program.call("brk", {heap_base + 2 * page_size});
  program.store(heap_base, 1);
  program.store(heap_base + page_size, 1);
  program.call("sigvec", {sigusr1, own_data + 0x40, 0});
  const auto self = program.call("getpid");
  program.call("kill", {word_at(Program::result(self)), sigusr1});
  const auto fork = program.call("fork");
  program.jump_if_nonzero(Program::second_result(fork), child);
  program.call("wait");
  program.call("exit", {5});
  program.place(child);
  program.store(heap_base, 2);
  program.call("execv", {own_data, 0});
  program.place(second);
  program.call("exit", {3});
  program.place(handler);
  program.return_to_caller();
  return program;
}

struct Expected {
  const char* name;
  Cycles KernelCosts::*field;
  std::uint64_t events;
};

// The parent calls brk, sigvec, getpid, kill, sigreturn, fork, wait and exit, the child execv and
// exit. At the fork the parent has touched a page each of text, data and stack, two of the heap and
// the system's page of signal code. After it each side stores to one page first: the parent its
// call's result to the data, the child to the heap. The wait brings the child, its end the parent.
constexpr Expected expected[] = {
    {"system_call", &KernelCosts::system_call, 10},
    {"trap", &KernelCosts::trap, 0},
    {"signal_delivery", &KernelCosts::signal_delivery, 1},
    {"signal_return", &KernelCosts::signal_return, 1},
    {"fork", &KernelCosts::fork, 1},
    {"fork_per_page", &KernelCosts::fork_per_page, 6},
    {"exec", &KernelCosts::exec, 1},
    {"exit", &KernelCosts::exit, 2},
    {"context_switch", &KernelCosts::context_switch, 2},
    {"page_fault", &KernelCosts::page_fault, 2},
    {"copy_on_write_fault", &KernelCosts::copy_on_write_fault, 2},
};

Cycles time_of(const Program& program, const KernelCosts& costs) {
  SimulationOptions options = Guest::default_options();
  options.kernel_costs = costs;
  Guest guest(program, options);
  EXPECT_EQ(guest.run().status.code, 5U);
  return guest.simulation.clock().now();
}

TEST(KernelCosts, EachEventIsPaidOnce) {
  const Program program = family();
  const Cycles free = time_of(program, KernelCosts{});
  for (const Expected& each : expected) {
    KernelCosts costs;
    costs.*each.field = Cycles(1000);
    EXPECT_EQ(time_of(program, costs), free + Cycles(1000 * each.events)) << each.name;
  }
}

TEST(KernelCosts, AddUp) {
  const Program program = family();
  KernelCosts costs;
  Cycles sum = time_of(program, costs);
  std::uint64_t price = 0;
  for (const Expected& each : expected) {
    costs.*each.field = Cycles(price += 100);
    sum += Cycles(price * each.events);
  }
  EXPECT_EQ(time_of(program, costs), sum);
}

// The program itself computes for less than a tick, so all ticks are in the kernel's time.
TEST(KernelCosts, TicksInThemAreSystemTicks) {
  constexpr std::uint64_t tick = 10'000;  // cycles, at 1 MHz
  const Program program = family();
  ASSERT_LT(time_of(program, KernelCosts{}), Cycles(tick));
  for (const Expected& each : expected) {
    SCOPED_TRACE(each.name);
    SimulationOptions options = Guest::default_options();
    options.kernel_costs.*each.field = Cycles(3 * tick);
    options.keep_profiles = true;
    Guest guest(program, options);
    EXPECT_EQ(guest.run().status.code, 5U);
    CpuTime time;
    for (const auto& record : guest.simulation.finished_programs()) {
      time += record->time;
      EXPECT_TRUE(record->profile->tick_samples.empty());
    }
    EXPECT_EQ(time.system, Ticks(3 * each.events));
    EXPECT_EQ(time.user, Ticks(0));
  }
}

// vfork copies nothing.
TEST(KernelCosts, AVforkHasNoPages) {
  Program program(*find_unix_system("4.3bsd", Architecture::mips));
  const Label child = program.label();
  const auto vfork = program.call("vfork");
  program.jump_if_nonzero(Program::second_result(vfork), child);
  program.call("exit", {5});
  program.place(child);
  program.call("exit", {3});
  KernelCosts costs;
  const Cycles free = time_of(program, costs);
  costs.fork = Cycles(1000);
  costs.fork_per_page = Cycles(100);
  costs.copy_on_write_fault = Cycles(10);
  EXPECT_EQ(time_of(program, costs), free + Cycles(1000));
}

// A trap that a handler takes costs the exception and the signal; one that ends the process, the
// exception and the end.
TEST(KernelCosts, ATrapAndItsSignal) {
  constexpr std::uint32_t sigtrap = 5;
  for (const bool caught : {true, false}) {
    Program program(*find_unix_system("4.3bsd", Architecture::mips));
    const Label handler = program.label();
    program.data(own_data + 0x40, handler);
    if (caught) program.call("sigvec", {sigtrap, own_data + 0x40, 0});
    program.raw(0x0000000d);  // break 0
    program.place(handler);
    program.call("exit", {5});
    KernelCosts costs;
    costs.trap = Cycles(1000);
    costs.signal_delivery = Cycles(100);
    costs.exit = Cycles(10);
    const auto time = [&](const KernelCosts& prices) {
      SimulationOptions options = Guest::default_options();
      options.kernel_costs = prices;
      Guest guest(program, options);
      const ExitStatus status = guest.run().status;
      EXPECT_EQ(status.code, 5U);
      EXPECT_EQ(status.by_signal, !caught);
      return guest.simulation.clock().now();
    };
    EXPECT_EQ(time(costs), time(KernelCosts{}) + Cycles(caught ? 1110 : 1010));
  }
}

}  // namespace
}  // namespace hardclock::posix::testing
