// A fully associative TLB. An entry maps a group of consecutive, aligned pages of one address space
// (MIPS: the ASID): `pages` of them, 2 in the R4000, whose entries are pairs. Pages are given by
// their number: virtual address / page size. There is no limit on the number of spaces: the
// kernel's recycling of ASIDs is not modelled.
//
// Replacement `random` is the R4000's Random register, which TLBWR, the instruction that ends the
// refill handler, uses: it begins at entries - 1, decrements as each instruction executes, and goes
// from Wired back to entries - 1 (MIPS R4000 Microprocessor User's Manual, 2nd edition, chapter 4,
// "Random Register"). So it follows from the number of instructions; those of the kernel are not
// among them here. It overwrites whatever is there, free entries or not. The R3000's goes from 63
// to
// 8. Approximate for the R10000, whose Random decrements once in each cycle in which instructions
// graduate (MIPS R10000 User's Manual, 14.2). `lru` takes the first free entry, or else the least
// recently used one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/timing/memory_description.h"

namespace hardclock {

class Tlb {
 public:
  // Pages that an entry maps: `first_page` and the following ones, as many as the description says.
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
    // What was the entry used last until this access, if it was still there. Only for lru.
    Mapping demoted;
  };
  // A miss changes nothing.
  Lookup lookup(std::uint32_t space, std::uint64_t page);
  // The quick answer to most accesses: whether it is known at once that lookup() would hit and
  // change nothing.
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

  // Takes out the entry that maps the page, which is the one of its whole group.
  Mapping remove(std::uint32_t space, std::uint64_t page);
  std::vector<Mapping> remove(std::uint32_t space);

  bool contains(std::uint32_t space, std::uint64_t page) const;

  bool operator==(const Tlb& other) const {
    return entries_ == other.entries_ && newest_ == other.newest_ && uses_ == other.uses_;
  }

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
  std::uint32_t newest_ = no_entry;  // lru: the one used last, unless it was taken out
  std::uint64_t uses_ = 0;
  // Where a group was found last: only to find it faster, so no part of the TLB's state.
  std::array<std::uint16_t, 256> guesses_{};
};

}  // namespace hardclock
