// The calls that the systems share, named as in their syscalls.master. What each one does is its
// page in section 2 of the manuals; where systems differ, the UnixSystem says how.
#pragma once

#include <cstddef>

#include "syscalls/posix/call.h"

namespace hardclock::posix::calls {

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
CallResult vfork(Call& call);
CallResult execv(Call& call);
CallResult execve(Call& call);
CallResult getpid(Call& call);
CallResult getppid(Call& call);
CallResult getuid(Call& call);
CallResult getgid(Call& call);

// ---- wait_calls.cc
CallResult wait(Call& call);
CallResult wait3(Call& call);
CallResult wait4(Call& call);
CallResult waitpid(Call& call);
CallResult waitsys(Call& call);
CallResult waitid(Call& call);
CallResult wait_status(Call& call);

// ---- memory_calls.cc
CallResult brk(Call& call);
CallResult mmap(Call& call);
CallResult munmap(Call& call);
CallResult mprotect(Call& call);
CallResult getpagesize(Call& call);

// ---- signal_calls.cc
CallResult kill(Call& call);
CallResult pause(Call& call);
CallResult signal(Call& call);
CallResult sigaction(Call& call);
CallResult sigprocmask(Call& call);
CallResult sigpending(Call& call);
CallResult sigsuspend(Call& call);
CallResult sigvec(Call& call);
CallResult sigblock(Call& call);
CallResult sigsetmask(Call& call);
CallResult sigpause(Call& call);

// ---- sigcontext.cc
CallResult sigreturn(Call& call);

// ---- ucontext.cc
CallResult setcontext(Call& call);

// ---- lwp_calls.cc
CallResult lwp_create(Call& call);
CallResult lwp_exit(Call& call);
CallResult lwp_self(Call& call);

// ---- time_calls.cc
CallResult time(Call& call);
CallResult time_store(Call& call);
CallResult gettimeofday(Call& call);
CallResult BSDgettimeofday(Call& call);
CallResult times(Call& call);
CallResult alarm(Call& call);
CallResult setitimer(Call& call);
CallResult getitimer(Call& call);

// ---- profile_calls.cc
CallResult profil(Call& call);
CallResult sprofil(Call& call);
CallResult pcsample(Call& call);

// ---- For systems whose form of a call differs in its arguments.
// sprofil whose arguments begin at `first`.
CallResult sprofil_at(Call& call, std::size_t first);
// sigaction(signal, new, old) whose arguments begin at `first`, with the C library's trampoline.
CallResult sigaction_at(Call& call, std::size_t first, GuestAddr trampoline);
// Blocks these signals only until the handler that ends the wait has returned.
CallResult suspend_with(Call& call, SignalSet mask);
// The rusage of a process or of its children at an address.
CallResult getrusage_at(Call& call, std::size_t first);
CallResult getrusage(Call& call);

}  // namespace hardclock::posix::calls
