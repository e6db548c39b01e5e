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

// ---- file_calls.cc
CallResult stat(Call& call);
CallResult lstat(Call& call);
CallResult fstat(Call& call);
CallResult stat64(Call& call);
CallResult lstat64(Call& call);
CallResult fstat64(Call& call);
CallResult getdirentries(Call& call);
CallResult getdents(Call& call);
CallResult statfs(Call& call);
CallResult fstatfs(Call& call);
CallResult statvfs(Call& call);
CallResult fstatvfs(Call& call);
CallResult statvfs64(Call& call);
CallResult fstatvfs64(Call& call);
CallResult utime(Call& call);
CallResult pread(Call& call);
CallResult pwrite(Call& call);
CallResult pread64(Call& call);
CallResult pwrite64(Call& call);
CallResult pathconf(Call& call);
CallResult fpathconf(Call& call);
CallResult getnumfds(Call& call);
CallResult fcntl(Call& call);
CallResult fcntl64(Call& call);
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
CallResult setpgrp3(Call& call);
CallResult getrlimit(Call& call);
CallResult setrlimit(Call& call);
CallResult getrlimit64(Call& call);
CallResult setrlimit64(Call& call);
CallResult madvise(Call& call);
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
