// What of a simulation is state.
#include <memory>
#include <string>
#include <utility>

#include "sim/process/simulation.h"
#include "sim/state/archive.h"

namespace hardclock {
namespace {

using ThreadName = std::pair<int, int>;  // its process's pid, its id

ThreadName name_of(const Thread* thread) {
  return thread == nullptr ? ThreadName() : ThreadName(thread->process.pid, thread->id);
}

void archive_os_state(Archive& to, const std::unique_ptr<OsState>& state) {
  to.state(state != nullptr);
  if (state != nullptr) state->archive(to);
}

}  // namespace

void Thread::archive(Archive& to) const {
  const auto& [its_process, number, processor, os, pending, blocked, mask, waits, is_in_kernel,
               is_held, who_traces, stop, tells_stop, is_stepped, used, slice, earlier] = *this;
  to.state(number, pending, blocked, mask, waits, is_in_kernel, is_held, who_traces, stop,
           tells_stop, is_stepped, used, slice, earlier);
  processor->archive(to);
  archive_os_state(to, os);
  to.wiring(its_process);
}

void Process::archive(Archive& to) const {
  const auto& [number, ppid, creator, clone, pgrp, sid, system, path, program_image, charge, space,
               vforked_by, all_threads, last_id, ended, os, signal_state, stop_signal, is_blocked,
               tells_stop, tells_continue, tracees, all_timers, used, used_by_children, earlier,
               profiled, status] = *this;
  to.state(number, ppid, creator, clone, pgrp, sid, path, space, vforked_by, all_threads, last_id,
           ended, signal_state, stop_signal, is_blocked, tells_stop, tells_continue, tracees,
           all_timers, used, used_by_children, earlier, profiled, status);
  archive_os_state(to, os);
  to.derived(charge);
  to.wiring(system, program_image);
}

void Simulation::archive(Archive& to) const {
  const auto& [logs, options, clock, budget, sweep, processes, ready, stopped, running, last_thread,
               yields, next_pid, first_pid, first_status, retired_processes, retired_memory,
               retired_threads, finished, samples, finished_instructions, recorded, polls,
               outside_wait, outside, outside_microseconds, alarm, stop_at, stretch] = *this;
  to.state(clock, *budget, processes, last_thread, yields, next_pid, first_pid, first_status,
           finished_instructions, outside_microseconds, alarm);
  // Of each personality once.
  for (const auto& [pid, process] : processes) {
    if (to.object(process->os).is_new) process->os->archive(to);
  }
  to.state(name_of(stopped), std::uint64_t{ready.size()});
  for (const Thread* const thread : ready) to.state(name_of(thread));
  to.derived(running, retired_processes, retired_memory, retired_threads);
  to.wiring(logs, options, polls, outside_wait, outside, stop_at, stretch);
  to.counted(sweep, finished, samples, recorded);
}

}  // namespace hardclock
