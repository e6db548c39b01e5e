// What of a simulation is state.
#include <memory>
#include <string>
#include <utility>

#include "sim/base/check.h"
#include "sim/process/simulation.h"
#include "sim/state/archive.h"
#include "sim/state/snapshot.h"

namespace hardclock {
namespace {

using ThreadName = std::pair<int, int>;  // its process's pid, its id

ThreadName name_of(const Thread* thread) {
  return thread == nullptr ? ThreadName() : ThreadName(thread->process.pid, thread->id);
}

Thread* thread_of(Simulation& simulation, const ThreadName& name) {
  Process* const process = simulation.find(name.first);
  return process == nullptr ? nullptr : process->thread(name.second);
}

}  // namespace

void Thread::archive(Archive& to) {
  auto& [its_process, number, processor, os, pending, blocked, mask, waits, is_in_kernel, is_held,
         who_traces, stop, tells_stop, is_stepped, used, slice, earlier] = *this;
  to.state(pending, blocked, mask, waits, is_in_kernel, is_held, who_traces, stop, tells_stop,
           is_stepped, used, slice, earlier, os);
  processor->archive(to);
  to.wiring(its_process, number);
}

// A processor is made for the memory that it works in, so that is loaded before.
void Process::archive_threads(Archive& to) {
  const auto count = to.value(threads.size());
  for (std::size_t i = 0; i < count; ++i) {
    const int number = to.value(to.loads() ? 0 : threads[i]->id);
    Cpu::Maker maker = to.loads() ? nullptr : threads[i]->cpu->maker();
    to.kept(maker);
    if (to.loads()) threads.push_back(std::make_unique<Thread>(*this, number, maker(*memory)));
    threads[i]->archive(to);
  }
}

void Process::archive(Archive& to) {
  auto& [number, ppid, creator, clone, pgrp, sid, system, path, program_image, charge, space,
         vforked_by, all_threads, last_id, ended, its_state, signal_state, stop_signal, is_blocked,
         tells_stop, tells_continue, tracees, all_timers, used, used_by_children, earlier, profiled,
         status] = *this;
  to.state(ppid, creator, clone, pgrp, sid, path, charge, space, vforked_by, last_id, ended,
           signal_state, stop_signal, is_blocked, tells_stop, tells_continue, tracees, all_timers,
           used, used_by_children, earlier, profiled, status, its_state);
  to.kept(program_image);
  archive_threads(to);
  to.wiring(number, system, all_threads);
}

void Simulation::archive_processes(Archive& to) {
  const auto count = to.value(processes_.size());
  auto at = processes_.begin();
  for (std::size_t i = 0; i < count; ++i) {
    const int pid = to.value(to.loads() ? 0 : at->first);
    if (to.loads()) {
      auto process = std::make_unique<Process>(pid, 0, to.provided<Personality>());
      at = processes_.emplace(pid, std::move(process)).first;
    }
    at->second->archive(to);
    ++at;
  }
}

void Simulation::archive(Archive& to) {
  auto& [logs, options, clock, budget, sweep, processes, ready, stopped, running, last_thread,
         yields, is_behind_call, next_pid, first_pid, first_status, retired_processes,
         retired_memory, retired_threads, finished, samples, finished_instructions, recorded, polls,
         outside_wait, outside, outside_microseconds, alarm, stop_at, stretch] = *this;
  to.state(clock, last_thread, yields, next_pid, first_pid, first_status, finished_instructions,
           outside_microseconds, alarm);
  archive_processes(to);
  for (const auto& [pid, process] : processes) to.existing(*process->os);
  to.derived(running, is_behind_call, retired_processes, retired_memory, retired_threads);
  to.wiring(logs, options, polls, outside_wait, outside, stop_at, stretch);
  to.counted(sweep, finished, samples, recorded);
  ThreadName name = name_of(stopped);
  to.state(name);
  if (to.loads()) stopped = thread_of(*this, name);
  const auto waiting = to.value(ready.size());
  for (std::size_t i = 0; i < waiting; ++i) {
    name = to.loads() ? ThreadName() : name_of(ready[i]);
    to.state(name);
    if (to.loads()) ready.push_back(thread_of(*this, name));
  }
  to.state(*budget);  // after all who have taken from it
}

// What a profile has counted is no part of the state, and would be counted twice.
Result<Snapshot, std::string> Simulation::save() {
  Saver saver;
  if (options_.keep_profiles || sweep_ != nullptr) saver.refuse("a profile of cycles");
  Personality* const os = processes_.empty() ? nullptr : processes_.begin()->second->os;
  for (const auto& [pid, process] : processes_) {
    if (process->os != os) saver.refuse("processes of several systems");
  }
  archive(saver);
  if (!saver.refused().empty()) return Failure{saver.refused()};
  return saver.take();
}

void Simulation::load(const Snapshot& snapshot, Personality& os) {
  drop_retired();
  ready_.clear();
  stopped_ = nullptr;
  processes_.clear();
  os.clear();
  os.attach(*this);
  Loader loader(snapshot);
  loader.provide(os);
  loader.provide(budget_);
  loader.provide(*this);
  archive(loader);
  loader.finish();
  CHECK(loader.is_at_end());
}

void EndedThreads::archive(Archive& to) {
  auto& [executed, profile, record] = *this;
  to.state(executed.instructions, executed.cycles);
  to.counted(profile, record);
}

}  // namespace hardclock
