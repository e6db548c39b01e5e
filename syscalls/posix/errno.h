// The errors of system calls by name, and the numbers that each system gives them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/memory/address_space.h"
#include "syscalls/host/error.h"

namespace hardclock::posix {

enum class Errno : std::uint8_t {
  eperm,
  enoent,
  esrch,
  eintr,
  eio,
  enxio,
  e2big,
  enoexec,
  ebadf,
  echild,
  eagain,
  enomem,
  eacces,
  efault,
  enotblk,
  ebusy,
  eexist,
  exdev,
  enodev,
  enotdir,
  eisdir,
  einval,
  enfile,
  emfile,
  enotty,
  etxtbsy,
  efbig,
  enospc,
  espipe,
  erofs,
  emlink,
  epipe,
  edom,
  erange,
  // The errors above are 1 to 34 in every Unix since V7 (only EAGAIN moved, in 4.4BSD); the numbers
  // of those below differ.
  enametoolong,
  eoverflow,
  enosys,
  eloop,
  enotempty,
  eopnotsupp,
  etimedout,
  // Those of sockets, in the order of SocketErrnos.
  enotsock,
  edestaddrreq,
  emsgsize,
  eprototype,
  enoprotoopt,
  eprotonosupport,
  esocktnosupport,
  eafnosupport,
  eaddrinuse,
  eaddrnotavail,
  enetunreach,
  econnreset,
  enobufs,
  eisconn,
  enotconn,
  etoomanyrefs,
  econnrefused,
  ealready,
  einprogress,
  // Those of System V's IPC and of record locks, in the order of LockErrnos.
  enomsg,
  eidrm,
  enolck,
  edeadlk,
};
inline constexpr std::size_t errno_count = 64;

// The numbers from ENOTSOCK on.
using SocketErrnos = std::array<std::uint16_t, 19>;
// System V.4, IRIX, and Linux on MIPS (arch/mips/include/uapi/asm/errno.h).
inline constexpr SocketErrnos svr4_socket_errnos = {
    95, 96, 97, 98, 99, 120, 121, 124, 125, 126, 128, 131, 132, 133, 134, 144, 146, 149, 150};
// HP-UX, and Linux on PA-RISC (arch/parisc/include/uapi/asm/errno.h).
inline constexpr SocketErrnos hpux_socket_errnos = {
    216, 217, 218, 219, 220, 221, 222, 225, 226, 227, 229, 232, 233, 234, 235, 237, 239, 244, 245};
// Linux elsewhere (include/uapi/asm-generic/errno.h).
inline constexpr SocketErrnos generic_socket_errnos = {
    88, 89, 90, 91, 92, 93, 94, 97, 98, 99, 101, 104, 105, 106, 107, 109, 111, 114, 115};
// Of systems that have none here: EINVAL.
inline constexpr SocketErrnos no_socket_errnos = {22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
                                                  22, 22, 22, 22, 22, 22, 22, 22, 22};

// The numbers from ENOMSG on.
using LockErrnos = std::array<std::uint16_t, 4>;
// System V (sys/errno.h), which IRIX, HP-UX, and Linux on MIPS and PA-RISC took over.
inline constexpr LockErrnos svr4_lock_errnos = {35, 36, 46, 45};
// Linux elsewhere (include/uapi/asm-generic/errno.h).
inline constexpr LockErrnos generic_lock_errnos = {42, 43, 37, 35};
inline constexpr LockErrnos no_lock_errnos = {22, 22, 22, 22};

// A system's numbers, by Errno.
class ErrnoNumbers {
 public:
  // The errors that every Unix has get their numbers, 1 to 34; `others` are those from enametoolong
  // on. A system that lacks one of them gives the number that it returns instead. ETIMEDOUT is of
  // those systems alone whose calls answer with it, as are those of sockets, IPC and locks: the
  // others have EINVAL.
  constexpr ErrnoNumbers(std::uint16_t eagain, std::array<std::uint16_t, 6> others,
                         std::uint16_t etimedout = 22,
                         const SocketErrnos& sockets = no_socket_errnos,
                         const LockErrnos& locks = no_lock_errnos) {
    for (std::size_t i = 0; i < first_other; ++i) numbers_[i] = static_cast<std::uint16_t>(i + 1);
    numbers_[static_cast<std::size_t>(Errno::eagain)] = eagain;
    for (std::size_t i = 0; i < others.size(); ++i) numbers_[first_other + i] = others[i];
    numbers_[static_cast<std::size_t>(Errno::etimedout)] = etimedout;
    for (std::size_t i = 0; i < sockets.size(); ++i) numbers_[first_of_sockets + i] = sockets[i];
    for (std::size_t i = 0; i < locks.size(); ++i) numbers_[first_of_locks + i] = locks[i];
  }
  constexpr unsigned of(Errno error) const { return numbers_[static_cast<std::size_t>(error)]; }
  // The first error with this number; EINVAL if there is none.
  constexpr Errno error(unsigned number) const {
    for (std::size_t i = 0; i < errno_count; ++i) {
      if (numbers_[i] == number) return static_cast<Errno>(i);
    }
    return Errno::einval;
  }

 private:
  static constexpr std::size_t first_other = static_cast<std::size_t>(Errno::enametoolong);
  static constexpr std::size_t first_of_sockets = static_cast<std::size_t>(Errno::enotsock);
  static constexpr std::size_t first_of_locks = static_cast<std::size_t>(Errno::enomsg);
  std::array<std::uint16_t, errno_count> numbers_{};
};

// The errors of V7, for systems that have no others, or whose others are not known.
inline constexpr std::uint16_t v7_enoent = 2, v7_eexist = 17, v7_einval = 22, v7_efbig = 27;

// They end at 34, and stand in for ENAMETOOLONG, EOVERFLOW, ENOSYS, ELOOP, ENOTEMPTY and
// EOPNOTSUPP. EINVAL is what all kernels before 4.4BSD's answer a missing call with when SIGSYS
// does not kill.
inline constexpr ErrnoNumbers v7_errnos(11, {v7_enoent, v7_efbig, v7_einval, v7_enoent, v7_eexist,
                                             v7_einval});

Errno to_errno(host::Error error);
Errno to_errno(MapError error);

// "ENOENT"; for strace.
const char* errno_name(Errno error);

}  // namespace hardclock::posix
