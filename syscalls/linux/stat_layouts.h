// struct stat and struct stat64 as each architecture has them.
#pragma once

#include <cstdint>

#include "syscalls/host/file_status.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/guest_struct.h"

namespace hardclock::gnu_linux {

struct DeviceNumber {
  std::uint32_t major = 0, minor = 0;
};

// The device that the file stands for (st_rdev); 0, 0: none.
DeviceNumber device_number(const host::FileStatus& status);

// arch/mips/include/uapi/asm/stat.h: struct stat of o32; its struct stat64, which is struct stat of
// n32 and n64.
posix::GuestStruct mips_stat(const posix::Call& call, const host::FileStatus& status);
posix::GuestStruct mips_stat64(const posix::Call& call, const host::FileStatus& status);

// arch/ia64/include/uapi/asm/stat.h
posix::GuestStruct ia64_stat(const posix::Call& call, const host::FileStatus& status);

// arch/parisc/include/uapi/asm/stat.h
posix::GuestStruct pa_risc_stat(const posix::Call& call, const host::FileStatus& status);
posix::GuestStruct pa_risc_stat64(const posix::Call& call, const host::FileStatus& status);

}  // namespace hardclock::gnu_linux
