#include "sim/state/digest.h"

#include <gtest/gtest.h>

#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "sim/clock/virtual_clock.h"
#include "sim/state/archive.h"
#include "sim/timing/cache.h"
#include "sim/timing/memory_system.h"
#include "sim/timing/tlb.h"

namespace hardclock {
namespace {

template <class... Values>
std::uint64_t number_of(Values... values) {
  Digest digest;
  digest.state(values...);
  return digest.value().whole;
}

struct Pair {
  int first = 0;
  std::string second;
  static constexpr std::size_t state_members = 2;
};

// The specification of XXH3 promises the numbers of one seed and input for ever
// (github.com/Cyan4973/xxHash, doc/xxhash_spec.md; its README has this one, of no bytes).
TEST(Digest, OfNothingIsXxh3s) {
  for (const std::uint64_t part : Digest().value().parts) EXPECT_EQ(part, 0x2d06800538d394c2U);
}

TEST(Digest, EqualValuesHaveEqualOnes) {
  EXPECT_EQ(number_of(1, std::string("a")), number_of(1, std::string("a")));
  EXPECT_NE(number_of(1, std::string("a")), number_of(2, std::string("a")));
  EXPECT_NE(number_of(std::string("ab"), std::string("c")),
            number_of(std::string("a"), std::string("bc")));
  EXPECT_NE(number_of(std::vector<int>{1}, std::vector<int>{}),
            number_of(std::vector<int>{}, std::vector<int>{1}));
  EXPECT_NE(number_of(std::optional<int>()), number_of(std::optional<int>(0)));
  EXPECT_NE(number_of(std::variant<int, bool>(false)), number_of(std::variant<int, bool>(0)));
  EXPECT_NE(number_of(std::bitset<128>().set(127)), number_of(std::bitset<128>().set(63)));
  EXPECT_NE(number_of(Pair{1, "a"}), number_of(Pair{1, "b"}));
  EXPECT_NE(number_of(Pair{1, "a"}), number_of(Pair{2, "a"}));
  EXPECT_NE(number_of(Cycles(1)), number_of(Cycles(2)));
}

// Tables of hashes have no order of their own.
TEST(Digest, UnorderedSetsAreTakenInOrder) {
  std::unordered_set<std::uint64_t> one, other;
  other.reserve(5000);
  for (std::uint64_t i = 0; i < 100; ++i) one.insert(i * 7919);
  for (std::uint64_t i = 100; i-- > 0;) other.insert(i * 7919);
  EXPECT_EQ(number_of(one), number_of(other));
  other.erase(7919);
  EXPECT_NE(number_of(one), number_of(other));
}

TEST(Digest, UnorderedMapsAreTakenInOrder) {
  std::unordered_map<std::uint64_t, int> one, other;
  for (int i = 0; i < 100; ++i) one[static_cast<std::uint64_t>(i) * 7919] = i;
  other.reserve(5000);
  for (int i = 99; i >= 0; --i) other[static_cast<std::uint64_t>(i) * 7919] = i;
  EXPECT_EQ(number_of(one), number_of(other));
  other[7919] = 0;
  EXPECT_NE(number_of(one), number_of(other));
}

// Whether two have one object is state; where the host keeps it is not.
TEST(Digest, SharedObjectsHaveNumbers) {
  const auto two = [](int first, int second) {
    return std::pair(std::make_shared<int>(first), std::make_shared<int>(second));
  };
  const auto one = std::make_shared<int>(5);
  EXPECT_EQ(number_of(two(5, 5)), number_of(two(5, 5)));
  EXPECT_NE(number_of(two(5, 5)), number_of(std::pair(one, one)));
  EXPECT_NE(number_of(two(5, 6)), number_of(two(5, 5)));
  EXPECT_NE(number_of(one), number_of(std::shared_ptr<int>()));
}

TEST(Digest, PartsAreApart) {
  const auto parts_of = [](int kernel, int memory) {
    Digest digest;
    {
      const Archive::Part part(digest, StatePart::memory);
      digest.state(memory);
    }
    digest.state(kernel);
    return digest.value();
  };
  const auto part = [](const StateDigest& digest, StatePart which) {
    return digest.parts[static_cast<std::size_t>(which)];
  };
  const StateDigest one = parts_of(1, 2), other = parts_of(1, 3);
  EXPECT_EQ(part(one, StatePart::kernel), part(other, StatePart::kernel));
  EXPECT_NE(part(one, StatePart::memory), part(other, StatePart::memory));
  EXPECT_EQ(part(one, StatePart::caches), part(other, StatePart::caches));
  EXPECT_NE(one.whole, other.whole);
}

// ---- What counts as state, of classes that keep derived things beside it.

TEST(Digest, OfAClockWhoseFastOneIsOff) {
  const VirtualClock clock(Hertz(1'000'000), Hertz(100), Hertz(1000));
  VirtualClock other = clock;
  EXPECT_EQ(number_of(clock), number_of(other));
  other.advance_to(Cycles(1));
  EXPECT_NE(number_of(clock), number_of(other));
  other = clock;
  other.enable_fast_clock(true);
  EXPECT_NE(number_of(clock), number_of(other));
}

TEST(Digest, OfACacheThatHasSeenAStore) {
  const CacheDescription description{.size = 1024, .ways = 2, .line = 32};
  Cache cache(description), other(description);
  cache.insert(0x40, false);
  other.insert(0x40, false);
  EXPECT_EQ(number_of(cache), number_of(other));
  other.touch(0x40, true);
  EXPECT_NE(number_of(cache), number_of(other));
}

TEST(Digest, OfATlbKnowsItsSpaces) {
  const TlbDescription description{.entries = 8};
  Tlb tlb(description), other(description);
  tlb.refill(1, 5, Instructions(3));
  other.refill(2, 5, Instructions(3));
  EXPECT_NE(number_of(tlb), number_of(other));
}

}  // namespace
}  // namespace hardclock
