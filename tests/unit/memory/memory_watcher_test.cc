// What a MemoryWatcher hears of the pages whose code was predecoded (sim/memory/address_space.h).
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "sim/memory/address_space.h"
#include "tests/unit/memory/small_memory.h"

namespace hardclock {
namespace {

struct Watcher : MemoryWatcher {
  void code_changed(std::uint64_t page_number) override { changed.push_back(page_number); }
  std::vector<std::uint64_t> changed;
};

class WatchedCode : public testing::Test {
 protected:
  void SetUp() override {
    memory.add_watcher(watcher);
    ASSERT_TRUE(memory.map(at(0x1000), 4 * page_size, rw, "code"));
    for (const std::uint64_t page : {2, 3}) {
      ASSERT_TRUE(memory.write<std::uint32_t>(at(page << page_shift), 1));
      memory.watch_code(page);
    }
  }
  void TearDown() override { memory.remove_watcher(watcher); }
  Memory memory;
  Watcher watcher;
  using Pages = std::vector<std::uint64_t>;
};

TEST_F(WatchedCode, AWriteNotifiesOnce) {
  EXPECT_FALSE(may_hit(memory, 0x2000, Access::write)) << "the engine has to see the write";
  ASSERT_TRUE(memory.write<std::uint8_t>(at(0x2fff), 1));
  ASSERT_TRUE(memory.write<std::uint8_t>(at(0x2ffe), 1));
  EXPECT_EQ(watcher.changed, (Pages{2}));
  memory.watch_code(2);
  ASSERT_TRUE(memory.write<std::uint8_t>(at(0x2ffe), 1));
  EXPECT_EQ(watcher.changed, (Pages{2, 2}));
}

TEST_F(WatchedCode, ReadsAndOtherPagesDoNotNotify) {
  ASSERT_TRUE(memory.read<std::uint32_t>(at(0x2000)));
  ASSERT_TRUE(memory.fetch<4>(at(0x2000), Access::read));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x1ffc), 1));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x4000), 1));
  EXPECT_EQ(watcher.changed, Pages{});
}

TEST_F(WatchedCode, AWriteAfterAReadNotifies) {
  ASSERT_TRUE(memory.read<std::uint32_t>(at(0x2000)));
  EXPECT_FALSE(may_hit(memory, 0x2000, Access::write));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2000), 1));
  EXPECT_EQ(watcher.changed, (Pages{2}));
}

TEST_F(WatchedCode, ByteWritesUnmapAndProtectNotify) {
  const std::array<std::uint8_t, 2> bytes{};
  ASSERT_TRUE(memory.write_bytes(at(0x2fff), bytes));
  EXPECT_EQ(watcher.changed, (Pages{2, 3}));
  memory.watch_code(2);
  memory.watch_code(3);
  ASSERT_TRUE(memory.protect(at(0x2000), page_size, r));
  ASSERT_TRUE(memory.unmap(at(0x3000), page_size));
  EXPECT_EQ(watcher.changed, (Pages{2, 3, 2, 3}));
}

TEST_F(WatchedCode, AForkedChildHasItsOwnWatcher) {
  const auto child = memory.fork();
  Watcher other;
  child->add_watcher(other);
  ASSERT_TRUE(child->write<std::uint32_t>(at(0x2000), 2));
  EXPECT_EQ(watcher.changed, Pages{});
  EXPECT_EQ(other.changed, Pages{}) << "nothing was predecoded there";
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2000), 2));
  EXPECT_EQ(watcher.changed, (Pages{2}));
}

// Several processors on one memory: each has to hear of the store, whoever marked the page.
TEST_F(WatchedCode, EveryWatcherIsToldInTheOrderOfAdding) {
  std::vector<int> told;
  struct Numbered : MemoryWatcher {
    Numbered(std::vector<int>& told, int number) : told(told), number(number) {}
    void code_changed(std::uint64_t) override { told.push_back(number); }
    std::vector<int>& told;
    int number;
  };
  Numbered third(told, 3), first(told, 1), second(told, 2);
  for (Numbered* added : {&first, &second, &third}) memory.add_watcher(*added);
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2000), 2));
  EXPECT_EQ(told, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(watcher.changed, (Pages{2}));
  for (Numbered* removed : {&second, &third, &first}) memory.remove_watcher(*removed);
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x3000), 2));
  EXPECT_EQ(told.size(), 3u) << "removed";
  EXPECT_EQ(watcher.changed, (Pages{2, 3})) << "not removed with the others";
}

TEST_F(WatchedCode, APageStaysWatchedWhenOneOfItsHoldersGoes) {
  Watcher other;
  memory.add_watcher(other);
  memory.watch_code(2);
  memory.remove_watcher(other);
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2000), 2));
  EXPECT_EQ(watcher.changed, (Pages{2}));
  EXPECT_EQ(other.changed, Pages{});
}

TEST_F(WatchedCode, WatchingAnUnmappedPageDoesNothing) {
  memory.watch_code(0x7'0000);
  EXPECT_EQ(watcher.changed, Pages{});
}

}  // namespace
}  // namespace hardclock
