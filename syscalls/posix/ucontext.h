// The user context of System V.4 on a MIPS (System V ABI, MIPS RISC Processor Supplement, chapter
// 6, <ucontext.h>), which IRIX uses too: how it is saved and taken up again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {

// Bytes of the process's ucontext_t, and of the siginfo_t in front of one on the stack.
std::size_t ucontext_size(const Process& process);
inline constexpr std::size_t siginfo_size = 128;
// sigaltstack(2)'s flags.
inline constexpr std::uint32_t ss_onstack = 1, ss_disable = 2;

// si_code of what a handler is told (siginfo(5) of System V.4).
std::uint32_t siginfo_code(SignalInfo::Cause cause);
// All of it, as a siginfo_t in memory.
std::vector<std::uint8_t> saved_siginfo(const Process& process, unsigned signal,
                                        const SignalInfo& info);
// The thread's registers and this mask, as they lie in memory.
std::vector<std::uint8_t> saved_ucontext(Thread& thread, const SignalSet& mask);
// Gives the thread the registers and the mask of a context. Fault: it cannot be read.
Result<Ok, Fault> take_up_ucontext(const UnixSystem& system, Thread& thread, GuestAddr ucontext);

// UnixSystem::push_handler and the map_extras that belongs to it, for systems whose C library ends
// a handler with setcontext(): the handler gets the signal, its siginfo or NULL, and the ucontext,
// and returns to code at the stack's top that makes call `context_number` with operation 1.
Result<Ok, Fault> push_ucontext(const UnixSystem& system, Thread& thread, unsigned signal,
                                const SignalInfo& info, const SignalAction& action);
Result<Ok, ExecFailure> map_setcontext(const UnixSystem& system, AddressSpace& memory,
                                       unsigned context_number);

}  // namespace hardclock::posix
