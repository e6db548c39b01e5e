// Common parts of Linux on all architectures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syscalls/posix/unix_system.h"
#include "syscalls/profil/system.h"

namespace hardclock::gnu_linux {

inline constexpr std::uint64_t clock_ticks = 100;           // USER_HZ, a second
inline constexpr std::string_view release = "6.1.0";        // as uname(2) has it
inline constexpr std::size_t longest_script_line = 256;     // BINPRM_BUF_SIZE
inline constexpr std::uint64_t initial_stack = 132 * 1024;  // bytes
// INR_OPEN_CUR and INR_OPEN_MAX (include/uapi/linux/fs.h).
inline constexpr posix::Limit open_files = {1024, 4096};
// include/asm-generic/resource.h, INIT_RLIMITS. Of waiting signals half as many as of threads
// (kernel/fork.c, fork_init()), of which /proc/sys/kernel/threads-max is 1024 by default.
inline constexpr posix::FirstLimit first_limits[] = {
    {posix::rlimit_nofile, open_files},
    {posix::rlimit_core, {0, posix::no_limit}},
    {posix::rlimit_memlock, {8 * 1024 * 1024, 8 * 1024 * 1024}},
    {posix::rlimit_sigpending, {512, 512}},
    {posix::rlimit_msgqueue, {819200, 819200}},
    {posix::rlimit_nice, {0, 0}},
    {posix::rlimit_rtprio, {0, 0}},
};
inline constexpr std::uint64_t stack_limit = 8 * 1024 * 1024;
inline constexpr std::size_t argument_bytes = stack_limit / 4;  // execve(2)

// Linux never had profil(2): the C library builds it from SIGPROF and setitimer().
const profil::SystemRules& profiling();

// UnixSystem::auxiliary_vector
std::vector<std::uint64_t> auxiliary_vector(const posix::StackContext& context);
// UnixSystem::before_exec
void before_exec(Process& process);
// UnixSystem::before_exit
void before_exit(Process& process);
// Pushes a string on the stack and returns its address.
GuestAddr push_string(const posix::StackContext& context, const std::string& text);

}  // namespace hardclock::gnu_linux
