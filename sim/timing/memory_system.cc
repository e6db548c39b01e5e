#include "sim/timing/memory_system.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/base/check.h"
#include "sim/state/archive.h"

namespace hardclock {
namespace {

Cache cache_of(const CacheDescription& description) {
  return description.present() ? Cache(description) : Cache();
}

bool is_write_back(const CacheDescription& cache) {
  return cache.policy == WritePolicy::write_back;
}

}  // namespace

MemorySystem::MemorySystem(const MemoryDescription& description)
    : description_(description),
      unified_(description.l1.present()),
      has_l1_{unified_ || description.l1i.present(), description.data_cache().present()},
      has_tlb_(description.tlb.present()),
      has_load_tlb_(description.load_tlb.present()),
      stores_stay_(is_write_back(description.data_cache())),
      l2_takes_victims_(description.l2.present() && is_write_back(description.l2)),
      page_shift_(static_cast<std::uint32_t>(std::countr_zero(description.tlb.page))),
      state_{.l1 = {cache_of(description.l1i), cache_of(description.data_cache())},
             .l2 = cache_of(description.l2),
             .l3 = cache_of(description.l3),
             .tlb = has_tlb_ ? Tlb(description.tlb) : Tlb(),
             .load_tlb =
                 has_load_tlb_ ? LoadTlb(description.load_tlb, description.l1d.line) : LoadTlb(),
             .write_buffer = WriteBuffer(description.write_buffer)} {
  CHECK(memory_mistake(description).empty());
  has_plain_accesses_ = {are_plain(CacheSide::fetch), are_plain(CacheSide::data)};
}

// Not where an access goes past l1, brings more than its line, or waits for the write buffer; nor
// where a victim may change anything but what it is told to.
bool MemorySystem::are_plain(CacheSide side) const {
  if (unified_ || !has_l1(side)) return false;
  const CacheDescription& cache = description_of(side);
  const CacheDescription& l2 = description_.l2;
  const bool victims_are_simple =
      l2_takes_victims_ || (!description_.l3.present() && (!l2.present() || l2.ways == 1));
  const bool stores_are_simple =
      side == CacheSide::fetch || (stores_stay_ && cache.write_miss == WriteMiss::fetch);
  const bool reads_are_simple =
      !description_.misses_overlap &&
      (l2.present() || (description_.memory_line_cycles <= description_.memory_cycles &&
                        description_.open_page == 0));
  return victims_are_simple && stores_are_simple && reads_are_simple &&
         cache.refill == cache.line && cache.replacement != Replacement::random &&
         !description_.write_buffer.misses_wait;
}

// What nearly every miss goes through is inlined into the functions that begin one.
[[gnu::always_inline]] inline void MemorySystem::tell_line_changed(CacheSide side,
                                                                   std::uint64_t address) {
  for (MemoryListener* listener : listeners_) {
    listener->line_changed(side, address);
    if (!unified_) continue;
    listener->line_changed(side == CacheSide::fetch ? CacheSide::data : CacheSide::fetch, address);
  }
}

// Memory goes on by itself with lines that are written to it.
[[gnu::always_inline]] inline void MemorySystem::write_lines(std::uint32_t lines,
                                                             Progress& progress) {
  progress.outcome.lines_written += lines;
  keep_memory_busy(std::uint64_t{lines} * description_.memory_busy_cycles, progress.now());
}

// Whether the line stays there.
[[gnu::always_inline]] inline bool MemorySystem::write_back_to_l2(std::uint64_t address) {
  if (!description_.l2.present()) return false;
  const bool stays = is_write_back(description_.l2);
  return state_.l2.touch(address, stays).hit && stays;
}

[[gnu::always_inline]] inline void MemorySystem::put_into_l1(CacheSide side, std::uint64_t address,
                                                             bool dirty, Progress& progress) {
  const Cache::Insertion insertion = l1(side).insert(address, dirty);
  if (insertion.demoted != Cache::no_line) tell_line_changed(side, insertion.demoted);
  if (insertion.victim == Cache::no_line) return;
  tell_line_changed(side, insertion.victim);
  if (!insertion.victim_dirty) return;
  ++statistics_.l1d.write_backs;
  progress.wait(description_of(side).victim_cycles);
  if (write_back_to_l2(insertion.victim)) return;
  const std::uint32_t lines = write_to_memory(insertion.victim);
  progress.wait(lines * description_.memory_victim_cycles);
  write_lines(lines, progress);
}

[[gnu::always_inline]] inline bool MemorySystem::find_in_l2(std::uint64_t address,
                                                            Progress& progress) {
  ++statistics_.l2.accesses;
  progress.outcome.level = Level::l2;
  if (state_.l2.touch(address, false).hit) return true;
  ++statistics_.l2.misses;
  progress.wait(description_.l2.miss_cycles);
  return false;
}

[[gnu::always_inline]] inline void MemorySystem::read_from_next_level(std::uint64_t address,
                                                                      Progress& progress) {
  if (description_.l2.present() && find_in_l2(address, progress)) return;
  progress = read_behind_l2(address, progress);
}

// Brings the line into l1, together with the missing lines of its refill block.
[[gnu::always_inline]] inline void MemorySystem::miss(CacheSide side, std::uint64_t address,
                                                      bool dirty, Progress& progress) {
  const CacheDescription& cache = description_of(side);
  ++counts(side).misses;
  if (description_.write_buffer.misses_wait) {
    const std::uint32_t wait = state_.write_buffer.until_empty(progress.now());
    statistics_.write_buffer_stalls += Cycles(wait);
    progress.wait(wait);
  }
  progress.wait(cache.miss_cycles);
  read_from_next_level(address, progress);
  if (cache.refill == cache.line) {
    put_into_l1(side, address, dirty, progress);
    return;
  }
  const std::uint64_t block = address & ~std::uint64_t{cache.refill - 1};
  const std::uint64_t wanted = address & ~std::uint64_t{cache.line - 1};
  for (std::uint64_t line = block; line < block + cache.refill; line += cache.line) {
    if (line == wanted || !l1(side).contains(line)) {
      put_into_l1(side, line, dirty && line == wanted, progress);
    }
  }
}

[[gnu::always_inline]] inline void MemorySystem::miss_store(std::uint64_t address,
                                                            Progress& progress) {
  const WriteMiss action = description_.data_cache().write_miss;
  if (action == WriteMiss::fetch) {
    miss(CacheSide::data, address, stores_stay_, progress);
  } else {
    ++statistics_.l1d.misses;
  }
  if (!stores_stay_ || action == WriteMiss::around) {
    const Level written = store_past_l1(address, progress);
    if (action != WriteMiss::fetch) progress.outcome.level = written;
  }
  if (action == WriteMiss::validate) {
    put_into_l1(CacheSide::data, address, stores_stay_, progress);
  }
}

[[gnu::always_inline]] inline void MemorySystem::read_line(CacheSide side, std::uint64_t address,
                                                           Progress& progress) {
  if (!has_l1(side)) return;
  ++counts(side).accesses;
  const Cache::Touch touch = l1(side).touch(address, false);
  if (!touch.hit) miss(side, address, false, progress);
  if (touch.demoted != Cache::no_line) tell_line_changed(side, touch.demoted);
}

[[gnu::always_inline]] inline void MemorySystem::store_line(std::uint64_t address,
                                                            Progress& progress) {
  if (!has_l1(CacheSide::data)) return;
  ++statistics_.l1d.accesses;
  const Cache::Touch touch = l1(CacheSide::data).touch(address, stores_stay_);
  if (touch.demoted != Cache::no_line) tell_line_changed(CacheSide::data, touch.demoted);
  if (!touch.hit) {
    miss_store(address, progress);
  } else if (!stores_stay_) {
    store_past_l1(address, progress);
  }
}

// The lines of the page that it takes the place of leave l1d with it.
[[gnu::always_inline]] inline void MemorySystem::enter_load_tlb(const Address& address,
                                                                Progress& progress) {
  if (is_in_load_tlb(address)) return;
  progress.outcome.load_tlb_missed = true;
  progress.wait(description_.load_tlb.refill_cycles);
  take_out_of_l1d(
      state_.load_tlb.refill(address.space, address.virtual_address, address.physical_address));
}

MemorySystem::AccessCost MemorySystem::fetch_mapped(const Address& address, Cycles now) {
  Progress progress{.start = now, .outcome = {}};
  read_line(CacheSide::fetch, address.physical_address, progress);
  return progress.outcome;
}

MemorySystem::AccessCost MemorySystem::load_mapped(const Address& address, Cycles now) {
  Progress progress{.start = now, .outcome = {}};
  enter_load_tlb(address, progress);
  read_line(CacheSide::data, address.physical_address, progress);
  return progress.outcome;
}

MemorySystem::AccessCost MemorySystem::store_mapped(const Address& address, Cycles now) {
  Progress progress{.start = now, .outcome = {}};
  store_line(address.physical_address, progress);
  return progress.outcome;
}

MemorySystem::AccessCost MemorySystem::read_in_full(CacheSide side, const Address& address,
                                                    const Moment& moment) {
  Progress progress{.start = moment.now, .outcome = translate(address, moment.instructions)};
  if (side == CacheSide::data) enter_load_tlb(address, progress);
  read_line(side, address.physical_address, progress);
  return progress.outcome;
}

MemorySystem::AccessCost MemorySystem::store_in_full(const Address& address, const Moment& moment) {
  Progress progress{.start = moment.now, .outcome = translate(address, moment.instructions)};
  store_line(address.physical_address, progress);
  return progress.outcome;
}

MemorySystem::AccessCost MemorySystem::translate(const Address& address,
                                                 Instructions instructions) {
  if (is_mapped_at_once(address)) return {};
  const std::uint64_t page = address.virtual_address >> page_shift_;
  const Tlb::Lookup lookup = state_.tlb.lookup(address.space, page);
  if (lookup.demoted.valid) tell_pages_left(lookup.demoted);
  if (lookup.hit) return {};
  ++statistics_.tlb_misses;
  const Tlb::Refill refill = state_.tlb.refill(address.space, page, instructions);
  if (refill.evicted.valid) tell_pages_left(refill.evicted);
  if (refill.demoted.valid) tell_pages_left(refill.demoted);
  return {.cycles = description_.tlb.refill_cycles, .tlb_missed = true};
}

// What l2, if there is one, does not have.
auto MemorySystem::read_behind_l2(std::uint64_t address, Progress progress) -> Progress {
  const bool is_in_l3 = description_.l3.present() && find_in_l3(address);
  std::uint32_t to_memory = 0;
  if (is_in_l3) {
    progress.outcome.level = Level::l3;
  } else {
    progress.outcome.level = Level::memory;
    if (description_.l3.present()) progress.wait(description_.l3.miss_cycles);
    read_from_memory(address, progress);
    if (description_.l3.present()) to_memory += put_into_l3(address, false);
  }
  if (description_.l2.present()) {
    const Victims victims = put_into_l2(address, false);
    progress.wait(victims.of_l2 * description_.l2.victim_cycles);
    to_memory += victims.to_memory;
  }
  progress.wait(to_memory * description_.memory_victim_cycles);
  write_lines(to_memory, progress);
  return progress;
}

// As soon as memory is free. What it does while the access waits for it needs no keeping.
void MemorySystem::read_from_memory(std::uint64_t address, Progress& progress) {
  const std::uint32_t latency = open_page(address);
  const std::uint32_t cycles = description_.memory_line_cycles;
  progress.outcome.line_read = 1;
  progress.wait(until_memory_is_free(progress.now()));
  if (cycles > latency) keep_memory_busy(cycles, progress.now());
  progress.wait(latency);
}

// The latency of a line of the page, which is then the open one.
std::uint32_t MemorySystem::open_page(std::uint64_t address) {
  if (description_.open_page == 0) return description_.memory_cycles;
  const std::uint64_t page = address / description_.open_page + 1;
  const bool is_open = std::exchange(state_.open_pages[page % description_.banks], page) == page;
  return is_open ? description_.open_page_cycles : description_.memory_cycles;
}

bool MemorySystem::find_in_l3(std::uint64_t address) {
  ++statistics_.l3.accesses;
  if (state_.l3.touch(address, false).hit) return true;
  ++statistics_.l3.misses;
  return false;
}

std::uint32_t MemorySystem::put_into_l3(std::uint64_t address, bool dirty) {
  const Cache::Insertion insertion = state_.l3.insert(address, dirty);
  if (insertion.victim == Cache::no_line || !insertion.victim_dirty) return 0;
  ++statistics_.l3.write_backs;
  return 1;
}

std::uint32_t MemorySystem::write_to_memory(std::uint64_t address) {
  if (!description_.l3.present()) return 1;
  return state_.l3.touch(address, true).hit ? 0 : put_into_l3(address, true);
}

MemorySystem::Level MemorySystem::write_to_l2(std::uint64_t address, Progress& progress) {
  const CacheDescription& l2 = description_.l2;
  ++statistics_.l2.accesses;
  if (state_.l2.touch(address, is_write_back(l2)).hit) return Level::l2;
  ++statistics_.l2.misses;
  return write_behind_l2(address, progress);
}

// The pipeline goes on while the line is read in which the store is made.
MemorySystem::Level MemorySystem::write_behind_l2(std::uint64_t address, Progress& progress) {
  const bool enters_l2 = description_.l2.write_miss != WriteMiss::around;
  const bool has_l3 = description_.l3.present();
  if (has_l3) ++statistics_.l3.accesses;
  const bool is_in_l3 = has_l3 && state_.l3.touch(address, !enters_l2).hit;
  std::uint32_t to_memory = 0;
  if (has_l3 && !is_in_l3) {
    ++statistics_.l3.misses;
    to_memory += put_into_l3(address, !enters_l2);
  }
  if (enters_l2) to_memory += put_into_l2(address, is_write_back(description_.l2)).to_memory;
  if (!is_in_l3 && (enters_l2 || has_l3)) {
    open_page(address);
    progress.outcome.line_read = 1;
    progress.wait(until_memory_is_free(progress.now()));
    keep_memory_busy(description_.memory_line_cycles, progress.now());
  }
  write_lines(to_memory, progress);
  return is_in_l3 ? Level::l3 : Level::memory;
}

// A refill of l2 that begins with a miss of the line at the address.
MemorySystem::Victims MemorySystem::put_into_l2(std::uint64_t address, bool dirty) {
  const CacheDescription& l2 = description_.l2;
  const std::uint64_t block = address & ~std::uint64_t{l2.refill - 1};
  const std::uint64_t wanted = address & ~std::uint64_t{l2.line - 1};
  Victims victims;
  for (std::uint64_t line = block; line < block + l2.refill; line += l2.line) {
    if (line != wanted && state_.l2.contains(line)) continue;
    const Cache::Insertion insertion = state_.l2.insert(line, dirty && line == wanted);
    if (insertion.victim == Cache::no_line) continue;
    const bool dirty_in_l1 =
        description_.inclusive && take_out_of_l1(insertion.victim, l2.line, true);
    if (!insertion.victim_dirty && !dirty_in_l1) continue;
    ++statistics_.l2.write_backs;
    ++victims.of_l2;
    victims.to_memory += write_to_memory(insertion.victim);
  }
  return victims;
}

// Whether a dirty line was among those removed.
bool MemorySystem::take_out_of_l1(std::uint64_t address, std::uint64_t bytes, bool writes_back) {
  bool was_dirty = false;
  for (const CacheSide side : {CacheSide::fetch, CacheSide::data}) {
    if (!has_l1(side) || (side == CacheSide::fetch && unified_)) continue;
    const std::uint64_t line_size = description_of(side).line;
    const std::uint64_t last = (address + bytes - 1) & ~(line_size - 1);
    for (std::uint64_t line = address & ~(line_size - 1); line <= last; line += line_size) {
      const Cache::Removal removal = l1(side).remove(line);
      if (removal.present) tell_line_changed(side, line);
      if (!removal.dirty) continue;
      was_dirty = true;
      if (writes_back) ++statistics_.l1d.write_backs;
    }
  }
  return was_dirty;
}

void MemorySystem::take_out_of_l1d(const LoadTlb::Page& page) {
  const std::uint64_t line_size = description_.l1d.line;
  for (std::uint64_t left = page.lines; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t line = page.physical_address + number * line_size;
    if (l1(CacheSide::data).remove(line).present) tell_line_changed(CacheSide::data, line);
  }
}

void MemorySystem::remove_from_load_tlb(std::uint32_t space, std::uint64_t first,
                                        std::uint64_t last) {
  if (!has_load_tlb_) return;
  state_.load_tlb.remove(space, first, last,
                         [this](const LoadTlb::Page& page) { take_out_of_l1d(page); });
}

void MemorySystem::remove_space(std::uint32_t space) {
  if (!has_tlb_) return;
  remove_from_load_tlb(space, 0, ~std::uint64_t{0});
  for (const Tlb::Mapping& mapping : state_.tlb.remove(space)) tell_pages_left(mapping);
}

void MemorySystem::remove_page(std::uint32_t space, std::uint64_t virtual_address) {
  if (!has_tlb_) return;
  const std::uint64_t bytes = std::uint64_t{description_.tlb.pages} << page_shift_;
  const std::uint64_t first = virtual_address & ~(bytes - 1);
  remove_from_load_tlb(space, first, first + (bytes - 1));
  const Tlb::Mapping removed = state_.tlb.remove(space, virtual_address >> page_shift_);
  if (removed.valid) tell_pages_left(removed);
}

void MemorySystem::invalidate(std::uint64_t physical_address, std::uint64_t bytes) {
  take_out_of_l1(physical_address, bytes, false);
  if (!description_.l2.present()) return;
  const std::uint64_t line_size = description_.l2.line;
  const std::uint64_t last = (physical_address + bytes - 1) & ~(line_size - 1);
  for (std::uint64_t line = physical_address & ~(line_size - 1); line <= last; line += line_size) {
    state_.l2.remove(line);
    if (description_.inclusive) take_out_of_l1(line, line_size, false);
  }
  if (!description_.l3.present()) return;
  const std::uint64_t l3_line = description_.l3.line;
  for (std::uint64_t line = physical_address & ~(l3_line - 1); line < physical_address + bytes;
       line += l3_line) {
    state_.l3.remove(line);
  }
}

void MemorySystem::count_hits(CacheSide side, std::int64_t accesses) {
  if (has_l1(side)) counts(side).accesses += static_cast<std::uint64_t>(accesses);
}

void MemorySystem::restore(const State& state, const Statistics& statistics) {
  state_ = state;
  statistics_ = statistics;
  for (MemoryListener* listener : listeners_) listener->all_changed();
}

void MemorySystem::add_listener(MemoryListener& listener) {
  listeners_.push_back(&listener);
}

void MemorySystem::remove_listener(MemoryListener& listener) {
  std::erase(listeners_, &listener);
}

void MemorySystem::tell_pages_left(const Tlb::Mapping& mapping) {
  for (MemoryListener* listener : listeners_) {
    for (std::uint32_t page = 0; page < description_.tlb.pages; ++page) {
      listener->page_left(mapping.space, mapping.first_page + page);
    }
  }
}

void MemorySystem::archive(Archive& to) {
  to.state(state_, statistics_);
  to.wiring(description_, unified_, has_l1_, has_tlb_, has_load_tlb_, stores_stay_,
            l2_takes_victims_, has_plain_accesses_, page_shift_);
  if (!to.loads()) return;
  for (MemoryListener* const listener : listeners_) listener->all_changed();
}

void WriteBuffer::archive(Archive& to) {
  auto& [depth, drain, empty_at] = *this;
  to.state(empty_at);
  to.wiring(depth, drain);
}

}  // namespace hardclock
