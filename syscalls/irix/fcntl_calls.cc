// fcntl(2) with IRIX's numbers and structures (<sys/fcntl.h>; NetBSD, sys/compat/irix/irix_fcntl.h
// and sys/compat/svr4/svr4_fcntl.h).
#include "syscalls/posix/files/fcntl_calls.h"
#include "syscalls/irix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/files/flock.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sockets/socket_transfer.h"

namespace hardclock::irix::calls {
namespace {

// Commands besides those that every Unix has.
enum FcntlCommand : std::uint32_t {
  f_setlk = 6,
  f_setlkw = 7,
  f_chkfl = 8,
  f_allocsp = 10,
  f_freesp = 11,
  f_setbsdlk = 12,
  f_setbsdlkw = 13,
  f_getlk = 14,
  f_getown = 23,
  f_setown = 24,
  f_getlk64 = 33,
  f_setlk64 = 34,
  f_setlkw64 = 35,
  f_allocsp64 = 36,
  f_freesp64 = 37,
};

// struct flock. struct flock64 is that of n32, also in o32.
posix::FlockLayout flock_layout(const Call& call, bool is_flock64) {
  const bool is_wide = is_flock64 || call.abi().register_bits == 64;
  return {.offset_bytes = is_wide ? std::size_t{8} : 4, .has_system = true, .spare_longs = 4};
}

// The commands with a struct flock.
CallResult lock_command(Call& call, std::uint32_t command) {
  auto flock = posix::Flock::read(call, flock_layout(call, command >= f_getlk64));
  if (!flock) return CallResult::failure(flock.error());
  const bool sets_end = command == f_allocsp || command == f_freesp || command == f_allocsp64 ||
                        command == f_freesp64;
  if (sets_end) return posix::set_end(call, flock->range());
  const auto request = flock->request();
  if (!request) return CallResult::failure(Errno::einval);
  if (command == f_getlk || command == f_getlk64) {
    const auto lock = posix::find_lock(call, *request);
    return lock ? flock->answer(call, *lock) : CallResult::failure(lock.error());
  }
  const bool waits = command == f_setlkw || command == f_setbsdlkw || command == f_setlkw64;
  return posix::set_lock(call, *request, waits);
}

}  // namespace

// F_SETBSDLK and F_SETBSDLKW, used by flock(3), set the same locks, as in NetBSD's emulation.
// F_GETOWN and F_SETOWN are those of sockets, for SIGURG; SIGIO is never sent here.
CallResult fcntl(Call& call) {
  const auto common = posix::fcntl_common(call);
  if (common) return *common;
  switch (const std::uint32_t command = call.argument(1)) {
    case f_chkfl:
      return CallResult::value(0);
    case f_setlk:
    case f_setlkw:
    case f_allocsp:
    case f_freesp:
    case f_setbsdlk:
    case f_setbsdlkw:
    case f_getlk:
    case f_getlk64:
    case f_setlk64:
    case f_setlkw64:
    case f_allocsp64:
    case f_freesp64:
      return lock_command(call, command);
    case f_getown: {
      const auto owner = posix::socket_owner(call);
      return owner ? CallResult::value(static_cast<std::uint32_t>(*owner))
                   : CallResult::failure(Errno::einval);
    }
    case f_setown:
      return posix::set_socket_owner(call, call.signed_argument(2))
          .value_or(CallResult::failure(Errno::einval));
    default:
      return CallResult::failure(Errno::einval);
  }
}

}  // namespace hardclock::irix::calls
