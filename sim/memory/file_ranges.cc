#include "sim/memory/file_ranges.h"

#include <iterator>
#include <utility>

namespace hardclock {
namespace {

// More than any program has; further ranges are not kept. A guest may map and unmap without end,
// and the record of that must not fill the host's memory.
constexpr std::size_t most_ranges = 1024;
// Nor are those whose names would take more than that in all, each counted as often as it is there:
// every process of 256 may have as many.
constexpr std::size_t most_name_bytes = std::size_t{256} << 10;

}  // namespace

void FileRanges::add(FileRange range) {
  if (range.size == 0) return;
  ++changes_;
  const std::uint64_t start = range.start.value();
  clear(start, start + range.size);
  std::size_t name_bytes = range.file.size();
  for (const auto& [at, known] : ranges_) name_bytes += known.file.size();
  if (ranges_.size() >= most_ranges || name_bytes > most_name_bytes) return;
  ranges_.emplace(start, std::move(range));
}

FileRange FileRanges::at(GuestAddr address) const {
  const auto above = ranges_.upper_bound(address.value());
  const std::uint64_t end = above == ranges_.end() ? ~std::uint64_t{0} : above->first;
  std::uint64_t start = 0;
  if (above != ranges_.begin()) {
    const FileRange& range = std::prev(above)->second;
    if (address - range.start < range.size) return range;
    start = range.start.value() + range.size;
  }
  return {.start = GuestAddr(start), .size = end - start, .file = {}, .offset = 0};
}

std::vector<FileRange> FileRanges::all() const {
  std::vector<FileRange> all;
  for (const auto& [start, range] : ranges_) all.push_back(range);
  return all;
}

void FileRanges::clear(std::uint64_t start, std::uint64_t end) {
  auto at = ranges_.lower_bound(start);
  if (at != ranges_.begin() && std::prev(at)->first + std::prev(at)->second.size > start) --at;
  while (at != ranges_.end() && at->first < end) {
    const FileRange old = at->second;
    at = ranges_.erase(at);
    const std::uint64_t old_start = old.start.value();
    const std::uint64_t old_end = old_start + old.size;
    if (old_start < start) {
      ranges_.emplace(old_start, FileRange{old.start, start - old_start, old.file, old.offset});
    }
    if (old_end > end) {
      ranges_.emplace(
          end, FileRange{GuestAddr(end), old_end - end, old.file, old.offset + (end - old_start)});
    }
  }
}

}  // namespace hardclock
