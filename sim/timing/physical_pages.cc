#include "sim/timing/physical_pages.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/state/archive.h"

namespace hardclock {
namespace {

constexpr std::uint64_t stack_steps = 256, stack_step = 16;

// The finishing step of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", OOPSLA 2014): a bijection whose results look random.
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// The pages in a way of the first-level cache with the largest ways among those indexed by such
// addresses, at least 1.
std::uint64_t first_level_pages(const MemoryDescription& memory, std::uint64_t page,
                                bool physical_index) {
  MemoryDescription wanted = memory;
  for (CacheDescription* cache : {&wanted.l1, &wanted.l1i, &wanted.l1d}) {
    if (cache->physical_index != physical_index) *cache = {};
  }
  return page_colours(wanted, page);
}

// All are powers of two.
std::uint64_t kept_colours(const MemoryDescription& memory, std::uint64_t page) {
  const std::uint64_t of_tlb = memory.tlb.present() ? memory.tlb.page / page : 1;
  return std::max(first_level_pages(memory, page, false), of_tlb);
}

std::uint64_t pages_of_stretch(const MemoryDescription& memory, std::uint64_t page) {
  std::uint64_t pages = first_level_pages(memory, page, true);
  for (const CacheDescription* cache : {&memory.l2, &memory.l3}) {
    if (cache->present()) pages = std::max(pages, cache->way_size() / page);
  }
  return pages;
}

}  // namespace

std::uint64_t page_colours(const MemoryDescription& memory, std::uint64_t page) {
  std::uint64_t colours = 1;
  for (const CacheDescription* cache : {&memory.l1, &memory.l1i, &memory.l1d}) {
    if (cache->present()) colours = std::max(colours, cache->way_size() / page);
  }
  return colours;
}

std::uint64_t stack_gap(std::uint32_t seed) {
  return mixed(~std::uint64_t{seed}) % stack_steps * stack_step;
}

PhysicalPages::PhysicalPages(const MemoryDescription& memory, std::uint64_t page)
    : colours_(memory.placement ? kept_colours(memory, page) : page_colours(memory, page)),
      seed_(memory.placement),
      stretch_(std::max(pages_of_stretch(memory, page), std::uint64_t{colours_.size()})) {}

std::uint64_t PhysicalPages::allocate(std::uint64_t virtual_page) {
  if (seed_) return draw(virtual_page);
  const std::uint64_t number = virtual_page % colours_.size();
  Colour& colour = colours_[number];
  const std::uint64_t place = colour.released.empty()
                                  ? colour.untouched++
                                  : colour.released.extract(colour.released.begin()).value();
  return place * colours_.size() + number;
}

// The first draw is the same for all pages of a stretch, and so on: they stay together.
std::uint64_t PhysicalPages::draw(std::uint64_t virtual_page) {
  std::uint64_t& made = draws_[virtual_page];
  const std::uint64_t beginnings = stretch_ / colours_.size();
  while (true) {
    const std::uint64_t drawn = mixed(mixed(mixed(*seed_) + virtual_page / stretch_) + made++);
    const std::uint64_t moved = virtual_page + drawn % beginnings * colours_.size();
    const std::uint64_t physical_page = (drawn >> 32) * stretch_ + moved % stretch_;
    if (drawn_.insert(physical_page).second) return physical_page;
  }
}

bool PhysicalPages::in_use(std::uint64_t physical_page) const {
  if (seed_) return drawn_.contains(physical_page);
  const Colour& colour = colours_[physical_page % colours_.size()];
  const std::uint64_t place = physical_page / colours_.size();
  return place < colour.untouched && !colour.released.contains(place);
}

void PhysicalPages::release(std::uint64_t physical_page) {
  CHECK(in_use(physical_page));
  if (seed_) {
    drawn_.erase(physical_page);
  } else {
    colours_[physical_page % colours_.size()].released.insert(physical_page / colours_.size());
  }
}

void PhysicalPages::archive(Archive& to) {
  auto& [colours, seed, stretch, drawn, draws] = *this;
  to.state(colours, drawn, draws);
  to.wiring(seed, stretch);
}

}  // namespace hardclock
