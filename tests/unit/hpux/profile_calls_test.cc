// HP-UX's profil(2) and sprofil(2) on arguments that no program means. The pages of both are the
// source (HP-UX Reference, section 2); the rules of ticks are syscalls/profil's.
#include <gtest/gtest.h>

#include "tests/unit/hpux/machine.h"

namespace hardclock::hpux {
namespace {

using testing::data;
using testing::Machine;
using testing::text;

constexpr unsigned e2big = 7, efault = 14, einval = 22;
constexpr unsigned profil_call = 44, sprofil_call = 540;
constexpr std::uint64_t page_end = data + page_size;

void put_region(Machine& machine, std::uint64_t at, std::uint32_t base) {
  for (const std::uint32_t word : {base, 64U, static_cast<std::uint32_t>(text), 0x8000U}) {
    ASSERT_TRUE(machine.memory().write(GuestAddr(at), word).ok());
    at += 4;
  }
}

// One tick of the clock at the program's first instruction, then on to user code.
void tick(Machine& machine) {
  machine.kernel->profile_tick(machine.thread(), GuestAddr(text), ClockKind::clock,
                               ProcessorMode::user);
  machine.kernel->leaving_kernel(machine.thread());
}

// ERRORS: E2BIG, EINVAL, EFAULT.
TEST(Sprofil, ErrorsLeaveTheStateAlone) {
  Machine machine;
  const std::uint64_t flags = hpux_system().profiling->sprofil->flags.front().value;  // PROF_USHORT
  constexpr std::uint64_t most = 1024, nowhere = 0x90000000;
  put_region(machine, data, data + 0x800);
  put_region(machine, page_end - 16, data + 0x800);
  EXPECT_EQ(machine.call(sprofil_call, {data, 1, data + 0x40, flags}), std::nullopt);
  EXPECT_EQ(machine.word(data + 0x40), 0u);
  EXPECT_EQ(machine.word(data + 0x44), 10'000u);
  EXPECT_EQ(machine.call(sprofil_call, {data, most + 1, 0, flags}), e2big);
  EXPECT_EQ(machine.call(sprofil_call, {data, 0xffffffff, 0, flags}), e2big);
  EXPECT_EQ(machine.call(sprofil_call, {data, 1, 0, 0x40000000}), einval);
  EXPECT_EQ(machine.call(sprofil_call, {nowhere, most, 0, flags}), efault);
  EXPECT_EQ(machine.call(sprofil_call, {page_end - 16, 2, 0, flags}), efault);
  EXPECT_EQ(machine.call(sprofil_call, {data + 2, 1, 0, flags}), efault);
  EXPECT_EQ(machine.call(sprofil_call, {data, 1, text, flags}), efault);
  const profil::State& state = machine.kernel->profiling().of(machine.thread());
  EXPECT_TRUE(state.on());
  ASSERT_EQ(state.regions.size(), 1u);
  EXPECT_EQ(state.regions[0].base, GuestAddr(data + 0x800));
}

// Buffers anywhere are no error of the call. A tick that cannot count there turns profiling off.
TEST(Profil, BuffersAtTheEndsOfMemory) {
  for (const std::uint64_t buffer :
       {0ULL, 1ULL, 0x7fffffffULL, 0x80000000ULL, 0xfffffffeULL, 0xffffffffULL}) {
    SCOPED_TRACE(buffer);
    Machine machine;
    EXPECT_EQ(machine.call(profil_call, {buffer, 0xffffffff, text, 0x8000}), std::nullopt);
    EXPECT_TRUE(machine.kernel->profiling().of(machine.thread()).on());
    tick(machine);
    EXPECT_FALSE(machine.kernel->profiling().of(machine.thread()).on());
  }
}

// A counter for which the machine has no page left is one that cannot be updated.
TEST(Profil, WithoutMemoryForTheCounters) {
  Machine machine;
  const std::uint64_t untouched = 0x60000000;
  ASSERT_TRUE(machine.memory()
                  .map(GuestAddr(untouched), page_size, {.read = true, .write = true}, "counters")
                  .ok());
  EXPECT_EQ(machine.call(profil_call, {untouched, 0x1000, text, 0x8000}), std::nullopt);
  while (machine.simulation.budget()->take_page()) {
  }
  tick(machine);
  const profil::State& state = machine.kernel->profiling().of(machine.thread());
  EXPECT_FALSE(state.on());
  EXPECT_EQ(state.stop, profil::State::Stop::by_fault);
}

}  // namespace
}  // namespace hardclock::hpux
