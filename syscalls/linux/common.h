// Common parts of Linux on all architectures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "syscalls/posix/unix_system.h"
#include "syscalls/profil/system.h"

namespace hardclock::gnu_linux {

inline constexpr std::uint64_t clock_ticks = 100;           // USER_HZ, a second
inline constexpr std::string_view release = "6.1.0";        // as uname(2) has it
inline constexpr std::uint64_t initial_stack = 132 * 1024;  // bytes
// INR_OPEN_CUR and INR_OPEN_MAX (include/uapi/linux/fs.h).
inline constexpr posix::Limit open_files = {1024, 4096};
inline constexpr std::uint64_t stack_limit = 8 * 1024 * 1024;
inline constexpr std::size_t argument_bytes = stack_limit / 4;  // execve(2)

// Linux never had profil(2): the C library builds it from SIGPROF and setitimer().
extern const profil::SystemRules profiling;

// The system with what is the same on all architectures.
posix::UnixSystem with_common_parts(posix::UnixSystem system);
// Port::auxiliary_vector
std::vector<std::uint64_t> auxiliary_vector(const posix::StackContext& context);
// UnixSystem::before_exec
void before_exec(Process& process);
// UnixSystem::before_exit
void before_exit(Process& process);
// Pushes a string on the stack and returns its address.
GuestAddr push_string(const posix::StackContext& context, const std::string& text);

}  // namespace hardclock::gnu_linux
