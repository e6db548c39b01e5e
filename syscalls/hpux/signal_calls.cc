// HP-UX's calls about the contexts that its signal handlers return to.
#include "sim/base/check.h"
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
  call.simulation.charge(call.thread, call.simulation.kernel_costs().signal_return);
  if (!pop_frame(call.system, call.thread)) {
    call.os.post(call.simulation, call.process, posix::sigsegv);
  }
  return CallResult::no_return();
}

// lwp_create(context, flags, lwp) with the arguments of Solaris; the context is the one that a
// handler gets.
CallResult lwp_create(Call& call) {
  if (call.address(2) != GuestAddr(0) && !call.memory.probe(call.address(2), 4, Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  if (!context_at(call.thread, call.address(0))) return CallResult::failure(Errno::efault);
  const auto created = call.os.create_thread(call.simulation, call.thread);
  if (!created) return CallResult::failure(created.error());
  CHECK(take_up_context(call.system, **created, call.address(0)).ok());
  const std::uint32_t id[] = {static_cast<std::uint32_t>((*created)->id)};
  const CallResult done = CallResult::value(id[0]);
  return call.address(2) == GuestAddr(0) ? done
                                         : posix::write_words(call, call.address(2), id, done);
}

}  // namespace hardclock::hpux::calls
