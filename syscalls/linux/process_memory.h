// A process's memory as others see it: ptrace(2)'s requests, and /proc/PID/mem.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/memory/address_space.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::gnu_linux {

// As posix::write_forcibly(), and the same for reading, which asks for no permission at all.
// Neither reaches PA-RISC's gateway page, which is the kernel's. `bytes` are not empty.
bool write_forcibly(AddressSpace& memory, GuestAddr address, std::span<const std::uint8_t> bytes);
bool read_forcibly(AddressSpace& memory, GuestAddr address, std::span<std::uint8_t> bytes);

// Whether ptrace(PTRACE_ATTACH) would let the caller look into the target, if nobody traces it.
bool may_look_into(const posix::Call& call, const Process& target);

// Opens /proc/PID/mem, or a thread's, if the path, which leads through no link, is such a file's;
// nullopt: it is not, or is the file of no process. `flags` are open(2)'s. EACCES.
std::optional<posix::CallResult> open_process_memory(posix::Call& call, const host::GuestPath& path,
                                                     std::uint32_t flags);

}  // namespace hardclock::gnu_linux
