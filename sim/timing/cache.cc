#include "sim/timing/cache.h"

#include <algorithm>
#include <bit>

#include "sim/state/archive.h"

namespace hardclock {

Cache::Cache(const CacheDescription& description)
    : ways_(description.ways),
      line_shift_(static_cast<std::uint32_t>(std::countr_zero(description.line))),
      set_mask_(description.sets() - 1),
      replacement_(description.replacement),
      entries_(description.sets() * description.ways) {}

const std::uint64_t* Cache::find(std::uint64_t address) const {
  const std::uint64_t* const set = &entries_[((address >> line_shift_) & set_mask_) * ways_];
  const std::uint64_t wanted = entry_of(address);
  const auto* const place = std::find_if(
      set, set + ways_, [&](std::uint64_t entry) { return (entry & ~dirty_bit) == wanted; });
  return place == set + ways_ ? nullptr : place;
}

bool Cache::is_dirty(std::uint64_t address) const {
  const std::uint64_t* const entry = find(address);
  return entry != nullptr && (*entry & dirty_bit) != 0;
}

Cache::Insertion Cache::insert_at_random(std::uint64_t* set, std::uint64_t entry) {
  std::uint64_t* place = std::find(set, set + ways_, std::uint64_t{0});
  Insertion insertion;
  if (place == set + ways_) {
    place = set + next_random() % ways_;
    insertion = {.victim = line_of(*place), .victim_dirty = (*place & dirty_bit) != 0};
  }
  *place = entry;
  return insertion;
}

Cache::Removal Cache::remove(std::uint64_t address) {
  std::uint64_t* const set = set_of(address);
  const std::uint64_t* const found = find(address);
  if (found == nullptr) return {};
  std::uint64_t* const place = set + (found - set);
  const Removal removal = {.present = true, .dirty = (*place & dirty_bit) != 0};
  *place = 0;
  if (replacement_ != Replacement::random) std::rotate(place, place + 1, set + ways_);
  return removal;
}

std::uint32_t Cache::next_random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 17;
  random_ ^= random_ << 5;
  return random_;
}

void Cache::archive(Archive& to) {
  auto& [ways, line_shift, set_mask, replacement, random, entries] = *this;
  to.state(random, entries);
  to.wiring(ways, line_shift, set_mask, replacement);
}

}  // namespace hardclock
