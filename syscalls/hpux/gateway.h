// The pages that the kernel maps into every PA-RISC program, and what a program finds at its start.
// Sources: Linux, arch/parisc/hpux/gate.S; aeriebsd, sys/arch/hppa/hppa/machdep.c (hpux_setregs);
// the start code of HP-UX programs.
#pragma once

#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::hpux {

// By this page a program enters the kernel: every word of it is a GATE, so that the kernel hears of
// entries that it does not have, too.
inline constexpr GuestAddr gateway_page{0xc0000000};
bool is_gateway(GuestAddr address);

// The next page: the system-call entry table of 64-bit programs, one address for each call's
// number.
inline constexpr GuestAddr entry_table{0xc0001000};

// For a program that reads zeros at address 0, unless it has a page of its own there.
Result<Ok, posix::ExecFailure> map_page_zero(AddressSpace& memory);

// Port::map_extras
Result<Ok, posix::ExecFailure> map_kernel_pages(const posix::Port& port, AddressSpace& memory,
                                                const Image& image, int pid);

// Port::auxiliary_vector: the keybits, and behind them a 64-bit program's load information.
std::vector<std::uint64_t> start_information(const posix::StackContext& context);

// UnixSystem::unknown_call
std::string unknown_call(unsigned number);

}  // namespace hardclock::hpux
