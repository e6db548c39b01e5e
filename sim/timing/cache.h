// The tags of one cache: which lines it holds, which of them are dirty, and which is replaced next.
// Addresses are physical, in bytes; any address in a line stands for the line. The hierarchy
// (memory_system.h) decides what a miss or a store means.
//
// Replacement. lru: the least recently used line of the set; fifo: the one that came first; random:
// if the set is full, way number x mod ways, where x is the next value of Marsaglia's 32-bit
// xorshift generator (13, 17, 5) with his start value 2463534242 ("Xorshift RNGs", Journal of
// Statistical Software 8, 2003): the same in every run. Free places are always used first.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/state/archive.h"
#include "sim/timing/memory_description.h"

namespace hardclock {

class Cache {
 public:
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};

  Cache() = default;  // no cache; holds nothing and must not be used
  explicit Cache(const CacheDescription& description);

  struct Touch {
    bool hit = false;
    // The address of the line that was the set's most recently used one until this access. Only for
    // lru, where the order of the other lines does not matter as long as that line is used.
    std::uint64_t demoted = no_line;
  };
  // An access to the line. It becomes the most recently used one and, with `makes_dirty`, dirty. A
  // miss changes nothing.
  Touch touch(std::uint64_t address, bool makes_dirty) {
    if (touch_at_once(address, makes_dirty)) return {.hit = true};
    return ways_ == 1 ? Touch{} : touch_other(address, makes_dirty);
  }
  // A fast path: does touch(address, makes_dirty) and returns true if the access clearly hits and
  // demotes no line; otherwise does nothing and returns false.
  bool touch_at_once(std::uint64_t address, bool makes_dirty) {
    std::uint64_t& first = *set_of(address);
    if ((first & ~dirty_bit) != entry_of(address)) return false;
    if (makes_dirty) first |= dirty_bit;
    return true;
  }

  struct Insertion {
    std::uint64_t victim = no_line;
    bool victim_dirty = false;
    std::uint64_t demoted = no_line;  // as in Touch; not the victim
  };
  // Inserts a line that is not in the cache, as the most recently used one.
  Insertion insert(std::uint64_t address, bool dirty) {
    if (replacement_ != Replacement::random) return insert_in_order(address, dirty);
    return insert_at_random(set_of(address), entry_of(address) | (dirty ? dirty_bit : 0));
  }
  // The same, not for random.
  Insertion insert_in_order(std::uint64_t address, bool dirty) {
    std::uint64_t* const set = set_of(address);
    const std::uint64_t entry = entry_of(address) | (dirty ? dirty_bit : 0);
    Insertion insertion;
    const std::uint64_t last = set[ways_ - 1];
    if (last != 0) insertion = {.victim = line_of(last), .victim_dirty = (last & dirty_bit) != 0};
    if (ways_ > 1) {
      if (replacement_ == Replacement::lru && set[0] != 0) insertion.demoted = line_of(set[0]);
      for (std::uint32_t way = ways_ - 1; way > 0; --way) set[way] = set[way - 1];
    }
    set[0] = entry;
    return insertion;
  }

  // What insert() of a line that is not in the cache would drive out. Not for random.
  Insertion next_victim(std::uint64_t address) {
    const std::uint64_t last = set_of(address)[ways_ - 1];
    if (last == 0) return {};
    return {.victim = line_of(last), .victim_dirty = (last & dirty_bit) != 0};
  }

  struct Removal {
    bool present = false;
    bool dirty = false;
  };
  Removal remove(std::uint64_t address);

  bool contains(std::uint64_t address) const { return find(address) != nullptr; }
  bool is_dirty(std::uint64_t address) const;

  // A place holds its line's address with these flags, or 0. The places of a set are ordered by
  // recency for lru and by age for fifo, the latest first, free ones last; for random they are
  // fixed ways.
  static constexpr std::uint64_t valid_bit = 1;
  static constexpr std::uint64_t dirty_bit = 2;
  // All places, those of a set one behind another, for code that looks there itself.
  std::uint64_t* places() { return entries_.data(); }

  bool operator==(const Cache&) const = default;

  void archive(Archive& to);

 private:
  // Lines have at least 4 bytes.
  std::uint64_t entry_of(std::uint64_t address) const {
    return (address >> line_shift_) << line_shift_ | valid_bit;
  }
  static std::uint64_t line_of(std::uint64_t entry) { return entry & ~(valid_bit | dirty_bit); }
  std::uint64_t* set_of(std::uint64_t address) {
    return &entries_[((address >> line_shift_) & set_mask_) * ways_];
  }
  const std::uint64_t* find(std::uint64_t address) const;
  // Of a line that is not the set's first.
  Touch touch_other(std::uint64_t address, bool makes_dirty) {
    std::uint64_t* const set = set_of(address);
    const std::uint64_t wanted = entry_of(address);
    std::uint32_t way = 1;
    while (way < ways_ && (set[way] & ~dirty_bit) != wanted) ++way;
    if (way == ways_) return {};
    if (makes_dirty) set[way] |= dirty_bit;
    if (replacement_ != Replacement::lru) return {.hit = true};
    const std::uint64_t demoted = line_of(set[0]), found = set[way];
    for (; way > 0; --way) set[way] = set[way - 1];
    set[0] = found;
    return {.hit = true, .demoted = demoted};
  }
  Insertion insert_at_random(std::uint64_t* set, std::uint64_t entry);
  std::uint32_t next_random();

  std::uint32_t ways_ = 1;
  std::uint32_t line_shift_ = 0;
  std::uint64_t set_mask_ = 0;
  Replacement replacement_ = Replacement::lru;
  std::uint32_t random_ = 2463534242;
  std::vector<std::uint64_t> entries_;
};

}  // namespace hardclock
