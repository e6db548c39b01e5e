// open(2) with O_PATH: the descriptor names a file without having it open. It serves for what
// needs no more than the name: fstat(2), fchdir(2), the directory of a call with "at" in its name,
// and opening the file later, by its link in /proc/self/fd.
#pragma once

#include "syscalls/posix/call.h"

namespace hardclock::gnu_linux {

// open(path, flags) with O_PATH among the flags.
posix::CallResult open_path_only(posix::Call& call);

}  // namespace hardclock::gnu_linux
