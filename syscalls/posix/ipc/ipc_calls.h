// What the calls of System V's messages, semaphores and shared memory have in common.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "sim/base/result.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/ipc/ipc.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {

inline const IpcLimits& ipc_limits(const Call& call) {
  return call.system.ipc->limits;
}
inline const IpcForms& ipc_forms(const Call& call) {
  return call.abi().long_bytes() == 8 ? call.system.ipc->wide_forms : call.system.ipc->forms;
}
// Seconds since 1970.
inline std::uint64_t ipc_time(const Call& call) {
  return call.os.time_of_day().first;
}
// An argument of type long.
inline std::int64_t long_argument(const Call& call, std::size_t index) {
  return call.abi().long_bytes() == 4 ? std::int64_t{call.signed_argument(index)}
                                      : static_cast<std::int64_t>(call.arguments[index]);
}

// The object with the identifier that is argument 0, if the caller has these permissions. EINVAL,
// EACCES.
template <class Object>
Result<std::shared_ptr<Object>, Errno> ipc_object(const Call& call, const IpcTable<Object>& table,
                                                  std::uint32_t places, std::uint32_t wanted) {
  auto object = table.find(call.signed_argument(0), places);
  if (object == nullptr) return Failure{Errno::einval};
  if (!object->permission.allows(call.state.credentials, wanted)) return Failure{Errno::eacces};
  return object;
}

// msgget(), semget() and shmget(): the identifier for a key. `check` says what is wrong with an
// object that is there, `make` makes one; EEXIST, ENOENT, ENOSPC, EACCES.
template <class Object, class Check, class Make>
CallResult ipc_get(const Call& call, IpcTable<Object>& table, std::uint32_t places,
                   std::uint32_t flags, Check check, Make make) {
  const std::uint32_t key = call.argument(0);
  const auto known = key == ipc_private ? std::nullopt : table.place_of_key(key);
  if (known) {
    if ((flags & ipc_create) != 0 && (flags & ipc_exclusive) != 0) {
      return CallResult::failure(Errno::eexist);
    }
    const Object& object = *table.at(*known);
    if (const std::optional<Errno> error = check(object)) return CallResult::failure(*error);
    if (!object.permission.allows(call.state.credentials, flags & ipc_mode_bits)) {
      return CallResult::failure(Errno::eacces);
    }
    return CallResult::value(table.id(*known, places));
  }
  if (key != ipc_private && (flags & ipc_create) == 0) return CallResult::failure(Errno::enoent);
  Result<std::shared_ptr<Object>, Errno> made =
      make(IpcPermission(call.state.credentials, key, flags));
  if (!made) return CallResult::failure(made.error());
  if (table.all().size() >= places) return CallResult::failure(Errno::enospc);
  return CallResult::value(table.id(table.add(*std::move(made), places), places));
}

// The caller waits for the event, until then at most.
CallResult ipc_wait(IpcWait event, std::optional<Deadline> until = std::nullopt);
// What the caller waited for, if this is the end of the wait; null: the call runs for the first
// time, or its time is over.
std::shared_ptr<IpcWaiter> ipc_waited(const Call& call);

// IPC_STAT to `address`. EFAULT.
template <class Status>
CallResult store_status(Call& call, const IpcForm<Status>& form, const Status& status,
                        GuestAddr address, CallResult on_success = CallResult::value(0)) {
  if (form.written == nullptr) {
    return call.os.answer_missing("IPC_STAT and IPC_SET of 64-bit programs");
  }
  return form.written(guest_types(call), status).store(call, address, on_success);
}
// IPC_SET: what the program has at `address`, over what `status` was. EFAULT.
template <class Status>
Result<Status, Errno> load_status(Call& call, const IpcForm<Status>& form, Status status,
                                  GuestAddr address) {
  if (form.read == nullptr) {
    return Failure{call.os.answer_missing("IPC_STAT and IPC_SET of 64-bit programs").error};
  }
  GuestReader reader(call, address);
  form.read(reader, guest_types(call), status);
  if (!reader.ok()) return Failure{Errno::efault};
  return status;
}
// msgctl(), semctl() and shmctl() with structures that have these forms.
CallResult msgctl_with(Call& call, const IpcForms& forms);
CallResult semctl_with(Call& call, const IpcForms& forms);
CallResult shmctl_with(Call& call, const IpcForms& forms);
// The owner and the permissions of `from` replace those of `to`.
void change_permission(IpcPermission& to, const IpcPermission& from);

}  // namespace hardclock::posix
