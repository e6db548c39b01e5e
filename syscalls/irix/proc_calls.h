// What open(2) and ioctl(2) do with the files of /proc.
#pragma once

#include <optional>

#include "syscalls/host/guest_path.h"
#include "syscalls/posix/call.h"

namespace hardclock::irix::calls {

// nullopt: the path names no process.
std::optional<posix::CallResult> open_process(posix::Call& call, const host::GuestPath& path);
// nullopt: the file is no process, or the request none of /proc's.
std::optional<posix::CallResult> process_request(posix::Call& call);

}  // namespace hardclock::irix::calls
