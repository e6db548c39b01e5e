#include "syscalls/posix/state.h"

#include "syscalls/posix/kernel.h"

namespace hardclock::posix {

void Kernel::archive(Archive& to) const {
  const auto& [system, options, missing, shared_files, sleepers, ipc, fifos, locks, network,
               async_files, console, terminal, first_pid, caller, last_tracing, first_has_stopped,
               has_said_full] = *this;
  to.state(sleepers, ipc, locks, network, async_files, console, terminal, first_pid, caller,
           last_tracing, first_has_stopped, *options.files->records());
  to.derived(shared_files, fifos);  // by the mappings and the ends
  to.wiring(system);
  to.counted(missing, has_said_full);
}

void ProcessState::archive(Archive& to) const {
  const auto& [brk, its_port, profil, text, began, system, waiting, tells, stops, ends, controlled,
               all_timers, intervals, slack, ids, executed, undo_lists, niceness, all_limits] =
      *this;
  to.state(brk, profil, text, began, waiting, tells, stops, ends, controlled, all_timers, intervals,
           slack, ids, executed, undo_lists, niceness, all_limits);
  to.state(system != nullptr);
  if (system != nullptr) system->archive(to);
  to.state(to.object(its_port).number);
}

void ThreadState::archive(Archive& to) const {
  const auto& [files, cwd, undone, profil, owes, trapped, stack, waiting, at_end, locks, traced,
               call, accesses, charged] = *this;
  to.state(files, cwd, undone, profil, owes, trapped, stack, waiting, at_end, locks, traced, call,
           accesses, charged);
}

}  // namespace hardclock::posix
