// What a debugger or a harness does with a simulated machine from outside: it holds threads, runs
// the machine up to a point, makes one thread execute an instruction or a system call. Registers
// are in register_set.h; memory is the process's AddressSpace.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "sim/base/units.h"
#include "sim/process/simulation.h"

namespace hardclock::debug {

// A thread by its name, which a debugger may keep: the thread itself may end at any time.
struct ThreadName {
  int process = 0;  // pid
  int thread = 0;
  friend bool operator==(const ThreadName&, const ThreadName&) = default;
};
ThreadName name_of(const Thread& thread);

// What a system call answered.
struct CallAnswer {
  bool failed = false;
  std::uint64_t value = 0;  // failed: the system's number of the error
};

// How to make a thread execute a system call: what only the calling convention knows. The program
// has an instruction that makes one, and a place to go on at.
class CallSite {
 public:
  virtual ~CallSite() = default;
  // Moves the thread to the instruction with the call's number and arguments in place. `arguments`
  // are by slots: a 64-bit argument takes two in 32-bit programs. False: there is no memory for
  // them.
  virtual bool enter(Thread& thread, unsigned number, std::span<const std::uint64_t> arguments) = 0;
  // Whether the thread is behind the call.
  virtual bool has_returned(const Thread& thread) const = 0;
  // Of a call that has returned.
  virtual CallAnswer answer(const Thread& thread) const = 0;
};

struct InjectedCall {
  enum class End : std::uint8_t {
    returned,
    waits,   // for something that no other thread may bring about: all others are held
    gone,    // the thread has ended, or an exec has replaced it
    failed,  // no memory for its arguments
  };
  End end = End::returned;
  CallAnswer answer;  // returned only
};

class ThreadControl {
 public:
  explicit ThreadControl(Simulation& simulation) : simulation_(simulation) {}

  // nullptr: there is none.
  Thread* find(const ThreadName& name) const;

  // A held thread does not run, and nothing ends its wait. Threads begin unheld.
  void hold(Thread& thread) { thread.held = true; }
  void release(Thread& thread) { thread.held = false; }
  // Of the threads that there are, lets only this one run.
  void hold_all_but(const Thread& thread);

  // ---- Running. Each returns as Simulation::run() does, with SimulationEnd::Kind::interrupted
  // where it was asked to stop, by `stop` or by another of the simulation's polls. `stop` is asked
  // before each stretch of a thread's run. Stopping and going on changes nothing.
  SimulationEnd run_until(const std::function<bool()>& stop);
  // Up to the first instruction boundary at or after `time`. While nobody can run, up to the first
  // clock event at or after it.
  SimulationEnd run_to(Cycles time);
  // The thread executes one instruction, all others being held meanwhile. One that cannot complete
  // takes its trap instead. A thread that waits goes on waiting, if its wait is not over.
  SimulationEnd step(Thread& thread);
  // The thread makes a system call, all others being held from then on. Where the thread was before
  // and what its registers held is the caller's to restore.
  InjectedCall inject(Thread& thread, CallSite& site, unsigned number,
                      std::span<const std::uint64_t> arguments);

  // ---- The kernel's door, for harnesses.
  // The thread is inside the kernel from now on.
  void enter_kernel(Thread& thread) { thread.in_kernel = true; }
  // It leaves the kernel now, instead of when it runs next. False: it is not inside.
  bool leave_kernel(Thread& thread);
  // It is not inside any more, and the kernel does nothing of what it does to a thread that leaves.
  void leave_kernel_unseen(Thread& thread) { thread.in_kernel = false; }

 private:
  Simulation& simulation_;
};

}  // namespace hardclock::debug
