// The whole hierarchy: costs worked out by hand from the rules of memory_system.h, counts that
// follow from the geometry, and random hierarchies access by access against a naive one.
#include "sim/timing/memory_system.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <random>

#include "tests/unit/timing/naive_memory_system.h"
#include "tests/unit/timing/random_memory.h"

namespace hardclock {
namespace {

using Kind = NaiveSystem::Kind;
using Level = MemorySystem::Level;

MemorySystem::AccessCost access(MemorySystem& memory, Kind kind,
                                const MemorySystem::Address& address,
                                const MemorySystem::Moment& moment) {
  return kind == Kind::fetch  ? memory.fetch(address, moment)
         : kind == Kind::load ? memory.load(address, moment)
                              : memory.store(address, moment);
}

RC_GTEST_PROP(MemorySystem, AgreesWithTheNaiveOneAccessByAccess, ()) {
  const MemoryDescription description = any_memory();
  RC_CLASSIFY(description.l2.present(), "with l2");
  RC_CLASSIFY(description.l3.present(), "with l3");
  RC_CLASSIFY(description.l2.present() && description.inclusive, "with an inclusive l2");
  RC_CLASSIFY(description.load_tlb.present(), "with a TLB of loads");
  MemorySystem memory(description);
  NaiveSystem naive(description);
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const std::uint64_t range = std::uint64_t{1} << *rc::gen::inRange(8, 17);
  std::uint64_t now = 0, instructions = 0;
  for (const std::uint64_t address : any_trace(range, 1000)) {
    const auto kind = static_cast<Kind>(random() % 3);
    const std::uint32_t space = random() % 2;
    const MemorySystem::Address where{space, address + space * 0x10000000, address};
    const auto expected = naive.access(kind, where, now);
    const auto got = access(memory, kind, where, {Cycles(now), Instructions(instructions)});
    RC_ASSERT(got.cycles == expected.cycles);
    RC_ASSERT(got.level == expected.level);
    RC_ASSERT(got.tlb_missed == expected.tlb_missed);
    RC_ASSERT(got.load_tlb_missed == expected.load_tlb_missed);
    RC_ASSERT(got.repeats_as_hit == expected.repeats_as_hit);
    RC_ASSERT(memory.memory_busy(got) == naive.memory_busy());
    RC_ASSERT(memory.statistics() == naive.statistics());
    now += got.cycles + 1 + random() % 4;
    const std::uint64_t executed = 1 + random() % 2;
    instructions += executed;
    naive.execute(executed);
  }
}

// ---- By hand.
MemorySystem::Address at(std::uint64_t address) {
  return {.space = 1, .virtual_address = address, .physical_address = address};
}

// R4400SC-like: direct mapped, write-back; costs in powers of ten, so that a sum shows its parts.
MemoryDescription two_levels() {
  MemoryDescription memory;
  memory.l1i = {.size = 1024, .ways = 1, .line = 16, .refill = 16, .miss_cycles = 1};
  memory.l1d = {
      .size = 1024, .ways = 1, .line = 16, .refill = 16, .miss_cycles = 1, .victim_cycles = 10};
  memory.l2 = {
      .size = 4096, .ways = 1, .line = 64, .refill = 64, .miss_cycles = 100, .victim_cycles = 1000};
  memory.memory_cycles = 10000;
  memory.tlb = {.entries = 4, .pages = 2, .page = 4096, .refill_cycles = 100000};
  return memory;
}

// Itanium-like: an l1 that writes through, an l3 that keeps what leaves l2.
MemoryDescription three_levels() {
  MemoryDescription memory;
  memory.l1d = {.size = 256,
                .ways = 1,
                .line = 64,
                .refill = 64,
                .policy = WritePolicy::write_through,
                .write_miss = WriteMiss::around,
                .miss_cycles = 1};
  memory.l2 = {
      .size = 256, .ways = 1, .line = 128, .refill = 128, .miss_cycles = 10, .victim_cycles = 20};
  memory.l3 = {.size = 512, .ways = 1, .line = 128, .refill = 128, .miss_cycles = 100};
  memory.inclusive = false;
  memory.memory_cycles = 1000;
  memory.memory_victim_cycles = 3000;
  return memory;
}

void expect(const MemorySystem::AccessCost& outcome, std::uint32_t cycles, Level level) {
  EXPECT_EQ(outcome.cycles, cycles);
  EXPECT_EQ(outcome.level, level);
}

TEST(MemorySystem, EveryCostOfThreeLevels) {
  MemorySystem memory(three_levels());
  expect(memory.load(at(0x0000), {}), 1111, Level::memory);
  expect(memory.load(at(0x0000), {}), 0, Level::l1);
  expect(memory.load(at(0x0040), {}), 1, Level::l2);
  expect(memory.load(at(0x0100), {}), 1111, Level::memory);  // drives 0x0000 out of l1 and l2
  expect(memory.load(at(0x0000), {}), 11, Level::l3);
  expect(memory.store(at(0x0000), {}), 0, Level::l1);        // dirty in l2
  expect(memory.load(at(0x0100), {}), 31, Level::l3);        // drives it into l3
  expect(memory.load(at(0x0200), {}), 4111, Level::memory);  // and out of that
  expect(memory.load(at(0x0000), {}), 1111, Level::memory);
  memory.invalidate(0x0000, 128);
  expect(memory.load(at(0x0000), {}), 1111, Level::memory);
}

TEST(MemorySystem, EveryCostOfTwoLevels) {
  MemorySystem memory(two_levels());
  expect(memory.load(at(0x0000), {}), 110101, Level::memory);
  expect(memory.load(at(0x000f), {}), 0, Level::l1);
  expect(memory.load(at(0x0010), {}), 1, Level::l2);          // the same line of l2
  expect(memory.fetch(at(0x0020), {}), 1, Level::l2);         // l2 is unified
  expect(memory.store(at(0x0000), {}), 0, Level::l1);         // dirty in l1
  expect(memory.load(at(0x0400), {}), 10111, Level::memory);  // drives it out into l2
  expect(memory.load(at(0x0000), {}), 1, Level::l2);
  // Drives the line at 0 out of l2, which is dirty there, and out of l1 with it.
  expect(memory.load(at(0x1000), {}), 11101, Level::memory);
  expect(memory.fetch(at(0x0020), {}), 10101, Level::memory);
  expect(memory.store(at(0x1000), {}), 10101, Level::memory);
  // The line at 0x1000 is clean in l2 and dirty in l1: both go, and only l2's victim costs.
  expect(memory.load(at(0x3000), {}), 111101, Level::memory);
  EXPECT_EQ(memory.statistics().l1d, (MemorySystem::CacheCounts{9, 7, 2}));
  EXPECT_EQ(memory.statistics().l1i, (MemorySystem::CacheCounts{2, 2, 0}));
  EXPECT_EQ(memory.statistics().l2, (MemorySystem::CacheCounts{9, 6, 2}));
  EXPECT_EQ(memory.statistics().tlb_misses, 2u);
}

// What memory takes for a dirty line is waited for where the line leaves the last cache.
TEST(MemorySystem, ALineThatIsWrittenToMemoryCostsWhatMemorySays) {
  MemoryDescription description = two_levels();
  description.tlb = {};
  description.memory_victim_cycles = 500000;
  MemorySystem memory(description);
  expect(memory.store(at(0x0000), {}), 10101, Level::memory);
  expect(memory.load(at(0x0400), {}), 10111, Level::memory);   // the line stays in l2
  expect(memory.load(at(0x1000), {}), 511101, Level::memory);  // and leaves it
  description.l2 = {};
  MemorySystem single(description);
  expect(single.store(at(0x0000), {}), 10001, Level::memory);
  expect(single.load(at(0x0400), {}), 510011, Level::memory);
  expect(single.load(at(0x0000), {}), 10001, Level::memory);  // a clean line leaves
  description.l2 = two_levels().l2;
  description.l2.policy = WritePolicy::write_through;
  MemorySystem through(description);
  expect(through.store(at(0x0000), {}), 10101, Level::memory);
  expect(through.load(at(0x0400), {}), 510111, Level::memory);
}

// Memory goes on with a dirty line after the miss that drove it out, and a miss that needs memory
// meanwhile waits; one that the second level answers does not.
TEST(MemorySystem, MemoryIsBusyWithALineThatIsWrittenToIt) {
  MemoryDescription description = two_levels();
  description.tlb = {};
  description.memory_busy_cycles = 500000;
  MemorySystem memory(description);
  const auto now = [](std::uint64_t cycle) { return MemorySystem::Moment{Cycles(cycle), {}}; };
  expect(memory.store(at(0x0000), now(0)), 10101, Level::memory);
  expect(memory.load(at(0x1000), now(20000)), 11101, Level::memory);  // busy from 31101 to 531101
  expect(memory.load(at(0x1010), now(31101)), 1, Level::l2);
  // It comes to memory after 101 cycles, at 31402.
  expect(memory.load(at(0x2000), now(31301)), 101 + (531101 - 31402) + 10000, Level::memory);
  expect(memory.load(at(0x3000), now(541101)), 10101, Level::memory);
  description.l2 = {};
  MemorySystem single(description);
  expect(single.store(at(0x0000), now(0)), 10001, Level::memory);
  expect(single.load(at(0x0400), now(20000)), 10011, Level::memory);  // busy from 30011
  expect(single.load(at(0x0800), now(530000)), 1 + 10 + 10000, Level::memory);
}

MemorySystem::Moment at_cycle(std::uint64_t cycle) {
  return {Cycles(cycle), {}};
}

// A line may keep the bus for longer than its first word takes to come.
TEST(MemorySystem, ALineThatIsReadKeepsMemoryFromTheNext) {
  MemoryDescription description = two_levels();
  description.tlb = {};
  description.memory_line_cycles = 30000;
  MemorySystem memory(description);
  expect(memory.load(at(0x0000), at_cycle(0)), 10101, Level::memory);  // memory: 101 to 30101
  expect(memory.load(at(0x0010), at_cycle(11000)), 1, Level::l2);
  expect(memory.load(at(0x0100), at_cycle(12000)), 101 + 18000 + 10000, Level::memory);
  description.memory_line_cycles = 10000;  // not longer than the access waits in any case
  MemorySystem quick(description);
  expect(quick.load(at(0x0000), at_cycle(0)), 10101, Level::memory);
  expect(quick.load(at(0x0100), at_cycle(10101)), 10101, Level::memory);
}

// LMbench on an Itanium 2 of 900 MHz: 121 ns from line to line, where 7-cpu.com has 160 at random:
// a row of the DRAM is open.
TEST(MemorySystem, ALineOfTheOpenPageComesSooner) {
  MemoryDescription description = two_levels();
  description.tlb = {};
  description.open_page_cycles = 4000;
  description.open_page = 1024;
  MemorySystem memory(description);
  expect(memory.load(at(0x0000), {}), 10101, Level::memory);
  expect(memory.load(at(0x0040), {}), 4101, Level::memory);
  expect(memory.load(at(0x0048), {}), 0, Level::l1);
  expect(memory.load(at(0x0400), {}), 10101, Level::memory);  // another page
  expect(memory.load(at(0x0080), {}), 10101, Level::memory);
  description.banks = 2;  // each has a page of its own open
  MemorySystem banked(description);
  expect(banked.load(at(0x0000), {}), 10101, Level::memory);
  expect(banked.load(at(0x0400), {}), 10101, Level::memory);
  expect(banked.load(at(0x0080), {}), 4101, Level::memory);
  expect(banked.load(at(0x0440), {}), 4101, Level::memory);
  expect(banked.load(at(0x0800), {}), 10101, Level::memory);
}

// A store that writes through l1 is not waited for, but memory has to bring its line into l2, and
// the next line that memory is asked for has to wait. LMbench on an Itanium 2 of 900 MHz: 556 MB/s
// written, a line of 128 bytes in 230 ns.
TEST(MemorySystem, AStorePastL1NeedsItsLine) {
  MemoryDescription description = three_levels();
  description.memory_line_cycles = 50000;
  description.memory_busy_cycles = 70000;
  MemorySystem memory(description);
  expect(memory.store(at(0x0000), at_cycle(0)), 0, Level::memory);
  expect(memory.store(at(0x0008), at_cycle(1)), 0, Level::l2);
  expect(memory.store(at(0x0080), at_cycle(2)), 49998, Level::memory);  // until 50000
  expect(memory.store(at(0x0080), at_cycle(50000)), 0, Level::l2);
  expect(memory.load(at(0x0100), at_cycle(60000)), 1 + 10 + 100 + 39889 + 20 + 1000,
         Level::memory);  // until 100000; line 0 leaves l2 for l3
  // The lines at 0x180 and 0x200 drive dirty ones out of l2, and those at 0 and 0x80 out of l3.
  expect(memory.store(at(0x0180), at_cycle(200000)), 0, Level::memory);
  expect(memory.store(at(0x0200), at_cycle(200001)), 49999, Level::memory);
  const MemorySystem::AccessCost cost = memory.store(at(0x0280), at_cycle(900000));
  EXPECT_EQ(cost.cycles, 0u);
  EXPECT_EQ(memory.memory_busy(cost), 50000u + 70000u);
  expect(memory.store(at(0x0300), at_cycle(900001)), 119999, Level::memory);
}

// An out-of-order window has the misses under way, and waits itself.
TEST(MemorySystem, WhereMissesOverlapNothingWaitsForMemory) {
  MemoryDescription description = two_levels();
  description.tlb = {};
  description.misses_overlap = true;
  description.memory_line_cycles = 30000;
  description.memory_busy_cycles = 500000;
  MemorySystem memory(description);
  EXPECT_FALSE(memory.depends_on_moments());
  expect(memory.store(at(0x0000), at_cycle(0)), 10101, Level::memory);
  const MemorySystem::AccessCost cost = memory.load(at(0x1000), at_cycle(1));
  EXPECT_EQ(cost.cycles, 11101u);
  EXPECT_EQ(memory.memory_busy(cost), 530000u);
  EXPECT_EQ(memory.memory_busy(memory.load(at(0x1010), at_cycle(2))), 0u);
}

// R3000-like: words as lines, blocks of 16 bytes, write-through, a store writes its word in any
// case.
TEST(MemorySystem, WordsAndBlocksOfAnR3000) {
  MemoryDescription description;
  description.l1d = {.size = 1024,
                     .ways = 1,
                     .line = 4,
                     .refill = 16,
                     .policy = WritePolicy::write_through,
                     .write_miss = WriteMiss::validate,
                     .miss_cycles = 1};
  description.write_buffer = {.depth = 2, .drain_cycles = 5, .misses_wait = true};
  description.memory_cycles = 10;
  MemorySystem memory(description);
  expect(memory.load(at(0x104), {}), 11, Level::memory);
  for (const std::uint64_t word : {0x100, 0x104, 0x108, 0x10c}) {
    expect(memory.load(at(word), {}), 0, Level::l1);
  }
  expect(memory.load(at(0x110), {}), 11, Level::memory);
  const auto now = [](std::uint64_t cycle) { return MemorySystem::Moment{Cycles(cycle), {}}; };
  expect(memory.store(at(0x504), now(0)), 0, Level::memory);  // replaces the word of 0x104 only
  expect(memory.load(at(0x504), now(0)), 0, Level::l1);
  expect(memory.load(at(0x100), now(0)), 0, Level::l1);
  expect(memory.store(at(0x504), now(1)), 0, Level::l1);
  expect(memory.store(at(0x504), now(2)), 3, Level::l1);      // two are in; the first leaves at 5
  expect(memory.load(at(0x104), now(6)), 20, Level::memory);  // the buffer is empty at 15
  EXPECT_EQ(memory.statistics().l1d, (MemorySystem::CacheCounts{12, 4, 0}));
  EXPECT_EQ(memory.statistics().write_buffer_stalls, Cycles(3 + 9));
  EXPECT_FALSE(memory.store(at(0x104), now(100)).repeats_as_hit);
}

TEST(MemorySystem, WhatAStoreThatMissesDoes) {
  for (const WritePolicy policy : {WritePolicy::write_back, WritePolicy::write_through}) {
    for (const WriteMiss miss : {WriteMiss::fetch, WriteMiss::around, WriteMiss::validate}) {
      MemoryDescription description;
      description.l1d = {.size = 64,
                         .ways = 1,
                         .line = 16,
                         .refill = 16,
                         .policy = policy,
                         .write_miss = miss,
                         .miss_cycles = 1,
                         .victim_cycles = 100};
      description.memory_cycles = 10;
      MemorySystem memory(description);
      const bool fetches = miss == WriteMiss::fetch, enters = miss != WriteMiss::around;
      const bool stays = policy == WritePolicy::write_back;
      const auto store = memory.store(at(0), {});
      expect(store, fetches ? 11 : 0, enters && stays && !fetches ? Level::l1 : Level::memory);
      EXPECT_EQ(store.repeats_as_hit, enters && stays);
      const auto load = memory.load(at(8), {});
      expect(load, enters ? 0 : 11, enters ? Level::l1 : Level::memory);
      EXPECT_TRUE(load.repeats_as_hit);
      expect(memory.load(at(64), {}), enters && stays ? 111 : 11, Level::memory);
      EXPECT_EQ(memory.statistics().l1d.write_backs, enters && stays ? 1u : 0u);
    }
  }
}

// A loop over an array costs what the geometry says: nothing in a cache that holds it, a miss for
// every line in a direct-mapped or LRU one that does not (the reason for the steps in lmbench's
// curves of load latency; Staelin and McVoy, "lmbench", USENIX 1996, section 6.2).
TEST(MemorySystem, LoopsOverArrays) {
  MemoryDescription description = two_levels();
  description.tlb = {};
  const auto cycles_of_second_pass = [&](std::uint64_t bytes, std::uint64_t stride) {
    MemorySystem memory(description);
    std::uint64_t cycles = 0;
    for (int pass = 0; pass < 2; ++pass) {
      cycles = 0;
      for (std::uint64_t a = 0; a < bytes; a += stride) cycles += memory.load(at(a), {}).cycles;
    }
    return cycles;
  };
  EXPECT_EQ(cycles_of_second_pass(1024, 4), 0u);
  EXPECT_EQ(cycles_of_second_pass(4096, 4), 4096u / 16);             // every line of l1 from l2
  EXPECT_EQ(cycles_of_second_pass(4096, 32), 4096u / 32);            // two lines a step
  EXPECT_EQ(cycles_of_second_pass(16384, 64), 16384u / 64 * 10101);  // every line from memory
  EXPECT_EQ(cycles_of_second_pass(16384, 16), 16384u / 16 + 16384u / 64 * 10100);
}

TEST(MemorySystem, WithoutCachesEverythingIsFree) {
  MemorySystem memory(MemoryDescription{});
  for (const Kind kind : {Kind::fetch, Kind::load, Kind::store}) {
    const auto outcome = access(memory, kind, at(0x1234), {});
    expect(outcome, 0, Level::l1);
    EXPECT_TRUE(outcome.repeats_as_hit);
  }
  memory.remove_space(1);
  memory.remove_page(1, 0x1234);
  memory.invalidate(0, 4096);
  memory.count_hits(CacheSide::data, 5);
  EXPECT_EQ(memory.statistics(), MemorySystem::Statistics{});
}

TEST(MemorySystem, InvalidatedLinesAndPagesAreGone) {
  MemorySystem memory(two_levels());
  memory.store(at(0x110), {});
  memory.fetch(at(0x110), {});
  memory.load(at(0x100), {});
  memory.invalidate(0x118, 1);
  expect(memory.load(at(0x100), {}), 10101, Level::memory);  // its line of l2 went, and so did it
  expect(memory.fetch(at(0x110), {}), 1, Level::l2);
  expect(memory.load(at(0x110), {}), 1, Level::l2);
  memory.remove_page(1, 0x1fff);
  EXPECT_TRUE(memory.load(at(0), {}).tlb_missed);
  memory.remove_space(2);
  EXPECT_FALSE(memory.load(at(0), {}).tlb_missed);
  memory.remove_space(1);
  EXPECT_TRUE(memory.load(at(0), {}).tlb_missed);
}

// A tag of l1d names an entry of the TLB: without that the line is not there (load_tlb.h).
TEST(MemorySystem, ALoadsPageTakesItsLinesWithIt) {
  MemoryDescription description = three_levels();
  description.l1d.size = 1024;
  description.l2.size = description.l3.size = 65536;
  description.tlb = {.entries = 8, .page = 16384, .refill_cycles = 100000};
  description.load_tlb = {.entries = 2, .refill_cycles = 20000};
  MemorySystem memory(description);
  expect(memory.load(at(0x0000), {}), 121111, Level::memory);
  expect(memory.load(at(0x0040), {}), 1, Level::l2);
  expect(memory.load(at(0x1080), {}), 21111, Level::memory);  // of the same page of the other TLB
  expect(memory.load(at(0x0000), {}), 0, Level::l1);
  expect(memory.store(at(0x2000), {}), 0, Level::memory);  // stores do not look there
  expect(memory.fetch(at(0x2000), {}), 0, Level::l1);
  const auto third = memory.load(at(0x20c0), {});  // page 0 leaves, which came first
  expect(third, 21111, Level::memory);
  EXPECT_TRUE(third.load_tlb_missed && !third.tlb_missed && third.repeats_as_hit);
  expect(memory.load(at(0x1080), {}), 0, Level::l1);
  expect(memory.load(at(0x0000), {}), 20001, Level::l2);
  EXPECT_EQ(memory.statistics().tlb_misses, 1u);
  memory.remove_page(1, 0x3000);  // all of the page of 16 KB
  expect(memory.load(at(0x20c0), {}), 120001, Level::l2);
}

// Also where another address has led to it.
TEST(MemorySystem, ALineLeavesWithEachPageThatHasIt) {
  MemoryDescription description = three_levels();
  description.tlb = {.entries = 8, .refill_cycles = 0};
  description.load_tlb = {.entries = 2, .refill_cycles = 20000};
  MemorySystem memory(description);
  const MemorySystem::Address other{.space = 2, .virtual_address = 0x7000, .physical_address = 0};
  memory.load(at(0), {});
  expect(memory.load(other, {}), 20000, Level::l1);
  memory.remove_space(1);
  expect(memory.load(other, {}), 1, Level::l2);
  expect(memory.load(at(0), {}), 20000, Level::l1);
}

TEST(MemorySystem, RestoredOnesGoOnAsTheOriginal) {
  MemorySystem memory(two_levels());
  for (std::uint64_t a = 0; a < 8192; a += 48) memory.store(at(a), {});
  MemorySystem other(two_levels());
  other.restore(memory.state(), memory.statistics());
  for (std::uint64_t a = 0; a < 8192; a += 80) {
    EXPECT_EQ(memory.load(at(a), {}).cycles, other.load(at(a), {}).cycles);
  }
  EXPECT_EQ(memory.state(), other.state());
  EXPECT_EQ(memory.statistics(), other.statistics());
  memory.count_hits(CacheSide::data, 5);
  EXPECT_EQ(memory.statistics().l1d.accesses, other.statistics().l1d.accesses + 5);
}

}  // namespace
}  // namespace hardclock
