// Processes and threads: what the kernel keeps of them. Everything that only one operating system
// has is in the personality's OsState.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/owner.h"
#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "sim/memory/page_charge.h"
#include "sim/process/signals.h"
#include "sim/process/wait.h"
#include "sim/state/archive.h"

namespace hardclock {

class Personality;
class Process;
class Thread;

// What a personality keeps for each process (descriptors, profiling state, break...) or for each
// thread.
class OsState {
 public:
  using StateRoot = OsState;

  virtual ~OsState() = default;
  virtual void archive(Archive& to) = 0;
  virtual Blank<OsState> blank() const = 0;
};

// Who traces a thread (ptrace(2)): hears of its stops and of its end, and lets it go on.
struct Tracer {
  int pid = 0;              // 0: nobody does
  int thread = 0;           // of that process, the id of the thread that does
  std::uint64_t since = 0;  // counts up with each thread that comes to be traced

  bool is(const Thread& thread) const;
  static constexpr std::size_t state_members = 3;
  explicit operator bool() const { return pid != 0; }
};

struct CpuTime {
  Ticks user;
  Ticks system;
  static constexpr std::size_t state_members = 2;
  CpuTime& operator+=(const CpuTime& other) {
    user += other.user;
    system += other.system;
    return *this;
  }
};

class Thread {
 public:
  Thread(Process& process, int id, std::unique_ptr<Cpu> processor)
      : process(process), id(id), cpu(std::move(processor)) {}

  // Waits in the system call at the pc.
  void start_waiting(Wait what) { wait = std::move(what); }
  bool waiting() const { return wait && wait->stage == Wait::Stage::waits; }
  // For the call that runs again: the wait before it. nullptr: the call runs for the first time.
  const Wait* wait_before() const { return wait && !waiting() ? &*wait : nullptr; }
  // A signal is about to end the wait: takes the wait away from the thread, whose pc is at the
  // call. None: the thread did not wait.
  std::optional<Wait> take_interrupted_wait() {
    if (!wait || wait->stage != Wait::Stage::interrupted) return std::nullopt;
    return std::exchange(wait, std::nullopt);
  }
  bool may_run() const;
  void archive(Archive& to);

  Process& process;
  const int id;  // of the LWP: 1, 2, ... within the process, none twice before an exec
  std::unique_ptr<Cpu> cpu;
  std::unique_ptr<OsState> os_state;  // null until the personality sets it
  SignalSet pending_signals;          // sent to this thread alone
  SignalSet blocked_signals;
  std::optional<SignalSet> mask_after_wait;  // sigsuspend's caller gets this mask back
  // The call that the thread has begun and not ended; nullopt: none.
  std::optional<Wait> wait;
  bool in_kernel = false;  // before it runs on it leaves the kernel; it waits there, too
  // By a debugger: it does not run, and neither event nor signal ends its wait.
  bool held = false;
  // Lets it run or not, whatever the job control of its process says.
  Tracer tracer;
  // Why it stands still for its tracer, or for who controls its process through a file, apart from
  // job control: a signal, or more (bits 8 to 15 of wait()'s status, and those above). 0: it does
  // not.
  unsigned traced_stop = 0;
  bool stop_to_report = false;  // to the tracer
  // By another process: the personality is asked to deliver signals after each instruction.
  bool steps = false;
  CpuTime time;
  Ticks slice_used;       // ticks that found it running since its last time slice was over
  Cycles earlier_cycles;  // that it spent before the program of now: not in its processor's counts
};

// An interval timer (setitimer), in microseconds. value 0: not armed.
struct IntervalTimer {
  std::uint64_t value = 0;
  std::uint64_t interval = 0;

  static constexpr std::size_t state_members = 2;
};
enum class TimerKind : std::uint8_t { real, virtual_, prof };
inline constexpr std::size_t timer_kinds = 3;

struct ExitStatus {
  bool by_signal = false;
  unsigned code = 0;  // exit code 0..255, or the signal

  static constexpr std::size_t state_members = 2;
};

// What those threads did that have ended, in the program that the process runs.
struct EndedThreads {
  EndedThreads() = default;
  // `budget` is charged for profiles.
  explicit EndedThreads(const std::shared_ptr<MemoryBudget>& budget)
      : cycles(budget), calls(budget, CallRecord::of_ended) {}

  ExecutionCounts counts;
  ReasonProfile cycles;
  CallRecord calls;

  void archive(Archive& to);
};

// A traced thread that has ended, until its tracer has heard of that.
struct EndedTracee {
  int thread = 0;  // its id
  Tracer tracer;
  ExitStatus status;

  static constexpr std::size_t state_members = 3;
};

class Process {
 public:
  Process(int pid, int parent, Personality& os) : pid(pid), parent(parent), os(&os) {}

  // The oldest thread that has not ended: a process's first thread may end before the others. A
  // zombie has none.
  Thread& main_thread() { return *threads.front(); }
  // A running thread, by its id; null: there is none.
  Thread* thread(int id) const {
    for (const auto& candidate : threads) {
      if (candidate->id == id) return candidate.get();
    }
    return nullptr;
  }
  // Of its first thread, dead or alive.
  Tracer tracer() const;
  void archive(Archive& to);
  void archive_threads(Archive& to);
  IntervalTimer& timer(TimerKind kind) { return timers[static_cast<std::size_t>(kind)]; }

  const int pid;
  int parent;
  int parent_thread = 1;  // the id of the parent's thread that made it
  bool is_clone =
      false;        // its parent hears of its end by another signal than of others', or by none
  int group = 0;    // process group: the pid of its leader
  int session = 0;  // the pid of its leader
  Personality* os;
  std::string program;  // the path it was started with
  std::shared_ptr<const Image> image;
  // For what the image of an exec costs beside the pages; a fork shares it. Null: not counted.
  std::shared_ptr<PageCharge> image_charge;
  // Before the threads, whose processors refer to it. Processes may share it; an exec or an exit
  // takes it from this process alone. A zombie has none.
  Owner<AddressSpace> memory;
  // vfork: the process that sleeps until this one execs or exits; 0: none.
  int vfork_parent = 0;
  std::vector<std::unique_ptr<Thread>> threads;  // oldest first
  int last_thread_id = 0;
  EndedThreads ended_threads;
  std::unique_ptr<OsState> os_state;
  Signals signals;
  // Job control. The signal that stopped the process, whose threads do not run then, unless they
  // are traced; 0: none did.
  unsigned stopped_by = 0;
  bool blocked = false;             // likewise, until another process lets it go on
  bool stop_to_report = false;      // to a parent that waits for that
  bool continue_to_report = false;  // the same
  std::vector<EndedTracee> ended_tracees;
  std::array<IntervalTimer, timer_kinds> timers;
  CpuTime time;
  CpuTime children_time;                  // of those waited for
  Cycles earlier_cycles;                  // spent on the programs before the one of now
  Ticks profiled_ticks;                   // that incremented a counter
  std::optional<ExitStatus> exit_status;  // set: a zombie
};

inline bool Tracer::is(const Thread& other) const {
  return pid == other.process.pid && thread == other.id;
}

inline bool Thread::may_run() const {
  if (held || process.blocked || traced_stop != 0) return false;
  return tracer || process.stopped_by == 0;
}

inline Tracer Process::tracer() const {
  if (const Thread* const first = thread(1)) return first->tracer;
  for (const EndedTracee& tracee : ended_tracees) {
    if (tracee.thread == 1) return tracee.tracer;
  }
  return {};
}

}  // namespace hardclock
