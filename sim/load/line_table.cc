#include "sim/load/line_table.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace hardclock {
namespace {

constexpr std::size_t most_ranges = std::size_t{1} << 22;
constexpr std::size_t most_path_bytes = std::size_t{16} << 20;

std::string name_in(std::string_view path, std::string_view directory) {
  if (directory.ends_with('/')) directory.remove_suffix(1);
  const bool is_inside = !directory.empty() && path.size() > directory.size() + 1 &&
                         path.starts_with(directory) && path[directory.size()] == '/';
  return std::string(is_inside ? path.substr(directory.size() + 1) : path);
}

// Files of one name keep their paths.
void tell_apart(std::vector<SourceFile>& files) {
  std::map<std::string, unsigned> uses;
  for (const SourceFile& file : files) ++uses[file.name];
  for (SourceFile& file : files) {
    if (uses[file.name] > 1) file.name = file.path;
  }
}

std::vector<LineRange> without_overlaps(std::vector<LineRange> all) {
  std::ranges::stable_sort(all, {}, &LineRange::start);
  std::vector<LineRange> kept;
  for (const LineRange& next : all) {
    if (!kept.empty()) kept.back().end = std::min(kept.back().end, next.start);
    if (!kept.empty() && kept.back().start == kept.back().end) kept.pop_back();
    const bool goes_on = !kept.empty() && kept.back().end == next.start &&
                         kept.back().file == next.file && kept.back().line == next.line;
    if (goes_on) {
      kept.back().end = next.end;
    } else {
      kept.push_back(next);
    }
  }
  return kept;
}

}  // namespace

const LineRange* LineTable::find(GuestAddr pc) const {
  const auto above = std::ranges::upper_bound(ranges_, pc, {}, &LineRange::start);
  if (above == ranges_.begin()) return nullptr;
  const LineRange& range = *std::prev(above);
  return pc < range.end ? &range : nullptr;
}

std::optional<GuestAddr> LineTable::next_start(GuestAddr pc) const {
  const auto above = std::ranges::upper_bound(ranges_, pc, {}, &LineRange::start);
  if (above == ranges_.end()) return std::nullopt;
  return above->start;
}

std::optional<std::uint32_t> LineTableBuilder::file(std::string_view path,
                                                    std::string_view directory) {
  const auto known = numbers_.find(path);
  if (known != numbers_.end()) return known->second;
  path_bytes_ += path.size() + 1;
  is_full_ = is_full_ || path_bytes_ > most_path_bytes;
  if (is_full_) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(table_.files_.size());
  table_.files_.push_back({std::string(path), name_in(path, directory)});
  numbers_.emplace(path, number);
  return number;
}

void LineTableBuilder::add(GuestAddr start, GuestAddr end, std::uint32_t file, std::uint32_t line) {
  if (line == 0 || start >= end) return;
  is_full_ = is_full_ || table_.ranges_.size() == most_ranges;
  if (!is_full_) table_.ranges_.push_back({start, end, file, line});
}

LineTable LineTableBuilder::finish() && {
  table_.ranges_ = without_overlaps(std::move(table_.ranges_));
  tell_apart(table_.files_);
  return std::move(table_);
}

}  // namespace hardclock
