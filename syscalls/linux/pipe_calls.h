// How much pipes hold, and the commands of fcntl(2) about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "syscalls/posix/call.h"
#include "syscalls/posix/files/pipe.h"

namespace hardclock::gnu_linux {

// pipe(7): 16 pages, and PIPE_BUF is 4096 everywhere (include/uapi/linux/limits.h).
constexpr posix::PipeSizes pipe_sizes(std::size_t page_bytes) {
  return {.capacity = 16 * page_bytes, .atomic = 4096, .page = page_bytes};
}

// /proc/sys/fs/pipe-max-size: as far as a user may make a pipe larger (fs/pipe.c).
inline constexpr std::size_t largest_pipe = std::size_t{1} << 20;

// F_SETPIPE_SZ and F_GETPIPE_SZ; nullopt: it is another command. The file is open.
std::optional<posix::CallResult> pipe_command(posix::Call& call, std::uint32_t command);

}  // namespace hardclock::gnu_linux
