// Which line goes, which one was last: access by access against naive_memory.h, the generator
// against the numbers that its author published.
#include "sim/timing/cache.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <optional>

#include "tests/unit/timing/naive_memory.h"
#include "tests/unit/timing/random_memory.h"

namespace hardclock {
namespace {

std::uint64_t address_or_none(const std::optional<std::uint64_t>& address) {
  return address.value_or(Cache::no_line);
}

// What `demoted` has to be when the line becomes the most recently used one of its set.
std::optional<std::uint64_t> demoted_by(NaiveCache& naive, const CacheDescription& description,
                                        std::uint64_t address) {
  if (description.replacement != Replacement::lru) return std::nullopt;
  const auto newest = naive.newest(address);
  return newest == naive.line_of(address) ? std::nullopt : newest;
}

void access(Cache& cache, NaiveCache& naive, const CacheDescription& description,
            std::uint64_t address, bool writes) {
  auto demoted = demoted_by(naive, description, address);
  const bool hit = naive.touch(address, writes);
  const Cache::Touch touch = cache.touch(address, writes);
  RC_ASSERT(touch.hit == hit);
  RC_ASSERT(touch.demoted == address_or_none(hit ? demoted : std::nullopt));
  if (hit) return;
  const auto left = naive.insert(address, writes);
  if (left && demoted == left->address) demoted.reset();
  const Cache::Insertion insertion = cache.insert(address, writes);
  RC_ASSERT(insertion.victim == (left ? left->address : Cache::no_line));
  RC_ASSERT(insertion.victim_dirty == (left && left->dirty));
  RC_ASSERT(insertion.demoted == address_or_none(demoted));
}

RC_GTEST_PROP(Cache, AgreesWithTheNaiveOneAccessByAccess, ()) {
  const CacheDescription description = any_cache(4, 256);
  RC_TAG(description.size);
  Cache cache(description);
  NaiveCache naive(description);
  const std::uint64_t range = description.size * *rc::gen::inRange(1, 6) + 256;
  std::mt19937 random(1);
  for (const std::uint64_t address : any_trace(range, 2000)) {
    if (random() % 16 == 0) {
      const auto left = naive.remove(address);
      const Cache::Removal removal = cache.remove(address);
      RC_ASSERT(removal.present == left.has_value());
      RC_ASSERT(removal.dirty == (left && left->dirty));
    }
    const Cache before = cache;
    const bool at_once = cache.touch_at_once(address, false);
    RC_ASSERT(cache == before);
    RC_ASSERT(!at_once || naive.find(address) != nullptr);
    access(cache, naive, description, address, random() % 3 == 0);
    const std::uint64_t other = random() % range;
    const NaiveCache::Line* const line = naive.find(other);
    RC_ASSERT(cache.contains(other) == (line != nullptr));
    RC_ASSERT(cache.is_dirty(other) == (line != nullptr && line->dirty));
  }
}

TEST(Cache, OfOneLine) {
  Cache cache(CacheDescription{.size = 16, .ways = 1, .line = 16, .refill = 16});
  EXPECT_FALSE(cache.touch(0x100, false).hit);
  EXPECT_EQ(cache.insert(0x104, true).victim, Cache::no_line);
  EXPECT_TRUE(cache.touch(0x10f, false).hit);
  EXPECT_TRUE(cache.is_dirty(0x100));
  const Cache::Insertion insertion = cache.insert(0x110, false);
  EXPECT_EQ(insertion.victim, 0x100u);
  EXPECT_TRUE(insertion.victim_dirty);
  EXPECT_FALSE(cache.is_dirty(0x110));
}

// The order of Belady's example of 1969, 1 2 3 4 1 2 5 1 2 3 4 5: with fifo, 4 places miss more
// often (10) than 3 (9); with lru there are 10 and 8.
TEST(Cache, BeladysAnomaly) {
  const auto misses = [](Replacement replacement, std::uint32_t places) {
    Cache cache(CacheDescription{
        .size = 16 * places, .ways = places, .line = 16, .refill = 16, .replacement = replacement});
    int count = 0;
    for (const std::uint64_t page : {1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5}) {
      if (cache.touch(page * 16, false).hit) continue;
      cache.insert(page * 16, false);
      ++count;
    }
    return count;
  };
  EXPECT_EQ(misses(Replacement::fifo, 3), 9);
  EXPECT_EQ(misses(Replacement::fifo, 4), 10);
  EXPECT_EQ(misses(Replacement::lru, 3), 10);
  EXPECT_EQ(misses(Replacement::lru, 4), 8);
}

// The first numbers after Marsaglia's y = 2463534242, as Boost-free implementations everywhere
// print them: 723471715, 2497366906, 2064144800. In a full set of 4 they take ways 3, 2 and 0.
TEST(Cache, RandomReplacementFollowsXorshift) {
  Cache cache(CacheDescription{
      .size = 64, .ways = 4, .line = 16, .refill = 16, .replacement = Replacement::random});
  for (std::uint64_t line = 0; line < 4; ++line) cache.insert(line * 16, false);
  EXPECT_EQ(cache.insert(0x100, false).victim, 3u * 16);
  EXPECT_EQ(cache.insert(0x110, false).victim, 2u * 16);
  EXPECT_EQ(cache.insert(0x120, false).victim, 0u * 16);
  std::uint32_t y = 2463534242;
  EXPECT_EQ(marsaglia_xorshift(y), 723471715u);
  EXPECT_EQ(marsaglia_xorshift(y), 2497366906u);
  EXPECT_EQ(marsaglia_xorshift(y), 2064144800u);
}

}  // namespace
}  // namespace hardclock
