// The advisory locks of fcntl(2) on parts of files, between guest processes or, if the program
// wants that (Linux's F_OFD_SETLK), open files. The host has no part in them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "sim/state/archive.h"
#include "syscalls/host/file_status.h"

namespace hardclock::posix {

// Bytes [start, end) of a file. A lock that reaches to any future end has `to_any_end` as its end.
struct RecordLock {
  static constexpr std::uint64_t to_any_end = std::numeric_limits<std::uint64_t>::max();

  int owner = 0;  // a process's id; negative: an open file, by RecordLocks::new_owner()
  bool exclusive = false;
  std::uint64_t start = 0;
  std::uint64_t end = to_any_end;
  friend bool operator==(const RecordLock&, const RecordLock&) = default;
};

// An owner has at most one kind of lock on a byte: a new one replaces its old one there (POSIX.1,
// fcntl()).
class RecordLocks {
 public:
  // "The number of locked regions in the system" has a limit (POSIX.1, fcntl(), ENOLCK). Each costs
  // the host some 300 bytes at most.
  static constexpr std::size_t most = 100'000;

  // The first lock of another owner that conflicts with `wanted`.
  std::optional<RecordLock> conflict(host::HostIdentity file, const RecordLock& wanted) const;
  // Sets a lock that conflicts with nobody's. False, and nothing is changed: there are too many.
  bool set(host::HostIdentity file, const RecordLock& lock);
  // Removes the owner's locks in the range. False, and nothing is changed: there are too many for
  // one to become two.
  bool clear(host::HostIdentity file, const RecordLock& range);
  // Removes all of the owner's locks on the file, as closing any of its descriptors does.
  void release(host::HostIdentity file, int owner);
  int new_owner() { return --last_open_file_; }
  void archive(Archive& to);
  // For a digest, those on one file: the files have no order that two runs have in common.
  void archive(Archive& to, host::HostIdentity file) {
    auto& [locks, count, last_open_file] = *this;
    const auto found = locks.find(file);
    if (found != locks.end()) to.state(found->second);
    to.derived(count, last_open_file);  // from the open files' numbers
  }

 private:
  // Ranges that neither overlap nor touch: the end of each by its start.
  using Ranges = std::map<std::uint64_t, std::uint64_t>;
  // Of one owner on one file: shared ones, exclusive ones.
  using Owned = std::array<Ranges, 2>;

  static Ranges::const_iterator first_reaching(const Ranges& ranges, std::uint64_t start);
  // The part of the ranges in [start, end) is no more.
  void cut(Ranges& ranges, std::uint64_t start, std::uint64_t end);
  void join(Ranges& ranges, std::uint64_t start, std::uint64_t end);

  std::map<host::HostIdentity, std::map<int, Owned>> locks_;  // by owner
  std::size_t count_ = 0;
  int last_open_file_ = 0;
};

// The locks of one open file, which end with it.
class OpenFileLocks {
 public:
  OpenFileLocks(std::shared_ptr<RecordLocks> locks, host::HostIdentity file)
      : locks_(std::move(locks)), file_(file), owner_(locks_->new_owner()) {}
  ~OpenFileLocks() {
    if (locks_ != nullptr) locks_->release(file_, owner_);
  }
  OpenFileLocks() = default;
  OpenFileLocks(const OpenFileLocks&) = delete;
  OpenFileLocks& operator=(const OpenFileLocks&) = delete;

  int owner() const { return owner_; }
  void archive(Archive& to);

 private:
  std::shared_ptr<RecordLocks> locks_;
  host::HostIdentity file_;
  int owner_ = 0;
};

}  // namespace hardclock::posix
