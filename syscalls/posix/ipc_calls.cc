#include "syscalls/posix/ipc_calls.h"

#include "syscalls/posix/state.h"

namespace hardclock::posix {

CallResult ipc_wait(Call& call, std::shared_ptr<const IpcEvent> event,
                    std::optional<Deadline> until) {
  thread_state_of(call.thread).ipc_waiter = event->waiter();
  return CallResult::wait(
      {.event = OsEventRef{std::move(event)}, .on_signal = Interruptible{}, .until = until});
}

std::shared_ptr<IpcWaiter> ipc_waited(Call& call) {
  auto waiter = std::exchange(thread_state_of(call.thread).ipc_waiter, nullptr);
  const bool is_end = call.thread.wait_before() != nullptr && waiter != nullptr && waiter->is_over;
  return is_end ? waiter : nullptr;
}

void change_permission(IpcPermission& to, const IpcPermission& from) {
  to.user = from.user;
  to.group = from.group;
  to.mode = (to.mode & ~ipc_mode_bits) | (from.mode & ipc_mode_bits);
}

}  // namespace hardclock::posix
