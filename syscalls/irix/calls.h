// The handlers of the calls that only IRIX has, or has in its own form; the others are those of
// syscalls/posix. Named as in syscalls.master. What each one does is its page in section 2 of the
// IRIX manual; the argument layout is the o32 one.
#pragma once

#include "syscalls/posix/calls.h"

namespace hardclock::irix::calls {

using namespace posix::calls;
using posix::Call;
using posix::CallResult;
using posix::Errno;

// ---- signal_calls.cc
CallResult ksigaction(Call& call);
CallResult sigprocmask(Call& call);
CallResult sigreturn(Call& call);

// ---- process_calls.cc
CallResult sproc(Call& call);
CallResult sprocsp(Call& call);
CallResult getnshare(Call& call);

// ---- system_calls.cc
CallResult sprofil(Call& call);
CallResult getrusage(Call& call);
CallResult nuname(Call& call);
CallResult sysconf(Call& call);
CallResult pagesize(Call& call);

}  // namespace hardclock::irix::calls
