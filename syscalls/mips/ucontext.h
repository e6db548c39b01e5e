// The user context of System V.4 on a MIPS (System V ABI, MIPS RISC Processor Supplement, chapter
// 6, <ucontext.h>), which IRIX uses too: how it is saved and taken up again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::mips_ports {

// Of a ucontext_t.
std::size_t ucontext_bytes(DataModel model);
// The thread's registers and this mask, as they lie in memory.
std::vector<std::uint8_t> saved_ucontext(Thread& thread, const SignalSet& mask);
// Gives the thread the registers and the mask of a context. Fault: it cannot be read.
Result<Ok, Fault> take_up_ucontext(const posix::UnixSystem& system, Thread& thread,
                                   GuestAddr ucontext);

// Port::push_handler and the map_extras that belongs to it, for systems whose C library ends a
// handler with setcontext(): the handler gets the signal, its siginfo or NULL, and the ucontext,
// and returns to code at the stack's top that makes call `context_number` with operation 1.
Result<Ok, Fault> push_ucontext(const posix::UnixSystem& system, Thread& thread, unsigned signal,
                                const posix::SignalInfo& info, const SignalAction& action);
Result<Ok, posix::ExecFailure> map_setcontext(const posix::Port& port, AddressSpace& memory,
                                              unsigned context_number);

}  // namespace hardclock::mips_ports
