// Why a thread waits in a system call, and how the call goes on afterwards. All of it is data: a
// Wait can be copied, compared, described, and later written to a file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "sim/base/units.h"
#include "sim/process/signals.h"
#include "sim/state/archive.h"

namespace hardclock {

class Process;
class VirtualClock;

// ---- What ends a wait, besides a time limit and a signal handler.

// Nothing does: pause(2), sigsuspend(2), sleeping.
struct NoEvent {
  friend bool operator==(const NoEvent&, const NoEvent&) = default;
};

// Every other thread that can run has had its turn: sched_yield(2).
struct OthersTurn {
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
  friend bool operator==(const ChildEvent&, const ChildEvent&) = default;
};

// The child of a vfork(2) has left its parent's memory, by exec or exit.
struct VforkEnd {
  int child = 0;  // pid
  friend bool operator==(const VforkEnd&, const VforkEnd&) = default;
};

// One of the signals is pending for the process: sigwait(2) and its relatives.
struct SignalPending {
  SignalSet signals;
  friend bool operator==(const SignalPending&, const SignalPending&) = default;
};

// An event that only the personality knows: its open files, its locks. Immutable.
class OsEvent {
 public:
  virtual ~OsEvent() = default;
  // Exact: if it has happened, the call makes progress. Asked whenever the scheduler looks for a
  // thread to run.
  virtual bool has_happened() const = 0;
  // Whether the user may make it happen, or only other threads can.
  virtual bool comes_from_outside() const { return false; }
  // Completes "waits for ...".
  virtual std::string description() const = 0;
  // `other` has the same dynamic type.
  virtual bool equals(const OsEvent& other) const = 0;
};

// Copies share the immutable event; equal events are equal by value.
struct OsEventRef {
  std::shared_ptr<const OsEvent> event;  // never null
  friend bool operator==(const OsEventRef& a, const OsEventRef& b);
};

using WaitEvent =
    std::variant<NoEvent, OthersTurn, ChildEvent, VforkEnd, SignalPending, OsEventRef>;

// ---- What a signal with a handler does to the call.

// Nothing: the wait is the last act of a call whose result and pc are set already, and which does
// not run again.
struct Uninterruptible {
  void archive(Archive&) const {}
  friend bool operator==(const Uninterruptible&, const Uninterruptible&) = default;
};

// Ends it with EINTR.
struct Interruptible {
  void archive(Archive&) const {}
  friend bool operator==(const Interruptible&, const Interruptible&) = default;
};

// Makes it again after the handler if the signal's action asks for that, else ends it with EINTR.
struct Restartable {
  void archive(Archive&) const {}
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

  WaitEvent event = {};
  OnSignal on_signal = {};
  std::optional<Deadline> until = {};
  std::uint64_t progress = 0;  // bytes that the call moved before it had to wait
  std::string call = {};       // its name, for messages
  Stage stage = Stage::waits;

  bool ends_call() const { return std::holds_alternative<Uninterruptible>(on_signal); }
  void archive(Archive& to) const;
  friend bool operator==(const Wait&, const Wait&) = default;
};

// "waits in wait4 for child 7 to end, or a signal", "waits in vfork for child 7 to exec or exit",
// "waits in nanosleep for tick 120, or a signal".
std::string describe(const Wait& wait);

}  // namespace hardclock
