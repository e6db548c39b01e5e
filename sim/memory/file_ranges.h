// Which bytes of which files lay where in an address space: this turns a pc into a place in a file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace hardclock {

struct FileRange {
  GuestAddr start;
  std::uint64_t size = 0;    // bytes; start + size does not wrap
  std::string file;          // the guest's path
  std::uint64_t offset = 0;  // of `start` in the file

  friend bool operator==(const FileRange&, const FileRange&) = default;
};

// Ranges that do not overlap. They outlive their mappings: a library that was unmapped is still
// where a profile's ticks fell.
class FileRanges {
 public:
  // Replaces whatever was known of these addresses. An empty range changes nothing.
  void add(FileRange range);
  // The range that contains `address`; where there is none, what lies there between ranges, without
  // a file.
  FileRange at(GuestAddr address) const;
  // The lowest one; empty: there is none.
  FileRange first() const { return ranges_.empty() ? FileRange() : ranges_.begin()->second; }
  // How often something was added.
  std::uint64_t changes() const { return changes_; }
  // All ranges, by start.
  std::vector<FileRange> all() const;

 private:
  void clear(std::uint64_t start, std::uint64_t end);

  std::map<std::uint64_t, FileRange> ranges_;  // by start
  std::uint64_t changes_ = 0;
};

}  // namespace hardclock
