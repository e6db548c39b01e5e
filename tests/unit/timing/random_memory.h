// RapidCheck's examples of hierarchies and of address traces. For use inside a property.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "sim/timing/memory_description.h"

namespace hardclock {

// A power of two.
inline std::uint32_t any_power(std::uint32_t least, std::uint32_t most) {
  return std::uint32_t{1} << *rc::gen::inRange<int>(std::countr_zero(least), std::bit_width(most));
}

// From one line to 64 KB.
inline CacheDescription any_cache(std::uint32_t shortest_line, std::uint32_t longest_line,
                                  std::uint64_t most_bytes = 65536) {
  CacheDescription cache;
  cache.line = any_power(shortest_line, longest_line);
  cache.ways = *rc::gen::element(1u, 1u, 2u, 3u, 4u, 8u);
  cache.size = std::uint64_t{cache.line} * cache.ways;
  while (cache.size * 2 <= most_bytes && *rc::gen::inRange(0, 5) != 0) cache.size *= 2;
  cache.refill = cache.line;
  cache.policy = *rc::gen::element(WritePolicy::write_back, WritePolicy::write_through);
  cache.write_miss = *rc::gen::element(WriteMiss::fetch, WriteMiss::around, WriteMiss::validate);
  cache.replacement = *rc::gen::element(Replacement::lru, Replacement::fifo, Replacement::random);
  cache.miss_cycles = *rc::gen::inRange(0u, 20u);
  cache.victim_cycles = *rc::gen::inRange(0u, 10u);
  return cache;
}

inline CacheDescription any_l3(std::uint32_t shortest_line) {
  CacheDescription cache = any_cache(shortest_line, shortest_line * 2, 65536);
  cache.policy = WritePolicy::write_back;
  cache.write_miss = WriteMiss::fetch;
  return cache;
}

inline TlbDescription any_tlb() {
  TlbDescription tlb;
  tlb.entries = *rc::gen::inRange(1u, 65u);
  tlb.pages = any_power(1, 4);
  tlb.page = any_power(1024, 16384);
  tlb.replacement = *rc::gen::element(Replacement::lru, Replacement::random);
  tlb.wired = *rc::gen::inRange(0u, tlb.entries);
  tlb.refill_cycles = *rc::gen::inRange(1u, 30u);
  return tlb;
}

inline WriteBufferDescription any_write_buffer() {
  WriteBufferDescription buffer;
  buffer.depth = *rc::gen::inRange(1u, 9u);
  buffer.drain_cycles = *rc::gen::inRange(1u, 13u);
  buffer.misses_wait = *rc::gen::arbitrary<bool>();
  return buffer;
}

// An l1d and a TLB for its loads.
inline void add_load_tlb(MemoryDescription& memory) {
  memory.l1d.line = memory.l1d.refill = 64;
  memory.l1d.size = std::uint64_t{64} * memory.l1d.ways * any_power(1, 64);
  memory.l1d.policy = WritePolicy::write_through;
  memory.load_tlb = {.entries = *rc::gen::inRange(1u, 9u),
                     .refill_cycles = *rc::gen::inRange(1u, 10u)};
}

// Split or unified l1 or one half of it only, with or without l2, TLB and write buffer.
inline MemoryDescription any_memory() {
  MemoryDescription memory;
  if (*rc::gen::inRange(0, 4) == 0) {
    memory.l1 = any_cache(4, 64, 4096);
  } else {
    if (*rc::gen::inRange(0, 8) != 0) memory.l1i = any_cache(4, 64, 4096);
    if (*rc::gen::inRange(0, 8) != 0) memory.l1d = any_cache(4, 64, 4096);
  }
  for (CacheDescription* l1 : {&memory.l1, &memory.l1i, &memory.l1d}) {
    if (!l1->present()) continue;
    const std::uint64_t most = std::min<std::uint64_t>(l1->way_size(), std::uint64_t{l1->line} * 8);
    l1->refill = any_power(l1->line, static_cast<std::uint32_t>(most));
  }
  if (memory.l1d.present() && *rc::gen::inRange(0, 4) == 0) add_load_tlb(memory);
  const std::uint32_t refill = std::max({memory.l1.refill, memory.l1i.refill, memory.l1d.refill});
  if (refill != 0 && *rc::gen::arbitrary<bool>()) {
    memory.l2 = any_cache(refill, refill * 4, 16384);
    memory.l2.refill = any_power(memory.l2.line, static_cast<std::uint32_t>(memory.l2.way_size()));
    memory.inclusive = *rc::gen::arbitrary<bool>();
    if (!memory_mistake(memory).empty()) memory.inclusive = false;
    if (*rc::gen::arbitrary<bool>()) memory.l3 = any_l3(memory.l2.refill);
  }
  if (memory.load_tlb.present() || *rc::gen::arbitrary<bool>()) memory.tlb = any_tlb();
  if (memory.data_cache().present() && *rc::gen::arbitrary<bool>()) {
    memory.write_buffer = any_write_buffer();
  }
  memory.memory_cycles = *rc::gen::inRange(0u, 50u);
  memory.memory_victim_cycles = *rc::gen::inRange(0u, 30u);
  memory.memory_line_cycles = *rc::gen::element(0u, 0u, 5u, 30u, 80u);
  memory.memory_busy_cycles = *rc::gen::element(0u, 0u, 5u, 60u);
  if (*rc::gen::arbitrary<bool>()) {
    memory.open_page = any_power(256, 4096);
    memory.open_page_cycles = *rc::gen::inRange(0u, 50u);
    memory.banks = *rc::gen::inRange<std::uint64_t>(1, 5);
  }
  memory.misses_overlap = *rc::gen::inRange(0, 4) == 0;
  RC_ASSERT(memory_mistake(memory).empty());
  return memory;
}

// Addresses below `range`: a random walk of its own kind, a stride, or a loop over an array.
inline std::vector<std::uint64_t> any_trace(std::uint64_t range, std::size_t length) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const int kind = *rc::gen::inRange(0, 4);
  const std::uint64_t stride = *rc::gen::inRange<std::uint64_t>(1, 300);
  const std::uint64_t loop = *rc::gen::inRange<std::uint64_t>(1, range + 1);
  std::vector<std::uint64_t> trace;
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint64_t anywhere = random() % range;
    const std::uint64_t next = trace.empty() ? anywhere : trace.back() + stride;
    switch (kind) {
      case 0:
        trace.push_back(anywhere);
        break;
      case 1:  // mostly near the last one
        trace.push_back(random() % 4 == 0 ? anywhere : (next + random() % 64) % range);
        break;
      case 2:
        trace.push_back(next % range);
        break;
      default:
        trace.push_back(next % loop);
    }
  }
  return trace;
}

}  // namespace hardclock
