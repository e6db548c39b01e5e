// Processes and threads: what the kernel keeps of them. Everything that only one operating system
// has is in the personality's OsState.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "sim/memory/page_charge.h"
#include "sim/process/signals.h"

namespace hardclock {

class Personality;
class Process;

// What a personality keeps for each process (descriptors, profiling state, break...) or for each
// thread.
class OsState {
 public:
  virtual ~OsState() = default;
};

class Thread {
 public:
  Thread(Process& process, int id, std::unique_ptr<Cpu> processor)
      : process(process), id(id), cpu(std::move(processor)) {}

  // Waits in the system call at the pc until `ready_to_run`, which becomes true by what a thread or
  // a timer does, not by time alone: that is `wakes_at`. The call then runs again. `call` is its
  // name, for messages. A signal handler ends the call with EINTR, unless the call is restartable
  // and the handler asks for that.
  void wait(std::function<bool()> ready_to_run, std::string call, bool restartable) {
    ready = std::move(ready_to_run);
    wakes_at.reset();
    waits_in = std::move(call);
    restarts = restartable;
    waits_after_call = false;
  }
  // Waits as the last act of a call that is complete otherwise, its result and its pc included: it
  // does not run again, and no signal ends the wait.
  void wait_after_call(std::function<bool()> ready_to_run, std::string call) {
    wait(std::move(ready_to_run), std::move(call), false);
    waits_after_call = true;
  }
  bool waiting() const { return static_cast<bool>(ready); }

  Process& process;
  const int id;  // of the LWP: 1, 2, ... within the process, none twice before an exec
  std::unique_ptr<Cpu> cpu;
  std::unique_ptr<OsState> os_state;  // null until the personality sets it
  SignalSet blocked_signals;
  std::optional<SignalSet> mask_after_wait;  // sigsuspend's caller gets this mask back
  std::function<bool()> ready;               // empty: not waiting
  std::optional<Ticks> wakes_at;             // the wait ends with this tick at the latest
  std::string waits_in;
  bool restarts = true;
  bool waits_after_call = false;
  std::uint64_t call_progress = 0;  // bytes that a call moved before it had to wait
  // The tick at which the call gives up waiting; kept while it runs again and again.
  std::optional<Ticks> call_deadline;
  bool repeats_call = false;      // woken: the system call at the pc has to run again
  bool interrupted_call = false;  // woken by a signal: that call is to end or to restart
  bool in_kernel = false;         // before it runs on it leaves the kernel; it waits there, too
};

struct CpuTime {
  Ticks user;
  Ticks system;
  CpuTime& operator+=(const CpuTime& other) {
    user += other.user;
    system += other.system;
    return *this;
  }
};

// An interval timer (setitimer), in microseconds. value 0: not armed.
struct IntervalTimer {
  std::uint64_t value = 0;
  std::uint64_t interval = 0;
};
enum class TimerKind : std::uint8_t { real, virtual_, prof };
inline constexpr std::size_t timer_kinds = 3;

struct ExitStatus {
  bool by_signal = false;
  unsigned code = 0;  // exit code 0..255, or the signal
};

// What those threads did that have ended, in the program that the process runs.
struct EndedThreads {
  ExecutionCounts counts;
  CycleProfile cycles;
};

class Process {
 public:
  Process(int pid, int parent, Personality& os) : pid(pid), parent(parent), os(&os) {}

  // The oldest thread that has not ended: a process's first thread may end before the others. A
  // zombie has none. A signal to the process is not for this thread in particular: the first one
  // that runs and does not block it takes it.
  Thread& main_thread() { return *threads.front(); }
  // A running thread, by its id; null: there is none.
  Thread* thread(int id) const {
    for (const auto& candidate : threads) {
      if (candidate->id == id) return candidate.get();
    }
    return nullptr;
  }
  bool may_run() const { return stopped_by == 0 && !blocked; }
  IntervalTimer& timer(TimerKind kind) { return timers[static_cast<std::size_t>(kind)]; }

  const int pid;
  int parent;
  int group = 0;    // process group: the pid of its leader
  int session = 0;  // the pid of its leader
  Personality* os;
  std::string program;  // the path it was started with
  std::shared_ptr<const Image> image;
  // For what the image of an exec costs beside the pages; a fork shares it. Null: not counted.
  std::shared_ptr<const PageCharge> image_charge;
  // Before the threads, whose processors refer to it. Processes may share it; an exec or an exit
  // takes it from this process alone. A zombie has none.
  std::shared_ptr<AddressSpace> memory;
  // vfork: the process in whose memory this one runs until it execs or exits; 0: none.
  int vfork_parent = 0;
  std::vector<std::unique_ptr<Thread>> threads;  // oldest first
  int last_thread_id = 0;
  EndedThreads ended_threads;
  std::unique_ptr<OsState> os_state;
  Signals signals;
  // Job control. The signal that stopped the process, whose threads do not run then; 0: none did.
  unsigned stopped_by = 0;
  bool blocked = false;             // likewise, until another process lets it go on
  bool stop_to_report = false;      // to a parent that waits for that
  bool continue_to_report = false;  // the same
  std::array<IntervalTimer, timer_kinds> timers;
  CpuTime time;
  CpuTime children_time;                  // of those waited for
  Ticks profiled_ticks;                   // that incremented a counter
  std::optional<ExitStatus> exit_status;  // set: a zombie
};

}  // namespace hardclock
