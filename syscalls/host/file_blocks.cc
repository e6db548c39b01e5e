#include "syscalls/host/file_blocks.h"

#include <algorithm>
#include <iterator>

#include "sim/state/archive.h"

namespace hardclock::host {
namespace {

std::uint64_t block_start(std::uint64_t offset) {
  return offset - offset % FileBlocks::block_bytes;
}

std::uint64_t block_end(std::uint64_t offset) {
  return block_start(offset + (FileBlocks::block_bytes - 1));
}

}  // namespace

Ranges::Map::const_iterator Ranges::first_behind(std::uint64_t at) const {
  auto range = ranges_.upper_bound(at);
  if (range != ranges_.begin() && std::prev(range)->second > at) --range;
  return range;
}

void Ranges::add(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  auto range = ranges_.upper_bound(begin);
  if (range != ranges_.begin() && std::prev(range)->second >= begin) {
    --range;
    begin = range->first;
  }
  while (range != ranges_.end() && range->first <= end) {
    end = std::max(end, range->second);
    range = ranges_.erase(range);
  }
  ranges_.emplace(begin, end);
}

void Ranges::remove(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  auto range = first_behind(begin);
  while (range != ranges_.end() && range->first < end) {
    const auto [first, last] = *range;
    range = ranges_.erase(range);
    if (first < begin) ranges_.emplace(first, begin);
    if (last > end) ranges_.emplace(end, last);
  }
}

std::uint64_t Ranges::count(std::uint64_t begin, std::uint64_t end) const {
  std::uint64_t bytes = 0;
  for (auto range = first_behind(begin); range != ranges_.end() && range->first < end; ++range) {
    bytes += std::min(range->second, end) - std::max(range->first, begin);
  }
  return bytes;
}

std::optional<std::uint64_t> Ranges::next_inside(std::uint64_t at) const {
  const auto range = first_behind(at);
  if (range == ranges_.end()) return std::nullopt;
  return std::max(range->first, at);
}

std::uint64_t Ranges::next_outside(std::uint64_t at) const {
  const auto range = first_behind(at);
  return range == ranges_.end() || range->first > at ? at : range->second;
}

std::uint64_t FileBlocks::stored(std::uint64_t size) const {
  return size - unstored_.count(0, size);
}

std::uint64_t FileBlocks::stored_after_resize(std::uint64_t from, std::uint64_t to) const {
  return stored(std::min(to, block_end(from)));
}

std::uint64_t FileBlocks::sectors(std::uint64_t size) const {
  constexpr std::uint64_t sector_bytes = 512;
  const std::uint64_t end = block_end(size);
  return (end - unstored_.count(0, end)) / sector_bytes;
}

// A write behind the last block leaves a hole up to its own first one.
std::uint64_t FileBlocks::added_by_write(std::uint64_t size, std::uint64_t offset,
                                         std::uint64_t count) const {
  const std::uint64_t begin = block_start(offset), end = std::max(size, offset + count);
  const std::uint64_t gap = begin - std::min(begin, block_end(size));
  const std::uint64_t filled = unstored_.count(begin, std::min(block_end(offset + count), end));
  return (end - size) - unstored_.count(size, end) - gap + filled;
}

std::optional<std::uint64_t> FileBlocks::next_data(std::uint64_t size, std::uint64_t offset) const {
  const std::uint64_t data = unwritten_.next_outside(offset);
  return data < size ? std::optional(data) : std::nullopt;
}

std::uint64_t FileBlocks::next_hole(std::uint64_t size, std::uint64_t offset) const {
  return std::min(unwritten_.next_inside(offset).value_or(size), size);
}

void FileBlocks::write(std::uint64_t size, std::uint64_t offset, std::uint64_t count) {
  if (count == 0) return;
  const std::uint64_t begin = block_start(offset), end = block_end(offset + count);
  for (Ranges* ranges : {&unwritten_, &unstored_}) {
    ranges->add(block_end(size), begin);
    ranges->remove(begin, end);
  }
}

void FileBlocks::resize(std::uint64_t from, std::uint64_t to) {
  for (Ranges* ranges : {&unwritten_, &unstored_}) {
    ranges->add(block_end(from), block_end(to));
    ranges->remove(block_end(to), block_end(from));
  }
}

void FileBlocks::punch(std::uint64_t size, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t last = end >= size ? block_end(size) : block_start(end);
  for (Ranges* ranges : {&unwritten_, &unstored_}) ranges->add(block_end(begin), last);
}

void FileBlocks::reserve(std::uint64_t begin, std::uint64_t end) {
  unstored_.remove(block_start(begin), block_end(end));
}

void Ranges::archive(Archive& to) {
  auto& [all] = *this;
  to.state(all);
}

void FileBlocks::archive(Archive& to) {
  auto& [no_data, no_room] = *this;
  to.state(no_data, no_room);
}

}  // namespace hardclock::host
