// What the kernel keeps of a traced process for its tracer (ptrace(2)).
#pragma once

#include <cstdint>
#include <optional>

#include "syscalls/posix/signals.h"

namespace hardclock::posix {

// The events of which a tracer may hear besides signals, by their numbers in the second byte of
// the code that a stop has: PTRACE_EVENT_* of Linux.
enum class TraceEvent : std::uint8_t { fork = 1, vfork, clone, exec, end = 6 };

struct Tracing {
  bool stops_at_calls = false;  // when a thread enters a call and when it leaves it
  bool marks_calls = false;     // such a stop's code has bit 7 set
  bool ends_with_tracer = false;
  bool has_told_end = false;  // with TraceEvent::end
  std::uint32_t events = 0;   // a bit for each TraceEvent

  bool wants(TraceEvent event) const { return (events >> static_cast<unsigned>(event) & 1) != 0; }

  // ---- Of the last stop.
  int thread = 0;                  // the id of the thread that stopped
  std::optional<SignalInfo> info;  // none: by a stop signal that has taken effect
  bool is_for_signal = false;      // that is about to take effect
  std::uint64_t message = 0;       // the last event's new process or wait(2) status
};

// Where a thread stands with the call for which its process stops twice.
enum class TracedCall : std::uint8_t {
  none,
  at_entry,    // the process has stopped, and the call is still to be made
  inside,      // the call has been made, or waits
  at_exit,     // the process has stopped after it
  broken_off,  // likewise, but a signal has ended its wait: it is made again, or fails
};

}  // namespace hardclock::posix
