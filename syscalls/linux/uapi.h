// Where the headers that Linux shares with programs differ by architecture (uapi/asm), besides what
// UnixSystem and Port say.
#pragma once

#include <array>
#include <cstdint>

#include "syscalls/host/file_status.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/files/flock.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/process_state.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

// uapi/asm/fcntl.h: F_GETLK, F_SETLK, F_SETLKW and their forms with 64-bit offsets.
struct LockCommands {
  std::uint32_t get, set, set_and_wait, get64, set64, set64_and_wait;
};

// uapi/asm/fcntl.h: F_SETOWN, F_GETOWN, F_SETSIG and F_GETSIG.
struct OwnerCommands {
  std::uint32_t set, get, set_signal, get_signal;
};

// uapi/asm/ioctls.h: FIONREAD, FIONBIO, FIOCLEX, FIONCLEX and FIOASYNC; uapi/asm/sockios.h:
// SIOCATMARK, FIOSETOWN and SIOCSPGRP, FIOGETOWN and SIOCGPGRP.
struct IoctlRequests {
  std::uint32_t count_available, set_non_blocking, close_on_exec, keep_on_exec, set_async;
  std::uint32_t is_at_mark;
  std::array<std::uint32_t, 2> set_owner, get_owner;
};
// include/uapi/asm-generic/ioctls.h
inline constexpr IoctlRequests generic_ioctl_requests = {.count_available = 0x541b,
                                                         .set_non_blocking = 0x5421,
                                                         .close_on_exec = 0x5451,
                                                         .keep_on_exec = 0x5450,
                                                         .set_async = 0x5452,
                                                         .is_at_mark = 0x8905,
                                                         .set_owner = {0x8901, 0x8902},
                                                         .get_owner = {0x8903, 0x8904}};

// uapi/asm/resource.h: the posix::Resource of each RLIMIT_ number.
using Resources = std::array<std::uint8_t, 16>;
// include/uapi/asm-generic/resource.h
inline constexpr Resources generic_resources = {
    posix::rlimit_cpu,      posix::rlimit_fsize, posix::rlimit_data,   posix::rlimit_stack,
    posix::rlimit_core,     posix::rlimit_rss,   posix::rlimit_nproc,  posix::rlimit_nofile,
    posix::rlimit_memlock,  posix::rlimit_vmem,  posix::rlimit_locks,  posix::rlimit_sigpending,
    posix::rlimit_msgqueue, posix::rlimit_nice,  posix::rlimit_rtprio, posix::rlimit_rttime};

struct Uapi {
  bool code_precedes_errno;            // in siginfo_t
  std::int32_t timer_code;             // SI_TIMER
  bool fragment_size_precedes_blocks;  // in struct statfs, where f_bavail is behind f_ffree then
  std::uint32_t path_only;             // uapi/asm/fcntl.h: O_PATH
  LockCommands lock_commands;
  posix::FlockLayout flock;  // uapi/asm/fcntl.h: struct flock where a long has 32 bits
  OwnerCommands owner_commands;
  IoctlRequests ioctl_requests;
  Resources resources;
  std::uint64_t infinity32;  // uapi/asm/resource.h: RLIM_INFINITY where a long has 32 bits
  // struct stat and, where it differs, struct stat64 (uapi/asm/stat.h).
  posix::GuestStruct (*stat)(const posix::Call& call, const host::FileStatus& status);
  posix::GuestStruct (*stat64)(const posix::Call& call, const host::FileStatus& status);
  // getpriority() gives the priority itself, which may be negative (arch/ia64/kernel/sys_ia64.c,
  // ia64_getpriority()); if false, 20 less it.
  bool priority_is_plain = false;
  // The bits that O_NONBLOCK had besides its own before Linux 5.10, which the calls that make files
  // without a path pass over (arch/parisc/kernel/sys_parisc.c, FIX_O_NONBLOCK()).
  std::uint32_t former_non_block = 0;
};

struct LinuxSystem : posix::UnixSystem {
  Uapi uapi;
};

// For one of the systems of linux.h.
inline const Uapi& uapi_of(const posix::UnixSystem& system) {
  return static_cast<const LinuxSystem&>(system).uapi;
}

// The flags, at this argument, of a call that makes a file without a path.
inline std::uint32_t new_file_flags(const posix::Call& call, std::size_t argument) {
  return call.argument(argument) & ~uapi_of(call.system).former_non_block;
}

}  // namespace hardclock::gnu_linux
