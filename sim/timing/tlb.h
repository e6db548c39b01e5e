// A fully associative TLB. An entry maps a group of `pages` consecutive, aligned pages of one
// address space (MIPS: the ASID); 2 in the R4000, whose entries are pairs. Pages are given by their
// number: virtual address / page size. The number of spaces is not limited: the kernel's recycling
// of ASIDs is not modelled.
//
// Replacement `random` is the R4000's Random register, used by TLBWR, the instruction that ends the
// refill handler: it begins at entries - 1, decrements as each instruction executes, and goes from
// Wired back to entries - 1 (MIPS R4000 Microprocessor User's Manual, 2nd edition, chapter 4,
// "Random Register"). So it follows from the number of instructions, here without the kernel's. It
// overwrites any entry, free or not. The R3000's goes from 63 to 8. Approximate for the R10000,
// whose Random decrements once in each cycle in which instructions graduate (MIPS R10000 User's
// Manual, 14.2). `lru` takes the first free entry, or else the least recently used one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/state/archive.h"
#include "sim/timing/memory_description.h"

namespace hardclock {

class Tlb {
 public:
  // The pages that an entry maps: the description's number of pages from `first_page` on.
  struct Mapping {
    bool valid = false;
    std::uint32_t space = 0;
    std::uint64_t first_page = 0;

    bool operator==(const Mapping&) const = default;
  };

  Tlb() = default;  // no TLB; must not be used
  explicit Tlb(const TlbDescription& description);

  struct Lookup {
    bool hit = false;
    // The most recently used entry before this access, if it is still present. Only for lru.
    Mapping demoted;
  };
  // A miss changes nothing.
  Lookup lookup(std::uint32_t space, std::uint64_t page);
  // A fast path: whether lookup() would clearly hit and change nothing.
  bool is_free(std::uint32_t space, std::uint64_t page) const {
    const std::uint64_t group = page >> pages_shift_;
    const std::uint32_t guess = guesses_[guess_of(space, group)];
    return entries_[guess].is(space, group) && (is_random_ || guess == newest_);
  }

  struct Refill {
    Mapping evicted;
    Mapping demoted;  // as in Lookup; not the evicted one
  };
  // Maps a page that is not mapped. `instructions`: how many the processor has executed.
  Refill refill(std::uint32_t space, std::uint64_t page, Instructions instructions);

  // Removes the entry that maps the page, and with it the page's whole group.
  Mapping remove(std::uint32_t space, std::uint64_t page);
  std::vector<Mapping> remove(std::uint32_t space);

  bool contains(std::uint32_t space, std::uint64_t page) const;

  bool operator==(const Tlb& other) const {
    return entries_ == other.entries_ && newest_ == other.newest_ && uses_ == other.uses_;
  }

  void archive(Archive& to);

 private:
  static constexpr std::uint64_t no_group = ~std::uint64_t{0};
  static constexpr std::uint32_t no_entry = ~std::uint32_t{0};

  struct Entry {
    std::uint64_t group = no_group;  // page number / pages
    std::uint32_t space = 0;
    std::uint64_t used =
        0;  // lru: when it became the most recently used one, counted in such events

    bool is(std::uint32_t s, std::uint64_t g) const { return group == g && space == s; }
    bool operator==(const Entry&) const = default;
    static constexpr std::size_t state_members = 3;
  };

  static std::uint8_t guess_of(std::uint32_t space, std::uint64_t group) {
    return static_cast<std::uint8_t>(group ^ (group >> 8) ^ (space * 37));
  }
  Mapping mapping_of(const Entry& entry) const {
    if (entry.group == no_group) return {};
    return {.valid = true, .space = entry.space, .first_page = entry.group << pages_shift_};
  }
  std::uint32_t index_of(std::uint32_t space, std::uint64_t group) const;
  std::uint32_t victim(Instructions instructions) const;
  Mapping use(std::uint32_t index);
  Mapping take_out(std::uint32_t index);

  std::uint32_t pages_shift_ = 0;
  std::uint32_t wired_ = 0;
  bool is_random_ = true;
  std::vector<Entry> entries_;
  std::uint32_t newest_ = no_entry;  // lru: the most recently used one, unless it was removed
  std::uint64_t uses_ = 0;
  // Where a group was last found: only a hint for speed, not part of the TLB's state.
  std::array<std::uint16_t, 256> guesses_{};
};

}  // namespace hardclock
