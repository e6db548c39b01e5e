#include "sim/timing/load_tlb.h"

#include <algorithm>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock {

LoadTlb::Entry* LoadTlb::find(std::uint32_t space, std::uint64_t number) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return e.is(space, number); });
  if (entry == entries_.end()) return nullptr;
  places_[place_of(space, number)].last = static_cast<std::uint16_t>(entry - entries_.begin());
  return &*entry;
}

LoadTlb::Page LoadTlb::refill(std::uint32_t space, std::uint64_t address,
                              std::uint64_t physical_address) {
  Entry& entry = entries_[next_];
  const Page left = take_out(entry);
  entry = {.number = address / page,
           .space = space,
           .physical_address = physical_address & ~(page - 1),
           .lines = line_of(address)};
  Place& place = places_[place_of(space, entry.number)];
  ++place.pages;
  place.last = static_cast<std::uint16_t>(next_);
  next_ = (next_ + 1) % static_cast<std::uint32_t>(entries_.size());
  return left;
}

LoadTlb::Page LoadTlb::take_out(Entry& entry) {
  const Entry left = std::exchange(entry, Entry{});
  if (left.number != no_page) --places_[place_of(left.space, left.number)].pages;
  return {.physical_address = left.physical_address, .lines = left.lines};
}

void LoadTlb::find_places() {
  places_ = {};
  for (const Entry& entry : entries_) {
    if (entry.number != no_page) ++places_[place_of(entry.space, entry.number)].pages;
  }
}

void LoadTlb::archive(Archive& to) {
  auto& [line_shift, entries, next, places] = *this;
  to.state(entries, next);
  to.derived(places);
  to.wiring(line_shift);
  if (to.loads()) find_places();
}

}  // namespace hardclock
