// HP-UX's calls about the contexts that its signal handlers return to.
#include "syscalls/hpux/calls.h"
#include "syscalls/hpux/signals.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::hpux::calls {

// sigsetreturn(address, cookie, length): the address that handlers return to. The C library's start
// code sets it once; an exec forgets it.
CallResult sigsetreturn(Call& call) {
  hpux_state_of(call.process).handler_return = call.address(0);
  return CallResult::value(0);
}

// sigcleanup(result): the handler's result is ignored.
CallResult sigcleanup(Call& call) {
  call.simulation().charge(call.thread, call.simulation().kernel_costs().signal_return);
  constexpr bool with_info = true;  // frames of both kinds are alike
  if (!call.port().pop_handler(call.system, call.thread, with_info)) {
    call.os.signals().post(call.process, posix::sigsegv);
  }
  return CallResult::no_return();
}

}  // namespace hardclock::hpux::calls
