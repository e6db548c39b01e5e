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

TEST(PhysicalPagesDeathTest, ReleasingAFreePageIsABug) {
  PhysicalPages pages(4);
  EXPECT_DEATH(pages.release(0), "internal error");
}

}  // namespace
}  // namespace hardclock
