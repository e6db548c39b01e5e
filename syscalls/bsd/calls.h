// The handlers of calls that only V7 and the BSDs have, or have in their own form.
#pragma once

#include "syscalls/posix/calls.h"

namespace hardclock::bsd::calls {

using namespace posix::calls;
using posix::Call;
using posix::CallResult;
using posix::Errno;

// ---- file_calls.cc
// open(name, mode) knows no flags (V7 sys2.c open(), 4.1BSD).
inline constexpr posix::Handler open_mode = with_zero<open, 2>;
CallResult dup_v7(Call& call);
CallResult dup_bsd42(Call& call);
CallResult mmap64(Call& call);

// ---- signal_calls.cc
CallResult sigsys(Call& call);
CallResult sigaction_trampoline(Call& call);
CallResult sigprocmask_value(Call& call);

// ---- time_calls.cc
CallResult times_v7(Call& call);
CallResult gettimeofday_bsd42(Call& call);

}  // namespace hardclock::bsd::calls
