// The part of Linux that differs by architecture, besides what every UnixSystem says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/result.h"
#include "sim/engine/cpu.h"
#include "sim/process/process.h"
#include "syscalls/host/file_status.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/process_state.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

// uapi/asm/signal.h
struct SignalFlags {
  std::uint32_t no_child_stop, with_info, no_child_wait, on_stack, restart, no_defer, reset_handler;
};

// uapi/asm/fcntl.h: F_SETLK, F_SETLKW and their forms with 64-bit offsets.
struct LockCommands {
  std::uint32_t set, set_and_wait, set64, set64_and_wait;
};

// uapi/asm/ioctls.h: FIONREAD, FIONBIO, FIOCLEX and FIONCLEX.
struct IoctlRequests {
  std::uint32_t count_available, set_non_blocking, close_on_exec, keep_on_exec;
};

struct Architecture {
  unsigned signals;  // _NSIG
  SignalFlags signal_flags;
  bool flags_precede_handler;  // in the kernel's struct sigaction
  bool code_precedes_errno;    // in siginfo_t
  LockCommands lock_commands;
  IoctlRequests ioctl_requests;
  // uapi/asm/resource.h: the posix::Resource of each RLIMIT_ number; resource_count for limits that
  // are not kept. RLIM_INFINITY where a long has 32 bits.
  std::array<std::uint8_t, 16> resources;
  std::uint64_t infinity32;
  std::string_view (*machine)(const posix::SyscallAbi& abi);  // uname(2)
  void (*set_thread_pointer)(const posix::SyscallAbi& abi, Cpu& cpu, std::uint64_t to);
  // struct stat and, where it differs, struct stat64 (uapi/asm/stat.h).
  posix::GuestStruct (*stat)(const posix::Call& call, const host::FileStatus& status);
  posix::GuestStruct (*stat64)(const posix::Call& call, const host::FileStatus& status);
  // Restores the context of the rt_sigframe at the stack pointer. Fault: it cannot be read.
  Result<Ok, Fault> (*leave_rt_handler)(const posix::UnixSystem& system, Thread& thread);
};

struct System : posix::UnixSystem {
  Architecture architecture;
};

// For one of the systems of linux.h.
inline const Architecture& architecture_of(const posix::UnixSystem& system) {
  return static_cast<const System&>(system).architecture;
}

}  // namespace hardclock::gnu_linux
