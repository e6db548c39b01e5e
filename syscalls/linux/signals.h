// Common parts of the signals of all architectures.
#pragma once

#include <cstddef>

#include "sim/process/process.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

inline constexpr std::size_t siginfo_bytes = 128;

// The signals with these names.
posix::SignalTable signal_table(std::span<const char* const> names, unsigned last,
                                std::span<const unsigned> ignored_by_default);

// siginfo_t (include/uapi/asm-generic/siginfo.h).
posix::GuestStruct siginfo_struct(const posix::UnixSystem& system, const Process& process,
                                  unsigned signal, const posix::SignalInfo& info);

// What a read of signalfd(2) gives: struct signalfd_siginfo (include/uapi/linux/signalfd.h;
// fs/signalfd.c, signalfd_copyinfo()).
posix::GuestStruct signal_file_info(const Process& process, unsigned signal,
                                    const posix::SignalInfo& info);

// The signal of the set that the thread takes first: its own before those of the process, the
// lowest one first (kernel/signal.c, dequeue_signal()). 0: none is pending.
unsigned first_pending(const Thread& thread, const SignalSet& set);

}  // namespace hardclock::gnu_linux
