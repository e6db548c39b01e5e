#include "syscalls/posix/ipc/ipc_objects.h"

#include "sim/state/archive.h"

namespace hardclock::posix {

bool IpcPermission::allows(const Credentials& caller, std::uint32_t wanted) const {
  if (caller.is_superuser()) return true;
  const std::uint32_t asked = (wanted >> 6 | wanted >> 3 | wanted) & 7;
  const auto is_in = [&](std::uint32_t of) {
    return of == caller.group.effective ||
           std::ranges::find(caller.groups, of) != caller.groups.end();
  };
  std::uint32_t granted = mode;
  if (caller.user.effective == user || caller.user.effective == creator) {
    granted >>= 6;
  } else if (is_in(group) || is_in(creator_group)) {
    granted >>= 3;
  }
  return (asked & ~granted) == 0;
}

bool IpcPermission::is_of(const Credentials& caller) const {
  return caller.is_superuser() || caller.user.effective == user || caller.user.effective == creator;
}

void IpcObject::archive(Archive& to) {
  auto& [who, count, where] = *this;
  to.state(who);
  to.saved(count, where);
}

void IpcWaiter::archive(Archive& to) {
  auto& [who, over, what] = *this;
  to.state(who, over, what);
}

}  // namespace hardclock::posix
