// A machine's System V messages, semaphores and shared memory, which live as long as the run, and
// how a system shows them to its programs.
#pragma once

#include <cstdint>

#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/ipc/ipc_objects.h"
#include "syscalls/posix/ipc/message_queue.h"
#include "syscalls/posix/ipc/semaphore_set.h"
#include "syscalls/posix/ipc/shared_segment.h"

namespace hardclock::posix {

struct Ipc {
  MessageTotal messages;
  IpcTable<MessageQueue> queues;
  IpcTable<SemaphoreSet> sets;
  IpcTable<SharedSegment> segments;

  // The process ends: what it wanted undone is, and it detaches the segments in `memory`. Null:
  // others have its memory, too.
  void end_process(int pid, const AddressSpace* memory, std::uint64_t now);
  void undo(const UndoList& list, std::uint64_t now);
  // There may be room in a queue: for its own senders or, where all messages have a limit, others'.
  void admit_senders(std::uint64_t now);
  // Segments that were removed go when nobody has them.
  void forget_gone_segments();

  void archive(Archive& to);
};

// The tunables of a system's kernel.
struct IpcLimits {
  struct Messages {
    std::uint64_t bytes = 0;                     // of one message (MSGMAX)
    std::uint64_t queue_bytes = 0;               // MSGMNB
    std::uint32_t queues = 0;                    // MSGMNI
    std::uint64_t messages = ~std::uint64_t{0};  // in all queues (MSGTQL)
  } messages;
  struct Semaphores {
    std::uint32_t sets = 0;                             // SEMMNI
    std::uint64_t all = 0;                              // SEMMNS
    std::uint32_t of_set = 0;                           // SEMMSL
    std::uint32_t operations = 0;                       // of a semop() (SEMOPM)
    SemaphoreLimits of_one;                             // SEMVMX, SEMAEM
    std::uint64_t undo_of_process = ~std::uint64_t{0};  // semaphores (SEMUME)
  } semaphores;
  struct Segments {
    std::uint64_t bytes = 0;                       // SHMMAX
    std::uint32_t segments = 0;                    // SHMMNI
    std::uint64_t of_process = ~std::uint64_t{0};  // SHMSEG
    std::uint64_t unit = 0;  // attached segments begin at multiples of it (SHMLBA)
  } segments;
};

// The commands of msgctl(2), semctl(2) and shmctl(2).
struct IpcCommands {
  std::uint32_t remove = 0, set = 0, status = 0;
  std::uint32_t waiting_for_rise = 0, last_pid = 0, value = 0, all_values = 0;
  std::uint32_t waiting_for_zero = 0, set_value = 0, set_all_values = 0;
  std::uint32_t lock = 0, unlock = 0;
};

// How a structure that IPC_STAT fills in and IPC_SET reads lies in memory.
template <class Status>
struct IpcForm {
  GuestStruct (*written)(const GuestTypes& types, Status status) = nullptr;
  // What was read is meaningless where the reader is not ok().
  void (*read)(GuestReader& from, const GuestTypes& types, Status& status) = nullptr;
};

struct IpcForms {
  IpcForm<QueueStatus> queue;
  IpcForm<SetStatus> set;
  IpcForm<SegmentStatus> segment;
};

// The form that lay_out(io, status, types) names member by member, for either direction.
template <class Status, auto lay_out>
constexpr IpcForm<Status> make_ipc_form() {
  return {.written =
              [](const GuestTypes& types, Status status) {
                GuestStruct written(types);
                lay_out(written, status, types);
                return written;
              },
          .read = [](GuestReader& from, const GuestTypes& types,
                     Status& status) { lay_out(from, status, types); }};
}

template <auto queue, auto set, auto segment>
constexpr IpcForms make_ipc_forms() {
  return {make_ipc_form<QueueStatus, queue>(), make_ipc_form<SetStatus, set>(),
          make_ipc_form<SegmentStatus, segment>()};
}

// What UnixSystem says of a system that has them.
struct IpcInterface {
  IpcLimits limits;
  IpcCommands commands;
  // Linux's flags of msgrcv(2); 0: there is no such flag.
  std::uint32_t other_type = 0, copy = 0;
  // Whether a removed segment can be attached by its identifier while somebody has it.
  bool removed_segment_stays = false;
  // Of a program with longs of 64 bits, the form may be unknown: null functions.
  IpcForms forms;
  IpcForms wide_forms;  // where longs have 64 bits
};

}  // namespace hardclock::posix
