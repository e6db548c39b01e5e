// Threads as System V.4's LWPs: _lwp_create(2) and its relatives.
#include "syscalls/posix/calls.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix::calls {
namespace {

// LWP_DAEMON, LWP_DETACHED, LWP_SUSPENDED; nothing here could start a suspended LWP.
constexpr std::uint32_t lwp_daemon = 0x20, lwp_detached = 0x40;

}  // namespace

// lwp_create(context, flags, new_lwp): the LWP starts with the context's registers and mask.
CallResult lwp_create(Call& call) {
  if ((call.argument(1) & ~(lwp_daemon | lwp_detached)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  const auto readable =
      call.memory.probe(call.address(0), call.port().ucontext_bytes, Access::read);
  if (!readable) return CallResult::failure(Errno::efault);
  if (!call.is_null(2)) {
    const auto writable = call.memory.probe(call.address(2), sizeof(std::uint32_t), Access::write);
    if (!writable) return CallResult::failure(Errno::efault);
  }
  const auto created = call.os.create_thread(call.thread);
  if (!created) return CallResult::failure(created.error());
  Thread& thread = **created;
  const auto taken = call.port().take_up_ucontext(call.system, thread, call.address(0));
  if (!taken) return CallResult::failure(Errno::efault);
  const std::uint32_t id[] = {static_cast<std::uint32_t>(thread.id)};
  const CallResult done = CallResult::value(id[0]);
  return call.is_null(2) ? done : write_words(call, call.address(2), id, done);
}

CallResult lwp_exit(Call& call) {
  call.os.end_thread(call.thread, {}, {});
  return CallResult::no_return();
}

CallResult lwp_self(Call& call) {
  return CallResult::value(static_cast<std::uint64_t>(call.thread.id));
}

}  // namespace hardclock::posix::calls
