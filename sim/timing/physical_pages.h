// Physical page numbers for virtual pages, the same in every run. A page gets the lowest unused
// number of its colour: the colour is the page number modulo the number of colours, as many as a
// first-level cache needs that virtual addresses index, so that a line has one place in it (what
// the R4000's kernels have to see to: MIPS R4000 Microprocessor User's Manual, 2nd edition, 11.4).
// Beyond that pages follow each other in the order in which they are touched first, which spreads
// them over a larger second-level cache as well as page colouring does ("bin hopping": Kessler and
// Hill, "Page placement algorithms for large real-indexed caches", ACM TOCS 10(4), 1992), and keeps
// a program's text and data apart, which begin with equal page numbers modulo the size of such a
// cache. What IRIX and HP-UX did is not known here. A real kernel gives another colour when it has
// no such page left; here it always has: memory has no size.
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
    std::uint64_t untouched = 0;       // pages of this colour from this one on were never in use
    std::set<std::uint64_t> released;  // below it
  };
  // By colour; a page's place among those of its colour is its number / colours.
  std::vector<Colour> colours_;
};

}  // namespace hardclock
