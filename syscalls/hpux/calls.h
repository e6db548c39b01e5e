// The handlers of calls that only HP-UX has, or has in its own form; the others are those of
// syscalls/posix. Named as in hpux.master. Each is described by its page in section 2 of the HP-UX
// Reference.
#pragma once

#include "syscalls/posix/calls.h"
#include "syscalls/posix/timer_calls.h"

namespace hardclock::hpux::calls {

using namespace posix::calls;
using posix::Call;
using posix::CallResult;
using posix::Errno;
using posix::FileAt;
using posix::Handler;

// ---- file_calls.cc
// An off_t has so many bytes in 32-bit programs.
CallResult write_status(Call& call, FileAt which, std::size_t offset_bytes);
inline constexpr Handler stat = with<write_status, FileAt::path, 4>,
                         lstat = with<write_status, FileAt::link, 4>,
                         fstat = with<write_status, FileAt::descriptor, 4>,
                         stat64 = with<write_status, FileAt::path, 8>,
                         lstat64 = with<write_status, FileAt::link, 8>,
                         fstat64 = with<write_status, FileAt::descriptor, 8>;
CallResult getdirentries(Call& call);
CallResult getdents(Call& call);
CallResult write_statfs(Call& call, FileAt which);
inline constexpr Handler statfs = with<write_statfs, FileAt::path>,
                         fstatfs = with<write_statfs, FileAt::descriptor>;
CallResult write_statvfs(Call& call, FileAt which, bool has_wide_counts);
inline constexpr Handler statvfs = with<write_statvfs, FileAt::path, false>,
                         fstatvfs = with<write_statvfs, FileAt::descriptor, false>,
                         statvfs64 = with<write_statvfs, FileAt::path, true>,
                         fstatvfs64 = with<write_statvfs, FileAt::descriptor, true>;
CallResult utime(Call& call);
CallResult pread(Call& call);
CallResult pwrite(Call& call);
inline constexpr Handler pread64 = posix::calls::pread, pwrite64 = posix::calls::pwrite;
CallResult pathconf(Call& call);
CallResult fpathconf(Call& call);
CallResult getnumfds(Call& call);
CallResult fcntl(Call& call);
inline constexpr Handler fcntl64 = fcntl;
CallResult ioctl(Call& call);
CallResult lockf(Call& call);
CallResult lockf64(Call& call);

// ---- ipc_calls.cc
CallResult omsgctl(Call& call);
CallResult osemctl(Call& call);
CallResult oshmctl(Call& call);

// ---- priority_calls.cc
CallResult getpriority(Call& call);
CallResult setpriority(Call& call);
CallResult rtprio(Call& call);

// ---- pstat_calls.cc
CallResult pstat(Call& call);

// ---- process_calls.cc
CallResult brk(Call& call);
CallResult pipe(Call& call);
inline constexpr Handler setpgrp3 = setpgrp;
// With the number of a resource that is the other systems'.
CallResult with_resource(Call& call, Handler handler);
inline constexpr Handler getrlimit = with<with_resource, posix::calls::getrlimit>,
                         setrlimit = with<with_resource, posix::calls::setrlimit>,
                         getrlimit64 = with<with_resource, posix::calls::getrlimit64>,
                         setrlimit64 = with<with_resource, posix::calls::setrlimit64>;
inline constexpr Handler madvise = answer<0>;  // advice has no effect here
CallResult time(Call& call);
CallResult times(Call& call);
CallResult ftime(Call& call);
CallResult utssys(Call& call);
CallResult sysconf(Call& call);

// ---- signal_calls.cc
CallResult sigsetreturn(Call& call);
CallResult sigcleanup(Call& call);

// ---- timer_calls.cc
CallResult clock_gettime(Call& call);
CallResult clock_getres(Call& call);
CallResult clock_settime(Call& call);
CallResult timer_create(Call& call);

// ---- thread_calls.cc
CallResult lwp_getprivate(Call& call);
CallResult lwp_setprivate(Call& call);

}  // namespace hardclock::hpux::calls
