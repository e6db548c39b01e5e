// Control of a process through a file, as System V.4's /proc has it (proc(4)): which events stop
// the process, why it stands still, and how it goes on. The requests, their numbers and their
// structures are the system's.
//
// Nobody hears of such a stop by wait(2). The control stays when its last user goes, unless that
// asked for something else.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/process/process.h"
#include "sim/process/simulation.h"
#include "sim/state/archive.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/signals/watched_areas.h"

namespace hardclock::posix {

struct UnixSystem;

// What stopped the process last.
enum class StopCause : std::uint8_t {
  none,
  requested,
  signalled,   // it was about to take a signal
  call_entry,  // of a system call
  call_exit,
  faulted,
};

// What an instruction can incur: the numbers of System V.4 (<sys/fault.h>).
enum class HardwareFault : std::uint8_t {
  none = 0,
  illegal_instruction = 1,
  breakpoint = 3,
  trace = 4,  // a step is done
  access = 5,
  bounds = 6,  // nothing is there
  integer_overflow = 7,
  zero_divide = 8,
  floating_point = 9,
  watchpoint = 13,  // IRIX's number
};

inline constexpr std::size_t controlled_calls = 512, controlled_faults = 128;
// Calls are counted from 1, as the rest is: n is bit n - 1, the system's call 0 is 1.
using CallSet = std::bitset<controlled_calls>;
using FaultSet = std::bitset<controlled_faults>;

// The events that stop a process, and what becomes of them.
struct ControlledEvents {
  SignalSet signals;
  FaultSet faults;
  CallSet entries, exits;
  bool are_inherited = false;  // by the children of fork(2)
  // With the last file through which somebody could control the process.
  bool run_on_last_close = false;
  bool kill_on_last_close = false;
  static constexpr std::size_t state_members = 7;
};

class ProcessControl final : public KernelObject {
 public:
  // `first_call` is the number of the system's call 0.
  ProcessControl(Process& process, unsigned first_call)
      : process(&process), first_call(first_call) {}

  ProcessControl() = default;

  // Null: it has ended.
  Process* process = nullptr;
  unsigned first_call = 0;
  ControlledEvents events;
  unsigned controllers = 0;   // open files that may change something
  bool is_exclusive = false;  // one of them wants to be the only one

  // ---- The stop.
  bool is_directed = false;           // it stops as soon as it runs
  bool stands_still = false;          // because of an event that somebody asked for
  StopCause cause = StopCause::none;  // of this stop, or of the last one
  unsigned what = 0;                  // the signal, the fault or the call, counted from 1
  unsigned call = 0;                  // that the process has entered, less first_call
  // What takes effect when it goes on; 0: nothing does. And the fault that it has incurred.
  unsigned signal = 0;
  SignalInfo info;
  HardwareFault fault = HardwareFault::none;
  bool is_at_fault = false;  // `signal` is the fault's, which the events may stop once more

  // Of the program that the process runs: an exec ends them.
  WatchedAreas& watched_areas();

  // ---- The step that it makes.
  bool is_stepping = false;
  GuestAddr step_pc;
  Instructions step_start;

  Blank<KernelObject> blank() const override { return blank_of<ProcessControl>(); }
  void archive(Archive& to) override;

 private:
  WatchedAreas watched_areas_;
  std::uint32_t watched_memory_ = 0;  // the number of the address space whose they are
};

// A process's own, which a copy of its state does not get.
class OwnControl {
 public:
  OwnControl() = default;
  OwnControl(const OwnControl& /*other*/) {}
  OwnControl& operator=(const OwnControl&) = delete;
  ~OwnControl() { end(); }

  ProcessControl* get() const { return control_.get(); }
  void archive(Archive& to);
  // Makes it when it is asked for first.
  std::shared_ptr<ProcessControl> shared(Process& process, unsigned first_call);
  // The process ends.
  void end() {
    if (control_ != nullptr) control_->process = nullptr;
    control_ = nullptr;
  }

 private:
  std::shared_ptr<ProcessControl> control_;
};

// ---- For the requests. The process, whose control it is, has not ended.
// It stops: at once, or, while a signal has stopped it, when it goes on.
void direct_stop(ProcessControl& control);
// How a process that stands still goes on.
struct GoOn {
  bool clears_signal = false;  // it takes no effect
  bool clears_fault = false;   // nor does the fault
  bool steps = false;          // for one instruction; then it incurs HardwareFault::trace
  bool aborts_call = false;    // that it has entered, or waits in: EINTR
  bool stops_again = false;    // before it executes an instruction
};
void go_on(ProcessControl& control, const GoOn& how);
// Nothing stops it, as SIGKILL has been sent.
void stop_no_more(Process& process);
// Ends it, whatever it does.
void kill(ProcessControl& control);
// A file through which somebody may control the process has been closed.
void lose_controller(ProcessControl& control);

// ---- For the kernel. Each says whether the thread stands still from now on.
bool stops_for_signal(Thread& thread, unsigned signal, const SignalInfo& info);
bool stops_for_fault(Thread& thread, const Trap& trap, unsigned signal, const SignalInfo& info);
// The thread is about to run: a stop was asked for, or a step is done.
bool stops_before_run(Thread& thread);
// Signals have been delivered: the next instruction touches a watched area. If that stops nobody,
// SIGTRAP is pending from now on.
bool meets_watchpoint(Thread& thread);
// Whether one of the two may happen to the call with this number.
bool is_call_controlled(Thread& thread, unsigned number);
bool stops_at_call_entry(Thread& thread, unsigned number);
bool stops_at_call_exit(Thread& thread);
// Whether a signal that the process ignores would stop it.
bool is_signal_controlled(const Process& process, unsigned signal);
// The child of a fork(2), which has one thread.
void inherit_control(Thread& parent, Process& child);

}  // namespace hardclock::posix
