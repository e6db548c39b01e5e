// What signal handlers are told: the siginfo_t of System V.4 (siginfo(5)), which IRIX and HP-UX
// have too, and the flags of a stack_t.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/process/process.h"
#include "syscalls/posix/signals/signals.h"

namespace hardclock::posix {

struct GuestTypes;

inline constexpr std::size_t siginfo_size = 128;  // bytes
// sigaltstack(2)'s flags.
inline constexpr std::uint32_t ss_onstack = 1, ss_disable = 2;

std::uint32_t siginfo_code(SignalInfo::Cause cause);
// All of it, as a siginfo_t in memory.
std::vector<std::uint8_t> saved_siginfo(const Process& process, unsigned signal,
                                        const SignalInfo& info);
std::vector<std::uint8_t> saved_siginfo(const GuestTypes& types, unsigned signal,
                                        const SignalInfo& info);

}  // namespace hardclock::posix
