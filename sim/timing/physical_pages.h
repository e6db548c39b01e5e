// Physical page numbers for virtual pages, the same in every run.
//
// Without a seed a page gets the lowest unused number of its colour: the page number modulo the
// number of colours. There are as many colours as a first-level cache indexed by virtual addresses
// needs so that a line has one place in it (the R4000's kernels must see to that: MIPS R4000
// Microprocessor User's Manual, 2nd edition, 11.4).
// Otherwise pages are numbered in the order in which they are first touched. That spreads them over
// a larger second-level cache as well as page colouring does ("bin hopping": Kessler and Hill,
// "Page placement algorithms for large real-indexed caches", ACM TOCS 10(4), 1992), and separates a
// program's text and data, which begin with equal page numbers modulo the size of such a cache.
// What IRIX and HP-UX did is not known here. A real kernel gives another colour when it has no page
// of the right one left; here it always has one: memory has no size.
//
// A seed stands for another boot. Virtual memory is cut into stretches as long as a way of the
// largest cache that physical addresses index, and the seed chooses for each of them at which
// colour of that cache it begins; in it pages follow each other. So two stretches, of text and data
// say, meet in the cache in other places, and one never meets itself. Pages that are chosen one by
// one at random would: they would make lmbench's loads from an Indigo2's second level take 140 to
// 360 ns, where IRIX's took 81 (lat_allmem, 256 KB), so IRIX coloured its pages.
// The colours of virtually indexed first-level caches are kept. Where a first-level cache is
// indexed by physical addresses, as the R3000's, it has stretches of its own. The pages of 4 KB in
// a larger page of the TLB stay together.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/state/archive.h"
#include "sim/timing/memory_description.h"

namespace hardclock {

// The number of pages of `page` bytes in a way of the first-level cache with the largest ways, at
// least 1.
std::uint64_t page_colours(const MemoryDescription& memory, std::uint64_t page);

// The bytes by which the seed moves a program's stack, as a longer environment would: a multiple of
// 16 below 4096.
std::uint64_t stack_gap(std::uint32_t seed);

class PhysicalPages {
 public:
  // Pages of `page` bytes for this machine, with its seed if it has one.
  PhysicalPages(const MemoryDescription& memory, std::uint64_t page);
  // `colours` is at least 1. No seed.
  explicit PhysicalPages(std::uint64_t colours) : colours_(colours) {}

  std::uint64_t allocate(std::uint64_t virtual_page);
  // The page must be in use.
  void release(std::uint64_t physical_page);
  bool in_use(std::uint64_t physical_page) const;

  void archive(Archive& to);

 private:
  struct Colour {
    std::uint64_t untouched = 0;       // the pages of this colour from here on were never in use
    std::set<std::uint64_t> released;  // pages below `untouched`

    static constexpr std::size_t state_members = 2;
  };

  std::uint64_t draw(std::uint64_t virtual_page);

  // By colour; a page's index among those of its colour is its number / colours.
  std::vector<Colour> colours_;
  std::optional<std::uint32_t> seed_;
  // With a seed. The sets are never iterated.
  std::uint64_t stretch_ = 1;  // pages, a multiple of the colours
  std::unordered_set<std::uint64_t> drawn_;
  std::unordered_map<std::uint64_t, std::uint64_t> draws_;  // made for a virtual page
};

}  // namespace hardclock
