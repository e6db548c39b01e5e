// Linux's forms of System V's IPC: commands of its own, semtimedop(2), and o32's ipc(2), which is
// all of the calls in one. Source: Linux 6.1, ipc/.
#include <iterator>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/time_forms.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/ipc/ipc_calls.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestStruct;
using posix::IpcTable;

// include/uapi/linux/{ipc,msg,sem,shm}.h
constexpr std::uint32_t ipc_info = 3, ipc_64 = 0x100;
constexpr std::uint32_t msg_stat = 11, msg_info = 12, msg_stat_any = 13;
constexpr std::uint32_t shm_stat = 13, shm_info = 14, shm_stat_any = 15;
constexpr std::uint32_t sem_stat = 18, sem_info = 19, sem_stat_any = 20;

constexpr std::size_t pointer = 4, fifth = 5;  // of ipc(2)'s arguments

// What the commands that tell of a whole table return: its highest place in use.
template <class Object>
CallResult highest_place(const IpcTable<Object>& table) {
  return CallResult::value(table.all().empty() ? 0 : std::prev(table.all().end())->first);
}

// The object at the place that is argument 0 is shown at `address`, and its identifier returned.
template <class Object, class Status>
CallResult status_at_place(Call& call, const IpcTable<Object>& table, std::uint32_t places,
                           const posix::IpcForm<Status>& form, bool asks_permission,
                           GuestAddr address) {
  const std::uint32_t place = call.argument(0);
  const auto object = table.at(place);
  if (object == nullptr) return CallResult::failure(Errno::einval);
  if (asks_permission && !object->permission.allows(call.state.credentials, posix::ipc_read)) {
    return CallResult::failure(Errno::eacces);
  }
  return posix::store_status(call, form, object->status(), address,
                             CallResult::value(table.id(place, places)));
}

// struct msginfo. Of IPC_INFO most is what no kernel since 2.4 limits.
CallResult message_information(Call& call, bool of_use) {
  const auto& limits = posix::ipc_limits(call).messages;
  const auto& queues = call.os.ipc().queues;
  std::uint64_t bytes = 0;
  for (const auto& [place, queue] : queues.all()) bytes += queue->bytes();
  constexpr std::uint64_t bytes_of_pool_unit = 1024, segment_bytes = 16, segments = 0xffff;
  GuestStruct info(call);
  info.word(of_use ? queues.all().size() : limits.queues * limits.queue_bytes / bytes_of_pool_unit)
      .word(of_use ? call.os.ipc().messages.count : limits.queue_bytes)
      .word(limits.bytes)
      .word(limits.queue_bytes)
      .word(limits.queues)
      .word(segment_bytes)
      .word(of_use ? bytes : limits.queue_bytes)
      .half(segments)
      .align(4);
  return info.store(call, call.address(2), highest_place(queues));
}

// struct seminfo
CallResult semaphore_information(Call& call, bool of_use) {
  const auto& limits = posix::ipc_limits(call).semaphores;
  const auto& sets = call.os.ipc().sets;
  constexpr std::uint64_t undo_bytes = 20;
  const auto most_value = static_cast<std::uint64_t>(limits.of_one.value);
  GuestStruct info(call);
  info.word(limits.all)
      .word(limits.sets)
      .word(limits.all)
      .word(limits.all)
      .word(limits.of_set)
      .word(limits.operations)
      .word(limits.operations)
      .word(of_use ? sets.all().size() : undo_bytes)
      .word(most_value)
      .word(of_use ? sets.parts() : most_value);
  return info.store(call, call.address(3), highest_place(sets));
}

// struct shminfo64
CallResult segment_limits(Call& call) {
  const auto& limits = posix::ipc_limits(call).segments;
  const bool is_narrow = call.abi().long_bytes() == 4;
  constexpr std::uint64_t least = 1, most_narrow = 0x7fffffff;
  GuestStruct info(call);
  info.word_long(is_narrow ? most_narrow : limits.bytes)
      .word_long(least)
      .word_long(limits.segments)
      .word_long(limits.segments)
      .word_long(is_narrow ? most_narrow : limits.bytes)
      .skip_longs(4);
  return info.store(call, call.address(2), highest_place(call.os.ipc().segments));
}

// struct shm_info; all that was touched is resident.
CallResult segment_use(Call& call) {
  std::uint64_t pages = 0, resident = 0;
  for (const auto& [place, segment] : call.os.ipc().segments.all()) {
    const auto shown = segment->pages();
    pages += call.port().layout.round_up(segment->size()) / page_size;
    if (shown != nullptr) resident += shown->frames.size();
  }
  GuestStruct info(call);
  info.word(call.os.ipc().segments.all().size()).word_long(pages).word_long(resident).skip_longs(3);
  return info.store(call, call.address(2), highest_place(call.os.ipc().segments));
}

}  // namespace

CallResult msgctl(Call& call) {
  const std::uint32_t command = call.argument(1);
  switch (command) {
    case ipc_info:
    case msg_info:
      return message_information(call, command == msg_info);
    case msg_stat:
    case msg_stat_any:
      return status_at_place(call, call.os.ipc().queues, posix::ipc_limits(call).messages.queues,
                             posix::ipc_forms(call).queue, command == msg_stat, call.address(2));
    default:
      return posix::calls::msgctl(call);
  }
}

CallResult semctl(Call& call) {
  const std::uint32_t command = call.argument(2);
  switch (command) {
    case ipc_info:
    case sem_info:
      return semaphore_information(call, command == sem_info);
    case sem_stat:
    case sem_stat_any:
      return status_at_place(call, call.os.ipc().sets, posix::ipc_limits(call).semaphores.sets,
                             posix::ipc_forms(call).set, command == sem_stat, call.address(3));
    default:
      return posix::calls::semctl(call);
  }
}

CallResult shmctl(Call& call) {
  const std::uint32_t command = call.argument(1);
  call.os.ipc().forget_gone_segments();
  switch (command) {
    case ipc_info:
      return segment_limits(call);
    case shm_info:
      return segment_use(call);
    case shm_stat:
    case shm_stat_any:
      return status_at_place(call, call.os.ipc().segments,
                             posix::ipc_limits(call).segments.segments,
                             posix::ipc_forms(call).segment, command == shm_stat, call.address(2));
    default:
      return posix::calls::shmctl(call);
  }
}

CallResult by_version(Call& call, std::size_t index, Handler proper) {
  const posix::IpcCommands& commands = call.system.ipc->commands;
  const std::uint32_t command = call.argument(index);
  if (command == commands.set || command == commands.status) {
    return call.os.answer_missing("IPC_STAT and IPC_SET without IPC_64");
  }
  call.arguments[index] &= ~std::uint64_t{ipc_64};
  return proper(call);
}

CallResult semop_within(Call& call, TimeForm form) {
  const auto limit = read_time(call, 3, form);
  return limit ? semop_until(call, *limit) : CallResult::failure(limit.error());
}

// ---- ipc(2): the calls of which not only the order is another one.

// The pointer is to the union.
CallResult ipc_semctl(Call& call) {
  const auto argument = call.memory.read<std::uint32_t>(call.address(pointer));
  if (!argument) return CallResult::failure(Errno::efault);
  call.arguments[pointer] = *argument;
  return ipc<semctl_by_version, 1, 2, 3, pointer>(call);
}

// The pointer is to those of the message and the type.
CallResult ipc_msgrcv(Call& call) {
  const GuestAddr both = call.address(pointer);
  const auto message = call.memory.read<std::uint32_t>(both);
  const auto type = call.memory.read<std::uint32_t>(both + 4);
  if (!message || !type) return CallResult::failure(Errno::efault);
  call.arguments[pointer] = *message;
  call.arguments[fifth] = *type;
  return ipc_msgrcv_direct(call);
}

// The address goes to where the third argument points.
CallResult ipc_shmat(Call& call) {
  const GuestAddr result = call.address(3);
  if (!call.memory.probe(result, call.abi().long_bytes(), Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  const CallResult attached = ipc<shmat, 1, pointer, 2>(call);
  if (attached.kind != CallResult::Kind::value) return attached;
  return GuestStruct(call).word_long(attached.first).store(call, result);
}

}  // namespace hardclock::gnu_linux::calls
