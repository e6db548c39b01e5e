// The clock's part: what a tick notes, and what is charged at a kernel exit. Sources: 4.3BSD
// sys/vax/trap.c and kern_clock.c (SOWEUPC is one bit), V7 sys/trap.c, and for IRIX what its kernel
// was observed to do (docs/observed.md, "fact N").
#include "syscalls/profil/ticks.h"

#include <gtest/gtest.h>

#include "syscalls/profil/irix.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {
namespace {

constexpr GuestAddr pc(0x400010), other(0x400020);
const SystemRules& irix = irix_system;

State profiled(const SystemRules& system) {
  return system.profil(State{}, {0x1000, 64, 0x400, 0x8000}, system.word_bits).value();
}

State fast() {
  const Region region{GuestAddr(0x10010000), 64, GuestAddr(0x400000), 0x8000};
  return irix.sprofil->start(State{}, std::span(&region, 1), irix_prof_fast, 32).value();
}

TEST(UserTick, OfAStateThatIsOffIsCharged) {
  for (const SystemRules* const system : systems()) {
    State off;
    EXPECT_EQ(user_tick(*system, off, pc, Clock::normal), TickFate::charge) << system->name;
    EXPECT_EQ(user_tick(*system, off, pc, Clock::fast), TickFate::ignored) << system->name;
    EXPECT_EQ(off, State{}) << system->name;
  }
}

TEST(UserTick, IsChargedAtOnceByV7) {
  State state = profiled(v7_system);
  EXPECT_EQ(user_tick(v7_system, state, pc, Clock::normal), TickFate::charge);
}

// One bit: SOWEUPC. The AST finds the pc at which the program was interrupted.
TEST(UserTick, IsOwedOnceByTheVax) {
  State state = profiled(bsd43_system);
  EXPECT_EQ(user_tick(bsd43_system, state, pc, Clock::normal), TickFate::owed);
  EXPECT_EQ(user_tick(bsd43_system, state, pc, Clock::normal), TickFate::owed);
  const Due one{Due::Kind::tick, pc, Ticks(1)};
  EXPECT_EQ(take_due(bsd43_system, state, {other, {}, Ticks(0)}), std::vector{one});
  EXPECT_EQ(take_due(bsd43_system, state, {other, {}, Ticks(0)}), std::vector<Due>{});
}

// Fact 16.
TEST(UserTick, IsChargedByIrixWhereTheProcessGoesOn) {
  State state = profiled(irix);
  EXPECT_EQ(user_tick(irix, state, pc, Clock::normal), TickFate::owed);
  EXPECT_EQ(user_tick(irix, state, pc, Clock::normal), TickFate::owed);
  const Due tick{Due::Kind::tick, other, Ticks(1)};
  const Due probe{Due::Kind::system, other, Ticks(0)};
  EXPECT_EQ(take_due(irix, state, {other, {}, Ticks(0)}), (std::vector{tick, probe}));
}

// Facts 16, 19 and 21: a new call drops what is noted, and a child does not have it.
TEST(UserTick, IsDroppedByACallAndAFork) {
  State state = fast();
  user_tick(irix, state, pc, Clock::fast);
  EXPECT_TRUE(irix.after_fork(state).waiting.empty());
  State again = irix.profil(state, {0x10010000, 64, 0x400000, 0x8000}, 32).value();
  EXPECT_EQ(take_waiting(again), std::vector<Due>{});
  EXPECT_EQ(take_waiting(state).size(), 1u);
}

// Fact 19: eleven pcs, "further ones lost"; the normal tick adds nothing of its own.
TEST(FastTick, WaitsForTheNextNormalOne) {
  State state = fast();
  for (int i = 0; i < 11; ++i) {
    EXPECT_EQ(user_tick(irix, state, pc, Clock::fast), TickFate::waits);
  }
  EXPECT_EQ(user_tick(irix, state, pc, Clock::fast), TickFate::lost);
  EXPECT_EQ(user_tick(irix, state, other, Clock::normal), TickFate::fetches);
  const auto due = take_waiting(state);
  EXPECT_EQ(due, std::vector<Due>(11, {Due::Kind::sample, pc, Ticks(1)}));
  State slow = profiled(irix);
  EXPECT_EQ(user_tick(irix, slow, pc, Clock::fast), TickFate::ignored);
}

// Facts 17 to 19.
TEST(KernelExit, SystemTicksOfIrix) {
  State slow = profiled(irix);
  const Due five{Due::Kind::system, pc, Ticks(5)};
  EXPECT_EQ(take_due(irix, slow, {pc, other, Ticks(5)}), std::vector{five});
  State quick = fast();
  const Due fifty{Due::Kind::system, pc, Ticks(50)};
  EXPECT_EQ(take_due(irix, quick, {pc, other, Ticks(5)}), std::vector{fifty});
}

// 4.4BSD sys/pmax/pmax/trap.c charges the trapped pc; the others the one at which the program goes
// on. V7 sys/trap.c also charges 0 ticks, the VAX's trap.c does not.
TEST(KernelExit, SystemTicksOfTheOthers) {
  State state = profiled(bsd44_system);
  const Due trapped{Due::Kind::system, other, Ticks(2)};
  EXPECT_EQ(take_due(bsd44_system, state, {pc, other, Ticks(2)}), std::vector{trapped});
  state = profiled(bsd43_system);
  EXPECT_EQ(take_due(bsd43_system, state, {pc, other, Ticks(0)}), std::vector<Due>{});
  state = profiled(v7_system);
  const Due probe{Due::Kind::system, pc, Ticks(0)};
  EXPECT_EQ(take_due(v7_system, state, {pc, other, Ticks(0)}), std::vector{probe});
  State off;
  EXPECT_EQ(take_due(v7_system, off, {pc, other, Ticks(0)}), std::vector<Due>{});
}

}  // namespace
}  // namespace hardclock::profil
