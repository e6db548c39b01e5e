// How HP-UX starts a signal handler on IA-64, and how the handler returns.
//
// A handler's three arguments are those of PA-RISC's. The layout of a ucontext on IA-64 is not
// public, and programs go by the C library's __uc_get_...(): so the one here is hardclock's own. So
// is the return, by sigcleanup() from the gateway page.
#pragma once

#include <cstddef>
#include <optional>

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::hpux {

// Port::trap_signal. Codes of break from 0x80000 on are debuggers' ("Itanium Software Conventions
// and Runtime Architecture Guide", section 3.3.5).
std::optional<unsigned> ia64_trap_signal(const Trap& trap);

// Port::push_handler: siginfo_t and a ucontext below the stack pointer. The registers of the
// interrupted frame go to the backing store. The handler's address is that of a descriptor.
Result<Ok, Fault> push_ia64_handler(const posix::UnixSystem& system, Thread& thread,
                                    unsigned signal, const posix::SignalInfo& info,
                                    const SignalAction& action);
// Port::pop_handler
Result<Ok, Fault> pop_ia64_handler(const posix::UnixSystem& system, Thread& thread, bool with_info);

// Port::take_up_ucontext
inline constexpr std::size_t ia64_ucontext_bytes = 2576;
Result<Ok, Fault> take_up_ia64_ucontext(const posix::UnixSystem& system, Thread& thread,
                                        GuestAddr ucontext);

}  // namespace hardclock::hpux
