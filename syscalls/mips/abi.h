// System calls of MIPS programs, and their three data models. The call's number is in v0, and so is
// the result, with a second one in v1; a3 says whether it is an error's number. IRIX, Ultrix and
// 4.4BSD on the DECstation all do it so. Arguments are o32's (a0 to a3, then the stack from 16(sp)
// on) or n32's and n64's (a0 to a7, 64 bits each).
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/process/process.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/syscall_abi.h"

namespace hardclock::mips_ports {

// In n32 pointers and longs have 32 bits, but off_t, ino_t and the registers have 64.
enum class DataModel : std::uint8_t { o32, n32, n64 };

extern const posix::SyscallAbi o32, n32, n64;

// Of a MIPS program's.
DataModel data_model_of(const posix::SyscallAbi& abi);
DataModel data_model_of(const Process& process);

// An address as a register of the program holds it, and back.
std::uint64_t to_register(DataModel model, std::uint64_t address);
std::uint64_t to_address(DataModel model, std::uint64_t held);

// A system's ports to all three, which differ in the end of their addresses alone: the lower half
// of the address space unless the system says otherwise.
std::array<posix::Port, 3> ports(const posix::Port& narrow,
                                 GuestAddr user_end_64 = GuestAddr(std::uint64_t{1} << 63));

}  // namespace hardclock::mips_ports
