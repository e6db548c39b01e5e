#include "sim/timing/tlb.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock {

Tlb::Tlb(const TlbDescription& description)
    : pages_shift_(static_cast<std::uint32_t>(std::countr_zero(description.pages))),
      wired_(description.wired),
      is_random_(description.replacement == Replacement::random),
      entries_(description.entries) {}

std::uint32_t Tlb::index_of(std::uint32_t space, std::uint64_t group) const {
  const std::uint32_t guess = guesses_[guess_of(space, group)];
  if (entries_[guess].is(space, group)) return guess;
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return e.is(space, group); });
  return static_cast<std::uint32_t>(entry - entries_.begin());
}

bool Tlb::contains(std::uint32_t space, std::uint64_t page) const {
  return index_of(space, page >> pages_shift_) < entries_.size();
}

Tlb::Lookup Tlb::lookup(std::uint32_t space, std::uint64_t page) {
  const std::uint64_t group = page >> pages_shift_;
  const std::uint32_t index = index_of(space, group);
  if (index == entries_.size()) return {};
  guesses_[guess_of(space, group)] = static_cast<std::uint16_t>(index);
  return {.hit = true, .demoted = use(index)};
}

// Makes the entry the most recently used one, and returns the previous one.
Tlb::Mapping Tlb::use(std::uint32_t index) {
  if (is_random_ || index == newest_) return {};
  const Mapping demoted = newest_ == no_entry ? Mapping{} : mapping_of(entries_[newest_]);
  newest_ = index;
  entries_[index].used = ++uses_;
  return demoted;
}

std::uint32_t Tlb::victim(Instructions instructions) const {
  const auto size = static_cast<std::uint32_t>(entries_.size());
  if (is_random_) {
    return size - 1 - static_cast<std::uint32_t>(instructions.value() % (size - wired_));
  }
  const auto oldest =
      std::min_element(entries_.begin() + wired_, entries_.end(),
                       [](const Entry& a, const Entry& b) { return a.used < b.used; });
  return static_cast<std::uint32_t>(oldest - entries_.begin());
}

Tlb::Mapping Tlb::take_out(std::uint32_t index) {
  if (index == newest_) newest_ = no_entry;
  return mapping_of(std::exchange(entries_[index], Entry{}));
}

Tlb::Refill Tlb::refill(std::uint32_t space, std::uint64_t page, Instructions instructions) {
  const std::uint64_t group = page >> pages_shift_;
  const std::uint32_t index = victim(instructions);
  Refill refill = {.evicted = take_out(index), .demoted = {}};
  entries_[index] = {.group = group, .space = space};
  guesses_[guess_of(space, group)] = static_cast<std::uint16_t>(index);
  refill.demoted = use(index);
  return refill;
}

Tlb::Mapping Tlb::remove(std::uint32_t space, std::uint64_t page) {
  const std::uint32_t index = index_of(space, page >> pages_shift_);
  if (index == entries_.size()) return {};
  return take_out(index);
}

std::vector<Tlb::Mapping> Tlb::remove(std::uint32_t space) {
  std::vector<Mapping> removed;
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    const Entry& entry = entries_[index];
    if (entry.group != no_group && entry.space == space) removed.push_back(take_out(index));
  }
  return removed;
}

void Tlb::archive(Archive& to) {
  auto& [pages_shift, wired, is_random, entries, newest, uses, guesses] = *this;
  to.state(entries, newest, uses);
  to.derived(guesses);
  to.wiring(pages_shift, wired, is_random);
}

}  // namespace hardclock
