// TLBs against naive_memory.h, whose Random register is decremented instruction by instruction as
// the MIPS R4000 Microprocessor User's Manual says (2nd edition, chapter 4).
#include "sim/timing/tlb.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <optional>
#include <random>

#include "tests/unit/timing/naive_memory.h"
#include "tests/unit/timing/random_memory.h"

namespace hardclock {
namespace {

// The entry that stops being the most recently used one when `entry` (null: a new one) is used.
std::optional<std::uint64_t> demoted_use(const NaiveTlb& naive, const TlbDescription& description,
                                         const NaiveTlb::Entry* entry) {
  const auto newest = naive.newest();
  const bool stays = entry != nullptr && newest == entry->used;
  return description.replacement == Replacement::lru && !stays ? newest : std::nullopt;
}

void check_demoted(NaiveTlb& naive, const Tlb::Mapping& mapping,
                   const std::optional<std::uint64_t>& use) {
  RC_ASSERT(mapping.valid == use.has_value());
  if (!use) return;
  const NaiveTlb::Entry* const entry = naive.find(mapping.space, mapping.first_page);
  RC_ASSERT(entry != nullptr);
  RC_ASSERT(entry->used == *use);
}

void access(Tlb& tlb, NaiveTlb& naive, const TlbDescription& description, std::uint32_t space,
            std::uint64_t page, Instructions instructions) {
  NaiveTlb::Entry* const entry = naive.find(space, page);
  const bool is_newest = entry != nullptr && naive.newest() == entry->used;
  const bool changes_nothing =
      entry != nullptr && (is_newest || description.replacement == Replacement::random);
  auto demoted = demoted_use(naive, description, entry);
  RC_ASSERT(!tlb.is_free(space, page) || changes_nothing);
  const Tlb before = tlb;
  const Tlb::Lookup lookup = tlb.lookup(space, page);
  RC_ASSERT(lookup.hit == (entry != nullptr));
  RC_ASSERT((tlb == before) == (!lookup.hit || changes_nothing));
  if (lookup.hit) {
    check_demoted(naive, lookup.demoted, demoted);
    naive.touch(space, page);
    return;
  }
  const Tlb::Refill refill = tlb.refill(space, page, instructions);
  const auto left = naive.refill(space, page);
  RC_ASSERT(refill.evicted.valid == left.has_value());
  if (left) {
    RC_ASSERT(refill.evicted.space == left->space);
    RC_ASSERT(refill.evicted.first_page == left->first_page);
    if (demoted == left->used) demoted.reset();
  }
  check_demoted(naive, refill.demoted, demoted);
}

RC_GTEST_PROP(Tlb, AgreesWithTheNaiveOneAccessByAccess, ()) {
  const TlbDescription description = any_tlb();
  Tlb tlb(description);
  NaiveTlb naive(description);
  const std::uint64_t range = std::uint64_t{description.entries} * description.pages * 2;
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  std::uint64_t instructions = 0;
  for (const std::uint64_t page : any_trace(range, 1000)) {
    const std::uint32_t space = random() % 3;
    const std::uint64_t executed = random() % 4 == 0 ? random() % 200 : 1;
    instructions += executed;
    naive.execute(executed);
    if (random() % 64 == 0) {
      naive.remove(space, std::nullopt);
      for (const Tlb::Mapping& mapping : tlb.remove(space)) RC_ASSERT(mapping.space == space);
    } else if (random() % 16 == 0) {
      const bool present = naive.find(space, page) != nullptr;
      naive.remove(space, page);
      RC_ASSERT(tlb.remove(space, page).valid == present);
    } else {
      access(tlb, naive, description, space, page, Instructions(instructions));
    }
    const std::uint64_t other = random() % range;
    RC_ASSERT(tlb.contains(space, other) == (naive.find(space, other) != nullptr));
  }
}

// The R3000's Random register keeps to 63..8, so the first eight entries stay: 56 pages at most can
// be mapped by random refills.
TEST(Tlb, WiredEntriesAreNeverUsedByARefill) {
  Tlb tlb(TlbDescription{.entries = 64, .wired = 8});
  for (std::uint64_t page = 0; page < 1000; ++page) {
    ASSERT_FALSE(tlb.lookup(0, page).hit);
    tlb.refill(0, page, Instructions(page));
  }
  int mapped = 0;
  for (std::uint64_t page = 0; page < 1000; ++page) mapped += tlb.contains(0, page) ? 1 : 0;
  EXPECT_EQ(mapped, 56);
}

// After reset Random holds its upper bound, 47 (R4000 manual, chapter 4): the first instruction's
// refill goes to entry 47, one 48 instructions later to the same one, with no wired entries.
TEST(Tlb, RandomComesBackAfterAsManyInstructionsAsEntries) {
  Tlb tlb(TlbDescription{.entries = 48, .pages = 2});
  tlb.refill(7, 100, Instructions(0));
  EXPECT_FALSE(tlb.refill(7, 200, Instructions(47)).evicted.valid);
  const Tlb::Refill refill = tlb.refill(7, 300, Instructions(48));
  EXPECT_EQ(refill.evicted, (Tlb::Mapping{.valid = true, .space = 7, .first_page = 100}));
}

// One R4000 entry maps an even page and the odd one after it; ASIDs keep spaces apart.
TEST(Tlb, AnEntryMapsItsGroupInItsSpace) {
  Tlb tlb(TlbDescription{.entries = 48, .pages = 2});
  tlb.refill(1, 0x401, Instructions(0));
  EXPECT_TRUE(tlb.lookup(1, 0x400).hit);
  EXPECT_TRUE(tlb.lookup(1, 0x401).hit);
  EXPECT_FALSE(tlb.lookup(1, 0x402).hit);
  EXPECT_FALSE(tlb.lookup(1, 0x3ff).hit);
  EXPECT_FALSE(tlb.lookup(2, 0x400).hit);
}

}  // namespace
}  // namespace hardclock
