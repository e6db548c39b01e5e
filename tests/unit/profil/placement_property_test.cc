// What holds of every system's arithmetic, for every pc, offset and scale: no word is too narrow,
// placement is monotonic, regions can be split, wider counters lose nothing.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "sim/base/bits.h"
#include "syscalls/profil/charge.h"
#include "syscalls/profil/system.h"
#include "tests/unit/profil/placement_oracle.h"
#include "tests/unit/profil/random_profile.h"

namespace hardclock::profil {
namespace {

std::vector<const SystemRules*> systems_with_sprofil() {
  std::vector<const SystemRules*> found;
  std::ranges::copy_if(systems(), std::back_inserter(found),
                       [](const SystemRules* system) { return system->sprofil != nullptr; });
  return found;
}

class Placement : public ::testing::TestWithParam<const SystemRules*> {
 protected:
  const SystemRules& system() const { return *GetParam(); }
};
class SprofilPlacement : public Placement {};

INSTANTIATE_TEST_SUITE_P(Systems, Placement, ::testing::ValuesIn(systems()),
                         [](const auto& info) { return test_name(*info.param); });
INSTANTIATE_TEST_SUITE_P(Systems, SprofilPlacement, ::testing::ValuesIn(systems_with_sprofil()),
                         [](const auto& info) { return test_name(*info.param); });

// ---- The arithmetic itself.

// How far above offset the pc is that has a random place in the buffer.
std::uint64_t distance_into(const Region& region) {
  if (region.scale == 0 || region.size == 0) return *number_in<std::uint64_t>(0, 0x1000);
  const Number place = *rc::gen::arbitrary<std::uint64_t>() % region.size;
  const Number distance = place * 65536 / region.scale + *number_in(0, 4);
  return static_cast<std::uint64_t>(distance % (Number(1) << 64));
}

unsigned some_address_bits(const SystemRules& system) {
  if (family_of(system) == Family::pdp11) return 16;
  return *rc::gen::element(32u, 64u);
}

// Half of the pcs are where a counter is, or a power of two above it: with what such a distance has
// lost of its upper bits, a narrow product would be where the counter is. A program's pc is no
// wider than its addresses, but a PDP-11's system can run programs here that are.
std::uint64_t aimed_pc(const SystemRules& system, const Region& region, unsigned address_bits) {
  std::uint64_t pc = *any_word();
  if (*rc::gen::arbitrary<bool>()) {
    pc = region.offset.value() + distance_into(region);
    if (*number_in(0, 4) == 0) pc += std::uint64_t{1} << *number_in(16, 64);
  }
  return family_of(system) == Family::pdp11 ? pc : bit_field(pc, 0, address_bits);
}

Profile any_profil(const SystemRules& system) {
  Profile profile;
  profile.address_bits = some_address_bits(system);
  profile.arguments = {*any_word(), *any_word(), *any_word(), *any_scale()};
  return profile;
}

Number number(Wide value) {
  return (Number(static_cast<std::uint64_t>(value >> 64)) << 64) |
         static_cast<std::uint64_t>(value);
}

void expect_place(const SystemRules& system, const State& state, const Profile& profile,
                  std::uint64_t pc, Tally& counted) {
  const Lookup lookup = system.lookup(state, GuestAddr(pc));
  const auto expected = expected_place(system, profile, pc);
  counted.count(expected.has_value());
  RC_ASSERT(found_place(lookup) == expected);
  const std::string line = explain(state, GuestAddr(pc), lookup);
  RC_ASSERT(line.find('\n') == std::string::npos);
  if (!expected) return;
  const Access& access = std::get<Access>(lookup);
  RC_ASSERT(access.width == profile.width);
  const Steps& steps = access.steps;
  if (steps.rule != Steps::Rule::scaled) return;
  const Region& region = state.regions[access.region];
  RC_ASSERT(number(steps.product) ==
            Number(steps.delta >> steps.operand_shift) * (region.scale >> steps.operand_shift));
}

// Arguments of 64 bits, of which each kernel keeps what its types hold.
TEST_P(Placement, NoOverflowForAnyArguments) {
  Tally counted, refused;
  EXPECT_TRUE(rc::check("profil places as exact arithmetic does", [&] {
    const Profile profile = any_profil(system());
    const auto state = start(system(), profile);
    const Region region = kept_arguments(system(), profile);
    const Family family = family_of(system());
    const bool is_refused = (family == Family::quad && region.scale > 65536) ||
                            (family == Family::aix && region.size == 0xffffffff);
    RC_ASSERT(state.ok() == !is_refused);
    refused.count(is_refused);
    if (is_refused) return;
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t pc = aimed_pc(system(), region, profile.address_bits);
      expect_place(system(), *state, profile, pc, counted);
    }
  }));
  EXPECT_GT(counted.percent(), 15);
  EXPECT_LT(counted.percent(), 85);
  EXPECT_LT(refused.percent(), 70);
}

// One region of any numbers. IRIX examines none of them; HP-UX's limit of the size keeps the text
// below 2^46 bytes.
Profile any_sprofil(const SystemRules& system) {
  Profile profile;
  profile.address_bits = some_address_bits(system);
  const bool is_hpux = family_of(system) == Family::hpux;
  profile.width = is_hpux ? *rc::gen::element(2u, 4u, 8u) : *rc::gen::element(2u, 4u);
  profile.flags = width_flag(system, profile.width);
  Region region{GuestAddr(bit_field(*any_word(), 0, profile.address_bits)), *any_word(),
                GuestAddr(bit_field(*any_word(), 0, profile.address_bits)), *any_scale()};
  if (is_hpux) {
    region.scale = std::max<std::uint64_t>(region.scale & 0xffffffff, 3);
    const std::uint64_t most = region.scale << 30;  // (2^46 * pr_scale) / 65536
    region.size = std::max(region.size % most / profile.width, std::uint64_t{1}) * profile.width;
  }
  profile.regions = {region};
  return profile;
}

TEST_P(SprofilPlacement, NoOverflowForAnyRegion) {
  Tally counted;
  EXPECT_TRUE(rc::check("sprofil places as exact arithmetic does", [&] {
    const Profile profile = any_sprofil(system());
    const State state = start(system(), profile).value();
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t pc = aimed_pc(system(), profile.regions.front(), profile.address_bits);
      expect_place(system(), state, profile, pc, counted);
    }
  }));
  EXPECT_GT(counted.percent(), 15);
  EXPECT_LT(counted.percent(), 85);
}

TEST_P(SprofilPlacement, TheRightOneOfSeveralRegions) {
  Tally counted, not_first;
  EXPECT_TRUE(rc::check("the largest offset counts, of equal ones the first", [&] {
    const Profile profile = *nearby_sprofil(system(), *grid_of(system()));
    const State state = start(system(), profile).value();
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t pc = *nearby_pc();
      expect_place(system(), state, profile, pc, counted);
      const auto place = expected_place(system(), profile, pc);
      not_first.count(place && place->region != 0);
    }
  }));
  EXPECT_GT(counted.percent(), 20);
  EXPECT_GT(not_first.percent(), 10);
}

// ---- Monotonic.

// The most that a step of the pc can move the counter, in bytes: what the scale makes of the step,
// up to whole counters. The kernels that halve see a step of 1 as one of 2 or none.
Number largest_move(const SystemRules& system, const Region& region, unsigned width,
                    std::uint64_t step) {
  const Family family = family_of(system);
  const bool halves =
      family == Family::pdp11 || family == Family::vax_up || family == Family::vax_down;
  const Number scaled =
      halves ? Number((step + 1) / 2) * (region.scale / 2) * 4 : Number(step) * region.scale;
  const Number bytes = (scaled + 65535) / 65536;
  return (bytes + width - 1) / width * width;
}

// Of two pcs the higher never has the lower counter, and once one is behind the buffer, so are all
// that follow. That is so as long as nothing wraps (is_exact): from offset up to the end of the
// address space, on V7 and 2.11BSD 64 KiB from offset on, on the VAX 2^31 bytes and while the
// quotient has 32 bits, on 4.4BSD while the quotient has 32 bits, on Solaris while it has a
// pointer's and the scale 16 bits less. IRIX, HP-UX and AIX wrap nowhere.
void expect_monotonic(const SystemRules& system, const State& state, const Profile& profile,
                      const Region& region, Tally& both) {
  const std::uint64_t distance = distance_into(region);
  const std::uint64_t step =
      *rc::gen::oneOf(number_in<std::uint64_t>(1, 9), number_in<std::uint64_t>(1, 0x100000));
  const std::uint64_t end = ~std::uint64_t{0} >> (64 - profile.address_bits);
  const Number highest = Number(region.offset.value()) + distance + step;
  const bool in_range =
      family_of(system) == Family::pdp11
          ? Number(distance) + step < 0x10000
          : highest <= end && is_exact(system, region, profile.address_bits, distance + step);
  if (!in_range) return both.count(false);
  const GuestAddr pc = region.offset + distance;
  const auto lower = found_place(system.lookup(state, pc));
  const auto upper = found_place(system.lookup(state, pc + step));
  both.count(lower && upper);
  if (!lower) RC_ASSERT(!upper);
  if (!lower || !upper) return;
  RC_ASSERT(lower->byte_offset <= upper->byte_offset);
  RC_ASSERT(Number(upper->byte_offset - lower->byte_offset) <=
            largest_move(system, region, profile.width, step));
}

TEST_P(Placement, IsMonotonic) {
  Tally both;
  EXPECT_TRUE(rc::check("a higher pc has no lower counter", [&] {
    const Profile profile = any_profil(system());
    const auto state = start(system(), profile);
    if (!state || !state->on()) return;
    const Region region = kept_arguments(system(), profile);
    for (int i = 0; i < 8; ++i) expect_monotonic(system(), *state, profile, region, both);
  }));
  EXPECT_GT(both.percent(), 10);
}

TEST_P(SprofilPlacement, IsMonotonic) {
  Tally both;
  EXPECT_TRUE(rc::check("a higher pc has no lower counter", [&] {
    const Profile profile = any_sprofil(system());
    const State state = start(system(), profile).value();
    for (int i = 0; i < 8; ++i) {
      expect_monotonic(system(), state, profile, profile.regions.front(), both);
    }
  }));
  EXPECT_GT(both.percent(), 10);
}

// ---- Wider counters.

constexpr unsigned widest = 8;

// Regions for all widths: whole 8-byte cells, so that each width accepts them and puts a pc into
// the same cell.
std::vector<Region> cells(const SystemRules& system) {
  const Grid grid{.width = widest, .misalignment = 0};
  const auto count = *number_in<std::size_t>(1, 5);
  auto regions = *rc::gen::container<std::vector<Region>>(count, nearby_region(grid, 0x10000));
  for (Region& region : regions) region.size = (region.size + widest - 1) / widest * widest;
  if (family_of(system) == Family::hpux) regions = made_legal(std::move(regions), widest);
  regions.front().scale = std::max<std::uint64_t>(regions.front().scale, 2);  // IRIX: that is on
  return regions;
}

Arena run(const SystemRules& system, const std::vector<Region>& regions, unsigned width,
          const std::vector<std::pair<std::uint64_t, std::uint64_t>>& ticks) {
  State state = system.sprofil->start(State{}, regions, width_flag(system, width), 32).value();
  Arena memory;
  for (const auto& [pc, n] : ticks) charge(system, state, GuestAddr(pc), Ticks(n), memory);
  RC_ASSERT(state.on());
  return memory;
}

// What the counters of one 8-byte cell have together.
Number cell_sum(const Arena& memory, std::uint64_t cell, unsigned width) {
  Number sum = 0;
  for (unsigned at = 0; at < widest; at += width) sum += memory.counter(cell + at, width);
  return sum;
}

TEST_P(SprofilPlacement, WiderCountersCountNoFewer) {
  Tally more, counted;
  EXPECT_TRUE(rc::check("each cell has at least what narrower counters make of it", [&] {
    const std::vector<Region> regions = cells(system());
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ticks;
    for (int i = 0; i < 40; ++i) {
      ticks.emplace_back(*nearby_pc(), *number_in<std::uint64_t>(1, 60'000));
    }
    Arena narrow = run(system(), regions, 2, ticks);
    for (const unsigned width : {4u, 8u}) {
      if (width == 8 && family_of(system()) != Family::hpux) break;
      const Arena wide = run(system(), regions, width, ticks);
      for (std::uint64_t cell = arena_start; cell < arena_start + arena_size; cell += widest) {
        const Number fewer = cell_sum(narrow, cell, width / 2);
        const Number sum = cell_sum(wide, cell, width);
        RC_ASSERT(sum >= fewer);
        if (sum != 0) more.count(sum > fewer);
        counted.count(sum != 0);
      }
      narrow = wide;
    }
  }));
  EXPECT_GT(more.percent(), 2);
  EXPECT_GT(counted.percent(), 5);
}

// ---- Splitting.

// A region and the counter boundary at which it is cut: one that a pc falls on exactly. That takes
// as many bytes of counters as the scale's odd part, for a whole number of bytes of text.
struct Split {
  Region whole, left, right;
};

Split some_split(unsigned width, std::uint64_t least_scale, std::uint64_t highest_scale) {
  const std::uint64_t odd = *rc::gen::element<std::uint64_t>(1, 1, 3, 5, 7, 9, 15);
  unsigned shift = *number_in(1u, 17u);
  while (odd << shift > highest_scale) --shift;
  while (odd << shift < least_scale) ++shift;
  const std::uint64_t scale = odd << shift;
  const std::uint64_t step = std::lcm<std::uint64_t>(odd, width) * (shift == 16 ? 2 : 1);
  const std::uint64_t cut = step * *number_in<std::uint64_t>(1, 0x180 / step + 1);
  const std::uint64_t rest = width * *number_in<std::uint64_t>(1, 0x180 / width);
  const GuestAddr base(arena_start + 8 * *number_in<std::uint64_t>(0, 8));
  const GuestAddr offset(text_address + 2 * *number_in<std::uint64_t>(0, 0x20));
  const std::uint64_t text = cut * 65536 / scale;
  RC_ASSERT(text * scale == cut * 65536);
  return {{base, cut + rest, offset, scale},
          {base, cut, offset, scale},
          {base + cut, rest, offset + text, scale}};
}

// All pcs that concern the region, most of them near the cut.
std::uint64_t pc_near(const Split& split) {
  const std::uint64_t cut = split.right.offset.value();
  const std::uint64_t end =
      split.whole.offset.value() + split.whole.size * 65536 / split.whole.scale + 8;
  return *rc::gen::oneOf(
      number_in<std::uint64_t>(split.whole.offset.value(), end),
      number_in<std::uint64_t>(std::max(cut - 8, split.whole.offset.value()), cut + 8));
}

// But on IRIX, where a fault ends one region and the second one's first pc is the first one's.
TEST_P(SprofilPlacement, SplittingARegionChangesNothing) {
  Tally left, right, faulted;
  const bool is_irix = family_of(system()) == Family::irix;
  EXPECT_TRUE(rc::check("two regions that meet at a counter are one", [&] {
    const unsigned width = family_of(system()) == Family::hpux ? *rc::gen::element(2u, 4u, 8u)
                                                               : *rc::gen::element(2u, 4u);
    const Split split = some_split(width, 0x200, 0x40000);
    const std::uint32_t flags = width_flag(system(), width);
    State one = system().sprofil->start(State{}, std::vector{split.whole}, flags, 32).value();
    State two =
        system().sprofil->start(State{}, std::vector{split.left, split.right}, flags, 32).value();
    Arena memory_of_one, memory_of_two;
    if (!is_irix && *number_in(0, 4) == 0) {
      const auto page = *number_in<std::size_t>(0, Arena::pages);
      memory_of_one.set_accessible(page, false);
      memory_of_two.set_accessible(page, false);
    }
    for (int i = 0; i < 40; ++i) {
      const GuestAddr pc(pc_near(split) - *rc::gen::element(0, 0, 0, 0x40));
      const auto n = *number_in<std::uint64_t>(1, 40'000);
      if (is_irix && pc == split.right.offset) continue;
      const Charge of_one = charge(system(), one, pc, Ticks(n), memory_of_one);
      const Charge of_two = charge(system(), two, pc, Ticks(n), memory_of_two);
      RC_ASSERT(of_one.outcome == of_two.outcome);
      RC_ASSERT(memory_of_one.bytes() == memory_of_two.bytes());
      const auto place = found_place(of_two.lookup);
      left.count(place && place->region == 0);
      right.count(place && place->region == 1);
      faulted.count(of_one.outcome == Charge::Outcome::faulted);
    }
  }));
  EXPECT_GT(left.percent(), 20);
  EXPECT_GT(right.percent(), 20);
  if (!is_irix) {
    EXPECT_GT(faulted.percent(), 0.1);
  }
}

// The same with profil(), one run for each half: together they have what one run over the whole
// has. Systems that round up take the pcs just below the cut for the counter above it, of which
// the left half has nothing and the right half no text; they are the only difference. No pc lies
// below the whole, and the buffer is smaller than the scale: so a PDP-11's differences that wrap in
// the right half end behind it. One tick each: no counter comes to its end.
TEST_P(Placement, SplittingARunChangesNothing) {
  Tally in_left, in_right, across;
  EXPECT_TRUE(rc::check("runs over both halves add up to a run over the whole", [&] {
    const Split split = some_split(2, 0x1000, 0xfffe);
    const auto started = [&](const Region& region) {
      return system()
          .profil(State{}, {region.base.value(), region.size, region.offset.value(), region.scale},
                  32)
          .value();
    };
    State whole = started(split.whole), left = started(split.left), right = started(split.right);
    Arena of_whole, of_left, of_right;
    std::uint64_t lost = 0;
    for (int i = 0; i < 60; ++i) {
      const GuestAddr pc(pc_near(split));
      charge(system(), whole, pc, Ticks(1), of_whole);
      const bool is_left = charge(system(), left, pc, Ticks(1), of_left).increment.has_value();
      const bool is_right = charge(system(), right, pc, Ticks(1), of_right).increment.has_value();
      const auto place = found_place(system().lookup(whole, pc));
      const bool is_across =
          place && pc < split.right.offset && place->byte_offset >= split.left.size;
      RC_ASSERT(!(is_left && is_right));
      RC_ASSERT((is_left || is_right) == (place.has_value() && !is_across));
      lost += is_across ? 1 : 0;
      in_left.count(is_left);
      in_right.count(is_right);
      across.count(is_across);
    }
    for (std::uint64_t at = arena_start; at < arena_start + arena_size; at += 2) {
      const bool is_first_right = at == split.right.base.value();
      RC_ASSERT(of_whole.counter(at, 2) ==
                of_left.counter(at, 2) + of_right.counter(at, 2) + (is_first_right ? lost : 0));
    }
  }));
  EXPECT_GT(in_left.percent(), 20);
  EXPECT_GT(in_right.percent(), 20);
  const Family family = family_of(system());
  const bool rounds_up =
      family == Family::pdp11 || family == Family::vax_up || family == Family::aix;
  if (rounds_up) {
    EXPECT_GT(across.percent(), 0.5);
  } else {
    EXPECT_EQ(across.hits, 0u);
  }
}

}  // namespace
}  // namespace hardclock::profil
