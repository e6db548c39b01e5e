// struct flock of System V: the argument of fcntl(2) for record locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "syscalls/posix/call.h"
#include "syscalls/posix/fcntl_calls.h"

namespace hardclock::posix {

// Offsets in bytes. The short fields type and whence come first; the offsets of these fields depend
// on the widths of off_t and long. The rest of the structure is 0 in an answer.
struct FlockLayout {
  std::size_t start, length, process, bytes;
  bool has_wide_offsets;
};

class Flock {
 public:
  // The structure at argument 2. EFAULT.
  static Result<Flock, Errno> read(Call& call, const FlockLayout& layout);

  // Only the range, for F_FREESP and its relatives.
  LockRequest range() const;
  // Returns nullopt if the type is invalid.
  std::optional<LockRequest> request() const;
  // The answer of F_GETLK: the lock in the way, or else only that there is none.
  CallResult answer(Call& call, const std::optional<RecordLock>& lock);

 private:
  Flock(const FlockLayout& layout, Endian endian)
      : layout_(layout), endian_(endian), bytes_(layout.bytes) {}

  std::int64_t get(std::size_t at) const;
  void put(std::size_t at, std::uint64_t value);

  FlockLayout layout_;
  Endian endian_;
  mutable std::vector<std::uint8_t> bytes_;
};

}  // namespace hardclock::posix
