// IRIX error numbers (IRIX <sys/errno.h>; the same list is in libc's _sys_errlist).
#pragma once

#include <cstdint>

#include "sim/memory/address_space.h"
#include "syscalls/host/error.h"

namespace hardclock::irix {

enum class Errno : std::uint16_t {
  eperm = 1,
  enoent = 2,
  esrch = 3,
  eintr = 4,
  eio = 5,
  enxio = 6,
  e2big = 7,
  enoexec = 8,
  ebadf = 9,
  echild = 10,
  eagain = 11,
  enomem = 12,
  eacces = 13,
  efault = 14,
  enotblk = 15,
  ebusy = 16,
  eexist = 17,
  exdev = 18,
  enodev = 19,
  enotdir = 20,
  eisdir = 21,
  einval = 22,
  enfile = 23,
  emfile = 24,
  enotty = 25,
  etxtbsy = 26,
  efbig = 27,
  enospc = 28,
  espipe = 29,
  erofs = 30,
  emlink = 31,
  epipe = 32,
  edom = 33,
  erange = 34,
  enametoolong = 78,
  eoverflow = 79,
  enosys = 89,
  eloop = 90,
  enotempty = 93,
  eopnotsupp = 122,
};

Errno to_errno(host::Error error);
Errno to_errno(MapError error);

// "ENOENT"; for strace.
const char* errno_name(Errno error);

}  // namespace hardclock::irix
