// semget(2), semop(2), semctl(2).
#include <algorithm>
#include <vector>

#include "syscalls/posix/calls.h"
#include "syscalls/posix/ipc/ipc_calls.h"

namespace hardclock::posix {
namespace calls {
namespace {

constexpr std::uint16_t sem_undo = 010000;

Result<std::shared_ptr<SemaphoreSet>, Errno> set_of(Call& call, std::uint32_t wanted) {
  return ipc_object(call, call.os.ipc().sets, ipc_limits(call).semaphores.sets, wanted);
}

Result<std::shared_ptr<SemaphoreSet>, Errno> make_set(Call& call, const IpcPermission& permission) {
  const IpcLimits::Semaphores& limits = ipc_limits(call).semaphores;
  const std::uint32_t count = call.argument(1);
  if (count == 0) return Failure{Errno::einval};
  if (count + call.os.ipc().sets.parts() > limits.all) return Failure{Errno::enospc};
  auto set = std::make_shared<SemaphoreSet>(permission, count, limits.of_one, ipc_time(call),
                                            call.memory.budget());
  if (!set->is_whole()) return Failure{Errno::enomem};
  return set;
}

// An array of struct sembuf. EINVAL, E2BIG, EFAULT.
Result<std::vector<SemaphoreOperation>, Errno> read_operations(Call& call) {
  const std::uint32_t count = call.argument(2);
  if (count == 0) return Failure{Errno::einval};
  if (count > ipc_limits(call).semaphores.operations) return Failure{Errno::e2big};
  std::vector<SemaphoreOperation> operations(count);
  GuestReader reader(call, call.address(1));
  for (SemaphoreOperation& operation : operations) {
    std::uint16_t change = 0, flags = 0;
    reader.half(operation.number).half(change).half(flags);
    operation.change = static_cast<std::int16_t>(change);
    operation.undo = (flags & sem_undo) != 0;
    operation.no_wait = (flags & ipc_no_wait) != 0;
  }
  if (!reader.ok()) return Failure{Errno::efault};
  return operations;
}

UndoList undo_list_of(const Call& call) {
  return {call.process.pid, thread_state_of(call.thread).undo_list};
}

// How many semaphores the process may undo is limited (SEMUME).
bool may_undo(Call& call, const std::vector<SemaphoreOperation>& operations) {
  const std::uint64_t most = ipc_limits(call).semaphores.undo_of_process;
  std::uint64_t count = static_cast<std::uint64_t>(
      std::ranges::count_if(operations, [](const auto& operation) { return operation.undo; }));
  if (count == 0 || most == ~std::uint64_t{0}) return true;
  for (const auto& [place, set] : call.os.ipc().sets.all()) {
    count += set->undo_count(undo_list_of(call));
  }
  return count <= most;
}

// The fourth argument's int: of a union that was passed by value, where that has 64 bits.
std::int32_t value_argument(const Call& call) {
  const bool is_upper = call.abi().long_bytes() == 8 && call.memory.endian() == Endian::big;
  return static_cast<std::int32_t>(is_upper ? call.arguments[3] >> 32 : call.arguments[3]);
}

}  // namespace

// semget(key, count, flags)
CallResult semget(Call& call) {
  const IpcLimits::Semaphores& limits = ipc_limits(call).semaphores;
  const std::uint32_t count = call.argument(1);
  if (count > limits.of_set) return CallResult::failure(Errno::einval);
  return ipc_get(
      call, call.os.ipc().sets, limits.sets, call.argument(2),
      [&](const SemaphoreSet& set) {
        return count > set.semaphores().size() ? std::optional(Errno::einval) : std::nullopt;
      },
      [&](const IpcPermission& permission) { return make_set(call, permission); });
}

// semop(set, operations, count) that waits until that tick at most.
CallResult semop_until(Call& call, const TimeLimit& limit) {
  if (const auto waiter = ipc_waited(call)) {
    return waiter->error ? CallResult::failure(*waiter->error) : CallResult::value(0);
  }
  auto operations = read_operations(call);
  if (!operations) return CallResult::failure(operations.error());
  const bool changes =
      std::ranges::any_of(*operations, [](const auto& each) { return each.change != 0; });
  const auto set = set_of(call, 0);
  if (!set) return CallResult::failure(set.error());
  const std::size_t count = (*set)->semaphores().size();
  if (std::ranges::any_of(*operations, [&](const auto& each) { return each.number >= count; })) {
    return CallResult::failure(Errno::efbig);
  }
  if (!(*set)->permission.allows(call.state.credentials, changes ? ipc_write : ipc_read)) {
    return CallResult::failure(Errno::eacces);
  }
  if (!may_undo(call, *operations)) return CallResult::failure(Errno::einval);
  const auto blocked = (*set)->operate(*operations, undo_list_of(call), ipc_time(call));
  if (!blocked) return CallResult::failure(blocked.error());
  if (!*blocked) return CallResult::value(0);
  if ((*blocked)->no_wait) return CallResult::failure(Errno::eagain);
  std::optional<Deadline> until;
  if (limit) until = call.first_deadline(end_after(call, *limit, sleep_slack(call)));
  const bool is_over =
      until && call.thread.wait_before() != nullptr && until->has_come(call.simulation().clock());
  const bool is_now = limit && limit->seconds == 0 && limit->nanoseconds == 0;
  if (is_over || is_now) return CallResult::failure(Errno::eagain);
  auto waiter = std::make_shared<SemaphoreWaiter>();
  waiter->operations = *std::move(operations);
  waiter->pid = call.process.pid;
  waiter->undo_list = undo_list_of(call).number;
  waiter->blocked = **blocked;
  return ipc_wait((*set)->wait(std::move(waiter)), until);
}

CallResult semop(Call& call) {
  return semop_until(call, std::nullopt);
}

namespace {

CallResult store_values(Call& call, const SemaphoreSet& set) {
  GuestStruct values(call);
  for (const Semaphore& semaphore : set.semaphores()) {
    values.half(static_cast<std::uint64_t>(semaphore.value));
  }
  return values.store(call, call.address(3));
}

CallResult set_values(Call& call, SemaphoreSet& set) {
  std::vector<std::uint16_t> values(set.semaphores().size());
  GuestReader reader(call, call.address(3));
  for (std::uint16_t& value : values) value = reader.half();
  if (!reader.ok()) return CallResult::failure(Errno::efault);
  const std::int32_t most = ipc_limits(call).semaphores.of_one.value;
  if (std::ranges::any_of(values, [&](std::uint16_t value) { return value > most; })) {
    return CallResult::failure(Errno::erange);
  }
  set.set_all(values, call.process.pid, ipc_time(call));
  return CallResult::value(0);
}

CallResult set_value(Call& call, SemaphoreSet& set, std::size_t number) {
  const std::int32_t value = value_argument(call);
  if (value < 0 || value > ipc_limits(call).semaphores.of_one.value) {
    return CallResult::failure(Errno::erange);
  }
  set.set(number, value, call.process.pid, ipc_time(call));
  return CallResult::value(0);
}

// The commands about one semaphore.
CallResult control_one(Call& call, SemaphoreSet& set) {
  const IpcCommands& commands = call.system.ipc->commands;
  const std::uint32_t number = call.argument(1), command = call.argument(2);
  if (number >= set.semaphores().size()) return CallResult::failure(Errno::einval);
  const Semaphore& semaphore = set.semaphores()[number];
  if (command == commands.value) {
    return CallResult::value(static_cast<std::uint64_t>(semaphore.value));
  }
  if (command == commands.last_pid) {
    return CallResult::value(static_cast<std::uint64_t>(semaphore.last_pid));
  }
  if (command == commands.waiting_for_rise) {
    return CallResult::value(set.waiting_for_rise(number));
  }
  if (command == commands.waiting_for_zero) {
    return CallResult::value(set.waiting_for_zero(number));
  }
  return set_value(call, set, number);
}

// IPC_SET and IPC_RMID.
CallResult change_set(Call& call, SemaphoreSet& set, const IpcForms& forms) {
  if (call.argument(2) == call.system.ipc->commands.remove) {
    if (!set.permission.is_of(call.state.credentials)) return CallResult::failure(Errno::eperm);
    set.end();
    call.os.ipc().sets.remove(set);
    return CallResult::value(0);
  }
  const auto asked = load_status(call, forms.set, set.status(), call.address(3));
  if (!asked) return CallResult::failure(asked.error());
  if (!set.permission.is_of(call.state.credentials)) return CallResult::failure(Errno::eperm);
  change_permission(set.permission, asked->permission);
  set.note_change(ipc_time(call));
  return CallResult::value(0);
}

}  // namespace

// semctl(set, number, command, argument)
CallResult semctl(Call& call) {
  return semctl_with(call, ipc_forms(call));
}

}  // namespace calls

CallResult semctl_with(Call& call, const IpcForms& forms) {
  using namespace calls;
  const IpcCommands& commands = call.system.ipc->commands;
  const std::uint32_t command = call.argument(2);
  const bool sets_values = command == commands.set_value || command == commands.set_all_values;
  const bool changes_set = command == commands.set || command == commands.remove;
  const bool is_about_one = command == commands.value || command == commands.last_pid ||
                            command == commands.waiting_for_rise ||
                            command == commands.waiting_for_zero || command == commands.set_value;
  const bool is_known = changes_set || sets_values || is_about_one || command == commands.status ||
                        command == commands.all_values;
  if (!is_known) return CallResult::failure(Errno::einval);
  const auto set = set_of(call, changes_set ? 0 : sets_values ? ipc_write : ipc_read);
  if (!set) return CallResult::failure(set.error());
  if (changes_set) return change_set(call, **set, forms);
  if (is_about_one) return control_one(call, **set);
  if (command == commands.all_values) return store_values(call, **set);
  if (command == commands.set_all_values) return set_values(call, **set);
  return store_status(call, forms.set, (*set)->status(), call.address(3));
}

}  // namespace hardclock::posix
