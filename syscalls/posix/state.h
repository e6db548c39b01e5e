// What the kernel keeps for each process and thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/process/process.h"
#include "syscalls/host/file_blocks.h"
#include "syscalls/host/held_directory.h"
#include "syscalls/posix/files/descriptors.h"
#include "syscalls/posix/port.h"
#include "syscalls/posix/process_state.h"
#include "syscalls/posix/signals/process_control.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/signals/tracing.h"
#include "syscalls/posix/timers.h"
#include "syscalls/profil/profil.h"

namespace hardclock::posix {

// The heap that brk(2) moves. It belongs to the memory: processes that share memory share the heap.
struct Heap {
  GuestAddr start;           // page-aligned
  GuestAddr end;             // the current break
  host::Ranges locked = {};  // by mlock(2), which a fork(2) does not copy
  static constexpr std::size_t state_members = 3;
};

// What exec gave a program.
struct StartText {
  std::vector<std::string> arguments, environment;
  GuestAddr behind;  // what lies behind the environment on the first stack
  static constexpr std::size_t state_members = 3;
};

// What only one system keeps for a process.
class SystemState {
 public:
  using StateRoot = SystemState;

  virtual ~SystemState() = default;
  virtual Blank<SystemState> blank() const = 0;
  virtual std::unique_ptr<SystemState> fork() const = 0;  // the child's state
  virtual void archive(Archive& to) = 0;
};

class ProcessState final : public OsState {
 public:
  // The state of a child that shares the memory.
  std::unique_ptr<ProcessState> share() const {
    auto child = std::make_unique<ProcessState>(*this);
    child->pending = {};
    child->end_signal.reset();
    if (own != nullptr) child->own = own->fork();
    return child;
  }
  // The state of a child with a copy of the memory.
  std::unique_ptr<ProcessState> fork() const {
    auto child = share();
    child->heap = std::make_shared<Heap>(Heap{heap->start, heap->end});
    return child;
  }
  // Starts the heap of the memory that an exec made.
  void start_heap(GuestAddr start) { heap = std::make_shared<Heap>(Heap{start, start}); }

  void archive(Archive& to) override;
  Blank<OsState> blank() const override { return blank_of<ProcessState>(); }

  std::shared_ptr<Heap> heap;                // never null once the program runs
  const Port* port = nullptr;                // of the program; never null once it runs
  profil::State profiling;                   // of systems that profile processes
  std::shared_ptr<const StartText> started;  // never null once the program runs
  Ticks start;                               // the tick in which the process began
  std::shared_ptr<SystemState> own;          // null until the system needs it; never shared
  PendingSignals pending;
  // Linux's clone(2): what tells the parent of the end instead of SIGCHLD; 0: nothing does.
  std::optional<unsigned> end_signal;
  // A stop of the process that is not whole until all traced threads have joined it.
  bool has_begun_stop = false;
  std::optional<ExitStatus> ending;  // the process ends when its tracers let its threads
  OwnControl control;                // by other processes, through files
  Timers timers;
  IntervalTimers interval_timers;
  std::uint64_t timer_slack = 50'000;  // Linux's: nanoseconds by which waits may last longer
  Credentials credentials;
  bool has_executed = false;  // setpgid(2) asks
  int last_undo_list = 0;     // of ThreadState::undo_list
  std::int32_t nice = 0;      // -20 to 19, or to 20 where setpriority(2) has that
  Limits limits = [] {
    Limits limits;
    limits.fill(Limit{});  // GCC 12 would leave zeros behind the element that is set
    limits[rlimit_nofile] = {open_max, open_max};
    return limits;
  }();
};

// What a program asked of its accesses that are not aligned: prctl(PR_SET_UNALIGN) of Linux,
// sysmips(MIPS_FIXADE) of Linux and IRIX.
struct UnalignedAccesses {
  bool are_refused = false;  // with SIGBUS; else the kernel makes them
  bool are_silent = false;   // to the console, which there is not
  static constexpr std::size_t state_members = 2;
};

// Where a thread's path names begin, and what its new files are like: Linux's struct fs_struct.
struct PathContext {
  host::HeldDirectoryRef directory;  // never null once the program runs
  std::uint32_t umask = 022;         // permissions that a new file does not get
  static constexpr std::size_t state_members = 2;
};

class ThreadState final : public OsState {
 public:
  void archive(Archive& to) override;
  Blank<OsState> blank() const override { return blank_of<ThreadState>(); }

  // Threads that share the table have the same numbers open. Never null.
  std::unique_ptr<Descriptors> descriptors = std::make_unique<Descriptors>(open_max);
  // Threads and processes that share it point to one. Never null.
  std::shared_ptr<PathContext> paths = std::make_shared<PathContext>();
  // Which of its process's lists of semaphore operations to undo is its own; 0: the first one.
  int undo_list = 0;
  profil::State profiling;  // on systems that profile threads
  Ticks owed;               // came while the thread was in the kernel; charged when it leaves
  GuestAddr trap_pc;        // of the instruction that entered the kernel
  AlternateStack alternate_stack;
  PendingSignals pending;  // of Thread::pending_signals
  GuestAddr zero_at_end;   // Linux's: the word that the end of the thread sets to 0; 0: none
  GuestAddr robust_list;   // Linux's: the head of the list of the locks that it holds; 0: none
  Tracing tracing;
  TracedCall traced_call = TracedCall::none;
  std::optional<UnalignedAccesses> unaligned;  // nullopt: as Port::makes_unaligned_accesses
  bool is_charged = false;  // what it owes for this stay in the kernel: before a signal
};

inline ProcessState& state_of(Process& process) {
  return static_cast<ProcessState&>(*process.os_state);
}
inline const ProcessState& state_of(const Process& process) {
  return static_cast<const ProcessState&>(*process.os_state);
}

// Of a process whose program runs.
inline const Port& port_of(const Process& process) {
  return *state_of(process).port;
}
inline const SyscallAbi& abi_of(const Process& process) {
  return *port_of(process).abi;
}

inline ThreadState& thread_state_of(Thread& thread) {
  if (thread.os_state == nullptr) thread.os_state = std::make_unique<ThreadState>();
  return static_cast<ThreadState&>(*thread.os_state);
}

// Of a thread that has made a call.
inline const ThreadState& thread_state_of(const Thread& thread) {
  return static_cast<const ThreadState&>(*thread.os_state);
}

// Those of the first thread that runs, for whoever looks at a process from outside.
inline const Descriptors* descriptors_of(const Process& process) {
  return process.threads.empty() ? nullptr
                                 : thread_state_of(*process.threads.front()).descriptors.get();
}
inline PathContext& paths_of(const Process& process) {
  return *thread_state_of(*process.threads.front()).paths;
}

// The signals that wait for a process or for one of its threads: which they are, and what their
// senders said.
struct SignalQueue {
  SignalSet& signals;
  PendingSignals& infos;

  void add(unsigned signal, const SignalInfo& info, bool is_queued) const {
    if (!signals.test(signal - 1)) infos.forget(signal);
    signals.set(signal - 1);
    infos.add(signal, info, is_queued);
  }
  SignalInfo take(unsigned signal) const {
    bool more = false;
    const SignalInfo info = infos.take(signal, more);
    signals.set(signal - 1, more);
    return info;
  }
  void drop(unsigned signal) const {
    signals.reset(signal - 1);
    infos.forget(signal);
  }
};
inline SignalQueue queue_of(Process& process) {
  return {process.signals.pending, state_of(process).pending};
}
inline SignalQueue queue_of(Thread& thread) {
  return {thread.pending_signals, thread_state_of(thread).pending};
}

// All that the thread may take.
inline SignalSet pending_for(const Thread& thread) {
  return thread.pending_signals | thread.process.signals.pending;
}

}  // namespace hardclock::posix
