// profil(2), sprofil(2) and pcsample(2) as calls: errors, and that a failing one changes nothing.
#include <gtest/gtest.h>

#include "syscalls/systems.h"
#include "tests/unit/posix/guest.h"

namespace hardclock::posix::testing {
namespace {

// The IRIX 6.2 kernel looks at neither a limit nor unknown flags; of too many entries some cannot
// be read.
TEST(Sprofil, ErrorsLeaveTheStateAlone) {
  constexpr std::uint32_t most = 1024, nowhere = 0xfffffff0;
  Program program = program_for("irix");
  program.data(own_data, heap_base);
  program.data(own_data + 4, 64);
  program.data(own_data + 8, text_base);
  program.data(own_data + 12, 0x8000);
  const std::uint32_t words = find_unix_system("irix", Architecture::mips)
                                  ->profiling->sprofil->flags.front()
                                  .value;  // PROF_USHORT
  const auto started = program.call("sprofil", {own_data, 1, own_data + 0x40, words});
  const auto beyond = program.call("sprofil", {own_data, most + 1, 0, words});
  const auto negative = program.call("sprofil", {own_data, 0xffffffff, 0, words});
  const auto flags = program.call("sprofil", {own_data, 1, 0, 0x40000000});
  const auto unreadable = program.call("sprofil", {nowhere, most, 0, words});
  const auto partly = program.call("sprofil", {heap_base - 16, 2, 0, words});
  const auto misaligned = program.call("sprofil", {own_data + 2, 1, 0, words});
  const auto unwritable = program.call("sprofil", {own_data, 1, text_base, words});
  program.call("pause");
  Guest guest(program);
  EXPECT_EQ(guest.run().kind, SimulationEnd::Kind::deadlock);
  EXPECT_EQ(guest.error(started), std::nullopt);
  EXPECT_EQ(guest.word(own_data + 0x44), 10'000U);
  EXPECT_EQ(guest.error(beyond), Errno::efault);
  EXPECT_EQ(guest.error(negative), Errno::efault);
  EXPECT_EQ(guest.error(flags), std::nullopt);
  EXPECT_EQ(guest.error(unreadable), Errno::efault);
  EXPECT_EQ(guest.error(partly), Errno::efault);
  EXPECT_EQ(guest.error(misaligned), Errno::efault);
  EXPECT_EQ(guest.error(unwritable), Errno::efault);
  const profil::State& state = guest.kernel->profiling().of(guest.first->main_thread());
  EXPECT_TRUE(state.on());
  ASSERT_EQ(state.regions.size(), 1U);
  EXPECT_EQ(state.regions[0].base, GuestAddr(heap_base));
}

// Makes calls for ever, with ticks that find it in both modes.
void call_for_ever(Program& program) {
  const Label loop = program.label();
  program.place(loop);
  program.call("getpid");
  program.jump(loop);
}

SimulationOptions with_many_ticks() {
  SimulationOptions options = Guest::default_options();
  options.cpu_clock = Hertz(10'000);
  options.tick_rate = Hertz(100);
  options.kernel_costs.system_call = Cycles(31);
  options.max_instructions = Instructions(20'000);
  return options;
}

// Buffers anywhere are no error of the call. A tick that cannot count there turns profiling off (V7
// trap.c, IRIX profil(2)), and hurts nothing.
TEST(Profil, BuffersAtTheEndsOfMemory) {
  for (const posix::UnixSystem* const system : unix_systems(Architecture::mips)) {
    if (system->profiling->profil == nullptr) continue;  // Linux
    for (const std::uint32_t buffer :
         {0U, 1U, 0x7fffffffU, 0x80000000U, 0xfffffffeU, 0xffffffffU}) {
      SCOPED_TRACE(system->name);
      Program program(*system);
      program.call("profil", {buffer, 0xffffffff, 0, 0x8000});
      call_for_ever(program);
      Guest guest(program, with_many_ticks());
      EXPECT_EQ(guest.run().kind, SimulationEnd::Kind::instruction_limit);
      EXPECT_FALSE(guest.kernel->profiling().of(guest.first->main_thread()).on())
          << std::hex << buffer;
    }
  }
}

// A counter for which the machine has no page left is one that cannot be updated.
TEST(Profil, WithoutMemoryForTheCounters) {
  for (const posix::UnixSystem* const system : unix_systems(Architecture::mips)) {
    if (system->profiling->profil == nullptr) continue;  // Linux
    SCOPED_TRACE(system->name);
    Program program(*system);
    const Layout& layout = system->ports.front().layout;
    const auto bottom = static_cast<std::uint32_t>(layout.stack_top.value() - layout.stack_limit);
    program.call("profil", {bottom, 0x1000, text_base, 0x8000});
    call_for_ever(program);
    Guest guest(program, with_many_ticks());
    while (guest.simulation.budget()->take_page()) {
    }
    EXPECT_EQ(guest.run().kind, SimulationEnd::Kind::instruction_limit);
    const profil::State& state = guest.kernel->profiling().of(guest.first->main_thread());
    EXPECT_FALSE(state.on());
    EXPECT_EQ(state.stop, profil::State::Stop::by_fault);
  }
}

}  // namespace
}  // namespace hardclock::posix::testing
