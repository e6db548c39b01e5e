// The common part of fcntl(2) and ioctl(2). The other commands and requests have numbers and
// structures of each system's own.
#pragma once

#include <cstdint>
#include <optional>

#include "syscalls/posix/call.h"
#include "syscalls/posix/files/record_locks.h"

namespace hardclock::posix {

// fcntl(fd, command, argument): F_DUPFD, F_GETFD, F_SETFD, F_GETFL and F_SETFL, which are 0 to 4 in
// every Unix, and EBADF. Returns nullopt for another command on an open descriptor.
std::optional<CallResult> fcntl_common(Call& call);

// struct flock in a form that belongs to no system.
struct LockRequest {
  enum class Kind : std::uint8_t { shared, exclusive, unlock };
  Kind kind = Kind::shared;
  std::uint32_t whence = 0;  // as in lseek(2)
  std::int64_t start = 0;
  std::int64_t length = 0;    // 0: to any future end; negative: the bytes before `start`
  bool of_open_file = false;  // else the lock is the process's
};

// What the wait of a lock's owner is for.
RecordLock awaited_lock(const LockWait& wait);

// F_GETLK: the lock that blocks this one, or nullopt. EINVAL for an invalid range and for a file
// that has no locks.
Result<std::optional<RecordLock>, Errno> find_lock(Call& call, const LockRequest& request);
// F_SETLK and, with `waits`, F_SETLKW. EDEADLK: a process would wait for itself. ENOLCK: see
// RecordLocks::most.
CallResult set_lock(Call& call, const LockRequest& request, bool waits);
// F_FREESP and F_ALLOCSP with the length 0: the file ends at `start`. Other lengths, for holes, are
// EINVAL.
CallResult set_end(Call& call, const LockRequest& request);

// ---- ioctl(fd, request, argument) of an open descriptor.
// FIONREAD: stores the bytes that a read would give at once, as a word at the argument. ENOTTY if
// that is unknown.
CallResult count_available(Call& call);
// FIONBIO: sets or clears O_NONBLOCK, as the word at the argument says.
CallResult set_non_blocking(Call& call);
// FIOASYNC: sets or clears O_ASYNC, likewise. ENOTTY if files of that kind have no news.
CallResult set_async(Call& call);
// SIOCSPGRP and SIOCGPGRP: whom a socket's SIGURG goes to, as the word at the argument. ENOTTY.
CallResult set_owner_at(Call& call);
CallResult get_owner_at(Call& call);
// FIOCLEX and FIONCLEX.
CallResult close_on_exec(Call& call, bool closes);

}  // namespace hardclock::posix
