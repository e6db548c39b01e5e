// The advisory locks of fcntl(2) on parts of files, between guest processes. The host has no part
// in them.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "syscalls/host/file_status.h"

namespace hardclock::posix {

// Bytes [start, end) of a file. A lock that reaches to any future end has `to_any_end` as its end.
struct RecordLock {
  static constexpr std::uint64_t to_any_end = std::numeric_limits<std::uint64_t>::max();

  int owner = 0;  // a process's id
  bool exclusive = false;
  std::uint64_t start = 0;
  std::uint64_t end = to_any_end;
  friend bool operator==(const RecordLock&, const RecordLock&) = default;
};

// A process has at most one kind of lock on a byte: a new one replaces its old one there (POSIX.1,
// fcntl()).
class RecordLocks {
 public:
  // The first lock of another process that conflicts with `wanted`.
  std::optional<RecordLock> conflict(host::HostIdentity file, const RecordLock& wanted) const;
  // Sets a lock that conflicts with nobody's.
  void set(host::HostIdentity file, const RecordLock& lock);
  // Removes the owner's locks in the range.
  void clear(host::HostIdentity file, const RecordLock& range);
  // Removes all of the owner's locks on the file, as closing any of its descriptors does.
  void release(host::HostIdentity file, int owner);

 private:
  std::map<host::HostIdentity, std::vector<RecordLock>> locks_;  // of a file: by start
};

}  // namespace hardclock::posix
