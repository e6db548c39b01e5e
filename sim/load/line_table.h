// Which line of which source file the instructions of a program come from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace hardclock {

struct SourceFile {
  // As the debug information has it: absolute, or relative to a folder that nothing names.
  std::string path;
  // The same for people: without the folder of the compilation, unless two files would be called
  // so.
  std::string name;

  friend bool operator==(const SourceFile&, const SourceFile&) = default;
};

// The instructions at [start, end), which come from one line.
struct LineRange {
  GuestAddr start;
  GuestAddr end;
  std::uint32_t file = 0;  // index into LineTable::files()
  std::uint32_t line = 0;  // from 1 on

  friend bool operator==(const LineRange&, const LineRange&) = default;
};

// By address, as the program's file has them.
class LineTable {
 public:
  LineTable() = default;

  // The range that contains `pc`; null: nothing is known of it. Lives as long as the table.
  const LineRange* find(GuestAddr pc) const;
  // Where the first range above `pc` starts; nullopt: none does.
  std::optional<GuestAddr> next_start(GuestAddr pc) const;

  bool empty() const { return ranges_.empty(); }
  const std::vector<LineRange>& ranges() const { return ranges_; }  // ascending, not overlapping
  const std::vector<SourceFile>& files() const { return files_; }
  const SourceFile& file_of(const LineRange& range) const { return files_[range.file]; }

 private:
  friend class LineTableBuilder;

  std::vector<LineRange> ranges_;
  std::vector<SourceFile> files_;
};

// Collects a table from debug information. Limits, 2^22 ranges and 16 MiB of paths, guard against
// hostile files: what does not fit is left out, and is_full() says so.
class LineTableBuilder {
 public:
  // The number of the file `path`, for add(); nullopt: there is no room for it. `directory` is the
  // folder of the compilation; empty: unknown.
  std::optional<std::uint32_t> file(std::string_view path, std::string_view directory = {});
  // Line 0 stands for none, and an empty range for nothing.
  void add(GuestAddr start, GuestAddr end, std::uint32_t file, std::uint32_t line);
  bool is_full() const { return is_full_; }

  // Where ranges overlap, the one that starts last has the addresses, among equals the last one.
  LineTable finish() &&;

 private:
  bool is_full_ = false;
  std::size_t path_bytes_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;  // by path
  LineTable table_;
};

}  // namespace hardclock
