// Pages that several address spaces have in common, and pages whose content changes hands.
#include "sim/memory/address_space.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "tests/unit/memory/small_memory.h"

namespace hardclock {
namespace {

TEST(Shared, PagesTouchedBeforeAndAfterForkAreOne) {
  Memory parent;
  ASSERT_TRUE(parent.map(at(0x1000), 2 * page_size, rw, "shared", true));
  ASSERT_TRUE(parent.write<std::uint32_t>(at(0x1000), 1));
  const auto child = parent.fork();
  const auto grandchild = child->fork();
  ASSERT_TRUE(child->write<std::uint32_t>(at(0x1000), 2));
  ASSERT_TRUE(grandchild->write<std::uint32_t>(at(0x2000), 3));
  EXPECT_EQ(*parent.read<std::uint32_t>(at(0x1000)), 2u);
  EXPECT_EQ(*parent.read<std::uint32_t>(at(0x2000)), 3u);
  EXPECT_EQ(*child->read<std::uint32_t>(at(0x2000)), 3u);
}

TEST(Shared, ASplitKeepsEachPagesPlace) {
  Memory parent;
  ASSERT_TRUE(parent.map(at(0x1000), 3 * page_size, rw, "shared", true));
  const auto child = parent.fork();
  ASSERT_TRUE(child->unmap(at(0x2000), page_size));
  ASSERT_TRUE(child->protect(at(0x3000), page_size, r));
  ASSERT_TRUE(parent.write<std::uint32_t>(at(0x3000), 3));
  ASSERT_TRUE(child->write<std::uint32_t>(at(0x1000), 1));
  EXPECT_EQ(*child->read<std::uint32_t>(at(0x3000)), 3u);
  EXPECT_EQ(*parent.read<std::uint32_t>(at(0x1000)), 1u);
  EXPECT_EQ(*parent.read<std::uint32_t>(at(0x2000)), 0u);
}

// ---- Frames that take turns.

TEST(ExchangeFrame, PutsAnotherContentInThePage) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x2000), page_size, rw, "prda"));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2004), 1));
  auto first = memory.exchange_frame(at(0x2000), nullptr);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(memory.read<std::uint32_t>(at(0x2004)).value(), 0U) << "nothing has touched it";
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2004), 2));
  auto second = memory.exchange_frame(at(0x2000), std::move(first));
  EXPECT_EQ(memory.read<std::uint32_t>(at(0x2004)).value(), 1U);
  memory.exchange_frame(at(0x2000), std::move(second));
  EXPECT_EQ(memory.read<std::uint32_t>(at(0x2004)).value(), 2U);
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2004), 3));
  EXPECT_EQ(memory.read<std::uint32_t>(at(0x2004)).value(), 3U);
}

}  // namespace
}  // namespace hardclock
