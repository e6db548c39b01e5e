#include "syscalls/host/error.h"

#include <cerrno>

namespace hardclock::host {
namespace {

struct Row {
  int host_errno;
  Error error;
};

constexpr Row table[] = {
    {EACCES, Error::access},
    {EADDRINUSE, Error::address_in_use},
    {EADDRNOTAVAIL, Error::address_not_available},
    {EAGAIN, Error::again},
    {EBADF, Error::bad_descriptor},
    {EPIPE, Error::broken_pipe},
    {EBUSY, Error::busy},
    {ETXTBSY, Error::busy},
    {ECONNREFUSED, Error::connection_refused},
    {ECONNRESET, Error::connection_reset},
    {ECONNABORTED, Error::connection_reset},
    {EXDEV, Error::cross_device},
    {EDESTADDRREQ, Error::destination_required},
    {EEXIST, Error::exists},
    {EINVAL, Error::invalid},
    {EIO, Error::io},
    {EISDIR, Error::is_directory},
    {ELOOP, Error::loop},
    {EMSGSIZE, Error::message_too_long},
    {ENAMETOOLONG, Error::name_too_long},
    {ENETUNREACH, Error::network_unreachable},
    {ENETDOWN, Error::network_unreachable},
    {EHOSTUNREACH, Error::network_unreachable},
    {ENXIO, Error::no_device},
    {ENODEV, Error::no_device},
    {ENOMEM, Error::no_memory},
    {ENOSPC, Error::no_space},
    {EDQUOT, Error::no_space},
    {ENOTCONN, Error::not_connected},
    {ENOTDIR, Error::not_directory},
    {ENOTEMPTY, Error::not_empty},
    {ENOENT, Error::not_found},
    {EPERM, Error::not_permitted},
    {ESPIPE, Error::not_seekable},
    {ENOSYS, Error::not_supported},
    {EOPNOTSUPP, Error::not_supported},
    {EROFS, Error::read_only},
    {ETIMEDOUT, Error::timed_out},
    {EFBIG, Error::too_large},
    {EOVERFLOW, Error::too_large},
    {EMLINK, Error::too_many_links},
    {EMFILE, Error::too_many_open},
    {ENFILE, Error::too_many_open},
};

}  // namespace

Error from_host_errno(int host_errno) {
  for (const Row& row : table) {
    if (row.host_errno == host_errno) return row.error;
  }
  return Error::io;
}

Failure<Error> host_failure() {
  return Failure{from_host_errno(errno)};
}

const char* describe(Error error) {
  switch (error) {
    case Error::access:
      return "permission denied";
    case Error::address_in_use:
      return "address in use";
    case Error::address_not_available:
      return "address not available";
    case Error::again:
      return "not ready";
    case Error::bad_descriptor:
      return "not open for this use";
    case Error::broken_pipe:
      return "broken pipe";
    case Error::busy:
      return "busy";
    case Error::connection_refused:
      return "connection refused";
    case Error::connection_reset:
      return "connection reset";
    case Error::cross_device:
      return "on another device";
    case Error::destination_required:
      return "no destination";
    case Error::exists:
      return "already exists";
    case Error::invalid:
      return "invalid argument";
    case Error::io:
      return "input/output error";
    case Error::is_directory:
      return "is a directory";
    case Error::loop:
      return "too many symbolic links";
    case Error::message_too_long:
      return "message too long";
    case Error::name_too_long:
      return "name too long";
    case Error::network_unreachable:
      return "network unreachable";
    case Error::no_device:
      return "no such device";
    case Error::no_memory:
      return "out of memory";
    case Error::no_space:
      return "no space left";
    case Error::not_connected:
      return "not connected";
    case Error::not_directory:
      return "not a directory";
    case Error::not_empty:
      return "directory not empty";
    case Error::not_found:
      return "no such file or directory";
    case Error::not_permitted:
      return "operation not permitted";
    case Error::not_seekable:
      return "cannot seek";
    case Error::not_supported:
      return "not supported by this host";
    case Error::read_only:
      return "read-only";
    case Error::timed_out:
      return "timed out";
    case Error::too_large:
      return "too large";
    case Error::too_many_links:
      return "too many links";
    case Error::too_many_open:
      return "too many open files";
  }
  return "unknown error";
}

}  // namespace hardclock::host
