// Signals of Linux on IA-64: numbers, default actions, and how a handler is started and left.
// Source: Linux 6.1, arch/ia64/include/uapi/asm/{signal,sigcontext}.h, arch/ia64/kernel/sigframe.h,
// signal.c, traps.c, and gate.S, whose trampoline's part is done here, too.
#pragma once

#include <optional>

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

// The kernel's gate page, behind the last user address. Handlers return to it; there is nothing
// else in it: a program without AT_SYSINFO makes its calls by break.
inline constexpr GuestAddr ia64_gate_page{0xa000000000000000};
inline constexpr std::uint64_t ia64_page_bytes = 0x4000;
inline constexpr GuestAddr ia64_signal_return = ia64_gate_page + 16;

inline constexpr unsigned ia64_signals = 64;

posix::SignalTable ia64_signal_table();

// Port::trap_signal
std::optional<unsigned> ia64_trap_signal(const Trap& trap);

// Port::map_extras: the gate page and the register stack.
Result<Ok, posix::ExecFailure> map_ia64_pages(const posix::Port& port, AddressSpace& memory,
                                              const Image&, int pid);

// Port::push_handler: a sigframe below the stack pointer. The registers of the interrupted frame go
// to the backing store. The handler's address is that of a function descriptor.
Result<Ok, Fault> push_ia64_handler(const posix::UnixSystem& system, Thread& thread,
                                    unsigned signal, const posix::SignalInfo& info,
                                    const SignalAction& action);
// Port::pop_handler. All handlers have siginfo.
Result<Ok, Fault> pop_ia64_handler(const posix::UnixSystem& system, Thread& thread, bool with_info);

}  // namespace hardclock::gnu_linux
