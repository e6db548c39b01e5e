// Caches, TLBs and write buffers as a textbook explains them (Hennessy and Patterson, "Computer
// Architecture: A Quantitative Approach", appendix on caches; Dinero's policies), written to be
// obviously right: lists with time stamps, registers that count, queues that move cycle by cycle.
// They share no code with sim/timing but the descriptions.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/timing/memory_description.h"

namespace hardclock {

// Marsaglia, "Xorshift RNGs" (2003): the function xor() of its section 3.
inline std::uint32_t marsaglia_xorshift(std::uint32_t& y) {
  y = y ^ (y << 13);
  y = y ^ (y >> 17);
  return y = y ^ (y << 5);
}

class NaiveCache {
 public:
  struct Line {
    std::uint64_t address = 0;
    bool dirty = false;
    std::uint64_t arrived = 0, used = 0;
  };

  explicit NaiveCache(const CacheDescription& description) : description_(description) {
    const std::uint64_t lines = description.size / description.line;
    sets_.resize(lines / description.ways);
    for (auto& set : sets_) set.resize(description.ways);
  }

  Line* find(std::uint64_t address) {
    for (auto& place : set_of(address)) {
      if (place && place->address == line_of(address)) return &*place;
    }
    return nullptr;
  }

  // The line of the address's set that was used last.
  std::optional<std::uint64_t> newest(std::uint64_t address) {
    const Line* newest = nullptr;
    for (const auto& place : set_of(address)) {
      if (place && (newest == nullptr || place->used > newest->used)) newest = &*place;
    }
    return newest == nullptr ? std::nullopt : std::optional(newest->address);
  }

  bool touch(std::uint64_t address, bool makes_dirty) {
    Line* const line = find(address);
    if (line == nullptr) return false;
    line->used = ++time_;
    line->dirty = line->dirty || makes_dirty;
    return true;
  }

  // Puts a line in; the one that had to go.
  std::optional<Line> insert(std::uint64_t address, bool dirty) {
    auto& place = victim(set_of(address));
    const std::optional<Line> left = place;
    ++time_;
    place = Line{line_of(address), dirty, time_, time_};
    return left;
  }

  std::optional<Line> remove(std::uint64_t address) {
    for (auto& place : set_of(address)) {
      if (!place || place->address != line_of(address)) continue;
      const std::optional<Line> left = place;
      place.reset();
      return left;
    }
    return std::nullopt;
  }

  std::uint64_t line_of(std::uint64_t address) const {
    return address / description_.line * description_.line;
  }

 private:
  using Set = std::vector<std::optional<Line>>;

  Set& set_of(std::uint64_t address) { return sets_[address / description_.line % sets_.size()]; }

  std::optional<Line>& victim(Set& set) {
    for (auto& place : set) {
      if (!place) return place;
    }
    if (description_.replacement == Replacement::random) {
      return set[marsaglia_xorshift(random_) % set.size()];
    }
    std::size_t best = 0;
    for (std::size_t way = 1; way < set.size(); ++way) {
      const bool is_older = description_.replacement == Replacement::lru
                                ? set[way]->used < set[best]->used
                                : set[way]->arrived < set[best]->arrived;
      if (is_older) best = way;
    }
    return set[best];
  }

  CacheDescription description_;
  std::vector<Set> sets_;
  std::uint64_t time_ = 0;
  std::uint32_t random_ = 2463534242;  // Marsaglia's initial y
};

class NaiveTlb {
 public:
  struct Entry {
    std::uint32_t space = 0;
    std::uint64_t first_page = 0;
    std::uint64_t used = 0;
  };

  explicit NaiveTlb(const TlbDescription& description)
      : description_(description),
        entries_(description.entries),
        random_register_(description.entries - 1) {}

  void execute(std::uint64_t instructions) {
    for (std::uint64_t i = 0; i < instructions; ++i) {
      random_register_ =
          random_register_ == description_.wired ? description_.entries - 1 : random_register_ - 1;
    }
  }

  Entry* find(std::uint32_t space, std::uint64_t page) {
    for (auto& entry : entries_) {
      const bool maps = entry && entry->space == space && entry->first_page <= page &&
                        page < entry->first_page + description_.pages;
      if (maps) return &*entry;
    }
    return nullptr;
  }
  // The time of the last use, if the entry used then is still there.
  std::optional<std::uint64_t> newest() const {
    for (const auto& entry : entries_) {
      if (entry && entry->used == time_) return time_;
    }
    return std::nullopt;
  }
  bool touch(std::uint32_t space, std::uint64_t page) {
    Entry* const entry = find(space, page);
    if (entry != nullptr) entry->used = ++time_;
    return entry != nullptr;
  }
  std::optional<Entry> refill(std::uint32_t space, std::uint64_t page) {
    auto& place = victim();
    const std::optional<Entry> left = place;
    place = Entry{space, page - page % description_.pages, ++time_};
    return left;
  }
  void remove(std::uint32_t space, std::optional<std::uint64_t> page) {
    for (auto& entry : entries_) {
      const bool goes = entry && entry->space == space && (!page || &*entry == find(space, *page));
      if (goes) entry.reset();
    }
  }

 private:
  std::optional<Entry>& victim() {
    if (description_.replacement == Replacement::random) return entries_[random_register_];
    std::size_t best = description_.wired;
    for (std::size_t i = description_.wired; i < entries_.size(); ++i) {
      if (!entries_[i]) return entries_[i];
      if (entries_[i]->used < entries_[best]->used) best = i;
    }
    return entries_[best];
  }

  TlbDescription description_;
  std::vector<std::optional<Entry>> entries_;
  std::uint32_t random_register_;
  std::uint64_t time_ = 0;
};

class NaiveWriteBuffer {
 public:
  explicit NaiveWriteBuffer(const WriteBufferDescription& description)
      : description_(description) {}

  std::uint32_t store(std::uint64_t now) {
    if (description_.depth == 0) return 0;
    advance(now);
    std::uint32_t waited = 0;
    for (; cycles_left_.size() == description_.depth; ++waited) advance(now_ + 1);
    cycles_left_.push_back(description_.drain_cycles);
    return waited;
  }

  std::uint32_t until_empty(std::uint64_t now) {
    advance(now);
    std::uint32_t cycles = 0;
    for (const std::uint32_t left : cycles_left_) cycles += left;
    return cycles;
  }

 private:
  void advance(std::uint64_t now) {
    for (; now_ < now; ++now_) {
      if (!cycles_left_.empty() && --cycles_left_.front() == 0) cycles_left_.pop_front();
    }
  }

  WriteBufferDescription description_;
  std::uint64_t now_ = 0;
  std::deque<std::uint32_t> cycles_left_;  // the first one is under way
};

}  // namespace hardclock
