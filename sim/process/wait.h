// Why a thread waits in a system call, and how the call goes on afterwards. All of it is data: a
// Wait can be copied, compared, described and built anew from its fields. Of the personality's
// objects it has references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "sim/process/kernel_object.h"
#include "sim/process/signals.h"
#include "sim/state/archive.h"

namespace hardclock {

class Process;
class VirtualClock;

// ---- What ends a wait, besides a time limit and a signal handler.

// Nothing does: pause(2), sigsuspend(2), sleeping.
struct NoEvent {
  void archive(Archive&) {}
  friend bool operator==(const NoEvent&, const NoEvent&) = default;
};

// Every other thread that can run has had its turn: sched_yield(2).
struct OthersTurn {
  void archive(Archive&) {}
  friend bool operator==(const OthersTurn&, const OthersTurn&) = default;
};

// Something to report of a child or of a traced thread, or none such is left: wait(2) and its
// relatives.
struct ChildEvent {
  enum class Clones : std::uint8_t { are_included, are_not, alone };

  std::optional<int> pid;    // this child alone
  int thread = 1;            // then, and if it is another one: this thread of it, by its id
  std::optional<int> group;  // children of this process group
  bool ended = true;
  bool stopped = false;
  bool continued = false;
  Clones clones = Clones::are_included;
  bool of_caller = false;  // of the thread that waits, not of its process's others

  bool includes(const Process& child) const;
  static constexpr std::size_t state_members = 8;
  friend bool operator==(const ChildEvent&, const ChildEvent&) = default;
};

// The child of a vfork(2) has left its parent's memory, by exec or exit.
struct VforkEnd {
  int child = 0;  // pid
  static constexpr std::size_t state_members = 1;
  friend bool operator==(const VforkEnd&, const VforkEnd&) = default;
};

// One of the signals is pending for the process: sigwait(2) and its relatives.
struct SignalPending {
  SignalSet signals;
  static constexpr std::size_t state_members = 1;
  friend bool operator==(const SignalPending&, const SignalPending&) = default;
};

// ---- Events of the personality's objects: only it can tell whether they have happened.

// What is waited for at one open file: any of these. The file stays open meanwhile, also when
// another thread closes its descriptor.
struct FileWatch {
  int descriptor = -1;             // by which the call names the file; for messages
  ObjectRef file;                  // never null
  bool for_reading = false;        // a read goes on
  std::size_t bytes_to_write = 0;  // a write of so many bytes goes on; 0: does not matter
  bool for_hangup = false;         // the other end of a pipe is gone; as poll(2) sees the file
  bool for_end = false;            // the other end of a socket writes no more; likewise
  bool for_urgent = false;         // a socket's urgent data arrives
  static constexpr std::size_t state_members = 7;
  friend bool operator==(const FileWatch&, const FileWatch&) = default;
};

// One of the files, at least: read(2), write(2), poll(2), select(2), epoll_wait(2).
struct FileWait {
  std::vector<FileWatch> files;
  static constexpr std::size_t state_members = 1;
  friend bool operator==(const FileWait&, const FileWait&) = default;
};

// No other process's lock is in the way of this one, of bytes [start, end): fcntl(F_SETLKW).
struct LockWait {
  std::uint64_t device = 0, inode = 0;  // of the file
  int owner = 0;                        // a process's id
  bool exclusive = false;
  std::uint64_t start = 0;
  std::optional<std::uint64_t> end = {};  // nullopt: any
  static constexpr std::size_t state_members = 6;
  friend bool operator==(const LockWait&, const LockWait&) = default;
};

// No other open file's lock is in the way of this one on a whole file: flock(2).
struct FlockWait {
  std::uint64_t device = 0, inode = 0;
  ObjectRef of;  // the open file, never null
  bool exclusive = false;
  static constexpr std::size_t state_members = 4;
  friend bool operator==(const FlockWait&, const FlockWait&) = default;
};

// Another thread wakes it: futex(2) and its like.
struct SleepWait {
  ObjectRef sleeper;  // never null
  static constexpr std::size_t state_members = 1;
  friend bool operator==(const SleepWait&, const SleepWait&) = default;
};

// Another thread does what the call asks for, on its behalf: msgsnd(2), msgrcv(2), semop(2).
struct IpcWait {
  enum class For : std::uint8_t { message, room, semaphore };

  ObjectRef waiter;  // never null
  For what = For::message;
  static constexpr std::size_t state_members = 2;
  friend bool operator==(const IpcWait&, const IpcWait&) = default;
};

// The other end of a FIFO is opened. This end is open already.
struct FifoWait {
  ObjectRef end;  // never null
  static constexpr std::size_t state_members = 1;
  friend bool operator==(const FifoWait&, const FifoWait&) = default;
};

// A socket that the caller does not have open has room, or is closed.
struct SocketWait {
  enum class For : std::uint8_t { connection, datagram };

  For what = For::connection;
  WeakObjectRef socket;
  std::size_t bytes = 0;  // of the datagram
  static constexpr std::size_t state_members = 3;
  friend bool operator==(const SocketWait&, const SocketWait&) = default;
};

// A process stands still because somebody wanted that, or it has ended: /proc of System V.4.
struct StopWait {
  ObjectRef control;  // never null
  static constexpr std::size_t state_members = 1;
  friend bool operator==(const StopWait&, const StopWait&) = default;
};

using ObjectEvent =
    std::variant<FileWait, LockWait, FlockWait, SleepWait, IpcWait, FifoWait, SocketWait, StopWait>;

// ---- Any of them.
using WaitEvent =
    std::variant<NoEvent, OthersTurn, ChildEvent, VforkEnd, SignalPending, ObjectEvent>;

// Of the thread's wait: null if it is for something else.
template <class Event>
const Event* event_of(const WaitEvent& event) {
  const auto* const of_object = std::get_if<ObjectEvent>(&event);
  return of_object == nullptr ? nullptr : std::get_if<Event>(of_object);
}

// Whether the event, when it has happened, has the outcome, which the call fetches from it.
bool has_outcome(const WaitEvent& event);

// ---- What a signal with a handler does to the call.

// Nothing: the wait is the last act of a call whose result and pc are set already, and which does
// not run again.
struct Uninterruptible {
  void archive(Archive&) {}
  friend bool operator==(const Uninterruptible&, const Uninterruptible&) = default;
};

// Ends it with EINTR.
struct Interruptible {
  void archive(Archive&) {}
  friend bool operator==(const Interruptible&, const Interruptible&) = default;
};

// Makes it again after the handler if the signal's action asks for that, else ends it with EINTR.
struct Restartable {
  void archive(Archive&) {}
  friend bool operator==(const Restartable&, const Restartable&) = default;
};

// Ends a sleep, which tells how much of its time was left.
struct TellsTimeLeft {
  enum class Form : std::uint8_t {
    result,       // the call's result, in units of 1/`rate` s
    longs,        // a struct timespec at `address`, with the program's longs; EINTR
    wide_fields,  // the same with fields of 64 bits
  };
  Form form = Form::result;
  GuestAddr address = {};
  Hertz rate = {};
  // Nanoseconds from the machine's start to the sleep's end; nullopt: that is its last tick.
  std::optional<std::uint64_t> end = {};
  static constexpr std::size_t state_members = 4;
  friend bool operator==(const TellsTimeLeft&, const TellsTimeLeft&) = default;
};

using OnSignal = std::variant<Restartable, Interruptible, TellsTimeLeft, Uninterruptible>;

// When a wait ends at the latest: with a clock tick or, where the kernel has timers that interrupt
// by themselves, at a cycle before it.
struct Deadline {
  Deadline() = default;
  Deadline(Ticks with_tick) : tick(with_tick) {}

  bool has_come(const VirtualClock& clock) const;
  friend bool operator==(const Deadline&, const Deadline&) = default;

  Ticks tick;
  std::optional<Cycles> moment = {};

  static constexpr std::size_t state_members = 2;
};

// ---- The wait as a whole.
struct Wait {
  // What happens to the thread next. After `waits` the wait is kept until the call has run again,
  // so that it finds its time limit and what it has done.
  enum class Stage : std::uint8_t {
    waits,
    repeat,       // the call at the pc runs again, without a trap
    interrupted,  // a signal is about to be delivered, which decides
    trap,         // the program traps into the call again
  };

  // When the wait is over: NoEvent, or what has_outcome().
  WaitEvent event = {};
  OnSignal on_signal = {};
  std::optional<Deadline> until = {};
  std::uint64_t progress = 0;  // bytes that the call moved before it had to wait
  std::string call = {};       // its name, for messages
  Stage stage = Stage::waits;

  bool ends_call() const { return std::holds_alternative<Uninterruptible>(on_signal); }
  static constexpr std::size_t state_members = 6;
  friend bool operator==(const Wait&, const Wait&) = default;
};

// "waits in wait4 for child 7 to end, or a signal", "waits in vfork for child 7 to exec or exit",
// "waits in nanosleep for tick 120, or a signal".
std::string describe(const Wait& wait);

}  // namespace hardclock
