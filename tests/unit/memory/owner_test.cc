// Who owns what processes share, and that the host's own pointers to it change nothing that a guest
// could see: neither how often a page is copied, nor when memory is free again.
#include "sim/base/owner.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>

#include "tests/unit/memory/small_memory.h"

namespace hardclock {
namespace {

struct Thing : Owned {
  void end() { ++ends; }
  int ends = 0;
};

TEST(Owner, TheLastOneEndsTheObjectAndAPointerKeepsIt) {
  const auto thing = std::make_shared<Thing>();
  EXPECT_EQ(thing->owners(), 0U);
  std::optional<Owner<Thing>> first(thing);
  Owner<Thing> second = *first;
  EXPECT_EQ(thing->owners(), 2U);
  EXPECT_FALSE(second.is_only_one());
  first.reset();
  EXPECT_TRUE(second.is_only_one());
  EXPECT_EQ(thing->ends, 0);
  second = nullptr;
  EXPECT_EQ(thing->ends, 1);
  EXPECT_TRUE(thing->has_ended());
}

TEST(Owner, MovingAndAssigningToItselfChangeNothing) {
  Owner<Thing> one = std::make_shared<Thing>();
  const std::shared_ptr<Thing> thing = one.object();
  Owner<Thing> other = std::move(one);
  EXPECT_EQ(thing->owners(), 1U);
  const Owner<Thing>& same = other;
  other = same;
  EXPECT_EQ(thing->owners(), 1U);
  EXPECT_EQ(thing->ends, 0);
}

TEST(Owner, WhatHasEndedIsNotFoundThroughAPointerThatLasts) {
  Owner<Thing> owner = std::make_shared<Thing>();
  const std::shared_ptr<Thing> kept = owner.object();
  const std::weak_ptr<Thing> weak = kept;
  EXPECT_EQ(lock_unended(weak), kept);
  owner = nullptr;
  EXPECT_EQ(lock_unended(weak), nullptr);
}

// ---- Frames, shared pages and address spaces.

TEST(Owners, APointerToAFrameMakesNoCopy) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x2000), page_size, rw, "data"));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2000), 1));
  Owner<Frame> frame = memory.exchange_frame(at(0x2000), nullptr);
  const std::shared_ptr<Frame> kept = frame.object();
  memory.exchange_frame(at(0x2000), std::move(frame));
  memory.take_page_faults();
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2000), 2));
  EXPECT_EQ(memory.take_page_faults().copies, 0U);
  const auto child = memory.fork();
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2000), 3));
  EXPECT_EQ(memory.take_page_faults().copies, 1U) << "a child is an owner";
}

TEST(Owners, APointerToAFrameKeepsNoMemoryFromTheGuest) {
  const auto budget = pages(1);
  AddressSpace memory(budget, Endian::big, kuseg_end);
  ASSERT_TRUE(memory.map(at(0x2000), page_size, rw, "data"));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2000), 1));
  Owner<Frame> frame = memory.exchange_frame(at(0x2000), nullptr);
  const std::shared_ptr<Frame> kept = frame.object();
  EXPECT_EQ(budget->free_bytes(), 0U);
  frame = nullptr;
  EXPECT_EQ(budget->free_bytes(), page_size);
}

TEST(Owners, EachRegionOwnsTheSharedPages) {
  Memory memory;
  const auto object = std::make_shared<SharedPages>();
  ASSERT_TRUE(memory.map_object(at(0x2000), 3 * page_size, rw, "[shm]", {object, nullptr, 0}));
  EXPECT_EQ(object->owners(), 1U);
  ASSERT_TRUE(memory.protect(at(0x3000), page_size, r));
  EXPECT_EQ(object->owners(), 3U);
  const auto child = memory.fork();
  EXPECT_EQ(object->owners(), 6U);
  ASSERT_TRUE(memory.unmap(at(0x2000), 3 * page_size));
  EXPECT_EQ(object->owners(), 3U);
  EXPECT_FALSE(object->has_ended());
  ASSERT_TRUE(child->unmap(at(0x2000), 3 * page_size));
  EXPECT_TRUE(object->has_ended());
}

TEST(Owners, SharedPagesThatHaveEndedHaveNoFrames) {
  const auto budget = pages(4);
  AddressSpace memory(budget, Endian::big, kuseg_end);
  const auto object = std::make_shared<SharedPages>();
  ASSERT_TRUE(memory.map_object(at(0x2000), page_size, rw, "[shm]", {object, nullptr, 0}));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2000), 1));
  EXPECT_EQ(budget->free_bytes(), 3 * page_size);
  ASSERT_TRUE(memory.unmap(at(0x2000), page_size));
  EXPECT_EQ(budget->free_bytes(), 4 * page_size);
}

TEST(Owners, AnAddressSpaceThatHasEndedIsEmpty) {
  const auto budget = pages(4);
  Owner<AddressSpace> process = std::make_shared<AddressSpace>(budget, Endian::big, kuseg_end);
  const std::shared_ptr<AddressSpace> kept = process.object();
  ASSERT_TRUE(kept->map(at(0x2000), page_size, rw, "data"));
  ASSERT_TRUE(kept->write<std::uint32_t>(at(0x2000), 1));
  process = nullptr;
  EXPECT_EQ(budget->free_bytes(), 4 * page_size);
  EXPECT_EQ(budget->table_bytes(), 0U);
  EXPECT_TRUE(faults(kept->read<std::uint32_t>(at(0x2000)), Fault::Kind::unmapped, Access::read,
                     at(0x2000)));
}

}  // namespace
}  // namespace hardclock
