// The host's own names for an open object, which may be open with O_PATH only.
#pragma once

#include <string>

#include "syscalls/host/descriptor.h"
#include "syscalls/host/error.h"

namespace hardclock::host {

// A name that leads to what is open here, whatever its path (proc(5), /proc/PID/fd).
std::string host_link_to(int descriptor);
// The kernel's current path of it, with " (deleted)" behind it if it has lost that name.
HostResult<std::string> host_path_of(int descriptor);
// Opens it once more, with open(2)'s flags and without O_NOFOLLOW.
HostResult<Descriptor> open_by_link(int descriptor, int flags);

}  // namespace hardclock::host
