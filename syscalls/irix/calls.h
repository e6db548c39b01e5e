// The handlers of IRIX's system calls, named as in syscalls.master. What each one does is its page
// in section 2 of the IRIX manual; the argument layout is the o32 one.
#pragma once

#include "syscalls/irix/call.h"

namespace hardclock::irix::calls {

// ---- file_calls.cc
CallResult read(Call& call);
CallResult write(Call& call);
CallResult open(Call& call);
CallResult creat(Call& call);
CallResult close(Call& call);
CallResult lseek(Call& call);
CallResult dup(Call& call);
CallResult pipe(Call& call);
CallResult unlink(Call& call);

// ---- process_calls.cc
CallResult exit(Call& call);
CallResult fork(Call& call);
CallResult execve(Call& call);
CallResult waitsys(Call& call);
CallResult getpid(Call& call);
CallResult getuid(Call& call);
CallResult getgid(Call& call);

// ---- memory_calls.cc
CallResult brk(Call& call);
CallResult mmap(Call& call);
CallResult munmap(Call& call);
CallResult mprotect(Call& call);
CallResult getpagesize(Call& call);

// ---- signal_calls.cc
CallResult kill(Call& call);
CallResult ksigaction(Call& call);
CallResult sigprocmask(Call& call);
CallResult sigpending(Call& call);
CallResult sigsuspend(Call& call);
CallResult sigreturn(Call& call);
CallResult pause(Call& call);

// ---- time_calls.cc
CallResult time(Call& call);
CallResult BSDgettimeofday(Call& call);
CallResult times(Call& call);
CallResult getrusage(Call& call);
CallResult alarm(Call& call);
CallResult setitimer(Call& call);
CallResult getitimer(Call& call);

// ---- profile_calls.cc
CallResult profil(Call& call);
CallResult sprofil(Call& call);

// ---- system_calls.cc
CallResult nuname(Call& call);
CallResult sysconf(Call& call);
CallResult pagesize(Call& call);
CallResult getnshare(Call& call);

}  // namespace hardclock::irix::calls
