#include "sim/timing/physical_pages.h"

#include <algorithm>

#include "sim/base/check.h"

namespace hardclock {

std::uint64_t page_colours(const MemoryDescription& memory, std::uint64_t page) {
  std::uint64_t colours = 1;
  for (const CacheDescription* cache : {&memory.l1, &memory.l1i, &memory.l1d}) {
    if (cache->present()) colours = std::max(colours, cache->way_size() / page);
  }
  return colours;
}

std::uint64_t PhysicalPages::allocate(std::uint64_t virtual_page) {
  const std::uint64_t number = virtual_page % colours_.size();
  Colour& colour = colours_[number];
  const std::uint64_t place = colour.released.empty()
                                  ? colour.untouched++
                                  : colour.released.extract(colour.released.begin()).value();
  return place * colours_.size() + number;
}

bool PhysicalPages::in_use(std::uint64_t physical_page) const {
  const Colour& colour = colours_[physical_page % colours_.size()];
  const std::uint64_t place = physical_page / colours_.size();
  return place < colour.untouched && !colour.released.contains(place);
}

void PhysicalPages::release(std::uint64_t physical_page) {
  CHECK(in_use(physical_page));
  colours_[physical_page % colours_.size()].released.insert(physical_page / colours_.size());
}

}  // namespace hardclock
