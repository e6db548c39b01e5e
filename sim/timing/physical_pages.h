// Physical page numbers for virtual pages, the same in every run. A page gets the lowest unused
// number of its colour: the colour is the page number modulo the number of colours, and a virtual
// page gets physical pages of its own colour only, so that pages next to each other do not collide
// in a cache that physical addresses index (page colouring: Bray, Lynch and Flynn, "Page allocation
// to reduce access time of physical caches", Stanford CSL-TR-90-454, 1990; Kessler and Hill, "Page
// placement algorithms for large real-indexed caches", ACM TOCS 10(4), 1992). A real kernel gives
// another colour when it has no such page left; here it always has: memory has no size.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "sim/timing/memory_description.h"

namespace hardclock {

// The number of pages of `page` bytes in a way of the cache with the largest ways (l2 as a rule),
// at least 1. Two pages of different colours do not meet in that cache.
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
