// What the kernel keeps of a traced thread for its tracer (ptrace(2)).
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "sim/state/archive.h"
#include "syscalls/posix/signals/signals.h"

namespace hardclock::posix {

// The events of which a tracer may hear besides signals, by their numbers in the second byte of
// the code that a stop has: PTRACE_EVENT_* of Linux.
enum class TraceEvent : std::uint8_t { fork = 1, vfork, clone, exec, vfork_end, end, stop = 128 };

// What a thread has stopped for: an event, also what is not one of its own; a signal that is about
// to take effect; a call; the stop of its whole process.
enum class TracedStop : std::uint8_t { event, signal, call, group };

struct Tracing {
  bool is_seized = false;       // by PTRACE_SEIZE
  bool stops_at_calls = false;  // when it enters a call and when it leaves it
  bool marks_calls = false;     // such a stop's code has bit 7 set
  bool ends_with_tracer = false;
  bool has_told_end = false;  // with TraceEvent::end
  std::uint32_t events = 0;   // a bit for each TraceEvent that has an option

  bool wants(TraceEvent event) const { return (events >> static_cast<unsigned>(event) & 1) != 0; }

  // ---- Stops to come: JOBCTL_* of Linux 6.1, include/linux/sched/jobctl.h.
  bool stops_soon = false;        // TRAP_STOP: it was interrupted, or its process has stopped
  bool has_news = false;          // TRAP_NOTIFY: its process has stopped, or goes on
  bool joins_group_stop = false;  // STOP_CONSUME: the stop of its process is not whole without it
  bool may_start_stop = false;    // STOP_DEQUEUED: no SIGCONT has come since a signal was taken
  bool stop_is_due() const { return stops_soon || has_news || joins_group_stop; }
  unsigned group_signal = 0;                 // STOP_SIGMASK: the last one that stopped the process
  bool listens = false;                      // LISTENING
  std::optional<std::uint64_t> vfork_child;  // for whose exec or end it waits: its number
  unsigned passed_signal = 0;                // that the tracer lets take effect; 0: none

  std::optional<Instructions> step_start;  // of a single step: what had been executed before
  bool has_stepped = false;                // into a handler, which is a step of its own

  // ---- Of the last stop.
  std::optional<std::uint64_t> stored_registers;  // what Port::store_registers returned
  TracedStop stop = TracedStop::event;
  std::optional<SignalInfo> info;  // none: by a stop signal that has taken effect
  std::uint64_t message = 0;       // the event's new process or wait(2) status

  void archive(Archive& to);
};

// Where a thread stands with the call for which it stops twice.
enum class TracedCall : std::uint8_t {
  none,
  at_entry,    // the thread has stopped, and the call is still to be made
  inside,      // the call has been made, or waits
  at_exit,     // the thread has stopped after it
  broken_off,  // likewise, but a signal has ended its wait: it is made again, or fails
};

}  // namespace hardclock::posix
