// AIX, for comparison: enough to run a program that profiles itself by AIX's rules. The calls'
// numbers are hardclock's own (aix.master says why).
#pragma once

#include "syscalls/posix/unix_system.h"

namespace hardclock::aix {

const posix::UnixSystem& aix_system();

}  // namespace hardclock::aix
