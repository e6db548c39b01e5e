// Paths relative to an open directory, as the calls with "at" in their names take them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/result.h"
#include "syscalls/host/guest_files.h"
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

// The same for a call with AT_EMPTY_PATH and AT_SYMLINK_NOFOLLOW among its flags
// (include/uapi/linux/fcntl.h). With the former, an empty path means the file of the descriptor
// itself, or the process's directory.
struct FlaggedPath {
  host::GuestPath path;
  host::Follow follow;
};
Result<FlaggedPath, Errno> path_at(Call& call, std::size_t directory, std::uint32_t flags);
// Whether the path at argument `directory` + 1 is empty.
bool is_empty_path(Call& call, std::size_t directory);

// include/uapi/linux/fcntl.h
inline constexpr std::int32_t at_fdcwd = -100;
inline constexpr std::uint32_t at_symlink_nofollow = 0x100, at_empty_path = 0x1000;

}  // namespace hardclock::gnu_linux
