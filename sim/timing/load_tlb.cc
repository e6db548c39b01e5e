#include "sim/timing/load_tlb.h"

#include <algorithm>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock {

LoadTlb::Entry* LoadTlb::find(std::uint32_t space, std::uint64_t number) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return e.is(space, number); });
  if (entry == entries_.end()) return nullptr;
  guesses_[guess_of(space, number)] = static_cast<std::uint16_t>(entry - entries_.begin());
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
  guesses_[guess_of(space, entry.number)] = static_cast<std::uint16_t>(next_);
  next_ = (next_ + 1) % static_cast<std::uint32_t>(entries_.size());
  return left;
}

LoadTlb::Page LoadTlb::take_out(Entry& entry) {
  const Entry left = std::exchange(entry, Entry{});
  return {.physical_address = left.physical_address, .lines = left.lines};
}

void LoadTlb::archive(Archive& to) {
  auto& [line_shift, entries, next, guesses] = *this;
  to.state(entries, next);
  to.derived(guesses);
  to.wiring(line_shift);
}

}  // namespace hardclock
