// repeats_as_hit and MemoryListener keep their word: a set of accesses that were free, less those
// that the listener heard of, holds only accesses that cost nothing and change nothing.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "sim/timing/memory_system.h"
#include "tests/unit/timing/random_memory.h"

namespace hardclock {
namespace {

enum class Kind { fetch, load, store };

struct FreeAccess {
  Kind kind;
  std::uint64_t line;
  std::uint32_t space;
  std::uint64_t page;
  MemorySystem::Address address;  // one of those in this line and page

  bool operator<(const FreeAccess& o) const {
    return std::tie(kind, line, space, page) < std::tie(o.kind, o.line, o.space, o.page);
  }
};

MemorySystem::AccessCost access(MemorySystem& memory, Kind kind,
                                const MemorySystem::Address& address,
                                const MemorySystem::Moment& moment) {
  return kind == Kind::fetch  ? memory.fetch(address, moment)
         : kind == Kind::load ? memory.load(address, moment)
                              : memory.store(address, moment);
}

class FreeAccesses final : public MemoryListener {
 public:
  void line_changed(CacheSide side, std::uint64_t physical_address) override {
    std::erase_if(accesses_, [&](const FreeAccess& free) {
      return (free.kind == Kind::fetch) == (side == CacheSide::fetch) &&
             free.line == physical_address;
    });
  }
  void page_left(std::uint32_t space, std::uint64_t virtual_page) override {
    std::erase_if(accesses_, [&](const FreeAccess& free) {
      return free.space == space && free.page == virtual_page;
    });
  }
  void all_changed() override { accesses_.clear(); }

  void add(const FreeAccess& free) {
    accesses_.erase(free);
    accesses_.insert(free);
  }
  const std::set<FreeAccess>& accesses() const { return accesses_; }

 private:
  std::set<FreeAccess> accesses_;
};

std::uint64_t line_of(const MemoryDescription& description, Kind kind, std::uint64_t address) {
  const CacheDescription& cache =
      kind == Kind::fetch && !description.l1.present() ? description.l1i : description.data_cache();
  return cache.present() ? address / cache.line * cache.line : 0;
}

void check(const MemorySystem& memory, const FreeAccess& free, const MemorySystem::Moment& moment) {
  MemorySystem copy(memory.description());
  copy.restore(memory.state(), memory.statistics());
  MemorySystem::Address address = free.address;
  address.physical_address ^= 1;  // another byte of the same line and page
  address.virtual_address ^= 1;
  const auto outcome = access(copy, free.kind, address, moment);
  RC_ASSERT(outcome.cycles == 0u);
  RC_ASSERT(outcome.repeats_as_hit);
  RC_ASSERT(outcome.level == MemorySystem::Level::l1);
  RC_ASSERT(!outcome.tlb_missed);
  RC_ASSERT(copy.state() == memory.state());
}

// What is no access: once in a while.
void disturb(MemorySystem& memory, std::mt19937& random, const MemorySystem::Address& address) {
  switch (random() % 64) {
    case 0:
      memory.remove_space(address.space);
      break;
    case 1:
      memory.remove_page(address.space, address.virtual_address);
      break;
    case 2:
      memory.invalidate(address.physical_address, 1 + random() % 100);
      break;
    case 3:
      memory.restore(MemorySystem(memory.description()).state(), memory.statistics());
      break;
  }
}

RC_GTEST_PROP(FreeAccesses, CostAndChangeNothing, ()) {
  const MemoryDescription description = any_memory();
  MemorySystem memory(description);
  FreeAccesses free_accesses;
  memory.add_listener(free_accesses);
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const std::uint64_t range = std::uint64_t{1} << *rc::gen::inRange(6, 16);
  const bool disturbs = *rc::gen::arbitrary<bool>();
  std::uint64_t time = 0;
  for (const std::uint64_t physical : any_trace(range, 300)) {
    const std::uint32_t space = random() % 2;
    const MemorySystem::Address address{space, physical + space * 0x10000000, physical};
    const MemorySystem::Moment moment{Cycles(++time * 4), Instructions(time)};
    if (disturbs) disturb(memory, random, address);
    const auto kind = static_cast<Kind>(random() % 3);
    if (access(memory, kind, address, moment).repeats_as_hit) {
      free_accesses.add({kind, line_of(description, kind, physical), space,
                         address.virtual_address / description.tlb.page, address});
    }
    for (const FreeAccess& free : free_accesses.accesses()) {
      if (random() % 2 == 0) check(memory, free, moment);
    }
  }
  for (const FreeAccess& free : free_accesses.accesses()) check(memory, free, {});
}

// What makes the engine fast: a loop within the caches stays free.
TEST(FreeAccesses, StayFreeInALoop) {
  MemoryDescription description;
  description.l1d = {.size = 16384, .ways = 1, .line = 32, .refill = 32, .miss_cycles = 10};
  description.tlb = {.entries = 48, .pages = 2, .refill_cycles = 20};
  MemorySystem memory(description);
  FreeAccesses free_accesses;
  memory.add_listener(free_accesses);
  for (std::uint64_t line = 0; line < 512; ++line) {
    const MemorySystem::Address address{1, line * 32, line * 32};
    const MemorySystem::Moment moment{Cycles(line), Instructions(line)};
    ASSERT_TRUE(memory.store(address, moment).repeats_as_hit);
    free_accesses.add({Kind::store, line * 32, 1, line * 32 / 4096, address});
  }
  EXPECT_EQ(free_accesses.accesses().size(), 512u);
  // One line that collides, then one page that takes another's place.
  memory.load({1, 16384, 16384}, {Cycles(512), Instructions(512)});
  EXPECT_EQ(free_accesses.accesses().size(), 511u);
  memory.remove_page(1, 4096);
  EXPECT_EQ(free_accesses.accesses().size(), 511u - 255u);
  memory.remove_listener(free_accesses);
  memory.remove_space(1);
  EXPECT_EQ(free_accesses.accesses().size(), 511u - 255u);
}

}  // namespace
}  // namespace hardclock
