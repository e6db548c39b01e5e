#include "syscalls/conform/model_memory.h"

#include <algorithm>

#include "syscalls/conform/backend.h"

namespace hardclock::conform {

ModelMemory::Ranges::const_iterator ModelMemory::range_of(std::uint64_t address) const {
  auto range = ranges_.upper_bound(address);
  if (range == ranges_.begin()) return ranges_.end();
  --range;
  return address <= range->second.last ? range : ranges_.end();
}

void ModelMemory::split_at(std::uint64_t address) {
  const auto found = range_of(address);
  if (found == ranges_.end() || found->first == address) return;
  Range& lower = ranges_[found->first];
  const Range upper = lower;
  lower.last = address - 1;
  ranges_[address] = upper;
}

void ModelMemory::map(GuestAddr address, std::uint64_t size, Protection protection) {
  unmap(address, size);
  ranges_[address.value()] = {address.value() + (size - 1), protection};
}

void ModelMemory::unmap(GuestAddr address, std::uint64_t size) {
  const std::uint64_t first = address.value();
  const std::uint64_t last = first + (size - 1);
  split_at(first);
  if (last != highest_) split_at(last + 1);
  ranges_.erase(ranges_.lower_bound(first), ranges_.upper_bound(last));
  bytes_.erase(bytes_.lower_bound(first), bytes_.upper_bound(last));
  written_.erase(written_.lower_bound(first / observed_page),
                 written_.upper_bound(last / observed_page));
}

void ModelMemory::protect(GuestAddr address, std::uint64_t size, Protection protection) {
  const std::uint64_t first = address.value();
  const std::uint64_t last = first + (size - 1);
  split_at(first);
  if (last != highest_) split_at(last + 1);
  const auto end = ranges_.upper_bound(last);
  for (auto range = ranges_.lower_bound(first); range != end; ++range) {
    range->second.protection = protection;
  }
}

template <class Predicate>
bool ModelMemory::all_of(GuestAddr address, std::uint64_t size, Predicate predicate) const {
  std::uint64_t at = address.value() & highest_;
  for (std::uint64_t left = size; left > 0;) {
    const auto range = range_of(at);
    if (range == ranges_.end() || !predicate(range->second.protection)) return false;
    const std::uint64_t here = std::min(left - 1, range->second.last - at) + 1;
    left -= here;
    at = (at + here) & highest_;
  }
  return true;
}

bool ModelMemory::is_mapped(GuestAddr address, std::uint64_t size) const {
  return all_of(address, size, [](Protection) { return true; });
}

bool ModelMemory::has_page(GuestAddr address, std::uint64_t size, std::uint64_t page) const {
  const std::uint64_t first = address.value();
  const std::uint64_t last = first + (size - 1);
  std::uint64_t run = first;  // start of what is mapped without a hole
  auto range = range_of(first);
  if (range == ranges_.end()) range = ranges_.lower_bound(first);
  for (std::uint64_t expected = first; range != ranges_.end() && range->first <= last; ++range) {
    if (range->first > expected) run = range->first;
    const std::uint64_t start = run == first ? first : (run + page - 1) & ~(page - 1);
    const std::uint64_t end = std::min(last, start | (page - 1));
    const bool is_page = start >= run && start <= last;
    if (is_page && end <= range->second.last) return true;
    expected = range->second.last + 1;
  }
  return false;
}

bool ModelMemory::is_writable(GuestAddr address, std::uint64_t size) const {
  return all_of(address, size, [](Protection protection) { return protection.write; });
}

// Of a byte that can be written: no processor of these systems has a page that only stores can
// reach, but a kernel may look at the protection before there is a page.
bool ModelMemory::is_readable(std::uint64_t address) const {
  const bool may_read = !has_write_only_ || range_of(address)->second.protection.read;
  return may_read || written_.contains(address / observed_page);
}

bool ModelMemory::is_accessible(GuestAddr address, unsigned bytes) {
  const std::uint64_t first = address.value();
  if (first > highest_ - (bytes - 1) || !is_writable(address, bytes)) return false;
  for (unsigned i = 0; i < bytes; ++i) {
    if (!is_readable(first + i)) return false;
  }
  return true;
}

std::map<std::uint64_t, std::uint8_t> ModelMemory::nonzero_bytes(GuestAddr address,
                                                                 std::uint64_t size) const {
  std::map<std::uint64_t, std::uint8_t> found;
  const auto end = bytes_.upper_bound(address.value() + (size - 1));
  for (auto byte = bytes_.lower_bound(address.value()); byte != end; ++byte) {
    found[byte->first - address.value()] = byte->second;
  }
  return found;
}

void ModelMemory::store(GuestAddr address, unsigned width, std::uint64_t value) {
  for (unsigned i = 0; i < width; ++i) {
    const auto byte = static_cast<std::uint8_t>(value >> (8 * (width - 1 - i)));
    write(address + i, std::span(&byte, 1));
  }
}

void ModelMemory::read(GuestAddr address, std::span<std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto found = bytes_.find((address + i).value() & highest_);
    bytes[i] = found == bytes_.end() ? 0 : found->second;
  }
}

void ModelMemory::write(GuestAddr address, std::span<const std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint64_t at = (address + i).value() & highest_;
    written_.insert(at / observed_page);
    if (bytes[i] == 0) {
      bytes_.erase(at);
    } else {
      bytes_[at] = bytes[i];
    }
  }
}

}  // namespace hardclock::conform
