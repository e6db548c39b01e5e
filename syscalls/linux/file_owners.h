// Who is told of a file's news: the commands of fcntl(2), and the requests of ioctl(2).
#pragma once

#include <cstdint>
#include <optional>

#include "syscalls/posix/call.h"

namespace hardclock::gnu_linux {

// F_SETOWN, F_GETOWN, F_SETOWN_EX, F_GETOWN_EX, F_SETSIG and F_GETSIG; nullopt: it is another
// command. The file is open.
std::optional<posix::CallResult> owner_command(posix::Call& call, std::uint32_t command);
// FIOSETOWN, SIOCSPGRP, FIOGETOWN and SIOCGPGRP, likewise.
std::optional<posix::CallResult> owner_request(posix::Call& call, std::uint32_t request);

}  // namespace hardclock::gnu_linux
