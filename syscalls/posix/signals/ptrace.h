// Threads that another process traces: ptrace(2).
#pragma once

#include <cstdint>
#include <optional>

#include "sim/process/process.h"
#include "sim/state/archive.h"
#include "syscalls/posix/kernel_part.h"
#include "syscalls/posix/signals/tracing.h"

namespace hardclock::posix {

class Ptrace : public KernelPart {
 public:
  using KernelPart::KernelPart;

  // ---- What tracers ask for.
  // `tracer` hears of the target's stops and decides on its signals from now on.
  void begin(const Thread& tracer, Thread& target, bool is_seized);
  // The traced thread, which stands still, goes on. A signal other than 0 takes effect on it if it
  // has stopped for one, and is sent to it if it has stopped for a call.
  void go_on(Thread& target, unsigned signal);
  // The same for one instruction, after which it stops with SIGTRAP; at once if `is_over`.
  void step(Thread& target, unsigned signal, bool is_over);
  // Nobody traces it any more, and it goes on as by go_on() if it stands still.
  void end(Thread& target, unsigned signal);
  // The thread, traced by PTRACE_SEIZE, stops soon.
  static void interrupt(Thread& target);
  // The stopped thread waits for news of its process. False: it has not stopped for that.
  static bool listen(Thread& target);
  // The tracer has heard of the thread's end.
  void forget_tracee(Process& process, int thread);

  // ---- Events.
  // `child` was made by the thread `parent`, whose tracer may want to hear of that, and to trace
  // it, too: always if `is_followed`.
  void trace_child(Thread& parent, Thread& child, TraceEvent event, bool is_followed = false);
  // The thread is what an exec made of `old`.
  void trace_exec(const Thread& old, Thread& fresh);
  // The thread ends, and traces no others.
  void leave_tracees(const Thread& tracer);
  // See Personality.
  void tracee_ended(Process& process, const EndedTracee& tracee);

  // ---- Whether a thread stops for its tracer: now it does if so.
  bool stops_at_entry(Thread& thread);  // of a call
  bool stops_at_exit(Thread& thread);   // of a call
  // The child has left the memory that the thread shares with it.
  bool stops_after_vfork(Thread& thread);
  // In the end of a stop of its process, or because its tracer wants it to.
  bool stops_if_due(Thread& thread);
  // The thread is about to end by itself with this exit code. Then it makes its call again.
  bool stops_before_end(Thread& thread, std::uint32_t code);
  // The process is about to end: threads that stop end later, the others now.
  bool stops_before_end(Process& process, ExitStatus status);
  // A signal is about to take effect. Every one but SIGKILL is first the tracer's, even an ignored
  // one.
  bool asks_tracer(Thread& thread, unsigned signal, const SignalInfo& info);
  // What the tracer let through takes effect, unless it is blocked by now. Returns whether the
  // thread goes on.
  bool takes_passed_signal(Thread& thread);
  // If the thread has made a single step it is sent SIGTRAP.
  static void end_step(Thread& thread);
  // The thread has done its part in the stop of its process.
  void join_stop(Thread& thread);
  // Its process has stopped, or goes on; a thread that listens stops anew (ptrace_trap_notify()).
  static void tell_news(Thread& thread);
  // The process goes on: the thread has no part in a stop.
  static void call_off_stop(Thread& thread);

  void archive(Archive& to) { to.state(last_tracing_); }

 private:
  bool stops_at_controlled_entry(Thread& thread);
  void stop_for_tracer(Thread& thread, TracedStop stop, unsigned code,
                       const std::optional<SignalInfo>& info);
  void stop_for_event(Thread& thread, TraceEvent event, std::uint64_t message);
  void leave_tracee(Thread& tracee);
  void report_to_tracer(const Thread& tracee, SignalInfo::Cause cause);

  std::uint64_t last_tracing_ = 0;  // counts Tracer::since
};

}  // namespace hardclock::posix
