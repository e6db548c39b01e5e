// A process's descriptor table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "syscalls/posix/open_file.h"

namespace hardclock::posix {

class Descriptors {
 public:
  explicit Descriptors(std::size_t limit) : limit_(limit) {}

  // The lowest free number at or above `lowest`, or none when the table is full.
  std::optional<int> add(std::shared_ptr<OpenFile> file, int lowest = 0);
  // Puts a file at a given number (at startup).
  void set(int number, std::shared_ptr<OpenFile> file);
  // Null when the number is not open.
  std::shared_ptr<OpenFile> get(std::int64_t number) const;
  bool close(std::int64_t number);
  void close_all() { files_.clear(); }
  std::size_t limit() const { return limit_; }

 private:
  std::size_t limit_;
  std::vector<std::shared_ptr<OpenFile>> files_;
};

}  // namespace hardclock::posix
