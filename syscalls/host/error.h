// Why the host refused, in words that belong to no system. The personalities translate them to
// their own errno numbers (IRIX, HP-UX and Linux disagree from number 35 on).
#pragma once

#include <cstdint>

#include "sim/base/result.h"

namespace hardclock::host {

enum class Error : std::uint8_t {
  access,                 // EACCES; also: an object of a kind that a guest may not open
  address_in_use,         // EADDRINUSE
  address_not_available,  // EADDRNOTAVAIL
  again,                  // EAGAIN
  bad_descriptor,         // EBADF; also: the file is not open for that direction
  broken_pipe,            // EPIPE
  busy,                   // EBUSY, ETXTBSY; also: a mount point of the guest's name space
  connection_refused,     // ECONNREFUSED
  connection_reset,       // ECONNRESET, ECONNABORTED
  cross_device,           // EXDEV
  destination_required,   // EDESTADDRREQ
  exists,                 // EEXIST
  invalid,                // EINVAL
  io,                     // EIO, and every host errno that is not listed here
  is_directory,           // EISDIR
  loop,                   // ELOOP
  message_too_long,       // EMSGSIZE
  name_too_long,          // ENAMETOOLONG
  network_unreachable,    // ENETUNREACH, ENETDOWN, EHOSTUNREACH
  no_device,              // ENXIO, ENODEV
  no_memory,              // ENOMEM
  no_space,               // ENOSPC, EDQUOT
  not_connected,          // ENOTCONN
  not_directory,          // ENOTDIR
  not_empty,              // ENOTEMPTY
  not_found,              // ENOENT; also: a symbolic link that leads out of the guest's name space
  not_permitted,          // EPERM
  not_seekable,           // ESPIPE
  not_supported,          // ENOSYS, EOPNOTSUPP
  read_only,              // EROFS
  timed_out,              // ETIMEDOUT
  too_large,              // EFBIG, EOVERFLOW
  too_many_links,         // EMLINK
  too_many_open,          // EMFILE, ENFILE: by all guests together
};

template <class T>
using HostResult = Result<T, Error>;

// The neutral name of a host errno value.
Error from_host_errno(int host_errno);

// The same for the calling thread's errno, ready to return from a function with a HostResult.
Failure<Error> host_failure();

// A few lower-case words for messages, "no such file or directory".
const char* describe(Error error);

}  // namespace hardclock::host
