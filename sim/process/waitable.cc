#include "sim/process/waitable.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

namespace hardclock {
namespace {

bool is_of_kind(const Process& child, ChildEvent::Clones clones) {
  if (clones == ChildEvent::Clones::are_included) return true;
  return child.is_clone == (clones == ChildEvent::Clones::alone);
}

// The children of a thread that has ended are the first one's.
bool is_child_of_thread(const Process& child, const Thread& waiter) {
  const Process& parent = waiter.process;
  const Thread* const maker = parent.thread(child.parent_thread);
  return (maker != nullptr ? maker->id : parent.threads.front()->id) == waiter.id;
}

bool is_child(const Process& process, const Thread& waiter, const ChildEvent& wanted) {
  return process.parent == waiter.process.pid && wanted.thread == 1 && wanted.includes(process) &&
         (!wanted.of_caller || is_child_of_thread(process, waiter));
}

bool is_tracer(const Tracer& tracer, const Thread& waiter, bool of_caller) {
  return tracer.pid == waiter.process.pid && (!of_caller || tracer.thread == waiter.id);
}

using Since = std::pair<std::uint64_t, Waitable>;

void add_tracees(Process& process, const Thread& waiter, const ChildEvent& wanted,
                 std::vector<Since>& tracees) {
  const auto add = [&](int thread, const Tracer& tracer) {
    const bool is_wanted = !wanted.pid || thread == wanted.thread;
    const bool is_listed = thread == 1 && process.parent == waiter.process.pid;
    if (!is_wanted || is_listed || !is_tracer(tracer, waiter, wanted.of_caller)) return;
    tracees.emplace_back(tracer.since, Waitable{&process, thread});
  };
  for (const auto& thread : process.threads) add(thread->id, thread->tracer);
  for (const EndedTracee& ended : process.ended_tracees) add(ended.thread, ended.tracer);
}

}  // namespace

const EndedTracee* Waitable::ended_tracee() const {
  const auto& all = process->ended_tracees;
  const auto found = std::ranges::find(all, thread, &EndedTracee::thread);
  return found == all.end() ? nullptr : &*found;
}

bool Waitable::has_ended() const {
  if (thread == 0) return process->exit_status && process->ended_tracees.empty();
  if (ended_tracee() == nullptr) return false;
  return thread != 1 || (process->exit_status && process->ended_tracees.size() == 1);
}

bool Waitable::has_stopped() const {
  if (thread == 0) return process->stop_to_report;
  const Thread* const stopped = tracee();
  return stopped != nullptr && stopped->stop_to_report;
}

// A tracer hears of stops, whether it asked for them or not.
bool Waitable::has_done(const ChildEvent& wanted) const {
  return (wanted.ended && has_ended()) || ((wanted.stopped || thread != 0) && has_stopped()) ||
         (wanted.continued && process->continue_to_report);
}

std::vector<Waitable> waitables_of(const std::map<int, std::unique_ptr<Process>>& processes,
                                   const Thread& waiter, const ChildEvent& wanted) {
  std::vector<Waitable> all;
  std::vector<Since> tracees;
  for (const auto& [pid, process] : processes) {
    if (is_child(*process, waiter, wanted)) {
      const bool is_traced = process->tracer().pid == waiter.process.pid;
      if (is_traced || is_of_kind(*process, wanted.clones)) {
        all.push_back({process.get(), is_traced ? 1 : 0});
      }
    }
    if (wanted.includes(*process)) add_tracees(*process, waiter, wanted, tracees);
  }
  std::ranges::stable_sort(tracees, std::greater<>(), &Since::first);
  for (const auto& [since, tracee] : tracees) all.push_back(tracee);
  return all;
}

}  // namespace hardclock
