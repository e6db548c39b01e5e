// The memory limit: what counts against the budget, and what happens at its end.
#include "sim/memory/address_space.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "tests/unit/memory/small_memory.h"

namespace hardclock {
namespace {

TEST(Budget, ExhaustionIsAFaultAndMemoryComesBack) {
  Memory memory(Endian::big, 3);
  ASSERT_TRUE(memory.map(at(0x1000), 3 * page_size, rw, "a"));
  ASSERT_TRUE(memory.map(at(0x8000), 3 * page_size, rw, "b"));
  for (std::uint64_t page = 0; page < 3; ++page) {
    ASSERT_TRUE(memory.write<std::uint8_t>(at(0x1000 + page * page_size), 1));
  }
  EXPECT_EQ(memory.budget()->free_bytes(), 0u);
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x8000), 1), Fault::Kind::out_of_memory,
                     Access::write, at(0x8000)));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x8000)), Fault::Kind::out_of_memory,
                     Access::read, at(0x8000)));
  ASSERT_TRUE(memory.unmap(at(0x2000), page_size));
  EXPECT_EQ(memory.budget()->free_bytes(), page_size);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x8000), 1));
  EXPECT_EQ(memory.budget()->peak_bytes(), 3 * page_size);
}

TEST(Budget, ForkCostsAPageOnlyWhenOneSideWrites) {
  const auto budget = pages(3);
  auto parent = std::make_unique<AddressSpace>(budget, Endian::big, kuseg_end);
  ASSERT_TRUE(parent->map(at(0x1000), 2 * page_size, rw, "a"));
  ASSERT_TRUE(parent->write<std::uint8_t>(at(0x1000), 1));
  ASSERT_TRUE(parent->write<std::uint8_t>(at(0x2000), 1));
  auto child = parent->fork();
  EXPECT_EQ(budget->free_bytes(), page_size);
  ASSERT_TRUE(child->write<std::uint8_t>(at(0x1000), 2));
  EXPECT_EQ(budget->free_bytes(), 0u);
  EXPECT_TRUE(faults(child->write<std::uint8_t>(at(0x2000), 2), Fault::Kind::out_of_memory,
                     Access::write, at(0x2000)));
  EXPECT_EQ(*child->read<std::uint8_t>(at(0x2000)), 1);
  parent.reset();
  EXPECT_EQ(budget->free_bytes(), page_size);
  EXPECT_TRUE(child->write<std::uint8_t>(at(0x2000), 2)) << "the page has one owner now";
  child.reset();
  EXPECT_EQ(budget->free_bytes(), budget->limit_bytes());
}

// Linux: Documentation/admin-guide/sysctl/vm.rst, max_map_count; mmap(2) and munmap(2), ENOMEM.
TEST(Budget, ThereAreOnlySoManyRegions) {
  AddressSpace memory(std::make_shared<MemoryBudget>(std::uint64_t{256} << 20), Endian::big,
                      GuestAddr(std::uint64_t{1} << 40));
  constexpr std::uint64_t pages_apart = 4;
  for (std::uint64_t i = 0; i < most_regions; ++i) {
    ASSERT_TRUE(memory.map(at(i * pages_apart * page_size), 3 * page_size, rw, "x")) << i;
  }
  const auto more = memory.map(at(most_regions * pages_apart * page_size), page_size, rw, "x");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error(), MapError::memory);
  EXPECT_EQ(memory.unmap(at(page_size), page_size).error(), MapError::memory);
  EXPECT_EQ(memory.protect(at(page_size), page_size, r).error(), MapError::memory);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(page_size), 1)) << "nothing has changed";
  EXPECT_TRUE(memory.unmap(at(0), 7 * page_size)) << "regions as a whole need none";
  EXPECT_TRUE(memory.unmap(at(9 * page_size), page_size)) << "there are two left";
}

TEST(Budget, TablesAreCharged) {
  const auto budget = std::make_shared<MemoryBudget>(std::uint64_t{1} << 20);
  auto parent = std::make_unique<AddressSpace>(budget, Endian::big, GuestAddr(~std::uint64_t{0}));
  std::uint64_t regions = 0;
  while (parent->map(at(regions * 2 * page_size), page_size, rw, "x")) ++regions;
  EXPECT_GT(regions, 1000u);
  EXPECT_LT(regions, most_regions) << "1 MiB of guest memory is not worth so many";
  EXPECT_GT(budget->table_bytes(), 64 * regions);
  EXPECT_FALSE(parent->may_fork());
  EXPECT_EQ(parent->fork(), nullptr);
  ASSERT_TRUE(parent->unmap(at(0), regions * page_size));
  EXPECT_TRUE(parent->may_fork());
  EXPECT_NE(parent->fork(), nullptr);
  parent.reset();
  EXPECT_EQ(budget->table_bytes(), 0u);
}

TEST(Budget, AForkedTableOfPagesIsCharged) {
  const auto budget = pages(64);
  AddressSpace parent(budget, Endian::big, kuseg_end);
  ASSERT_TRUE(parent.map(at(0), 64 * page_size, rw, "x"));
  const std::uint64_t untouched = budget->table_bytes();
  for (std::uint64_t page = 0; page < 64; ++page) {
    ASSERT_TRUE(parent.write<std::uint8_t>(at(page * page_size), 1));
  }
  const std::uint64_t touched = budget->table_bytes();
  EXPECT_GE(touched - untouched, 64 * 32u);
  const auto child = parent.fork();
  EXPECT_EQ(budget->table_bytes(), 2 * touched);
}

TEST(Budget, SaysOnceThatSomebodyWasRefused) {
  const auto budget = pages(2);
  AddressSpace memory(budget, Endian::big, kuseg_end);
  int told = 0;
  budget->on_refusal([&] { ++told; });
  ASSERT_TRUE(memory.map(at(0), 2 * page_size, rw, "x"));
  EXPECT_EQ(told, 0);
  EXPECT_FALSE(memory.map(at(0x10000), 3 * page_size, rw, "x"));
  EXPECT_FALSE(memory.map(at(0x10000), 3 * page_size, rw, "x"));
  EXPECT_EQ(told, 1);
}

// A call on memory that nobody has touched costs by what was touched, not by its size: page by page
// these would take an hour.
TEST(Budget, RangesMayBeFarLargerThanMemory) {
  constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;
  AddressSpace memory(std::make_shared<MemoryBudget>(gigabyte), Endian::big,
                      GuestAddr(std::uint64_t{1} << 44));
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(memory.map(at(i * gigabyte), gigabyte, rw, "x"));
  }
  ASSERT_TRUE(memory.write<std::uint8_t>(at(7 * gigabyte), 1));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(memory.protect(at(0), 1000 * gigabyte, i % 2 == 0 ? r : rw));
  }
  EXPECT_TRUE(memory.write<std::uint8_t>(at(7 * gigabyte), 2));
  ASSERT_TRUE(memory.unmap(at(0), 1000 * gigabyte));
  EXPECT_EQ(memory.resident_pages(), 0u);
}

TEST(Budget, AHugeProbeStopsAtTheLimit) {
  Memory memory(Endian::big, 4);
  for (std::uint64_t start = 0; start < 8; ++start) {
    ASSERT_TRUE(memory.map(at(start * page_size), page_size, rw, "x"));
  }
  EXPECT_TRUE(faults(memory.probe(at(0), 8 * page_size, Access::read), Fault::Kind::out_of_memory,
                     Access::read, at(4 * page_size)));
}

}  // namespace
}  // namespace hardclock
