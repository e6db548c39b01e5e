#include "syscalls/posix/errno.h"

#include <algorithm>
#include <iterator>

namespace hardclock::posix {
namespace {

using host::Error;

struct HostErrorNumber {
  Error error;
  Errno number;
};

constexpr HostErrorNumber host_errors[] = {
    {Error::access, Errno::eacces},
    {Error::address_in_use, Errno::eaddrinuse},
    {Error::address_not_available, Errno::eaddrnotavail},
    {Error::again, Errno::eagain},
    {Error::bad_descriptor, Errno::ebadf},
    {Error::broken_pipe, Errno::epipe},
    {Error::busy, Errno::ebusy},
    {Error::connection_refused, Errno::econnrefused},
    {Error::connection_reset, Errno::econnreset},
    {Error::cross_device, Errno::exdev},
    {Error::destination_required, Errno::edestaddrreq},
    {Error::exists, Errno::eexist},
    {Error::invalid, Errno::einval},
    {Error::io, Errno::eio},
    {Error::is_directory, Errno::eisdir},
    {Error::loop, Errno::eloop},
    {Error::message_too_long, Errno::emsgsize},
    {Error::name_too_long, Errno::enametoolong},
    {Error::network_unreachable, Errno::enetunreach},
    {Error::no_device, Errno::enxio},
    {Error::no_memory, Errno::enomem},
    {Error::no_space, Errno::enospc},
    {Error::not_connected, Errno::enotconn},
    {Error::not_directory, Errno::enotdir},
    {Error::not_empty, Errno::enotempty},
    {Error::not_found, Errno::enoent},
    {Error::not_permitted, Errno::eperm},
    {Error::not_seekable, Errno::espipe},
    {Error::not_supported, Errno::eopnotsupp},
    {Error::read_only, Errno::erofs},
    {Error::timed_out, Errno::etimedout},
    {Error::too_large, Errno::efbig},
    {Error::too_many_links, Errno::emlink},
    {Error::too_many_open, Errno::enfile},
};
static_assert(std::size(host_errors) == static_cast<std::size_t>(Error::too_many_open) + 1);

}  // namespace

Errno to_errno(host::Error error) {
  const auto* const found = std::ranges::find(host_errors, error, &HostErrorNumber::error);
  return found == std::end(host_errors) ? Errno::eio : found->number;
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
