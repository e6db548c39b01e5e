// How a handler is started and left where the C library supplies no trampoline: as 4.4BSD on the
// DECstation does it (sys/pmax: machdep.c sendsig() and sigreturn(), include/signal.h, locore.s
// sigcode), whose frame all the systems here use that never ran on a MIPS and have no context of
// System V.4 (ucontext.h). Where a sigset_t is longer than 4.4BSD's one word, it goes on behind the
// sigcontext.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/result.h"
#include "sim/memory/address_space.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::mips_ports {

// Maps a page at the stack's top with the code to which a handler returns. It makes the system's
// call `sigreturn_number`.
Result<Ok, posix::ExecFailure> map_sigcode(const posix::Port& port, AddressSpace& memory,
                                           unsigned sigreturn_number);

// Maps that page with any such code.
Result<Ok, posix::ExecFailure> map_handler_return(const posix::Port& port, AddressSpace& memory,
                                                  const std::vector<std::uint32_t>& code);

// Port::push_handler
Result<Ok, Fault> push_sigcontext(const posix::UnixSystem& system, Thread& thread, unsigned signal,
                                  const posix::SignalInfo& info, const SignalAction& action);
// Port::take_up_sigcontext
bool take_up_sigcontext(const posix::UnixSystem& system, Thread& thread, GuestAddr sigcontext);

// Port::map_extras of a system whose sigreturn() has this number.
template <unsigned sigreturn_number>
Result<Ok, posix::ExecFailure> map_sigcode_of(const posix::Port& port, AddressSpace& memory,
                                              const Image&, int) {
  return map_sigcode(port, memory, sigreturn_number);
}

// A system with these contexts, on all data models.
template <unsigned sigreturn_number>
std::array<posix::Port, 3> sigcontext_ports(const posix::Layout& layout) {
  return ports({.layout = layout,
                .map_extras = map_sigcode_of<sigreturn_number>,
                .push_handler = push_sigcontext,
                .take_up_sigcontext = take_up_sigcontext});
}

}  // namespace hardclock::mips_ports
