// The first-level TLB of an l1d whose tags are "prevalidated", as the Itanium 2's are: a tag names
// an entry of this TLB in place of a physical address, so that a load that misses the TLB misses
// l1d as well, and the lines of a page that leaves the one are no longer in the other (C. McNairy
// and D. Soltis, "Itanium 2 Processor Microarchitecture", IEEE Micro 23-2, 2003).
//
// Only loads look here. Entries take a page of 4 KB each, in turn; a hit changes nothing but which
// lines of the page l1d may have. The TLB behind it replaces its pages by its own rule: what leaves
// that one may still be here.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/state/archive.h"
#include "sim/timing/memory_description.h"

namespace hardclock {

class LoadTlb {
 public:
  static constexpr std::uint64_t page = LoadTlbDescription::page;

  // A page that has left, and which of its lines l1d may have: a bit each.
  struct Page {
    std::uint64_t physical_address = 0;
    std::uint64_t lines = 0;
  };

  LoadTlb() = default;  // there is none; must not be used
  LoadTlb(const LoadTlbDescription& description, std::uint32_t line)
      : line_shift_(static_cast<std::uint32_t>(std::countr_zero(line))),
        entries_(description.entries) {}

  // Whether a load's page is here. Its line then is one that l1d may have.
  bool touch(std::uint32_t space, std::uint64_t address) {
    const std::uint64_t number = address / page;
    const Place& place = places_[place_of(space, number)];
    if (place.pages == 0) return false;
    Entry* const last = &entries_[place.last];
    Entry* const entry = last->is(space, number) ? last : find(space, number);
    if (entry == nullptr) return false;
    entry->lines |= line_of(address);
    return true;
  }
  // The page of a load that missed takes the place of the one that is returned.
  Page refill(std::uint32_t space, std::uint64_t address, std::uint64_t physical_address);

  // Calls left(page) for each page of the space that is removed: all; those from address `first` to
  // `last`.
  template <class Left>
  void remove(std::uint32_t space, std::uint64_t first, std::uint64_t last, Left left) {
    for (Entry& entry : entries_) {
      const bool goes = entry.number != no_page && entry.space == space &&
                        entry.number >= first / page && entry.number <= last / page;
      if (goes) left(take_out(entry));
    }
  }

  bool operator==(const LoadTlb& other) const {
    return entries_ == other.entries_ && next_ == other.next_;
  }

  void archive(Archive& to);

 private:
  static constexpr std::uint64_t no_page = ~std::uint64_t{0};

  struct Entry {
    std::uint64_t number = no_page;  // virtual address / page
    std::uint32_t space = 0;
    std::uint64_t physical_address = 0;
    std::uint64_t lines = 0;

    bool is(std::uint32_t s, std::uint64_t n) const { return number == n && space == s; }
    bool operator==(const Entry&) const = default;
    static constexpr std::size_t state_members = 4;
  };

  // The pages that share a place: how many are here, and the entry where one was last found.
  struct Place {
    std::uint16_t pages = 0;
    std::uint16_t last = 0;
  };

  static std::uint8_t place_of(std::uint32_t space, std::uint64_t number) {
    return static_cast<std::uint8_t>(number ^ (number >> 8) ^ (space * 37));
  }
  std::uint64_t line_of(std::uint64_t address) const {
    return std::uint64_t{1} << (address % page >> line_shift_);
  }
  Entry* find(std::uint32_t space, std::uint64_t number);
  Page take_out(Entry& entry);
  void find_places();

  std::uint32_t line_shift_ = 0;
  std::vector<Entry> entries_;
  std::uint32_t next_ = 0;           // the entry that the next refill takes
  std::array<Place, 256> places_{};  // only for speed
};

}  // namespace hardclock
