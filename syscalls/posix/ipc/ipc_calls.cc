#include "syscalls/posix/ipc/ipc_calls.h"

#include <utility>

namespace hardclock::posix {

CallResult ipc_wait(IpcWait event, std::optional<Deadline> until) {
  return CallResult::wait(
      {.event = std::move(event), .on_signal = Interruptible{}, .until = until});
}

std::shared_ptr<IpcWaiter> ipc_waited(const Call& call) {
  const Wait* const before = call.thread.wait_before();
  const auto* const event = before == nullptr ? nullptr : event_of<IpcWait>(before->event);
  return event == nullptr ? nullptr : std::static_pointer_cast<IpcWaiter>(event->waiter);
}

void change_permission(IpcPermission& to, const IpcPermission& from) {
  to.user = from.user;
  to.group = from.group;
  to.mode = (to.mode & ~ipc_mode_bits) | (from.mode & ipc_mode_bits);
}

}  // namespace hardclock::posix
