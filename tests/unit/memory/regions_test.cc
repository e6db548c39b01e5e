// The rules of regions that sim/memory/address_space.h states, one by one: what may be mapped
// where, and how stacks grow. The model test looks for combinations.
#include "sim/memory/address_space.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tests/unit/memory/small_memory.h"

namespace hardclock {
namespace {

TEST(Regions, MappedMemoryIsZero) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), 2 * page_size, rw, "data"));
  EXPECT_EQ(*memory.read<std::uint64_t>(at(0x1000)), 0u);
  EXPECT_EQ(*memory.read<std::uint8_t>(at(0x2fff)), 0u);
}

TEST(Regions, SizesAreRoundedUpToPages) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), 1, rw, "data"));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1fff), 1));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x2000)), Fault::Kind::unmapped, Access::read,
                     at(0x2000)));
  EXPECT_EQ(memory.region_at(at(0x1abc))->end, 0x2000u);
  EXPECT_EQ(memory.region_at(at(0x2000)), nullptr);
}

TEST(Regions, OverlapIsRefused) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x4000), 0x2000, rw, "a"));
  for (const auto& [start, size] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {0x4000, 0x2000}, {0x3000, 0x1001}, {0x5000, 0x1000}, {0x3000, 0x4000}, {0x5000, 1}}) {
    const auto mapped = memory.map(at(start), size, rw, "b");
    ASSERT_FALSE(mapped.ok()) << std::hex << start;
    EXPECT_EQ(mapped.error(), MapError::overlap);
  }
  EXPECT_TRUE(memory.map(at(0x3000), 0x1000, rw, "before"));
  EXPECT_TRUE(memory.map(at(0x6000), 0x1000, rw, "after"));
}

TEST(Regions, HostileRangesAreInvalid) {
  Memory memory;
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges = {
      {0x1000, 0},
      {0x1001, 0x1000},
      {0x7fff'f000, 0x1001},
      {0x8000'0000, 0x1000},
      {0xffff'f000, 0x1000},
      {0xffff'f000, 0x2000},
      {0x1000, 0xffff'ffff},
      {0x1000, all_ones},
      {0x1000, all_ones - page_mask},
      {all_ones - page_mask, page_size},
      {all_ones - page_mask, all_ones},
      {0x1000, 0x8000'0000},
  };
  for (const auto& [start, size] : ranges) {
    SCOPED_TRACE(testing::Message() << std::hex << start << " " << size);
    const auto mapped = memory.map(at(start), size, rw, "x");
    ASSERT_FALSE(mapped.ok());
    EXPECT_EQ(mapped.error(), MapError::invalid);
    EXPECT_FALSE(memory.map_stack(at(start), size, at(0)).ok());
    EXPECT_FALSE(memory.unmap(at(start), size).ok());
    EXPECT_FALSE(memory.protect(at(start), size, rw).ok());
  }
}

TEST(Regions, TheLastUserPageCanBeMapped) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x7fff'f000), page_size, rw, "last"));
  EXPECT_TRUE(memory.write<std::uint32_t>(at(0x7fff'fffc), 7));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x8000'0000)), Fault::Kind::unmapped,
                     Access::read, at(0x8000'0000)));
}

TEST(Regions, AMappingLargerThanTheBudgetIsRefused) {
  Memory memory(Endian::big, 4);
  const auto mapped = memory.map(at(0x1000), 5 * page_size, rw, "x");
  ASSERT_FALSE(mapped.ok());
  EXPECT_EQ(mapped.error(), MapError::memory);
  EXPECT_TRUE(memory.map(at(0x1000), 4 * page_size, rw, "x"));
}

TEST(Regions, UnmapSplitsAndForgets) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), 3 * page_size, rw, "data"));
  for (const std::uint64_t page : {0x1000, 0x2000, 0x3000}) {
    ASSERT_TRUE(memory.write<std::uint32_t>(at(page), 1));
  }
  ASSERT_TRUE(memory.unmap(at(0x2000), 1));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x1000)), 1u);
  EXPECT_TRUE(faults(memory.read<std::uint32_t>(at(0x2000)), Fault::Kind::unmapped, Access::read,
                     at(0x2000)));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x3000)), 1u);
  ASSERT_TRUE(memory.map(at(0x2000), page_size, rw, "again"));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x2000)), 0u);
}

TEST(Regions, UnmappingNothingIsNoError) {
  Memory memory;
  EXPECT_TRUE(memory.unmap(at(0x1000), page_size));
  EXPECT_TRUE(memory.unmap(at(0), kuseg_end.value()));
}

TEST(Regions, ProtectChangesOnlyItsRange) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), 3 * page_size, rw, "data"));
  ASSERT_TRUE(memory.protect(at(0x2000), page_size, r));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1fff), 1));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x2000), 1), Fault::Kind::protection,
                     Access::write, at(0x2000)));
  EXPECT_TRUE(memory.read<std::uint8_t>(at(0x2000)));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x3000), 1));
}

TEST(Regions, ProtectNeedsTheWholeRangeMapped) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), page_size, rw, "a"));
  ASSERT_TRUE(memory.map(at(0x3000), page_size, rw, "b"));
  const auto result = memory.protect(at(0x1000), 3 * page_size, r);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error(), MapError::invalid);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1000), 1)) << "a refused change changes nothing";
}

TEST(Regions, FindFreeTakesTheLowestGap) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x2000), 0x1000, rw, "a"));
  ASSERT_TRUE(memory.map(at(0x4000), 0x2000, rw, "b"));
  EXPECT_EQ(memory.find_free(at(0x1000), at(0x9000), 0x1000), at(0x1000));
  EXPECT_EQ(memory.find_free(at(0x1001), at(0x9000), 0x1000), at(0x3000));
  EXPECT_EQ(memory.find_free(at(0x1800), at(0x9000), 0x1001), at(0x6000));
  EXPECT_EQ(memory.find_free(at(0x4800), at(0x9000), 0x3000), at(0x6000));
  EXPECT_EQ(memory.find_free(at(0x4800), at(0x9000), 0x3001), std::nullopt);
  EXPECT_EQ(memory.find_free(at(0x4800), at(0x8fff), 0x3000), std::nullopt);
}

TEST(Regions, FindFreeSurvivesHostileArguments) {
  Memory memory;
  EXPECT_EQ(memory.find_free(at(0x1000), at(0x9000), 0), std::nullopt);
  EXPECT_EQ(memory.find_free(at(0x1000), at(0x9000), all_ones), std::nullopt);
  EXPECT_EQ(memory.find_free(at(0x9000), at(0x1000), 0x1000), std::nullopt);
  EXPECT_EQ(memory.find_free(at(all_ones), at(all_ones), 0x1000), std::nullopt);
  EXPECT_EQ(memory.find_free(at(0x1000), at(all_ones), 0x8000'0000), std::nullopt)
      << "that would end beyond the user's part";
}

TEST(Regions, IsFreeAgreesWithMap) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x2000), 0x1000, rw, "a"));
  EXPECT_TRUE(memory.is_free(at(0x1000), 0x1000));
  EXPECT_FALSE(memory.is_free(at(0x1000), 0x1001));
  EXPECT_FALSE(memory.is_free(at(0x2800), 0x10));
  EXPECT_TRUE(memory.is_free(at(0x3000), 0x1000));
}

// ---- Stacks.

TEST(Stack, GrowsDownToItsLimit) {
  Memory memory;
  ASSERT_TRUE(memory.map_stack(at(0x20000), 0x1000, at(0x1c000)));
  EXPECT_TRUE(memory.write<std::uint32_t>(at(0x1e004), 5));
  EXPECT_EQ(memory.region_at(at(0x20000))->start, 0x1e000u);
  EXPECT_TRUE(memory.read<std::uint8_t>(at(0x1c000)));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x1bfff)), Fault::Kind::unmapped, Access::read,
                     at(0x1bfff)));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x1e004)), 5u);
}

// Linux, mm/mmap.c, acct_stack_growth(): what counts is the size that the region would have.
TEST(Stack, GrowsDownAsFarAsItIsAllowed) {
  Memory memory;
  ASSERT_TRUE(memory.map_stack(at(0x20000), 0x1000, at(0x10000)));
  memory.limit_stacks(0x3000);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1e000), 1));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x1dfff), 1), Fault::Kind::unmapped,
                     Access::write, at(0x1dfff)));
  memory.limit_stacks(0);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1e000), 1)) << "it stays";
  EXPECT_FALSE(memory.write<std::uint8_t>(at(0x1dfff), 1));
  memory.limit_stacks(0x5000);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1c000), 1));
  EXPECT_FALSE(memory.write<std::uint8_t>(at(0x1bfff), 1));
}

TEST(Stack, GrowsUpAsFarAsItIsAllowed) {
  Memory memory;
  ASSERT_TRUE(memory.map_stack(at(0x20000), 0x1000, at(0x30000)));
  memory.limit_stacks(0x3000);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x22fff), 1));
  EXPECT_FALSE(memory.write<std::uint8_t>(at(0x23000), 1));
  memory.limit_stacks(0x1000);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x22fff), 1)) << "it stays";
  memory.limit_stacks(0x4000);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x23000), 1));
}

TEST(Stack, DoesNotGrowThroughAnotherRegion) {
  Memory memory;
  ASSERT_TRUE(memory.map_stack(at(0x20000), 0x1000, at(0x10000)));
  ASSERT_TRUE(memory.map(at(0x18000), 0x1000, r, "in the way"));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x19000), 1));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x18000), 1), Fault::Kind::protection,
                     Access::write, at(0x18000)));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x17fff), 1), Fault::Kind::unmapped,
                     Access::write, at(0x17fff)));
}

TEST(Stack, OnlyItsLowPartGrowsAfterAHole) {
  Memory memory;
  ASSERT_TRUE(memory.map_stack(at(0x20000), 0x4000, at(0x1c000)));
  ASSERT_TRUE(memory.unmap(at(0x21000), 0x1000));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x21fff), 1), Fault::Kind::unmapped,
                     Access::write, at(0x21fff)));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1ffff), 1));
}

TEST(Stack, GrowsInTheChildAlone) {
  Memory parent;
  ASSERT_TRUE(parent.map_stack(at(0x20000), 0x1000, at(0x10000)));
  const auto child = parent.fork();
  ASSERT_TRUE(child->write<std::uint8_t>(at(0x18000), 1));
  EXPECT_EQ(parent.region_at(at(0x18000)), nullptr);
}

}  // namespace
}  // namespace hardclock
