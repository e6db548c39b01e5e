#include "syscalls/host/error.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>

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

struct Description {
  Error error;
  const char* text;
};

constexpr Description descriptions[] = {
    {Error::access, "permission denied"},
    {Error::address_in_use, "address in use"},
    {Error::address_not_available, "address not available"},
    {Error::again, "not ready"},
    {Error::bad_descriptor, "not open for this use"},
    {Error::broken_pipe, "broken pipe"},
    {Error::busy, "busy"},
    {Error::connection_refused, "connection refused"},
    {Error::connection_reset, "connection reset"},
    {Error::cross_device, "on another device"},
    {Error::destination_required, "no destination"},
    {Error::exists, "already exists"},
    {Error::invalid, "invalid argument"},
    {Error::io, "input/output error"},
    {Error::is_directory, "is a directory"},
    {Error::loop, "too many symbolic links"},
    {Error::message_too_long, "message too long"},
    {Error::name_too_long, "name too long"},
    {Error::network_unreachable, "network unreachable"},
    {Error::no_device, "no such device"},
    {Error::no_memory, "out of memory"},
    {Error::no_space, "no space left"},
    {Error::not_connected, "not connected"},
    {Error::not_directory, "not a directory"},
    {Error::not_empty, "directory not empty"},
    {Error::not_found, "no such file or directory"},
    {Error::not_permitted, "operation not permitted"},
    {Error::not_seekable, "cannot seek"},
    {Error::not_supported, "not supported by this host"},
    {Error::read_only, "read-only"},
    {Error::timed_out, "timed out"},
    {Error::too_large, "too large"},
    {Error::too_many_links, "too many links"},
    {Error::too_many_open, "too many open files"},
};
static_assert(std::size(descriptions) == static_cast<std::size_t>(Error::too_many_open) + 1);

}  // namespace

Error from_host_errno(int host_errno) {
  const auto* const found = std::ranges::find(table, host_errno, &Row::host_errno);
  return found == std::end(table) ? Error::io : found->error;
}

Failure<Error> host_failure() {
  return Failure{from_host_errno(errno)};
}

const char* describe(Error error) {
  const auto* const found = std::ranges::find(descriptions, error, &Description::error);
  return found == std::end(descriptions) ? "unknown error" : found->text;
}

}  // namespace hardclock::host
