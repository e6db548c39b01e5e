// The rules of memory_system.h once more, with the caches of naive_memory.h: each cache knows the
// one behind it, and asks it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/timing/memory_system.h"
#include "tests/unit/timing/naive_memory.h"

namespace hardclock {

class NaiveSystem {
 public:
  enum class Kind { fetch, load, store };

  explicit NaiveSystem(const MemoryDescription& description)
      : description_(description), write_buffer_(description.write_buffer) {
    const CacheDescription& data = description.data_cache();
    if (data.present()) data_ = Part{data, NaiveCache(data), &statistics_.l1d};
    if (description.l1i.present()) {
      fetch_ = Part{description.l1i, NaiveCache(description.l1i), &statistics_.l1i};
    }
    if (description.l2.present()) {
      l2_ = Part{description.l2, NaiveCache(description.l2), &statistics_.l2};
    }
    if (description.l3.present()) {
      l3_ = Part{description.l3, NaiveCache(description.l3), &statistics_.l3};
    }
    if (description.tlb.present()) tlb_.emplace(description.tlb);
  }
  NaiveSystem(const NaiveSystem&) = delete;
  NaiveSystem& operator=(const NaiveSystem&) = delete;

  MemorySystem::AccessCost access(Kind kind, const MemorySystem::Address& address,
                                  std::uint64_t now) {
    outcome_ = {};
    busy_ = 0;
    now_ = now;
    if (tlb_) translate(address.space, address.virtual_address / description_.tlb.page);
    Part* const l1 = kind == Kind::fetch && !description_.l1.present() ? part(fetch_) : part(data_);
    if (l1 == nullptr) return outcome_;
    if (kind == Kind::load && description_.load_tlb.present()) find_page_of_load(address);
    MemorySystem::CacheCounts& counts = kind == Kind::fetch ? statistics_.l1i : statistics_.l1d;
    ++counts.accesses;
    const bool hit = l1->cache.find(address.physical_address) != nullptr;
    if (!hit) ++counts.misses;
    if (kind == Kind::store) {
      store(*l1, address.physical_address, hit);
    } else if (hit) {
      l1->cache.touch(address.physical_address, false);
    } else {
      outcome_.level = refill(*l1, address.physical_address, false);
    }
    return outcome_;
  }

  void execute(std::uint64_t instructions) {
    if (tlb_) tlb_->execute(instructions);
  }
  const MemorySystem::Statistics& statistics() const { return statistics_; }
  // Of the last access.
  std::uint32_t memory_busy() const { return busy_; }

 private:
  using Level = MemorySystem::Level;

  struct Part {
    CacheDescription description;
    NaiveCache cache;
    MemorySystem::CacheCounts* counts;
    bool keeps_stores() const { return description.policy == WritePolicy::write_back; }
  };
  static Part* part(std::optional<Part>& part) { return part ? &*part : nullptr; }

  void translate(std::uint32_t space, std::uint64_t page) {
    if (tlb_->touch(space, page)) return;
    tlb_->refill(space, page);
    ++statistics_.tlb_misses;
    outcome_.tlb_missed = true;
    outcome_.cycles += description_.tlb.refill_cycles;
  }

  struct PageOfLoads {
    std::uint32_t space = 0;
    std::uint64_t number = 0;
    std::set<std::uint64_t> lines;  // addresses of loads
  };

  void find_page_of_load(const MemorySystem::Address& address) {
    const std::uint64_t number = address.virtual_address / 4096;
    for (PageOfLoads& page : pages_of_loads_) {
      if (page.space != address.space || page.number != number) continue;
      page.lines.insert(address.physical_address);
      return;
    }
    outcome_.load_tlb_missed = true;
    outcome_.cycles += description_.load_tlb.refill_cycles;
    pages_of_loads_.push_back({address.space, number, {address.physical_address}});
    if (pages_of_loads_.size() <= description_.load_tlb.entries) return;
    for (const std::uint64_t line : pages_of_loads_.front().lines) data_->cache.remove(line);
    pages_of_loads_.pop_front();
  }

  void store(Part& l1, std::uint64_t address, bool hit) {
    const WriteMiss miss = l1.description.write_miss;
    if (hit) {
      l1.cache.touch(address, l1.keeps_stores());
    } else if (miss == WriteMiss::fetch) {
      outcome_.level = refill(l1, address, l1.keeps_stores());
    }
    const bool enters = hit || miss != WriteMiss::around;
    outcome_.repeats_as_hit = enters && l1.keeps_stores();
    if (!outcome_.repeats_as_hit) {
      const Level level = store_past_l1(address);
      if (!hit && miss != WriteMiss::fetch) outcome_.level = level;
    }
    if (!hit && miss == WriteMiss::validate) place(l1, address, l1.keeps_stores(), true);
  }

  Level store_past_l1(std::uint64_t address) {
    const std::uint32_t wait = write_buffer_.store(now_ + outcome_.cycles);
    outcome_.cycles += wait;
    statistics_.write_buffer_stalls += Cycles(wait);
    if (!l2_) return Level::memory;
    ++statistics_.l2.accesses;
    if (l2_->cache.touch(address, l2_->keeps_stores())) return Level::l2;
    ++statistics_.l2.misses;
    const bool enters = l2_->description.write_miss != WriteMiss::around;
    const Level level = ask_l3(address, !enters, false);
    if (enters) place_block(*l2_, address, l2_->keeps_stores(), false);
    if (level == Level::memory && (enters || l3_)) {
      memory_opens(address);
      wait_for_memory();
      memory_reads_a_line(true);
    }
    memory_writes_its_lines();
    return level;
  }

  // Who behind l2 has the line, which l3 then has, too.
  Level ask_l3(std::uint64_t address, bool makes_dirty, bool waits) {
    if (!l3_) return Level::memory;
    ++statistics_.l3.accesses;
    if (l3_->cache.touch(address, makes_dirty)) return Level::l3;
    ++statistics_.l3.misses;
    if (waits) outcome_.cycles += l3_->description.miss_cycles;
    if (waits) read_from_memory(address);
    place(*l3_, address, makes_dirty, waits);
    return Level::memory;
  }

  void wait_for_memory() {
    if (description_.misses_overlap) return;
    while (now_ + outcome_.cycles < memory_ends_) ++outcome_.cycles;
  }

  void read_from_memory(std::uint64_t address) {
    const std::uint32_t latency = memory_opens(address);
    wait_for_memory();
    memory_reads_a_line(description_.memory_line_cycles > latency);
    outcome_.cycles += latency;
  }

  std::uint32_t memory_opens(std::uint64_t address) {
    if (description_.open_page == 0) return description_.memory_cycles;
    const std::uint64_t page = address / description_.open_page;
    std::optional<std::uint64_t>& open = open_[page % description_.banks];
    return std::exchange(open, page) == page ? description_.open_page_cycles
                                             : description_.memory_cycles;
  }

  void memory_reads_a_line(bool is_felt) {
    busy_ += description_.memory_line_cycles;
    if (is_felt) memory_works(description_.memory_line_cycles);
  }

  Level refill(Part& l1, std::uint64_t address, bool dirty) {
    if (description_.write_buffer.misses_wait) {
      const std::uint32_t wait = write_buffer_.until_empty(now_ + outcome_.cycles);
      outcome_.cycles += wait;
      statistics_.write_buffer_stalls += Cycles(wait);
    }
    outcome_.cycles += l1.description.miss_cycles;
    Level level = Level::memory;
    if (l2_) {
      ++statistics_.l2.accesses;
      if (l2_->cache.touch(address, false)) {
        level = Level::l2;
      } else {
        ++statistics_.l2.misses;
        outcome_.cycles += l2_->description.miss_cycles;
      }
    }
    if (level == Level::memory) {
      level = ask_l3(address, false, true);
      if (level == Level::memory && !l3_) read_from_memory(address);
      if (l2_) place_block(*l2_, address, false, true);
      memory_writes_its_lines();
    }
    place_block(l1, address, dirty, true);
    return level;
  }

  // The whole block that a refill brings, without the lines that are there.
  void place_block(Part& part, std::uint64_t address, bool dirty, bool waits) {
    const CacheDescription& d = part.description;
    for (std::uint64_t line = 0; line < d.refill / d.line; ++line) {
      const std::uint64_t next = address / d.refill * d.refill + line * d.line;
      const bool is_wanted = next == part.cache.line_of(address);
      if (part.cache.find(next) == nullptr) place(part, next, dirty && is_wanted, waits);
    }
  }

  void place(Part& part, std::uint64_t address, bool dirty, bool waits) {
    const auto victim = part.cache.insert(address, dirty);
    if (!victim) return;
    bool is_dirty = victim->dirty;
    const bool is_l2 = l2_ && &part == &*l2_;
    if (is_l2 && description_.inclusive) {
      for (std::optional<Part>* l1 : {&fetch_, &data_}) {
        if (!*l1) continue;
        for (std::uint64_t byte = 0; byte < part.description.line; byte += 4) {
          const auto gone = (*l1)->cache.remove(victim->address + byte);
          if (!gone || !gone->dirty) continue;
          ++(*l1)->counts->write_backs;
          is_dirty = true;
        }
      }
    }
    if (!is_dirty) return;
    ++part.counts->write_backs;
    const bool is_l3 = l3_ && &part == &*l3_;
    if (waits && !is_l3) outcome_.cycles += part.description.victim_cycles;
    const bool stays_in_l2 = !is_l2 && !is_l3 && l2_ &&
                             l2_->cache.touch(victim->address, l2_->keeps_stores()) &&
                             l2_->keeps_stores();
    if (stays_in_l2) return;
    if (l3_ && !is_l3) {
      is_of_l1_ = !is_l2;
      if (!l3_->cache.touch(victim->address, true)) place(*l3_, victim->address, true, waits);
      is_of_l1_ = false;
      return;
    }
    if (waits) outcome_.cycles += description_.memory_victim_cycles;
    // A line of l1's goes at once, one of l2's when memory has answered.
    ++lines_for_memory_;
    if (!is_l2 && (!is_l3 || is_of_l1_)) memory_writes_its_lines();
  }

  void memory_writes_its_lines() {
    for (; lines_for_memory_ > 0; --lines_for_memory_) {
      busy_ += description_.memory_busy_cycles;
      memory_works(description_.memory_busy_cycles);
    }
  }

  void memory_works(std::uint32_t cycles) {
    if (cycles == 0 || description_.misses_overlap) return;
    while (memory_ends_ < now_ + outcome_.cycles) ++memory_ends_;
    memory_ends_ += cycles;
  }

  MemoryDescription description_;
  std::optional<Part> fetch_, data_, l2_, l3_;
  std::optional<NaiveTlb> tlb_;
  std::deque<PageOfLoads> pages_of_loads_;  // the one that came first first
  NaiveWriteBuffer write_buffer_;
  MemorySystem::Statistics statistics_;
  MemorySystem::AccessCost outcome_;
  std::uint64_t now_ = 0;
  std::uint64_t memory_ends_ = 0;  // with the lines that it is writing
  std::uint32_t busy_ = 0;         // cycles of memory that the access takes
  std::map<std::uint64_t, std::optional<std::uint64_t>> open_;  // pages, by bank
  int lines_for_memory_ = 0;
  bool is_of_l1_ = false;  // what l3 drives out makes room for a line of l1's
};

}  // namespace hardclock
