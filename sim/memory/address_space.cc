#include "sim/memory/address_space.h"

#include <algorithm>
#include <cstring>

#include "sim/base/check.h"
#include "sim/memory/write_log.h"
#include "sim/state/archive.h"

namespace hardclock {
namespace {

// The approximate cost of a table entry on the host: a node of a map with its content.
constexpr std::uint64_t region_cost = 192;
constexpr std::uint64_t page_entry_cost = 64;

}  // namespace

std::shared_ptr<Frame> Frame::allocate(const std::shared_ptr<MemoryBudget>& budget) {
  if (!budget->take_page()) return nullptr;
  return std::shared_ptr<Frame>(new Frame(budget));
}

AddressSpace::AddressSpace(std::shared_ptr<MemoryBudget> budget, Endian endian, GuestAddr user_end)
    : budget_(std::move(budget)),
      endian_(endian),
      user_end_(user_end.value()),
      tables_(budget_),
      number_(budget_->next_space()) {}

// Nobody is told: who watches runs in it, and has ended.
void AddressSpace::end() {
  tlb_.clear();
  flat_.reset();
  pages_.clear();
  regions_.clear();
  tables_.drop(tables_.bytes());
}

std::unique_ptr<AddressSpace> AddressSpace::fork() {
  auto child = std::make_unique<AddressSpace>(budget_, endian_, GuestAddr(user_end_));
  if (!child->tables_.add(tables_.bytes())) return nullptr;
  child->regions_ = regions_;
  child->code_files_ = code_files_;
  child->pages_.reserve(pages_.size());
  for (const auto& [number, page] : pages_) child->pages_[number].frame = page.frame;
  flush_tlb();  // its write tags would bypass the copy on write
  return child;
}

bool AddressSpace::is_user_range(std::uint64_t start, std::uint64_t size) const {
  return size != 0 && size <= user_end_ && start <= user_end_ - size;
}

Result<Ok, MapError> AddressSpace::map(GuestAddr start, std::uint64_t size, Permissions permissions,
                                       std::string name, bool shared) {
  Backing backing;
  if (shared) backing.shared = std::make_shared<SharedPages>();
  return map_object(start, size, permissions, std::move(name), std::move(backing));
}

Result<Ok, MapError> AddressSpace::map_object(GuestAddr start, std::uint64_t size,
                                              Permissions permissions, std::string name,
                                              Backing backing) {
  if ((start.value() & page_mask) != 0 || size > user_end_) return Failure{MapError::invalid};
  size = round_up_to_page(size);
  if (!is_user_range(start.value(), size)) return Failure{MapError::invalid};
  if (!is_free(start, size)) return Failure{MapError::overlap};
  if (!budget_->has_room(size)) return Failure{MapError::memory};
  Region region{start.value(), start.value() + size, permissions, std::move(name),
                std::move(backing)};
  if (regions_.size() >= most_regions || !add_region(std::move(region))) {
    return Failure{MapError::memory};
  }
  return Ok{};
}

bool AddressSpace::add_region(Region region) {
  if (!tables_.add(region_cost)) return false;
  regions_.emplace(region.start, std::move(region));
  return true;
}

Result<Ok, MapError> AddressSpace::map_stack(GuestAddr start, std::uint64_t size, GuestAddr limit) {
  auto mapped = map(start, size, Permissions{.read = true, .write = true}, "stack");
  if (!mapped) return mapped;
  regions_.find(start.value())->second.grow_limit = limit.value();
  return Ok{};
}

void AddressSpace::limit_stacks(std::uint64_t bytes) {
  for (auto& [start, region] : regions_) {
    if (region.grow_limit == 0) continue;
    if (region.grow_limit > start) {
      region.grow_limit = std::max(region.end, start + bytes);
    } else {
      region.grow_limit = std::min(start, region.end - std::min(bytes, region.end - 1));
    }
  }
}

Result<Ok, MapError> AddressSpace::unmap(GuestAddr start, std::uint64_t size) {
  if ((start.value() & page_mask) != 0 || size > user_end_) return Failure{MapError::invalid};
  size = round_up_to_page(size);
  if (!is_user_range(start.value(), size)) return Failure{MapError::invalid};
  const std::uint64_t end = start.value() + size;
  if (!may_split(start.value(), end)) return Failure{MapError::memory};
  split_at(start.value());
  split_at(end);
  const auto first = regions_.lower_bound(start.value());
  const auto last = regions_.lower_bound(end);
  for (auto region = first; region != last;) {
    drop_pages(region->second.start, region->second.end);
    region = regions_.erase(region);
    tables_.drop(region_cost);
  }
  flush_tlb();
  return Ok{};
}

Result<Ok, MapError> AddressSpace::protect(GuestAddr start, std::uint64_t size,
                                           Permissions permissions) {
  if ((start.value() & page_mask) != 0 || size > user_end_) return Failure{MapError::invalid};
  size = round_up_to_page(size);
  if (!is_user_range(start.value(), size)) return Failure{MapError::invalid};
  const std::uint64_t end = start.value() + size;
  for (std::uint64_t at = start.value(); at < end;) {
    const auto region = find_region(at);
    if (region == regions_.end()) return Failure{MapError::invalid};
    at = region->second.end;
  }
  if (!may_split(start.value(), end)) return Failure{MapError::memory};
  split_at(start.value());
  split_at(end);
  for (auto region = regions_.lower_bound(start.value());
       region != regions_.end() && region->second.start < end; ++region) {
    region->second.permissions = permissions;
  }
  // Code that may no longer be read must not run from a predecoded copy.
  for_each_touched(start.value(), end,
                   [this](std::uint64_t number, Page& page) { code_written(number, page); });
  flush_tlb();
  return Ok{};
}

// Goes page by page, or through all existing pages if they are fewer: a range may be far larger
// than memory.
template <class Visit>
void AddressSpace::for_each_touched(std::uint64_t start, std::uint64_t end, Visit visit) {
  const std::uint64_t first = start >> page_shift;
  const std::uint64_t last = (end - 1) >> page_shift;
  if (last - first < pages_.size()) {
    for (std::uint64_t number = first; number <= last; ++number) {
      const auto page = pages_.find(number);
      if (page != pages_.end()) visit(number, page->second);
    }
  } else {
    for (auto& [number, page] : pages_) {
      if (first <= number && number <= last) visit(number, page);
    }
  }
}

bool AddressSpace::is_free(GuestAddr start, std::uint64_t size) const {
  const auto next = regions_.upper_bound(start.value());
  if (next != regions_.end() && next->second.start - start.value() < size) return false;
  return next == regions_.begin() || std::prev(next)->second.end <= start.value();
}

std::optional<GuestAddr> AddressSpace::find_free(GuestAddr low, GuestAddr high,
                                                 std::uint64_t size) const {
  const std::uint64_t end = std::min(high.value(), user_end_);
  if (size == 0 || size > user_end_ || low.value() >= end) return std::nullopt;
  size = round_up_to_page(size);
  std::uint64_t candidate = round_up_to_page(low.value());
  auto next = regions_.upper_bound(candidate);
  if (next != regions_.begin()) {
    candidate = std::max(candidate, std::prev(next)->second.end);
  }
  while (candidate < end && end - candidate >= size) {
    if (next == regions_.end() || next->second.start - candidate >= size) {
      return GuestAddr(candidate);
    }
    candidate = next->second.end;
    ++next;
  }
  return std::nullopt;
}

const Region* AddressSpace::region_at(GuestAddr address) const {
  const auto next = regions_.upper_bound(address.value());
  if (next == regions_.begin()) return nullptr;
  const Region& region = std::prev(next)->second;
  return address.value() < region.end ? &region : nullptr;
}

AddressSpace::RegionMap::iterator AddressSpace::find_region(std::uint64_t address) {
  const auto next = regions_.upper_bound(address);
  if (next == regions_.begin()) return regions_.end();
  const auto region = std::prev(next);
  return address < region->second.end ? region : regions_.end();
}

bool AddressSpace::grow_stack(std::uint64_t address) {
  const auto above = regions_.upper_bound(address);
  if (above != regions_.end() && above->second.grow_limit != 0 &&
      above->second.grow_limit <= address) {
    Region grown = above->second;
    grown.start = address & ~page_mask;
    regions_.erase(above);
    regions_.emplace(grown.start, std::move(grown));
    return true;
  }
  if (above == regions_.begin()) return false;
  Region& below = std::prev(above)->second;
  if (address >= below.grow_limit) return false;
  below.end = (address & ~page_mask) + page_size;
  return true;
}

// Whether there can be a boundary between regions at both addresses.
bool AddressSpace::may_split(std::uint64_t start, std::uint64_t end) {
  std::size_t splits = 0;
  for (const std::uint64_t address : {start, end}) {
    const auto region = find_region(address);
    if (region != regions_.end() && region->second.start != address) ++splits;
  }
  return splits == 0 || (regions_.size() + splits <= most_regions &&
                         budget_->has_table_room(splits * region_cost));
}

// Call it only after may_split().
void AddressSpace::split_at(std::uint64_t address) {
  const auto region = find_region(address);
  if (region == regions_.end() || region->second.start == address) return;
  Region upper = region->second;
  upper.start = address;
  upper.backing.offset += address - region->second.start;
  region->second.end = address;
  // Only the part that keeps the end at which the stack grows may still do so.
  const bool grows_up = upper.grow_limit > region->second.start;
  (grows_up ? region->second : upper).grow_limit = 0;
  CHECK(add_region(std::move(upper)));
}

void AddressSpace::drop_pages(std::uint64_t start, std::uint64_t end) {
  // First, since the list wants memory, which the host may lack: a page without a frame is
  // untouched.
  for_each_touched(start, end, [this](std::uint64_t number, Page& page) {
    code_written(number, page);
    page.frame.reset();
  });
  std::vector<std::uint64_t> numbers;
  for_each_touched(start, end, [&](std::uint64_t number, Page&) { numbers.push_back(number); });
  for (const std::uint64_t number : numbers) remove_page(number);
}

// Makes an entry for a page that has none. Returns false if there is no room for it.
bool AddressSpace::enter_page(std::uint64_t number) {
  if (!tables_.add(page_entry_cost)) return false;
  pages_.try_emplace(number);
  return true;
}

void AddressSpace::remove_page(std::uint64_t number) {
  if (pages_.erase(number) != 0) tables_.drop(page_entry_cost);
}

Owner<Frame> AddressSpace::exchange_frame(GuestAddr page, Owner<Frame> frame) {
  const std::uint64_t number = page.value() >> page_shift;
  const auto [entry, is_new] = pages_.try_emplace(number);
  if (is_new) tables_.add_anyway(page_entry_cost);
  Page& place = entry->second;
  code_written(number, place);
  Owner<Frame> replaced = std::exchange(place.frame, std::move(frame));
  if (place.frame == nullptr) remove_page(number);
  forget_translation(page.value());
  return replaced;
}

const FlatTable* AddressSpace::flat_translations() {
  if (flat_ == nullptr && user_end_ <= std::uint64_t{1} << 32) {
    flat_ = FlatTable::make(budget_->caches());
  }
  return flat_.get();
}

void AddressSpace::flush_tlb() {
  tlb_.clear();
  if (flat_) flat_->clear();
  for (MemoryWatcher* const watcher : watchers_) watcher->all_translations_changed();
}

void AddressSpace::forget_translation(std::uint64_t address) {
  tlb_.at(address) = {};
  if (flat_) flat_->forget(address);
  for (MemoryWatcher* const watcher : watchers_) {
    watcher->translation_changed(address >> page_shift);
  }
}

std::uint64_t AddressSpace::frame_number(GuestAddr address) const {
  return pages_.at(address.value() >> page_shift).frame->number();
}

void AddressSpace::watch_code(std::uint64_t page_number) {
  const auto page = pages_.find(page_number);
  // A page that is watched is written through no translation that is remembered.
  if (page == pages_.end() || page->second.holds_code) return;
  page->second.holds_code = true;
  forget_translation(page_number << page_shift);
}

void AddressSpace::code_written(std::uint64_t page_number, Page& page) {
  if (!page.holds_code) return;
  page.holds_code = false;
  for (MemoryWatcher* const watcher : watchers_) watcher->code_changed(page_number);
}

std::optional<Fault::Kind> AddressSpace::fill(const Region& region, std::uint64_t address,
                                              Page& page) {
  const Backing& backing = region.backing;
  const std::uint64_t offset = address - region.start + backing.offset;
  if (backing.shared != nullptr) {
    const auto known = backing.shared->frames.find(offset >> page_shift);
    if (known != backing.shared->frames.end()) {
      page.frame = known->second;
      return std::nullopt;
    }
  }
  auto frame = Frame::allocate(budget_);
  if (frame == nullptr) return Fault::Kind::out_of_memory;
  if (backing.source != nullptr) {
    if (const auto failed = backing.source->fill(offset, frame->content())) return failed;
  }
  if (backing.shared != nullptr) backing.shared->frames[offset >> page_shift] = frame;
  page.frame = std::move(frame);
  return std::nullopt;
}

bool AddressSpace::make_private(Page& page, std::uint64_t address) {
  if (page.frame.is_only_one()) return true;
  auto copy = Frame::allocate(budget_);
  if (copy == nullptr) return false;
  std::memcpy(copy->bytes(), page.frame->bytes(), page_size);
  page.frame = std::move(copy);
  ++page_faults_.copies;
  forget_translation(address);
  return true;
}

namespace {

// No processor here has pages that can be written and not read: what may only be written cannot be
// read until there is a page.
bool permits(const Permissions& permissions, Access access, bool is_touched) {
  switch (access) {
    case Access::read:
      return permissions.read || (permissions.write && is_touched);
    case Access::write:
      return permissions.write;
    case Access::execute:
      return permissions.execute;
  }
  return false;
}

}  // namespace

Result<AddressSpace::Page*, Fault> AddressSpace::touch(std::uint64_t address, Access access,
                                                       bool check_permission) {
  const auto fault = [&](Fault::Kind kind) {
    return Failure{Fault{kind, access, GuestAddr(address)}};
  };
  auto region = find_region(address);
  if (region == regions_.end() && grow_stack(address)) region = find_region(address);
  if (region == regions_.end()) return fault(Fault::Kind::unmapped);
  const std::uint64_t number = address >> page_shift;
  auto known = pages_.find(number);
  const bool is_touched = known != pages_.end() && known->second.frame != nullptr;
  if (check_permission && !permits(region->second.permissions, access, is_touched)) {
    return fault(Fault::Kind::protection);
  }
  if (known == pages_.end()) {
    if (!enter_page(number)) return fault(Fault::Kind::out_of_memory);
    known = pages_.find(number);
    if (const auto failed = fill(region->second, address & ~page_mask, known->second)) {
      remove_page(number);
      return fault(*failed);
    }
    ++page_faults_.first_touches;
  }
  Page& page = known->second;
  if (access == Access::write) {
    if (region->second.backing.shared == nullptr && !make_private(page, address)) {
      return fault(Fault::Kind::out_of_memory);
    }
    code_written(number, page);
    if (write_log_ != nullptr) write_log_->note(number, page.frame->content());
  }
  return &page;
}

Result<std::uint8_t*, Fault> AddressSpace::translate(GuestAddr address, unsigned size,
                                                     Access access) {
  const std::uint64_t at = address.value();
  if ((at & (size - 1)) != 0) return Failure{Fault{Fault::Kind::misaligned, access, address}};
  auto touched = touch(at, access, true);
  if (!touched) return Failure{touched.error()};
  Page& page = **touched;
  // One entry serves both kinds of access, so a refill must not keep the other kind's old page.
  const Permissions& permissions = region_at(address)->permissions;
  const bool readable = permissions.read || permissions.write;
  tlb_.enter(at, page.frame->bytes(), readable, access == Access::write);
  if (flat_) flat_->enter(at, page.frame->bytes(), readable, access == Access::write);
  return page.frame->bytes() + (at & page_mask);
}

Result<const std::uint8_t*, Fault> AddressSpace::find_text(GuestAddr address, std::size_t size,
                                                           Access needed) {
  const std::uint64_t at = address.value();
  if ((at & (size - 1)) != 0) {
    return Failure{Fault{Fault::Kind::misaligned, Access::execute, address}};
  }
  auto touched = touch(at, needed, true);
  if (!touched) {
    Fault fault = touched.error();
    fault.access = Access::execute;
    return Failure{fault};
  }
  return (*touched)->frame->bytes() + (at & page_mask);
}

template <class Copy>
Result<Ok, Fault> AddressSpace::for_each_page(GuestAddr address, std::uint64_t size, Access access,
                                              bool check_permission, Copy copy) {
  std::uint64_t done = 0;
  while (done < size) {
    const std::uint64_t at = address.value() + done;
    if (at < address.value()) {
      return Failure{Fault{Fault::Kind::unmapped, access, GuestAddr(at)}};
    }
    auto touched = touch(at, access, check_permission);
    if (!touched) return Failure{touched.error()};
    if (access == Access::write) forget_translation(at);  // the page may have been copied
    const std::uint64_t part = std::min(size - done, page_size - (at & page_mask));
    copy((*touched)->frame->bytes() + (at & page_mask), done, part);
    done += part;
  }
  return Ok{};
}

Result<Ok, Fault> AddressSpace::read_checked(GuestAddr address, std::span<std::uint8_t> bytes,
                                             bool check_permission) {
  return for_each_page(address, bytes.size(), Access::read, check_permission,
                       [&](const std::uint8_t* page, std::uint64_t done, std::uint64_t part) {
                         std::memcpy(bytes.data() + done, page, part);
                       });
}

Result<Ok, Fault> AddressSpace::read_bytes(GuestAddr address, std::span<std::uint8_t> bytes) {
  return read_checked(address, bytes, true);
}

Result<Ok, Fault> AddressSpace::examine(GuestAddr address, std::span<std::uint8_t> bytes) {
  return read_checked(address, bytes, false);
}

Result<Ok, Fault> AddressSpace::write_bytes(GuestAddr address,
                                            std::span<const std::uint8_t> bytes) {
  return for_each_page(address, bytes.size(), Access::write, true,
                       [&](std::uint8_t* page, std::uint64_t done, std::uint64_t part) {
                         std::memcpy(page, bytes.data() + done, part);
                       });
}

Result<Ok, Fault> AddressSpace::probe(GuestAddr address, std::uint64_t size, Access access) {
  return for_each_page(address, size, access, true,
                       [](std::uint8_t*, std::uint64_t, std::uint64_t) {});
}

Result<Ok, Fault> AddressSpace::initialize(GuestAddr address, std::span<const std::uint8_t> bytes) {
  return for_each_page(address, bytes.size(), Access::write, false,
                       [&](std::uint8_t* page, std::uint64_t done, std::uint64_t part) {
                         std::memcpy(page, bytes.data() + done, part);
                       });
}

Result<std::string, Fault> AddressSpace::read_string(GuestAddr address, std::size_t max) {
  std::string text;
  while (text.size() < max) {
    auto byte = read<std::uint8_t>(address + text.size());
    if (!byte) return Failure{byte.error()};
    if (*byte == 0) break;
    text.push_back(static_cast<char>(*byte));
  }
  return text;
}

void AddressSpace::archive(Archive& to) {
  const Archive::Part part(to, StatePart::memory);
  to.state(endian_, user_end_, regions_, pages_, number_, page_faults_, tables_);
  to.derived(tlb_, flat_);
  to.wiring(budget_, watchers_, write_log_);
  to.kept(code_files_);
}

std::shared_ptr<AddressSpace> AddressSpace::blank(Archive& from) {
  return std::make_shared<AddressSpace>(from.provided<std::shared_ptr<MemoryBudget>>(), Endian::big,
                                        GuestAddr());
}

void Backing::archive(Archive& to) {
  auto& [pages, file, start] = *this;
  to.state(pages, file, start);
}

void AddressSpace::Page::archive(Archive& to) {
  auto& [content, is_watched] = *this;
  to.state(content);
  to.derived(is_watched);
}

void MemoryBudget::archive(Archive& to) {
  auto& [limit, used, peak, most_tables, tables, profile, tell, frame_ended, spaces, frames,
         objects, caches] = *this;
  to.state(used, peak, tables, spaces, frames, objects);
  to.derived(caches);
  to.wiring(limit, most_tables, tell, frame_ended);
  to.counted(profile);
}

void MemoryCharge::archive(Archive& to) {
  to.state(bytes_);
  to.wiring(budget_);
}

void Frame::archive(Archive& to) {
  to.state(bytes_, number_);
  to.wiring(budget_);
}

void SharedPages::archive(Archive& to) {
  to.state(frames, number_);
}

}  // namespace hardclock
