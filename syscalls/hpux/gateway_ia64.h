// The pages that the kernel maps into every IA-64 program, and what a program finds at its start.
// Source: HP's simulator Ski, src/hpux and src/load.c, which runs HP-UX programs on HP-UX; names of
// the load information from GDB, gdb/ia64-hpux-tdep.c, and libunwind, src/ia64.
#pragma once

#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "syscalls/ia64/abi.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::hpux {

// Where signal handlers return to: the second and third bundle of the gateway page.
inline constexpr GuestAddr ia64_handler_return = ia64_ports::hpux_gateway + 16;

// Port::map_extras: the gateway page, the vector, the register stack, and page 0.
Result<Ok, posix::ExecFailure> map_ia64_kernel_pages(const posix::Port& port, AddressSpace& memory,
                                                     const Image& image, int pid);

// Port::auxiliary_vector: the load information.
std::vector<std::uint64_t> load_information(const posix::StackContext& context);

}  // namespace hardclock::hpux
