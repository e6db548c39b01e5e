// struct rusage: 4.2BSD's, which SVR4 took over.
#pragma once

#include "sim/base/units.h"
#include "sim/process/process.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/guest_struct.h"

namespace hardclock::posix {

// Only the times are kept; the counts are 0.
GuestStruct rusage(const Call& call, const CpuTime& used);

}  // namespace hardclock::posix
