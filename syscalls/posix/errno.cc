#include "syscalls/posix/errno.h"

namespace hardclock::posix {

Errno to_errno(host::Error error) {
  using host::Error;
  switch (error) {
    case Error::access:
      return Errno::eacces;
    case Error::again:
      return Errno::eagain;
    case Error::bad_descriptor:
      return Errno::ebadf;
    case Error::broken_pipe:
      return Errno::epipe;
    case Error::busy:
      return Errno::ebusy;
    case Error::cross_device:
      return Errno::exdev;
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
    case Error::name_too_long:
      return Errno::enametoolong;
    case Error::no_device:
      return Errno::enxio;
    case Error::no_memory:
      return Errno::enomem;
    case Error::no_space:
      return Errno::enospc;
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
    case Error::too_large:
      return Errno::efbig;
    case Error::too_many_links:
      return Errno::emlink;
    case Error::too_many_open:
      return Errno::emfile;
  }
  return Errno::eio;
}

Errno to_errno(MapError error) {
  return error == MapError::memory ? Errno::enomem : Errno::einval;
}

const char* errno_name(Errno error) {
  switch (error) {
    case Errno::eperm:
      return "EPERM";
    case Errno::enoent:
      return "ENOENT";
    case Errno::esrch:
      return "ESRCH";
    case Errno::eintr:
      return "EINTR";
    case Errno::eio:
      return "EIO";
    case Errno::enxio:
      return "ENXIO";
    case Errno::e2big:
      return "E2BIG";
    case Errno::enoexec:
      return "ENOEXEC";
    case Errno::ebadf:
      return "EBADF";
    case Errno::echild:
      return "ECHILD";
    case Errno::eagain:
      return "EAGAIN";
    case Errno::enomem:
      return "ENOMEM";
    case Errno::eacces:
      return "EACCES";
    case Errno::efault:
      return "EFAULT";
    case Errno::enotblk:
      return "ENOTBLK";
    case Errno::ebusy:
      return "EBUSY";
    case Errno::eexist:
      return "EEXIST";
    case Errno::exdev:
      return "EXDEV";
    case Errno::enodev:
      return "ENODEV";
    case Errno::enotdir:
      return "ENOTDIR";
    case Errno::eisdir:
      return "EISDIR";
    case Errno::einval:
      return "EINVAL";
    case Errno::enfile:
      return "ENFILE";
    case Errno::emfile:
      return "EMFILE";
    case Errno::enotty:
      return "ENOTTY";
    case Errno::etxtbsy:
      return "ETXTBSY";
    case Errno::efbig:
      return "EFBIG";
    case Errno::enospc:
      return "ENOSPC";
    case Errno::espipe:
      return "ESPIPE";
    case Errno::erofs:
      return "EROFS";
    case Errno::emlink:
      return "EMLINK";
    case Errno::epipe:
      return "EPIPE";
    case Errno::edom:
      return "EDOM";
    case Errno::erange:
      return "ERANGE";
    case Errno::enametoolong:
      return "ENAMETOOLONG";
    case Errno::eoverflow:
      return "EOVERFLOW";
    case Errno::enosys:
      return "ENOSYS";
    case Errno::eloop:
      return "ELOOP";
    case Errno::enotempty:
      return "ENOTEMPTY";
    case Errno::eopnotsupp:
      return "EOPNOTSUPP";
  }
  return "E?";
}

}  // namespace hardclock::posix
