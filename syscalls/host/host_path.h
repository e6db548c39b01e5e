// The host's own name for an open object.
#pragma once

#include <string>

#include "syscalls/host/error.h"

namespace hardclock::host {

// The kernel's current path of what is open here (proc(5), /proc/PID/fd), with " (deleted)" behind
// it if it has lost that name.
HostResult<std::string> host_path_of(int descriptor);

}  // namespace hardclock::host
