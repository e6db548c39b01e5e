// The memory hierarchy of one machine, shared by all its processes: TLB, first-level caches, write
// buffer, unified second-level and third-level caches, memory. It counts cycles and holds no
// values.
//
// An access first needs its page in the TLB, a load in the loads' own as well, then its line in the
// first-level cache of its side. Misses cost, one after the other, all in cycles that the processor
// waits:
//   TLB miss   the refill
//   l1 miss    the write buffer's emptying, if misses wait for it; l1's `miss`; if l2 misses as
//              well, l2's `miss`, the end of what memory is busy with, and l2's `victim` for each
//              dirty line that leaves l2; memory's latency if it must answer; l1's `victim` for
//              each dirty line that leaves l1; memory's `victim` for each of these lines that goes
//              to memory, which is then busy with it. No miss waits for what a store past l1
//              drives out of l2
//   a store that goes past l1 (write-through, or a miss written around)
//              the wait for a place in the write buffer; if a line has to be read for it, the end
//              of what memory is busy with; not what the next levels do with it later
// A line enters l2 first and then l1 (MIPS R4000 Microprocessor User's Manual, 2nd edition, 11.2
// and 11.3), so a line that an inclusive l2 drives out of l1 makes room for it. If that line is
// dirty in l1, it goes to memory as well. l1's own dirty victims are written to l2, as its most
// recently used lines, or to memory if they are not in an l2 that is not inclusive.
//
// An l3 stands before memory: what would go to memory goes to l3, as its most recently used lines,
// and costs what memory costs for each dirty line that leaves l3 for it. If l3 has a line that l2
// misses, that is all; else l3's `miss` and what memory costs are added.
//
// Where misses overlap, nothing here waits for memory to be free: memory_busy() is for the
// processor's window, which has the misses under way.
//
// Not modelled: accesses across two lines (the R3000's are words); partial stores under `allocate
// validate`, which leave their whole line valid; virtual indexing, which makes no difference as
// long as pages are coloured (physical_pages.h); a memory that is still busy with words from the
// write buffer when a read comes, except for the waits above.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/timing/cache.h"
#include "sim/timing/load_tlb.h"
#include "sim/timing/memory_description.h"
#include "sim/timing/tlb.h"
#include "sim/timing/write_buffer.h"

namespace hardclock {

enum class CacheSide : std::uint8_t { fetch, data };

enum class MemoryLevel : std::uint8_t { l1, l2, l3, memory };  // the one that had the line

struct MemoryAccessCost {
  std::uint32_t cycles = 0;              // that the pipeline waits
  std::uint32_t lines_written : 20 = 0;  // to memory
  std::uint32_t line_read : 1 = 0;       // from memory
  bool tlb_missed : 1 = false;
  bool load_tlb_missed : 1 = false;
  // If the same access (same kind, line and page) came next, it would cost nothing and change
  // only statistics(): the caller may skip it until a listener is notified of its line or page.
  bool repeats_as_hit : 1 = true;
  MemoryLevel level = MemoryLevel::l1;
};
static_assert(sizeof(MemoryAccessCost) == 8, "with a moment it is to fit into two registers");

// Notified when an access that hit (MemorySystem::AccessCost::repeats_as_hit) may no longer be. It
// must not call the MemorySystem.
class MemoryListener {
 public:
  virtual ~MemoryListener() = default;
  // Concerns all accesses of this side to the first-level cache line that begins at the address.
  virtual void line_changed(CacheSide side, std::uint64_t physical_address) = 0;
  // Concerns all accesses to the page. Its number is the virtual address / the TLB's page size.
  virtual void page_left(std::uint32_t space, std::uint64_t virtual_page) = 0;
  virtual void all_changed() = 0;
};

class MemorySystem {
 public:
  struct Address {
    std::uint32_t space = 0;  // the address space: every process has its own
    std::uint64_t virtual_address = 0;
    std::uint64_t physical_address = 0;
  };
  // Neither decreases from one access to the next.
  struct Moment {
    Cycles now;
    Instructions instructions;  // executed by the processor so far, in all processes
  };
  using Level = MemoryLevel;
  using AccessCost = MemoryAccessCost;
  // For which memory is busy with the access's lines.
  std::uint32_t memory_busy(const AccessCost& cost) const {
    return cost.line_read * description_.memory_line_cycles +
           cost.lines_written * description_.memory_busy_cycles;
  }

  struct CacheCounts {
    std::uint64_t accesses = 0;     // without write-backs from the previous level
    std::uint64_t misses = 0;       // every store that misses counts, whatever follows
    std::uint64_t write_backs = 0;  // dirty lines that left

    bool operator==(const CacheCounts&) const = default;
    static constexpr std::size_t state_members = 3;
  };
  // A unified l1 counts instruction fetches in l1i, the rest in l1d.
  struct Statistics {
    CacheCounts l1i, l1d, l2, l3;
    std::uint64_t tlb_misses = 0;
    Cycles write_buffer_stalls;

    bool operator==(const Statistics&) const = default;
    static constexpr std::size_t state_members = 6;
  };
  // Everything that the costs of later accesses depend on.
  struct State {
    std::array<Cache, 2> l1;  // by CacheSide; a unified one is [data]
    Cache l2;
    Cache l3;
    Tlb tlb;
    LoadTlb load_tlb;
    WriteBuffer write_buffer;
    Cycles memory_free_at{};
    // By bank: the number of the open page, from 1 on.
    std::array<std::uint64_t, MemoryDescription::most_banks> open_pages{};

    bool operator==(const State&) const = default;
    static constexpr std::size_t state_members = 8;
  };

  // The description's memory_mistake() must be empty.
  explicit MemorySystem(const MemoryDescription& description);
  MemorySystem(const MemorySystem&) = delete;
  MemorySystem& operator=(const MemorySystem&) = delete;

  AccessCost fetch(const Address& address, const Moment& moment) {
    return read(CacheSide::fetch, address, moment);
  }
  AccessCost load(const Address& address, const Moment& moment) {
    return read(CacheSide::data, address, moment);
  }
  AccessCost store(const Address& address, const Moment& moment) {
    const bool hits_at_once =
        is_mapped_at_once(address) && has_l1(CacheSide::data) &&
        l1(CacheSide::data).touch_at_once(address.physical_address, stores_stay_);
    if (!hits_at_once) return store_in_full(address, moment);
    ++statistics_.l1d.accesses;
    if (stores_stay_) return {};
    Progress progress{.start = moment.now, .outcome = {}};
    store_past_l1(address.physical_address, progress);
    return progress.outcome;
  }

  // The same, of a page that is_mapped_at_once().
  AccessCost fetch_mapped(const Address& address, Cycles now);
  AccessCost load_mapped(const Address& address, Cycles now);
  AccessCost store_mapped(const Address& address, Cycles now);
  // Whether the TLB clearly has the page: then the access does not depend on how many instructions
  // have been executed.
  bool is_mapped_at_once(const Address& address) const {
    return !has_tlb_ || state_.tlb.is_free(address.space, address.virtual_address >> page_shift_);
  }

  // Whether plain_access() may ever make such an access.
  bool has_plain_accesses(CacheSide side) const {
    return has_plain_accesses_[static_cast<std::size_t>(side)];
  }
  // An access of a page that is_mapped_at_once(), if it hits l1, or misses it, finds its line at
  // once in l2 or needs memory because there is no l2, and waits for at most `most` cycles: these
  // are made in the fewest steps. Returns the wait; later the access repeats as a hit. Or
  // not_plain: it has not been made. The caller counts the access by count_hits(); changed(line) is
  // called, not a listener. Only where has_plain_accesses(); no access of CacheSide::fetch is a
  // store.
  //
  // It returns numbers: optional ones would go through memory.
  template <CacheSide side, class Changed>
  std::uint32_t plain_access(bool is_store, std::uint64_t address, Cycles now, std::uint32_t most,
                             Changed changed);
  static constexpr std::uint32_t not_plain = ~std::uint32_t{0};

  // What plain accesses of a side look at and change, for code that makes them itself. Stays where
  // it is until restore().
  struct PlainParts {
    std::uint64_t* l1 = nullptr;  // Cache::places()
    std::uint64_t* l2 = nullptr;
    CacheCounts* l1_counts = nullptr;
    CacheCounts* l2_counts = nullptr;
    Cycles* memory_free_at = nullptr;
  };
  PlainParts plain_parts(CacheSide side) {
    return {l1(side).places(), state_.l2.places(), &counts(side), &statistics_.l2,
            &state_.memory_free_at};
  }

  // Removes the space's pages, or the entry of one page, from the TLB, and from that of loads.
  void remove_space(std::uint32_t space);
  void remove_page(std::uint32_t space, std::uint64_t virtual_address);
  // Removes the lines in the range (of at least one byte) from all caches. Not counted as
  // write-backs.
  void invalidate(std::uint64_t physical_address, std::uint64_t bytes);

  // Whether what an access costs depends on its moment's cycle.
  bool depends_on_moments() const {
    const bool is_memory_busy = !description_.misses_overlap &&
                                (description_.memory_busy_cycles | description_.memory_line_cycles);
    return description_.write_buffer.depth != 0 || is_memory_busy;
  }

  const MemoryDescription& description() const { return description_; }
  const Statistics& statistics() const { return statistics_; }
  // Counts accesses that the caller skipped because they hit. Fewer than none: accesses that were
  // counted when they were made are none after all.
  void count_hits(CacheSide side, std::int64_t accesses);

  const State& state() const { return state_; }
  void archive(Archive& to);
  // `state` must come from a system with the same description. Listeners get all_changed().
  void restore(const State& state, const Statistics& statistics);

  // A listener must live until it is removed.
  void add_listener(MemoryListener& listener);
  void remove_listener(MemoryListener& listener);

 private:
  // The costs of an access so far. Passed by value but to what is inlined, so that it stays in
  // registers.
  struct Progress {
    Cycles start;
    AccessCost outcome;

    Cycles now() const { return start + Cycles(outcome.cycles); }
    void wait(std::uint32_t cycles) { outcome.cycles += cycles; }
  };

  const CacheDescription& description_of(CacheSide side) const {
    return side == CacheSide::fetch && !unified_ ? description_.l1i : description_.data_cache();
  }
  bool has_l1(CacheSide side) const { return has_l1_[static_cast<std::size_t>(side)]; }
  Cache& l1(CacheSide side) { return state_.l1[side == CacheSide::fetch && !unified_ ? 0 : 1]; }
  CacheCounts& counts(CacheSide side) {
    return side == CacheSide::fetch ? statistics_.l1i : statistics_.l1d;
  }

  // Most accesses are free and are answered here; the others take the full path.
  AccessCost read(CacheSide side, const Address& address, const Moment& moment) {
    const bool is_free = is_mapped_at_once(address) && has_l1(side) &&
                         (side == CacheSide::fetch || is_in_load_tlb(address)) &&
                         l1(side).touch_at_once(address.physical_address, false);
    if (!is_free) return read_in_full(side, address, moment);
    ++counts(side).accesses;
    return {};
  }
  // A load that it has been told of may be told again.
  bool is_in_load_tlb(const Address& address) {
    return !has_load_tlb_ || state_.load_tlb.touch(address.space, address.virtual_address);
  }
  AccessCost read_in_full(CacheSide side, const Address& address, const Moment& moment);
  AccessCost store_in_full(const Address& address, const Moment& moment);
  void read_line(CacheSide side, std::uint64_t address, Progress& progress);
  void store_line(std::uint64_t address, Progress& progress);
  AccessCost translate(const Address& address, Instructions instructions);
  void enter_load_tlb(const Address& address, Progress& progress);
  void take_out_of_l1d(const LoadTlb::Page& page);
  void remove_from_load_tlb(std::uint32_t space, std::uint64_t first, std::uint64_t last);
  void miss(CacheSide side, std::uint64_t address, bool dirty, Progress& progress);
  void miss_store(std::uint64_t address, Progress& progress);
  void put_into_l1(CacheSide side, std::uint64_t address, bool dirty, Progress& progress);
  void read_from_next_level(std::uint64_t address, Progress& progress);
  Progress read_behind_l2(std::uint64_t address, Progress progress);
  bool find_in_l2(std::uint64_t address, Progress& progress);
  bool find_in_l3(std::uint64_t address);
  // Both return how many dirty lines go to memory for it: 0 or 1.
  std::uint32_t put_into_l3(std::uint64_t address, bool dirty);
  std::uint32_t write_to_memory(std::uint64_t address);
  std::uint32_t until_memory_is_free(Cycles now) const {
    if (now >= state_.memory_free_at) return 0;
    return static_cast<std::uint32_t>((state_.memory_free_at - now).value());
  }
  // After what it is busy with.
  void keep_memory_busy(std::uint64_t cycles, Cycles now) {
    if (cycles == 0 || description_.misses_overlap) return;
    state_.memory_free_at = std::max(state_.memory_free_at, now) + Cycles(cycles);
  }
  void write_lines(std::uint32_t lines, Progress& progress);
  std::uint32_t open_page(std::uint64_t address);
  void read_from_memory(std::uint64_t address, Progress& progress);
  bool are_plain(CacheSide side) const;
  template <CacheSide side>
  std::uint32_t plain_wait(const Cache::Insertion& out, Cycles now) const;
  template <CacheSide side>
  bool take_plain_victim(const Cache::Insertion& out, Cycles now);
  // Returns the level that had its line.
  Level store_past_l1(std::uint64_t address, Progress& progress) {
    const std::uint32_t wait = state_.write_buffer.store(progress.now());
    statistics_.write_buffer_stalls += Cycles(wait);
    progress.wait(wait);
    progress.outcome.repeats_as_hit = false;
    return description_.l2.present() ? write_to_l2(address, progress) : Level::memory;
  }
  Level write_to_l2(std::uint64_t address, Progress& progress);
  Level write_behind_l2(std::uint64_t address, Progress& progress);
  bool write_back_to_l2(std::uint64_t address);
  // Dirty lines that a refill of l2 drives out, and those that go to memory therefore.
  struct Victims {
    std::uint32_t of_l2 = 0;
    std::uint32_t to_memory = 0;
  };
  Victims put_into_l2(std::uint64_t address, bool dirty);
  bool take_out_of_l1(std::uint64_t address, std::uint64_t bytes, bool writes_back);

  void tell_line_changed(CacheSide side, std::uint64_t address);
  void tell_pages_left(const Tlb::Mapping& mapping);

  MemoryDescription description_;
  bool unified_;
  std::array<bool, 2> has_l1_;  // by CacheSide
  bool has_tlb_;
  bool has_load_tlb_;
  bool stores_stay_;  // stores that hit l1 go no further
  bool l2_takes_victims_;
  std::array<bool, 2> has_plain_accesses_{};  // by CacheSide
  std::uint32_t page_shift_;
  State state_;
  Statistics statistics_;
  std::vector<MemoryListener*> listeners_;
};

template <CacheSide side, class Changed>
[[gnu::always_inline]] inline std::uint32_t MemorySystem::plain_access(
    bool is_store, std::uint64_t address, Cycles now, std::uint32_t most, Changed changed) {
  Cache& cache = state_.l1[static_cast<std::size_t>(side)];
  const Cache::Touch touch = cache.touch(address, is_store);
  if (touch.hit) {
    if (touch.demoted != Cache::no_line) changed(touch.demoted);
    return 0;
  }
  const bool has_l2 = description_.l2.present();
  if (has_l2 && !state_.l2.touch_at_once(address, false)) return not_plain;
  const Cache::Insertion out = cache.next_victim(address);
  const std::uint32_t wait = plain_wait<side>(out, now);
  if (wait > most) return not_plain;
  if (!take_plain_victim<side>(out, now + Cycles(wait))) return not_plain;
  if (has_l2) ++statistics_.l2.accesses;
  ++counts(side).misses;
  const Cache::Insertion insertion = cache.insert_in_order(address, is_store);
  if (insertion.demoted != Cache::no_line) changed(insertion.demoted);
  if (insertion.victim != Cache::no_line) changed(insertion.victim);
  return wait;
}

// What has been fetched is never dirty.
template <CacheSide side>
[[gnu::always_inline]] inline std::uint32_t MemorySystem::plain_wait(const Cache::Insertion& out,
                                                                     Cycles now) const {
  const CacheDescription& of = side == CacheSide::fetch ? description_.l1i : description_.l1d;
  std::uint32_t wait = of.miss_cycles;
  if (!description_.l2.present())
    wait += until_memory_is_free(now + Cycles(wait)) + description_.memory_cycles;
  if (side == CacheSide::fetch || !out.victim_dirty) return wait;
  return wait + of.victim_cycles + (l2_takes_victims_ ? 0 : description_.memory_victim_cycles);
}

// A dirty line leaves l1 at `now`. Whether l2 had it at once, if that takes it.
template <CacheSide side>
[[gnu::always_inline]] inline bool MemorySystem::take_plain_victim(const Cache::Insertion& out,
                                                                   Cycles now) {
  if (side == CacheSide::fetch || !out.victim_dirty) return true;
  if (!l2_takes_victims_)
    keep_memory_busy(description_.memory_busy_cycles, now);
  else if (!state_.l2.touch_at_once(out.victim, true))
    return false;
  ++statistics_.l1d.write_backs;
  return true;
}

}  // namespace hardclock
