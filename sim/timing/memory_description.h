// The memory hierarchy of a machine as rows of .timing files describe it (cpu_description.h has the
// grammar). Sizes are in bytes, with K and M; costs in cycles of the processor.
//
//   cache l1i|l1d|l1|l2|l3 size N ways N line N miss N [refill N] [policy write-back|write-through]
//         [allocate yes|no|validate] [replacement lru|fifo|random] [index virtual|physical]
//         [victim N] [inclusive yes|no]
//     l1         is one cache for instructions and data
//     size       is ways times line times a power of two; line is a power of two
//     refill     what a miss brings: aligned whole lines; one line if absent (the R3000 has lines
//                of one word and refills blocks of them)
//     allocate   what a store does that misses. yes: fetch the line, then write it. no: write past
//                the cache. validate: write the line without fetching it, as the R3000 does with
//                words, which are its lines. (Jouppi, "Cache write policies and performance", 1993)
//     miss       what the processor waits if the next level has the line; if there is no next
//                level, or it misses as well, its costs are added: those of l2, those of memory
//     index      (l1, l1i and l1d only) which address chooses the place of a line; virtual if
//                absent. Only a seeded placement of pages tells them apart: physical_pages.h
//     victim     the additional wait for each dirty line that a miss drives out, besides memory's
//     inclusive  (l2 only) a line that leaves l2 also leaves l1; yes if absent
//     l3         behind l2, whose dirty lines it takes; it writes back, and lines that leave it
//                leave no other cache
//   tlb main entries N refill N [pages N] [page N] [replacement random|lru] [wired N]
//     pages      consecutive pages, aligned, that one entry maps: 2 in the R4000; 1 if absent
//     page       4K if absent
//     refill     what the processor waits for a miss
//     wired      entries (the first ones) that a refill never replaces
//   tlb l1d entries N refill N
//                a first level before `tlb main`, of pages of 4K, for loads alone (load_tlb.h): l1d
//                finds a line only if its page is here. It needs an l1d that writes through and
//                refills one line, of 64 bytes or more, and a `tlb main`
//     refill     what the processor waits for a miss, besides that of main
//   write_buffer l1d|l1 depth N drain N [misses pass|wait]
//                takes the stores that write through or around l1d; without this row they never
//                wait. Victims do not use it: `victim` is their cost
//     drain      cycles in which the next level takes one entry
//     misses     whether a read that misses waits until the buffer is empty
//   memory main latency N [victim N] [line N] [busy N] [open N page N [banks N]]
//   memory main ns N ...
//                what memory adds to a miss that reaches it; nothing if the row is absent
//     ns         nanoseconds; rounded to the nearest cycle; the other figures, too
//     victim     what memory adds to a miss for each dirty line that has to be written to it
//     line       how long a line that is read keeps memory and the bus from the next one, from
//                when memory begins with it; it may be shorter or longer than the latency
//     busy       the same of each line that is written, after the miss that drove it out
//     open       what memory adds in place of the latency if the line is in a page from which the
//                last line of its bank came: a row of the DRAM, which is open
//     page       bytes of such a row, a power of two; the next one is in the next bank
//     banks      1 if absent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/timing/cache_change.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

enum class WritePolicy : std::uint8_t { write_back, write_through };
enum class WriteMiss : std::uint8_t { fetch, around, validate };
enum class Replacement : std::uint8_t { lru, fifo, random };

struct CacheDescription {
  std::uint64_t size = 0;  // 0: this cache does not exist
  std::uint32_t ways = 1;
  std::uint32_t line = 0;
  std::uint32_t refill = 0;
  WritePolicy policy = WritePolicy::write_back;
  WriteMiss write_miss = WriteMiss::fetch;
  Replacement replacement = Replacement::lru;
  std::uint32_t miss_cycles = 0;
  std::uint32_t victim_cycles = 0;
  bool physical_index = false;

  bool present() const { return size != 0; }
  std::uint64_t way_size() const { return size / ways; }
  std::uint64_t sets() const { return way_size() / line; }
  bool operator==(const CacheDescription&) const = default;
};

struct TlbDescription {
  std::uint32_t entries = 0;  // 0: there is no TLB
  std::uint32_t pages = 1;
  std::uint64_t page = 4096;
  Replacement replacement = Replacement::random;  // or lru
  std::uint32_t wired = 0;
  std::uint32_t refill_cycles = 0;

  bool present() const { return entries != 0; }
  bool operator==(const TlbDescription&) const = default;
};

// Before the other one, for the loads of an l1d.
struct LoadTlbDescription {
  static constexpr std::uint64_t page = 4096;
  static constexpr std::uint64_t shortest_line = page / 64;  // a bit for each line of a page

  std::uint32_t entries = 0;  // 0: there is none
  std::uint32_t refill_cycles = 0;

  bool present() const { return entries != 0; }
  bool operator==(const LoadTlbDescription&) const = default;
};

struct WriteBufferDescription {
  std::uint32_t depth = 0;  // 0: there is none
  std::uint32_t drain_cycles = 1;
  bool misses_wait = false;

  bool present() const { return depth != 0; }
  bool operator==(const WriteBufferDescription&) const = default;
};

// Without an l1 for an access's side, the access always hits.
struct MemoryDescription {
  CacheDescription l1;  // unified; then there is neither l1i nor l1d
  CacheDescription l1i;
  CacheDescription l1d;
  CacheDescription l2;
  CacheDescription l3;
  bool inclusive = true;
  TlbDescription tlb;
  LoadTlbDescription load_tlb;
  WriteBufferDescription write_buffer;
  std::uint32_t memory_cycles = 0;
  std::uint32_t memory_victim_cycles = 0;
  std::uint32_t memory_line_cycles = 0;
  std::uint32_t memory_busy_cycles = 0;
  std::uint32_t open_page_cycles = 0;
  std::uint64_t open_page = 0;  // bytes; 0: every line costs memory_cycles
  std::uint64_t banks = 1;
  static constexpr std::uint64_t most_banks = 16;
  // Misses overlap: the window of a processor that issues out of order knows when memory is free.
  bool misses_overlap = false;
  std::optional<std::uint32_t> placement;  // the seed of physical_pages.h; no row states it

  const CacheDescription& data_cache() const { return l1.present() ? l1 : l1d; }
  bool operator==(const MemoryDescription&) const = default;
};

// Reads the rows above into `memory`. A row replaces one of the same name from an earlier call;
// rows with other keywords are skipped. `clock` is the processor's. Error: "line N: what is wrong".
Result<Ok, std::string> read_memory_rows(const std::vector<TimingRow>& rows, Hertz clock,
                                         MemoryDescription& memory);

// Why these parts do not make one machine; empty if they do, as MemorySystem requires.
std::string memory_mistake(const MemoryDescription& memory);

// The hierarchy of a machine: the processor's rows, with the machine's own rows in their place.
// Error: one line; "machine, line N: ..." for one of the machine's rows.
Result<MemoryDescription, std::string> describe_memory(const CpuDescription& cpu,
                                                       const std::vector<TimingRow>& machine_rows,
                                                       Hertz clock);

// Gives caches that the machine has another size; all else that is known of them stays, the cost of
// a miss too. A miss that brought one line brings one of the new lines. Each level is named once at
// most. Error: one line that begins with a change's text, "l1d=16k,32,2: ...".
Result<Ok, std::string> change_caches(MemoryDescription& memory,
                                      const std::vector<CacheChange>& changes);

}  // namespace hardclock
