// struct flock of System V: the argument of fcntl(2) for record locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "syscalls/posix/call.h"
#include "syscalls/posix/files/fcntl_calls.h"

namespace hardclock::posix {

// struct flock {short type, whence; off_t start, length; [long system;] pid_t process; long
// spare[]}. The spare longs are 0 in an answer.
struct FlockLayout {
  std::size_t offset_bytes = 4;  // of an off_t: 4 or 8
  bool has_system = false;
  std::size_t spare_longs = 0;
  std::size_t alignment = 4;      // the size is a multiple of this
  std::uint16_t shared_type = 1;  // F_RDLCK; F_WRLCK and F_UNLCK follow
};

class Flock {
 public:
  // The structure at argument 2. EFAULT.
  static Result<Flock, Errno> read(Call& call, const FlockLayout& layout);

  // Only the range, for F_FREESP and its relatives.
  LockRequest range() const;
  // What the program says of the owner; F_OFD_SETLK wants 0.
  std::uint64_t process() const { return process_; }
  // Returns nullopt if the type is invalid.
  std::optional<LockRequest> request() const;
  // The answer of F_GETLK: the lock in the way, or else only that there is none.
  CallResult answer(Call& call, const std::optional<RecordLock>& lock);

 private:
  explicit Flock(const FlockLayout& layout) : layout_(layout) {}

  // In a GuestStruct or a GuestReader.
  void lay_out(auto& members);
  std::uint16_t type_of(LockRequest::Kind kind) const {
    return static_cast<std::uint16_t>(layout_.shared_type + static_cast<unsigned>(kind));
  }

  FlockLayout layout_;
  std::uint16_t type_ = 0, whence_ = 0;
  std::uint64_t start_ = 0, length_ = 0;
  std::uint64_t process_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace hardclock::posix
