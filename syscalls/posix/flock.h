// struct flock of System V: what fcntl(2) reads and writes for record locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "syscalls/posix/call.h"
#include "syscalls/posix/fcntl_calls.h"

namespace hardclock::posix {

// In bytes. short type and whence are the first fields; these are those that the widths of off_t
// and long move. What else there is of the structure is 0 in an answer.
struct FlockLayout {
  std::size_t start, length, process, bytes;
  bool has_wide_offsets;
};

class Flock {
 public:
  // The structure at argument 2. EFAULT.
  static Result<Flock, Errno> read(Call& call, const FlockLayout& layout);

  // The range alone: F_FREESP and its relatives look at nothing else.
  LockRequest range() const;
  // None: the type is none.
  std::optional<LockRequest> request() const;
  // What F_GETLK answers: the lock in the way, or else only that there is none.
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
