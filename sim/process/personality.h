// An operating system as the simulation core sees it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/process/process.h"
#include "sim/process/wait.h"
#include "sim/recording/trap.h"

namespace hardclock {

class Simulation;

enum class ClockKind : std::uint8_t { clock, fast_clock };
enum class ProcessorMode : std::uint8_t { user, system };

class Personality {
 public:
  virtual ~Personality() = default;

  // The simulation whose processes it serves: each that is made says so, before all else.
  virtual void attach(Simulation& simulation) = 0;
  virtual Simulation& simulation() const = 0;

  // The thread executed a system call instruction, or one that waited is ready to continue.
  virtual void system_call(Thread& thread) = 0;
  // Any other trap, usually a signal.
  virtual void trap(Thread& thread, const Trap& trap) = 0;
  // The profiling part of the clock interrupt. `pc` is what the processor reports.
  virtual void profile_tick(Thread& thread, GuestAddr pc, ClockKind kind, ProcessorMode mode) = 0;
  // Makes pending signals take effect on a thread that is about to run user code: handlers, default
  // actions, and the end of an interrupted system call. A signal to the process goes to the first
  // of its threads that comes here and does not block it.
  virtual void deliver_signals(Thread& thread) = 0;
  // The thread leaves the kernel, which it entered by a system call, by a trap, for other kernel
  // time (a context switch), or at its start as the child of a fork. Called once for each stay,
  // when any wait is over and signals are delivered. The processor holds what user code resumes
  // with; if a signal is caught, that is the handler's start. Here 4.3BSD charges the system-mode
  // ticks of a call, at the pc in the frame after psig() and swtch() (sys/vax/trap.c, trap() and
  // syscall(): addupc(locr0[PC], ...)). After a clock interrupt, called only if profile_tick has
  // set Thread::in_kernel. It must not end a thread, make one wait or post a signal.
  virtual void leaving_kernel(Thread& /*thread*/) {}
  // Whether a pending signal would interrupt the thread's wait. Called in the order of the ready
  // queue; the first thread for which it is true runs at once, so one signal to a process
  // interrupts one thread.
  virtual bool interrupts_wait(const Thread& thread) const = 0;
  // Exact: if it has happened, the thread's call makes progress. Asked whenever the scheduler looks
  // for a thread to run.
  virtual bool has_happened(const Thread& waiting, const ObjectEvent& event) const = 0;
  // Whether the user may make it happen, or only other threads can.
  virtual bool comes_from_outside(const ObjectEvent& event) const = 0;
  // Whether what comes from outside may become a signal, so that it could end any wait. What comes
  // from now on is waited for.
  virtual bool hears_of_outside() { return false; }
  virtual void timer_expired(Process& process, TimerKind timer) = 0;
  // A clock tick has come, which may expire timers that the personality keeps for the process. Its
  // time has been charged to the thread that ran; `running` is that one if it is the process's,
  // else null.
  virtual void clock_ticked(Process& /*process*/, Thread* /*running*/) {}
  // The alarm (Simulation::update_alarm()) has come, which is for all processes.
  virtual void alarm_came(Process& /*process*/) {}
  // The cycle at which the process wants it next; nullopt: never.
  virtual std::optional<Cycles> next_alarm(const Process& /*process*/) const {
    return std::nullopt;
  }
  // Whether the expiry of this timer would change anything now.
  virtual bool heeds_timer(const Process& /*process*/, TimerKind /*timer*/) const { return true; }
  // The tick, after this one, with which one of them expires first; nullopt: none will.
  virtual std::optional<Ticks> next_expiry(const Process& /*process*/) const {
    return std::nullopt;
  }
  // To the child's parent.
  virtual void child_exited(Process& parent, Process& child) = 0;
  // To the tracer of a thread of the process, which may have ended with it.
  virtual void tracee_ended(Process& /*process*/, const EndedTracee& /*tracee*/) {}
  // A different thread is about to run.
  virtual void switch_to(Thread& /*thread*/) {}
  // The process ends and must release what it holds.
  virtual void release(Process& process) = 0;
  // All processes have gone, and a state is to be loaded: it keeps nothing of what they had.
  virtual void clear() = 0;
  // What it keeps for all processes together.
  virtual void archive(Archive& to) = 0;
  // Whether the process wants the fast profiling clock.
  virtual bool wants_fast_clock(const Process& process) const = 0;
};

}  // namespace hardclock
