// Physical page numbers for virtual pages, the same in every run. A page gets the lowest unused
// number of its colour: the page number modulo the number of colours. There are as many colours as
// a first-level cache indexed by virtual addresses needs so that a line has one place in it (the
// R4000's kernels must see to that: MIPS R4000 Microprocessor User's Manual, 2nd edition, 11.4).
// Otherwise pages are numbered in the order in which they are first touched. That spreads them over
// a larger second-level cache as well as page colouring does ("bin hopping": Kessler and Hill,
// "Page placement algorithms for large real-indexed caches", ACM TOCS 10(4), 1992), and separates a
// program's text and data, which begin with equal page numbers modulo the size of such a cache.
// What IRIX and HP-UX did is not known here. A real kernel gives another colour when it has no page
// of the right one left; here it always has one: memory has no size.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "sim/timing/memory_description.h"

namespace hardclock {

// The number of pages of `page` bytes in a way of the first-level cache with the largest ways, at
// least 1.
std::uint64_t page_colours(const MemoryDescription& memory, std::uint64_t page);

class PhysicalPages {
 public:
  // `colours` is at least 1.
  explicit PhysicalPages(std::uint64_t colours) : colours_(colours) {}

  std::uint64_t allocate(std::uint64_t virtual_page);
  // The page must be in use.
  void release(std::uint64_t physical_page);
  bool in_use(std::uint64_t physical_page) const;

 private:
  struct Colour {
    std::uint64_t untouched = 0;       // the pages of this colour from here on were never in use
    std::set<std::uint64_t> released;  // pages below `untouched`
  };
  // By colour; a page's index among those of its colour is its number / colours.
  std::vector<Colour> colours_;
};

}  // namespace hardclock
