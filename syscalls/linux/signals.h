// Common parts of the signals of all architectures.
#pragma once

#include <cstddef>

#include "sim/process/process.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

inline constexpr std::size_t siginfo_bytes = 128;

// siginfo_t (include/uapi/asm-generic/siginfo.h).
posix::GuestStruct siginfo_struct(const posix::UnixSystem& system, const Process& process,
                                  unsigned signal, const posix::SignalInfo& info);

}  // namespace hardclock::gnu_linux
