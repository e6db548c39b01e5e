// Those of whom wait(2) tells a thread: children of its process, and traced threads. Source: Linux
// 6.1, kernel/exit.c, do_wait().
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sim/process/process.h"
#include "sim/process/wait.h"

namespace hardclock {

struct Waitable {
  Process* process = nullptr;
  int thread = 0;  // the id of a traced thread; 0: the child as a whole

  // The thread, while it runs. nullptr: it has ended, or this is a child.
  Thread* tracee() const { return thread == 0 ? nullptr : process->thread(thread); }
  // The thread's end. nullptr: it runs, or this is a child.
  const EndedTracee* ended_tracee() const;
  // Whether its end may be told: a process's is when its other traced threads' ends have been.
  bool has_ended() const;
  bool has_stopped() const;
  // Whether it did one of the things that are wanted, which no call has reported yet.
  bool has_done(const ChildEvent& wanted) const;
};

// In the order in which wait(2) looks at them: children by age, then the traced, the latest first.
// A child whose first thread its parent traces is there once, as that.
std::vector<Waitable> waitables_of(const std::map<int, std::unique_ptr<Process>>& processes,
                                   const Thread& waiter, const ChildEvent& wanted);

}  // namespace hardclock
