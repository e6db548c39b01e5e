#include "syscalls/posix/state.h"

#include "syscalls/posix/kernel.h"

namespace hardclock::posix {

void Kernel::clear() {
  shared_files_ = {};
  sleepers_ = {};
  ipc_ = {};
  fifos_ = {};
  file_locks_ = {};
  network_ = {};
  async_files_ = {};
  console_ = nullptr;
}

void Kernel::archive(Archive& to) {
  auto& [system, options, simulation, signals, jobs, ptrace, profiling, timers, missing,
         shared_files, sleepers, ipc, fifos, locks, network, async_files, console, caller,
         has_said_full] = *this;
  to.state(sleepers, ipc, locks, network, async_files, console, jobs, ptrace, caller, shared_files,
           fifos);
  to.wiring(system, simulation, signals, profiling, timers);
  to.state(*options.files->records());  // after the files, whose opening it notes
  to.counted(missing, has_said_full);
}

void ProcessState::archive(Archive& to) {
  auto& [brk, its_port, profil, text, began, system, waiting, tells, stops, ends, controlled,
         all_timers, intervals, slack, ids, executed, undo_lists, niceness, all_limits] = *this;
  to.state(brk, profil, text, began, system, waiting, tells, stops, ends, controlled, all_timers,
           intervals, slack, ids, executed, undo_lists, niceness, all_limits);
  to.constant(its_port);
}

void ThreadState::archive(Archive& to) {
  auto& [files, cwd, undone, profil, owes, trapped, stack, waiting, at_end, locks, traced, call,
         accesses, charged] = *this;
  to.state(files, cwd, undone, profil, owes, trapped, stack, waiting, at_end, locks, traced, call,
           accesses, charged);
}

}  // namespace hardclock::posix
