// What holds of every system over a process's life: conservation of ticks, faults, forks, and the
// transitions between states. What memory must hold in the end is computed by placement_oracle.h.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "syscalls/profil/charge.h"
#include "syscalls/profil/system.h"
#include "tests/unit/profil/placement_oracle.h"
#include "tests/unit/profil/random_profile.h"

namespace hardclock::profil {
namespace {

using Outcome = Charge::Outcome;

class Properties : public ::testing::TestWithParam<const SystemRules*> {
 protected:
  const SystemRules& system() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Systems, Properties, ::testing::ValuesIn(systems()),
                         [](const auto& info) { return test_name(*info.param); });

// A process, what its program asked for last, and what has become of its ticks.
struct Life {
  State state;
  Arena memory;
  Profile profile;
  bool on = false;  // by our own account
  std::uint64_t ticks = 0, counted = 0, missed = 0, dropped = 0;
  bool overflowed = false;  // a counter came to its end
  Arena at_start;
};

struct Tallies {
  Tally counted, missed, faulted, stopped, overflowed;
};

void call(const SystemRules& system, Life& life, const Profile& profile) {
  life.state = start(system, profile).value();
  life.profile = profile;
  life.on = life.state.on();
}

// What the tick has to come to, from the program's arguments and the memory alone.
struct Fate {
  Outcome outcome = Outcome::missed;
  std::uint64_t address = 0, after = 0;
  std::size_t region = 0;
};

// A fault ends the profiling of its region alone.
bool faults_by_region(const SystemRules& system) {
  return family_of(system) == Family::irix;
}

// Whether a region of the profile still counts. One of profil() is the only one.
bool any_is_on(const Profile& profile) {
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    if (profile.regions[i].scale > 1 && !profile.faulted.contains(i)) return true;
  }
  return false;
}

Fate expected_fate(const SystemRules& system, Life& life, std::uint64_t pc, std::uint64_t ticks) {
  if (!life.on) return {};
  const auto place = expected_place(system, life.profile, pc);
  if (!place) return {};
  const unsigned width = life.profile.width;
  const bool is_trap = !system.updates_unaligned && place->address % width != 0;
  if (is_trap || !life.memory.is_accessible(GuestAddr(place->address), width)) {
    return {.outcome = Outcome::faulted, .region = place->region};
  }
  const std::uint64_t before = life.memory.counter(place->address, width);
  const auto after = ticks == 0 ? before : expected_count(system, width, before, ticks);
  if (!after) return {.outcome = Outcome::stopped};
  life.overflowed = life.overflowed || *after - before != ticks;
  return {Outcome::counted, place->address, *after, place->region};
}

// One charge and where it went: exactly one counter has changed, or nothing.
void tick(const SystemRules& system, Life& life, std::uint64_t pc, std::uint64_t ticks,
          Tallies& tallies) {
  const Fate fate = expected_fate(system, life, pc, ticks);
  Arena expected = life.memory;
  if (fate.outcome == Outcome::counted) {
    expected.set_counter(fate.address, life.profile.width, fate.after);
  }
  const Charge charged = charge(system, life.state, GuestAddr(pc), Ticks(ticks), life.memory);
  RC_ASSERT(charged.outcome == fate.outcome);
  RC_ASSERT(life.memory.bytes() == expected.bytes());
  const bool is_dropped = fate.outcome == Outcome::faulted || fate.outcome == Outcome::stopped;
  if (is_dropped) {
    life.profile.faulted.insert(fate.region);
    life.on = faults_by_region(system) && any_is_on(life.profile);
  }
  RC_ASSERT(life.state.on() == life.on);

  life.ticks += ticks;
  (is_dropped                         ? life.dropped
   : fate.outcome == Outcome::counted ? life.counted
                                      : life.missed) += ticks;
  tallies.counted.count(fate.outcome == Outcome::counted);
  tallies.missed.count(fate.outcome == Outcome::missed);
  tallies.faulted.count(fate.outcome == Outcome::faulted);
  tallies.stopped.count(fate.outcome == Outcome::stopped);
}

Number sum_of_counters(const Arena& memory, const Grid& grid) {
  Number sum = 0;
  for (std::uint64_t at = grid.first(); at <= grid.last(); at += grid.width) {
    sum += memory.counter(at, grid.width);
  }
  return sum;
}

// Counted ticks are in memory: all of them, less what the system's overflow rule loses.
void expect_conservation(const SystemRules& system, const Life& life, const Grid& grid) {
  RC_ASSERT(life.ticks == life.counted + life.missed + life.dropped);
  const Number gained = sum_of_counters(life.memory, grid) - sum_of_counters(life.at_start, grid);
  const Number lost = Number(life.counted) - gained;
  if (!life.overflowed) RC_ASSERT(lost == 0);
  switch (overflow_of(system)) {
    case Overflow::wraps:
    case Overflow::stops:  // a counter that was preset to 65535 wraps
      RC_ASSERT(lost >= 0 && lost % (Number(1) << 8 * grid.width) == 0);
      break;
    case Overflow::saturates:
      RC_ASSERT(lost >= 0);
      break;
  }
}

// Counters that are nearly full, and some for each overflow rule.
rc::Gen<std::uint64_t> preset(unsigned width) {
  const std::uint64_t highest = ~std::uint64_t{0} >> (64 - 8 * width);
  return rc::gen::weightedOneOf<std::uint64_t>(
      {{12, rc::gen::just<std::uint64_t>(0)},
       {1, rc::gen::map(number_in<std::uint64_t>(0, 4),
                        [=](std::uint64_t less) { return highest - less; })},
       {1, number_in<std::uint64_t>(32760, 32768)}});
}

Arena filled_arena(const Grid& grid) {
  Arena memory;
  for (std::uint64_t at = grid.first(); at <= grid.last(); at += grid.width) {
    memory.set_counter(at, grid.width, *preset(grid.width));
  }
  return memory;
}

rc::Gen<std::uint64_t> number_of_ticks() {
  return rc::gen::weightedOneOf<std::uint64_t>({{10, rc::gen::just<std::uint64_t>(1)},
                                                {2, number_in<std::uint64_t>(0, 10)},
                                                {1, number_in<std::uint64_t>(0, 140'000)}});
}

// One random thing that happens to a random process.
void live_on(const SystemRules& system, const Grid& grid, std::vector<Life>& lives,
             Tallies& tallies) {
  Life& life = lives[*number_in<std::size_t>(0, lives.size())];
  const int what = *number_in(0, 20);
  if (what < 14) {
    tick(system, life, *nearby_pc(), *number_of_ticks(), tallies);
  } else if (what < 16 || (what < 18 && !life.on)) {
    call(system, life, *nearby_profile(system, grid));
  } else if (what < 19) {
    const auto page = *number_in<std::size_t>(0, Arena::pages);
    life.memory.set_accessible(page, *number_in(0, 3) != 0);
  } else if (lives.size() < 4) {
    Life child;
    child.state = system.after_fork(life.state);
    child.memory = child.at_start = life.memory;
    child.profile = life.profile;
    child.on = life.on;
    lives.push_back(std::move(child));
  }
}

TEST_P(Properties, TicksAreConserved) {
  Tallies tallies;
  EXPECT_TRUE(rc::check("ticks = counted + missed + dropped, and memory has the counted", [&] {
    const Grid grid = *grid_of(system());
    std::vector<Life> lives(1);
    lives[0].memory = lives[0].at_start = filled_arena(grid);
    call(system(), lives[0], *nearby_profile(system(), grid));
    for (int step = 0; step < 60; ++step) live_on(system(), grid, lives, tallies);
    for (const Life& life : lives) {
      expect_conservation(system(), life, grid);
      tallies.overflowed.count(life.overflowed);
    }
  }));
  EXPECT_GT(tallies.counted.percent(), 15);
  EXPECT_GT(tallies.missed.percent(), 15);
  EXPECT_GT(tallies.faulted.percent(), 0.5);
  if (overflow_of(system()) == Overflow::stops) {
    EXPECT_GT(tallies.stopped.percent(), 0.5);
  }
  EXPECT_GT(tallies.overflowed.percent(), 5);
}

// A process whose counters are partly gone takes ticks until one faults.
TEST_P(Properties, AFaultLeavesMemoryAloneAndEndsOneState) {
  Tally faults, hits_afterwards;
  EXPECT_TRUE(rc::check("a fault changes no byte and turns one state off", [&] {
    const Grid grid = *grid_of(system());
    const Profile profile = *nearby_profile(system(), grid);
    State state = start(system(), profile).value();
    Arena memory = filled_arena(grid);
    for (std::size_t page = 0; page < Arena::pages; ++page) {
      memory.set_accessible(page, *number_in(0, 3) != 0);
    }
    State other = system().after_fork(state);
    const State other_before = other;
    bool faulted = false;
    for (int i = 0; i < 40 && !faulted; ++i) {
      const Arena before = memory;
      const auto n = *number_of_ticks();
      const Charge charged = charge(system(), state, GuestAddr(*nearby_pc()), Ticks(n), memory);
      faulted = charged.outcome == Outcome::faulted;
      if (faulted) RC_ASSERT(memory.bytes() == before.bytes());
    }
    faults.count(faulted);
    if (!faulted) return;
    if (!faults_by_region(system())) RC_ASSERT(!state.on());
    if (!state.on()) RC_ASSERT(state.stop == State::Stop::by_fault);
    RC_ASSERT(other == other_before);

    // Also when the memory is back.
    const Arena at_fault = memory;
    for (std::size_t page = 0; page < Arena::pages; ++page) memory.set_accessible(page, true);
    const State off = state;
    for (int i = 0; i < 10; ++i) {
      charge(system(), state, GuestAddr(*nearby_pc()), Ticks(1), memory);
    }
    if (!off.on()) RC_ASSERT(state == off && memory.bytes() == at_fault.bytes());
    for (std::size_t i = 0; i < state.regions.size(); ++i) {
      RC_ASSERT(!off.regions[i].faulted || state.regions[i].faulted);
    }
    state = start(system(), profile).value();
    RC_ASSERT(state == other_before);
    bool hit = false;
    for (int i = 0; i < 40; ++i) {
      const Charge charged = charge(system(), state, GuestAddr(*nearby_pc()), Ticks(1), memory);
      hit = hit || charged.outcome == Outcome::counted;
    }
    hits_afterwards.count(hit);
  }));
  EXPECT_GT(faults.percent(), 30);
  EXPECT_GT(hits_afterwards.percent(), 50);
}

// ---- Fork.

struct Hit {
  std::uint64_t pc = 0;
  std::uint64_t ticks = 1;
  bool in_child = false;
};

std::vector<Hit> hits_of(unsigned count) {
  std::vector<Hit> hits;
  for (unsigned i = 0; i < count; ++i) {
    hits.push_back({*nearby_pc(), *number_in<std::uint64_t>(1, 5), *rc::gen::arbitrary<bool>()});
  }
  return hits;
}

bool take(const SystemRules& system, State& state, Arena& memory, const Hit& hit) {
  charge(system, state, GuestAddr(hit.pc), Ticks(hit.ticks), memory);
  return state.stop == State::Stop::by_full_counter;
}

// Whether parent and child together have what one process has: exactly where counters wrap, up to
// the maximum where they saturate.
bool is_sum(const SystemRules& system, unsigned width, std::uint64_t parent, std::uint64_t child,
            std::uint64_t at_fork, std::uint64_t joint) {
  const std::uint64_t highest = ~std::uint64_t{0} >> (64 - 8 * width);
  if (overflow_of(system) != Overflow::saturates) {
    return ((parent + child - at_fork - joint) & highest) == 0;
  }
  const Number sum = Number(parent) + child - at_fork;
  return joint == (sum > highest ? Number(highest) : sum);
}

TEST_P(Properties, ForkThenJoinIsTheSum) {
  Tally changed_both, stopped;
  EXPECT_TRUE(rc::check("parent and child add up to one process", [&] {
    Grid grid = *grid_of(system());
    if (!system().updates_unaligned) grid.misalignment = 0;
    const Profile profile = *nearby_profile(system(), grid);
    const Arena fresh = filled_arena(grid);
    Arena joint = fresh, parent = fresh;
    State joint_state = start(system(), profile).value();
    State parent_state = joint_state;
    bool stop = false;
    for (const Hit& hit : hits_of(10)) {
      stop |= take(system(), joint_state, joint, hit);
      stop |= take(system(), parent_state, parent, hit);
    }
    State child_state = system().after_fork(parent_state);
    Arena child = parent;
    const Arena at_fork = parent;
    for (const Hit& hit : hits_of(40)) {
      stop |= take(system(), joint_state, joint, hit);
      stop |= take(system(), hit.in_child ? child_state : parent_state,
                   hit.in_child ? child : parent, hit);
    }
    stopped.count(stop);
    if (stop) return;  // Solaris: whoever stops, stops alone
    RC_ASSERT(joint_state.on() == parent_state.on() && parent_state.on() == child_state.on());
    changed_both.count(child.bytes() != at_fork.bytes() && parent.bytes() != at_fork.bytes());
    for (std::uint64_t at = grid.first(); at <= grid.last(); at += grid.width) {
      RC_ASSERT(is_sum(system(), grid.width, parent.counter(at, grid.width),
                       child.counter(at, grid.width), at_fork.counter(at, grid.width),
                       joint.counter(at, grid.width)));
    }
  }));
  EXPECT_GT(changed_both.percent(), 50);
  EXPECT_LT(stopped.percent(), 90);
}

// ---- Transitions.

// Faults of all regions.
State faulted_everywhere(const SystemRules& system, const State& before) {
  State state = system.after_fault(before, 0);
  for (std::size_t i = 1; i < before.regions.size(); ++i) state = system.after_fault(state, i);
  return state;
}

// Any state that a process can come to have.
State any_state(const SystemRules& system) {
  const Grid grid = *grid_of(system);
  State state = start(system, *nearby_profile(system, grid)).value();
  const int what = *number_in(0, 8);
  if (what == 0) return State{};
  if (what == 1) return faulted_everywhere(system, state);
  if (what == 2) return system.after_exec(state);
  if (system.pcsample != nullptr && what < 5) {
    state = system.pcsample(state, arena_start, *number_in(0, 9), 32).value().state;
  }
  Arena memory = filled_arena(grid);
  for (int i = *number_in(0, 10); i > 0; --i) {
    charge(system, state, GuestAddr(*nearby_pc()), Ticks(1), memory);
  }
  return state;
}

TEST_P(Properties, TransitionsAreTotalAndIdempotent) {
  Tally on;
  EXPECT_TRUE(rc::check("exec and faults turn off once, fork keeps", [&] {
    const SystemRules& of = system();
    const State state = any_state(of);
    on.count(state.on());
    const State executed = of.after_exec(state);
    RC_ASSERT(!executed.on());
    RC_ASSERT(of.after_exec(executed) == executed);
    const State faulted = faulted_everywhere(of, state);
    RC_ASSERT(!faulted.on());
    RC_ASSERT(of.after_fault(faulted, 0) == faulted);
    RC_ASSERT(of.after_fork(state) == state);
    RC_ASSERT(of.after_exec(of.after_fork(state)) == of.after_fork(executed));
    RC_ASSERT(faulted_everywhere(of, of.after_fork(state)) == of.after_fork(faulted));
    RC_ASSERT(executed.stop == (state.on() ? State::Stop::by_exec : state.stop));
    RC_ASSERT(faulted.stop == (state.on() ? State::Stop::by_fault : state.stop));
    if (!state.on()) RC_ASSERT(faulted == state);
  }));
  EXPECT_GT(on.percent(), 30);
  EXPECT_LT(on.percent(), 90);
}

// "A later call replaces all four": whatever was before, also with sprofil and pcsample.
TEST_P(Properties, ACallMakesTheSameStateOutOfAnyOther) {
  Tally on;
  EXPECT_TRUE(rc::check("a call replaces everything", [&] {
    const State before = any_state(system());
    const Profile profile = *nearby_profil(system(), Grid{});
    const auto made = system().profil(before, profile.arguments, profile.address_bits);
    const auto fresh = system().profil(State{}, profile.arguments, profile.address_bits);
    RC_ASSERT(made.ok() && fresh.ok());
    RC_ASSERT(*made == *fresh);
    on.count(made->on());
    if (!made->on()) RC_ASSERT(made->stop == State::Stop::by_call);
  }));
  EXPECT_GT(on.percent(), 50);
  EXPECT_LT(on.percent(), 99);
}

TEST_P(Properties, WhatIsOffCountsNothing) {
  Tally off;
  EXPECT_TRUE(rc::check("an off state misses every tick and stays as it is", [&] {
    State state = any_state(system());
    off.count(!state.on());
    if (state.on()) state = system().after_exec(state);
    const State before = state;
    const Grid grid = *grid_of(system());
    Arena memory = filled_arena(grid);
    const Arena untouched = memory;
    const std::uint64_t pc = *rc::gen::oneOf(nearby_pc(), any_word());
    const Charge charged =
        charge(system(), state, GuestAddr(pc), Ticks(*number_of_ticks()), memory);
    RC_ASSERT(charged.outcome == Outcome::missed);
    RC_ASSERT(std::get<Miss>(charged.lookup).reason == Miss::Reason::off);
    RC_ASSERT(state == before && memory.bytes() == untouched.bytes());
  }));
  EXPECT_GT(off.percent(), 10);
}

// ---- pcsample: the pcs themselves are in memory, each in a word of its own.

TEST(Pcsample, TicksAreConserved) {
  Tally full, faulted;
  const SystemRules& solaris = *find_system("solaris");
  EXPECT_TRUE(rc::check("ticks = stored + dropped, and memory has the stored", [&] {
    const auto room = *number_in<std::uint64_t>(1, 30);
    State state =
        solaris.pcsample(State{}, arena_start, static_cast<std::int64_t>(room), 32).value().state;
    Arena memory;
    const auto gone = *number_in<std::size_t>(0, 3);
    memory.set_accessible(gone, *rc::gen::arbitrary<bool>());
    const std::uint64_t bytes_there =
        memory.is_accessible(GuestAddr(arena_start + gone * Arena::page_bytes), 1)
            ? arena_size
            : gone * Arena::page_bytes;
    const std::uint64_t possible = std::min(room, bytes_there / 4);
    std::vector<std::uint64_t> pcs;
    for (int i = 0; i < 15; ++i) {
      const Hit hit{*nearby_pc(), *number_in<std::uint64_t>(0, 6)};
      charge(solaris, state, GuestAddr(hit.pc), Ticks(hit.ticks), memory);
      pcs.insert(pcs.end(), hit.ticks, hit.pc);
    }
    const std::uint64_t stored = std::min<std::uint64_t>(pcs.size(), possible);
    for (std::uint64_t i = 0; i < arena_size / 4; ++i) {
      RC_ASSERT(memory.counter(arena_start + 4 * i, 4) == (i < stored ? pcs[i] : 0));
    }
    RC_ASSERT(state.samples == stored);
    RC_ASSERT(state.on() == (pcs.size() <= possible));
    const State::Stop reason =
        possible == room ? State::Stop::by_full_counter : State::Stop::by_fault;
    if (!state.on()) RC_ASSERT(state.stop == reason);
    full.count(!state.on() && possible == room);
    faulted.count(!state.on() && possible < room);
  }));
  EXPECT_GT(full.percent(), 20);
  EXPECT_GT(faulted.percent(), 3);
}

}  // namespace
}  // namespace hardclock::profil
