#include "syscalls/bsd/calls.h"

namespace hardclock::bsd::calls {

// times(buffer) of V7 (sys4.c) up to 4.3BSD: it gives only the buffer.
CallResult times_v7(Call& call) {
  const CallResult done = times(call);
  return done.kind == CallResult::Kind::value ? CallResult::value(0) : done;
}

// kern_time.c of 4.2BSD and 4.3BSD stores the time before it tests the zone's pointer for NULL; the
// time's own pointer may not be NULL.
CallResult gettimeofday_bsd42(Call& call) {
  return !call.is_null(0) ? gettimeofday(call) : CallResult::failure(Errno::efault);
}

}  // namespace hardclock::bsd::calls
