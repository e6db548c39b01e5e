#include "sim/engine/cached_memory.h"

#include <bit>

namespace hardclock {
namespace {

constexpr std::uint64_t no_line = ~std::uint64_t{0};
constexpr std::size_t places_without_cache = 512;

// The pieces of memory in which a side's accesses hit together: its cache's lines, pages without a
// cache.
unsigned shift_of(const CacheDescription& cache) {
  return cache.present() ? static_cast<unsigned>(std::countr_zero(cache.line)) : page_shift;
}

std::size_t places_of(const CacheDescription& cache) {
  return cache.present() ? cache.sets() : places_without_cache;
}

const CacheDescription& fetch_cache(const MemoryDescription& memory) {
  return memory.l1.present() ? memory.l1 : memory.l1i;
}

}  // namespace

std::uint64_t MachineMemory::physical_page(std::uint64_t frame, std::uint64_t virtual_page) {
  const auto [at, is_new] = physical_.try_emplace(frame, 0);
  if (is_new) at->second = pages_.allocate(virtual_page);
  return at->second;
}

std::optional<std::size_t> LineIndex::put(std::size_t place, std::uint64_t physical) {
  std::uint32_t& mine = places_[set_of(physical)];
  const std::uint32_t before = mine;
  std::uint32_t& of_old_line = places_[set_of(lines_[place])];
  if (of_old_line == place + 1) of_old_line = 0;
  mine = static_cast<std::uint32_t>(place + 1);
  lines_[place] = physical;
  if (before == 0 || before == place + 1) return std::nullopt;
  return before - 1;
}

std::optional<std::size_t> LineIndex::find(std::uint64_t physical) const {
  const std::uint32_t place = places_[set_of(physical)];
  if (place == 0 || lines_[place - 1] != physical) return std::nullopt;
  return place - 1;
}

void LineIndex::clear() {
  places_.assign(places_.size(), 0);
}

CachedMemory::CachedMemory(AddressSpace& memory, std::shared_ptr<MachineMemory> machine)
    : memory_(memory),
      machine_(std::move(machine)),
      user_(machine_->add_user()),
      data_shift_(shift_of(machine_->system.description().data_cache())),
      data_(data_shift_, places_of(machine_->system.description().data_cache())),
      data_places_(data_shift_, places_of(machine_->system.description().data_cache())),
      fetch_shift_(shift_of(fetch_cache(machine_->system.description()))),
      fetch_line_(std::uint64_t{1} << fetch_shift_),
      fetches_(places_of(fetch_cache(machine_->system.description())), no_line),
      fetch_places_(fetch_shift_, fetches_.size()) {}

void CachedMemory::begin() {
  if (machine_->change_user(user_)) all_changed();
  machine_->system.add_listener(*this);
  seen_fetches_ = 0;
  seen_data_ = 0;
}

void CachedMemory::end(Instructions instructions, std::uint64_t fetches,
                       std::uint64_t data_accesses) {
  machine_->system.remove_listener(*this);
  machine_->instructions += instructions;
  const auto count = [&](CacheSide side, std::uint64_t all, std::uint64_t seen) {
    if (all > seen) machine_->system.count_hits(side, all - seen);
  };
  count(CacheSide::fetch, fetches, seen_fetches_);
  count(CacheSide::data, data_accesses, seen_data_);
}

std::uint64_t CachedMemory::physical_page(std::uint64_t address) {
  return machine_->physical_page(memory_.frame_number(GuestAddr(address)), address >> page_shift);
}

std::uint64_t CachedMemory::physical_address_of_text(std::uint64_t pc) {
  TextPage& page = text_pages_[(pc >> page_shift) % known_pages];
  if (page.number != pc >> page_shift) page = {pc >> page_shift, physical_page(pc)};
  return page.physical << page_shift | (pc & page_mask);
}

std::uint32_t CachedMemory::fetch(std::uint64_t pc, const MemorySystem::Moment& moment) {
  if (fetch_hits(pc)) return 0;
  const MemorySystem::Address address{memory_.number(), pc, physical_address_of_text(pc)};
  const MemorySystem::AccessCost outcome = machine_->system.fetch(address, moment);
  ++seen_fetches_;
  if (outcome.repeats_as_hit) know_fetch_hit(pc, address.physical_address);
  return outcome.cycles;
}

std::optional<Fault> CachedMemory::learn_page(GuestAddr address, unsigned size, Access access) {
  const auto host = memory_.translate(address, size, access);
  if (!host) return host.error();
  const std::uint64_t at = address.value();
  Page& page = page_of(at >> page_shift);
  page.number = at >> page_shift;
  page.physical = physical_page(at);
  page.host = *host - (at & page_mask);
  page.readable = memory_.region_at(address)->permissions.read;
  page.writable = access == Access::write;
  return std::nullopt;
}

Result<CachedMemory::Data, Fault> CachedMemory::access(GuestAddr address, unsigned size,
                                                       Access access,
                                                       const MemorySystem::Moment& moment) {
  const Page& page = page_of(address.value() >> page_shift);
  if (!page.allows(address.value(), size, access)) [[unlikely]] {
    if (const auto fault = learn_page(address, size, access)) return Failure{*fault};
  }
  const std::uint64_t offset = address.value() & page_mask;
  const MemorySystem::Address at{memory_.number(), address.value(),
                                 page.physical << page_shift | offset};
  const MemorySystem::AccessCost outcome = access == Access::write
                                               ? machine_->system.store(at, moment)
                                               : machine_->system.load(at, moment);
  ++seen_data_;
  last_access_ = address.value();
  if (outcome.repeats_as_hit) know_data_hit(address.value(), page, access);
  return Data{page.host + offset, outcome.cycles, at.physical_address >> data_shift_};
}

void CachedMemory::know_data_hit(std::uint64_t address, const Page& page, Access access) {
  const std::uint64_t physical = page.physical << page_shift | (address & page_mask);
  const auto other = data_places_.put(data_.place(address), data_.piece(physical));
  if (other) data_.clear_place(*other);
  data_.enter(address, page.host, page.readable, access == Access::write);
}

void CachedMemory::know_fetch_hit(std::uint64_t pc, std::uint64_t physical) {
  const auto other = fetch_places_.put(place_of(pc), line_of(physical));
  if (other) forget_fetch(*other);
  fetched_pages_.set((pc >> page_shift) % fetched_pages_.size());
  std::uint64_t& line = fetches_[place_of(pc)];
  if (line != no_line && line != line_of(pc)) ++fetch_changes_;
  line = line_of(pc);
}

void CachedMemory::forget_fetch(std::size_t place) {
  fetches_[place] = no_line;
  fetches_changed_ = true;
  ++fetch_changes_;
}

void CachedMemory::forget_page(std::uint64_t page_number) {
  if (page_of(page_number).number == page_number) page_of(page_number) = {};
  TextPage& text = text_pages_[page_number % known_pages];
  if (text.number == page_number) text = {};
  data_.forget_page(page_number << page_shift);
  if (may_have_fetched(page_number)) forget_fetches_of_page(page_number << page_shift);
}

void CachedMemory::forget_fetches_of_page(std::uint64_t page_address) {
  for (std::uint64_t line = page_address; line < page_address + page_size; line += fetch_line_) {
    if (fetch_hits(line)) forget_fetch(place_of(line));
  }
}

void CachedMemory::forget_space() {
  pages_.fill(Page{});
  text_pages_.fill(TextPage{});
  all_changed();
  machine_->system.remove_space(memory_.number());
}

void CachedMemory::line_changed(CacheSide side, std::uint64_t physical_address) {
  if (side == CacheSide::data) {
    if (const auto place = data_places_.find(physical_address)) data_.clear_place(*place);
  } else if (const auto place = fetch_places_.find(physical_address)) {
    forget_fetch(*place);
  }
}

void CachedMemory::page_left(std::uint32_t space, std::uint64_t virtual_page) {
  if (space != memory_.number()) return;
  const std::uint64_t bytes = machine_->system.description().tlb.page;
  for (std::uint64_t at = virtual_page * bytes; at < (virtual_page + 1) * bytes; at += page_size) {
    forget_page(at >> page_shift);
  }
}

void CachedMemory::all_changed() {
  data_.clear();
  data_places_.clear();
  fetches_.assign(fetches_.size(), no_line);
  fetched_pages_.reset();
  fetches_changed_ = true;
  ++fetch_changes_;
  fetch_places_.clear();
}

}  // namespace hardclock
