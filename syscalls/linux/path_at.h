// Paths relative to an open directory, as the calls with "at" in their names take them.
#pragma once

#include <cstddef>

#include "sim/base/result.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/host/held_directory.h"
#include "syscalls/posix/call.h"

namespace hardclock::gnu_linux {

using posix::Call;
using posix::CallResult;
using posix::Errno;

// The directory that the path at argument `directory` + 1 is relative to: the one open at the
// descriptor in argument `directory`, or the process's own for AT_FDCWD. EBADF, ENOTDIR, EFAULT.
Result<host::HeldDirectoryRef, Errno> directory_at(Call& call, std::size_t directory);
// The path at argument `directory` + 1, resolved from that directory.
Result<host::GuestPath, Errno> path_at(Call& call, std::size_t directory);

}  // namespace hardclock::gnu_linux
