// Page colouring as Kessler and Hill describe it (ACM TOCS 10(4), 1992): colours are cache size /
// ways / page size; physical and virtual page agree in colour.
#include "sim/timing/physical_pages.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace hardclock {
namespace {

TEST(PhysicalPages, ColoursOfAMachine) {
  MemoryDescription memory;
  EXPECT_EQ(page_colours(memory, 4096), 1u);
  memory.l1d = {.size = 16384, .ways = 2, .line = 32};  // R4600
  EXPECT_EQ(page_colours(memory, 4096), 2u);
  EXPECT_EQ(page_colours(memory, 16384), 1u);
  memory.l1i = {.size = 16384, .ways = 1, .line = 16};  // R4400
  memory.l2 = {.size = 1 << 20, .ways = 1, .line = 128};
  EXPECT_EQ(page_colours(memory, 4096), 4u);
}

TEST(PhysicalPages, LowestUnusedOfTheColour) {
  PhysicalPages pages(4);
  EXPECT_EQ(pages.allocate(0x402), 2u);
  EXPECT_EQ(pages.allocate(2), 6u);
  EXPECT_EQ(pages.allocate(6), 10u);
  EXPECT_EQ(pages.allocate(5), 1u);
  pages.release(6);
  pages.release(2);
  EXPECT_FALSE(pages.in_use(2));
  EXPECT_EQ(pages.allocate(10), 2u);
  EXPECT_EQ(pages.allocate(10), 6u);
  EXPECT_EQ(pages.allocate(10), 14u);
}

RC_GTEST_PROP(PhysicalPages, AgreeWithASearchFromZero,
              (const std::vector<std::uint8_t>& requests)) {
  const std::uint64_t colours = std::uint64_t{1} << *rc::gen::inRange(0, 5);
  PhysicalPages pages(colours);
  std::set<std::uint64_t> used;
  for (const std::uint8_t request : requests) {
    if (request >= 128 && !used.empty()) {
      const auto gone = std::next(used.begin(), request % static_cast<int>(used.size()));
      pages.release(*gone);
      used.erase(gone);
      continue;
    }
    std::uint64_t expected = 0;
    while (used.contains(expected) || expected % colours != request % colours) ++expected;
    RC_ASSERT(pages.allocate(request) == expected);
    used.insert(expected);
  }
  for (std::uint64_t page = 0; page < 256; ++page) {
    RC_ASSERT(pages.in_use(page) == used.contains(page));
  }
}

// ---- With a seed.

MemoryDescription r4400_with_seed(std::uint32_t seed) {
  MemoryDescription memory;
  memory.l1i = memory.l1d = {.size = 16384, .ways = 1, .line = 16};
  memory.l2 = {.size = 1 << 20, .ways = 1, .line = 128};
  memory.tlb = {.entries = 48, .pages = 2, .page = 4096};
  memory.placement = seed;
  return memory;
}

std::vector<std::uint64_t> first_pages(const MemoryDescription& memory, std::uint64_t count) {
  PhysicalPages pages(memory, 4096);
  std::vector<std::uint64_t> all;
  for (std::uint64_t page = 0; page < count; ++page) all.push_back(pages.allocate(0x400 + page));
  return all;
}

TEST(PlacedPages, WithoutASeedAreAsEver) {
  MemoryDescription memory = r4400_with_seed(0);
  memory.placement.reset();
  PhysicalPages pages(memory, 4096);
  EXPECT_EQ(pages.allocate(0x402), 2u);
  EXPECT_EQ(pages.allocate(2), 6u);
}

TEST(PlacedPages, ASeedIsAPlacement) {
  EXPECT_EQ(first_pages(r4400_with_seed(7), 100), first_pages(r4400_with_seed(7), 100));
  std::set<std::vector<std::uint64_t>> placements;
  for (const std::uint32_t seed : {0u, 1u, 2u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    placements.insert(first_pages(r4400_with_seed(seed), 4));
  }
  EXPECT_EQ(placements.size(), 6u);
}

// A virtually indexed cache has a line where its virtual address says.
TEST(PlacedPages, KeepTheColourOfVirtuallyIndexedCaches) {
  PhysicalPages pages(r4400_with_seed(3), 4096);
  for (std::uint64_t page = 0; page < 1000; ++page) EXPECT_EQ(pages.allocate(page) % 4, page % 4);
}

// A megabyte of virtual memory has a place for each of its pages in 1 MB of the second level, where
// physical addresses choose the place. Seeds and megabytes differ in the one at which it begins: of
// 6400 each of the 64 that keep the first level's colour gets 100, give or take five standard
// deviations of 10.
TEST(PlacedPages, AMegabyteNeverMeetsItselfInTheSecondLevel) {
  std::vector<int> beginnings(256);
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    PhysicalPages pages(r4400_with_seed(seed), 4096);
    for (std::uint64_t megabyte = 0; megabyte < 64; ++megabyte) {
      std::set<std::uint64_t> places;
      const std::uint64_t first = pages.allocate(megabyte * 256);
      places.insert(first % 256);
      for (std::uint64_t page = 1; page < 256; ++page) {
        const std::uint64_t next = pages.allocate(megabyte * 256 + page);
        EXPECT_EQ(next % 256, (first + page) % 256);
        places.insert(next % 256);
      }
      EXPECT_EQ(places.size(), 256u);
      ++beginnings[first % 256];
    }
  }
  for (std::size_t place = 0; place < 256; ++place) {
    EXPECT_NEAR(beginnings[place], place % 4 == 0 ? 100 : 0, place % 4 == 0 ? 50 : 0) << place;
  }
}

TEST(PlacedPages, MoveInPhysicallyIndexedCaches) {
  MemoryDescription memory = r4400_with_seed(5);
  memory.l1i.physical_index = memory.l1d.physical_index = true;
  memory.l2 = {};
  std::set<std::uint64_t> colours;
  PhysicalPages pages(memory, 4096);
  for (std::uint64_t page = 0; page < 400; page += 4) colours.insert(pages.allocate(page) % 4);
  EXPECT_EQ(colours.size(), 4u);
}

// The R10000's kernels had pages of 16 KB: four of ours, of which each process gets one set.
TEST(PlacedPages, StayTogetherInALargerPage) {
  MemoryDescription memory = r4400_with_seed(5);
  memory.l1i.physical_index = memory.l1d.physical_index = true;
  memory.tlb.page = 16384;
  PhysicalPages pages(memory, 4096);
  std::set<std::uint64_t> used;
  for (int process = 0; process < 50; ++process) {
    const std::uint64_t first = pages.allocate(0x100);
    EXPECT_EQ(first % 4, 0u);
    for (std::uint64_t i = 1; i < 4; ++i) EXPECT_EQ(pages.allocate(0x100 + i), first + i);
    used.insert(first);
  }
  EXPECT_EQ(used.size(), 50u);
}

RC_GTEST_PROP(PlacedPages, AreNeverGivenTwice,
              (std::uint32_t seed, const std::vector<std::uint8_t>& requests)) {
  PhysicalPages pages(r4400_with_seed(seed), 4096);
  std::set<std::uint64_t> used;
  for (const std::uint8_t request : requests) {
    const std::uint64_t page = pages.allocate(request / 8);
    RC_ASSERT(used.insert(page).second);
    RC_ASSERT(pages.in_use(page));
    if (request % 8 != 0) continue;
    pages.release(page);
    used.erase(page);
    RC_ASSERT(!pages.in_use(page));
  }
}

TEST(PlacedPages, TheStackMovesBySixteenBytesWithinAPage) {
  std::set<std::uint64_t> gaps;
  for (std::uint32_t seed = 0; seed < 5000; ++seed) {
    EXPECT_EQ(stack_gap(seed) % 16, 0u);
    EXPECT_LT(stack_gap(seed), 4096u);
    gaps.insert(stack_gap(seed));
  }
  EXPECT_EQ(gaps.size(), 256u) << "each of them";
}

TEST(PhysicalPagesDeathTest, ReleasingAFreePageIsABug) {
  PhysicalPages pages(4);
  EXPECT_DEATH(pages.release(0), "internal error");
}

}  // namespace
}  // namespace hardclock
