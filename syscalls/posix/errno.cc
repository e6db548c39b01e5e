#include "syscalls/posix/errno.h"

namespace hardclock::posix {

Errno to_errno(host::Error error) {
  using host::Error;
  switch (error) {
    case Error::access:
      return Errno::eacces;
    case Error::address_in_use:
      return Errno::eaddrinuse;
    case Error::address_not_available:
      return Errno::eaddrnotavail;
    case Error::again:
      return Errno::eagain;
    case Error::bad_descriptor:
      return Errno::ebadf;
    case Error::broken_pipe:
      return Errno::epipe;
    case Error::busy:
      return Errno::ebusy;
    case Error::connection_refused:
      return Errno::econnrefused;
    case Error::connection_reset:
      return Errno::econnreset;
    case Error::cross_device:
      return Errno::exdev;
    case Error::destination_required:
      return Errno::edestaddrreq;
    case Error::exists:
      return Errno::eexist;
    case Error::invalid:
      return Errno::einval;
    case Error::io:
      return Errno::eio;
    case Error::is_directory:
      return Errno::eisdir;
    case Error::loop:
      return Errno::eloop;
    case Error::message_too_long:
      return Errno::emsgsize;
    case Error::name_too_long:
      return Errno::enametoolong;
    case Error::network_unreachable:
      return Errno::enetunreach;
    case Error::no_device:
      return Errno::enxio;
    case Error::no_memory:
      return Errno::enomem;
    case Error::no_space:
      return Errno::enospc;
    case Error::not_connected:
      return Errno::enotconn;
    case Error::not_directory:
      return Errno::enotdir;
    case Error::not_empty:
      return Errno::enotempty;
    case Error::not_found:
      return Errno::enoent;
    case Error::not_permitted:
      return Errno::eperm;
    case Error::not_seekable:
      return Errno::espipe;
    case Error::not_supported:
      return Errno::eopnotsupp;
    case Error::read_only:
      return Errno::erofs;
    case Error::timed_out:
      return Errno::etimedout;
    case Error::too_large:
      return Errno::efbig;
    case Error::too_many_links:
      return Errno::emlink;
    case Error::too_many_open:
      return Errno::enfile;
  }
  return Errno::eio;
}

Errno to_errno(MapError error) {
  return error == MapError::memory ? Errno::enomem : Errno::einval;
}

const char* errno_name(Errno error) {
  static constexpr std::array<const char*, errno_count> names = {
      "EPERM",        "ENOENT",       "ESRCH",           "EINTR",
      "EIO",          "ENXIO",        "E2BIG",           "ENOEXEC",
      "EBADF",        "ECHILD",       "EAGAIN",          "ENOMEM",
      "EACCES",       "EFAULT",       "ENOTBLK",         "EBUSY",
      "EEXIST",       "EXDEV",        "ENODEV",          "ENOTDIR",
      "EISDIR",       "EINVAL",       "ENFILE",          "EMFILE",
      "ENOTTY",       "ETXTBSY",      "EFBIG",           "ENOSPC",
      "ESPIPE",       "EROFS",        "EMLINK",          "EPIPE",
      "EDOM",         "ERANGE",       "ENAMETOOLONG",    "EOVERFLOW",
      "ENOSYS",       "ELOOP",        "ENOTEMPTY",       "EOPNOTSUPP",
      "ETIMEDOUT",    "ENOTSOCK",     "EDESTADDRREQ",    "EMSGSIZE",
      "EPROTOTYPE",   "ENOPROTOOPT",  "EPROTONOSUPPORT", "ESOCKTNOSUPPORT",
      "EAFNOSUPPORT", "EADDRINUSE",   "EADDRNOTAVAIL",   "ENETUNREACH",
      "ECONNRESET",   "ENOBUFS",      "EISCONN",         "ENOTCONN",
      "ETOOMANYREFS", "ECONNREFUSED", "EALREADY",        "EINPROGRESS",
      "ENOMSG",       "EIDRM",        "ENOLCK",          "EDEADLK"};
  return names[static_cast<std::size_t>(error)];
}

}  // namespace hardclock::posix
