#include "syscalls/posix/state.h"

#include "syscalls/posix/kernel.h"

namespace hardclock::posix {

void Kernel::archive(Archive& to) const {
  to.state(sleepers_, ipc_, file_locks_, network_, async_files_, first_pid_, caller_, last_tracing_,
           first_has_stopped_);
  to.derived(shared_files_, fifos_);  // by the mappings and the ends
  to.wiring(system_, console_, terminal_);
  to.counted(missing_, has_said_full_);
}

void State::archive(Archive& to) const {
  const auto& [brk, its_port, profil, text, began, system, waiting, tells, stops, ends, controlled,
               all_timers, intervals, slack, ids, executed, undo_lists, niceness, all_limits] =
      *this;
  to.state(brk, profil, text, began, waiting, tells, stops, ends, controlled, all_timers, intervals,
           slack, ids, executed, undo_lists, niceness, all_limits);
  to.state(system != nullptr);
  if (system != nullptr) system->archive(to);
  to.wiring(its_port);
}

void ThreadState::archive(Archive& to) const {
  const auto& [files, cwd, undone, profil, owes, trapped, stack, waiting, at_end, locks, traced,
               call, accesses, charged, sleeps, waits, opens] = *this;
  to.state(files, cwd, undone, profil, owes, trapped, stack, waiting, at_end, locks, traced, call,
           accesses, charged);
  to.derived(sleeps, waits, opens);
}

}  // namespace hardclock::posix
