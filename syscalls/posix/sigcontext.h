// How a handler is started and left where the C library supplies no trampoline: as 4.4BSD on the
// DECstation does it (sys/pmax: machdep.c sendsig() and sigreturn(), include/signal.h, locore.s
// sigcode), whose frame all the systems here use that never ran on a MIPS and have no context of
// System V.4 (ucontext.h). Where a sigset_t is longer than 4.4BSD's one word, it goes on behind the
// sigcontext.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/result.h"
#include "sim/memory/address_space.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {

// Maps a page at the stack's top with the code to which a handler returns. It makes the system's
// call `sigreturn_number`.
Result<Ok, ExecFailure> map_sigcode(const UnixSystem& system, AddressSpace& memory,
                                    unsigned sigreturn_number);

// Maps that page with any such code.
Result<Ok, ExecFailure> map_handler_return(const UnixSystem& system, AddressSpace& memory,
                                           const std::vector<std::uint32_t>& code);

// UnixSystem::push_handler
Result<Ok, Fault> push_sigcontext(const UnixSystem& system, Thread& thread, unsigned signal,
                                  const SignalInfo& info, const SignalAction& action);

}  // namespace hardclock::posix
