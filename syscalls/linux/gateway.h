// The pages of code that the kernel gives every program on PA-RISC: the gateway page at address 0,
// through which a program enters the kernel, and the code that handlers return to.
// Sources: Linux 6.1, arch/parisc/kernel/syscall.S; arch/parisc/kernel/vdso32/sigtramp.S.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/memory/address_space.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

// The end of user addresses of a program with 32 bits (arch/parisc/include/asm/processor.h,
// DEFAULT_TASK_SIZE32), and the last page below it.
inline constexpr GuestAddr pa_risc_user_end{0xfff00000};
inline constexpr GuestAddr pa_risc_vdso_page{0xffeff000};

// The page of the gateway; in the space that is the kernel's, not the program's.
inline constexpr GuestAddr pa_risc_gateway_page{0};
inline constexpr const char* gateway_region = "gateway";  // Region::name

// Where handlers return to. In front of it is how far below the stack pointer the context is, for
// debuggers and unwinders.
inline constexpr GuestAddr signal_return = pa_risc_vdso_page + 8;
inline constexpr std::int64_t context_distance = -672;

// Whether a call enters the kernel here: at 0xb0, 0xe0 or 0x100.
bool is_gateway_entry(GuestAddr address);
// Port::enters_kernel
bool is_at_gateway(const Thread& thread);

// Port::map_extras
Result<Ok, posix::ExecFailure> map_pa_risc_pages(const posix::Port& port, AddressSpace& memory,
                                                 const Image&, int pid);

}  // namespace hardclock::gnu_linux
