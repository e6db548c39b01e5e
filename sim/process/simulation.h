// The simulated machine: one processor, its clock, its processes, and the loop that runs them. The
// order in which things happen depends on nothing but the input.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/clock/virtual_clock.h"
#include "sim/memory/page.h"
#include "sim/process/clock_sweep.h"
#include "sim/process/kernel_costs.h"
#include "sim/process/personality.h"
#include "sim/process/process.h"
#include "sim/process/program_records.h"
#include "sim/process/waitable.h"
#include "sim/state/archive.h"
#include "sim/state/snapshot.h"

namespace hardclock {

struct SimulationOptions {
  Hertz cpu_clock{33'000'000};
  Hertz tick_rate{100};
  Hertz fast_tick_rate{1000};
  std::optional<TickCounter> tick_counter;  // of both clocks; nullopt: their periods are exact
  KernelCosts kernel_costs;                 // free of what error_in() reports
  std::optional<Instructions> max_instructions;
  std::optional<Cycles> max_cycles;
  std::uint64_t max_memory = std::uint64_t{1} << 30;  // bytes, all processes together
  std::uint64_t max_processes = 256;
  // Pid of the first process; later ones count up. The lower pids are those of the kernel and of
  // the daemons that a machine starts with.
  int first_pid = 100;
  std::uint64_t max_threads = 1024;  // all processes together
  // The bytes by which a program's first stack is longer than what it holds.
  std::uint64_t stack_gap = 0;
  // The guest's time of day when the machine starts, in seconds since 1970.
  std::uint64_t boot_time = 0;
  // How many ended programs have a record of their own; the others are summed up.
  std::size_t most_records = ProgramRecords::most_single;
  // Whether records have profiles. Processors must be asked for theirs separately.
  bool keep_profiles = false;
  // Clocks that interrupt nobody: what each would have seen. nullopt: none. Only with profiles.
  std::optional<SweepOptions> sweep;
  // Whether the processors of the last process are never destroyed: the host takes their memory
  // back as a whole when it ends, and faster than piece by piece.
  bool leaves_last_processors = false;
};

// Where the running simulation writes its logs; nullptr: not requested.
struct Observers {
  std::ostream* explain = nullptr;
  std::ostream* strace = nullptr;
};

struct SimulationEnd {
  enum class Kind : std::uint8_t { exited, instruction_limit, cycle_limit, deadlock, interrupted };
  Kind kind = Kind::exited;
  ExitStatus status;  // of the first process; exited only
  // Who waits for ever, in a deadlock or left behind by the first process; at a limit, where the
  // program was; or empty.
  std::string detail;
};

class Simulation {
 public:
  explicit Simulation(SimulationOptions options);

  // ---- For code that sets a machine up.
  // A new process without memory or threads, the child of `parent` (0: none), in its process group
  // and session. A process whose parent is outside the simulation leads a group of its own in its
  // parent's session, as if started by a shell with job control. The end of the first process made
  // gives the simulation's status.
  Process& create_process(int parent, Personality& os);
  // A thread of the process, with the next id, at the end of the ready queue. It blocks no signals.
  Thread& add_thread(Process& process, std::unique_ptr<Cpu> cpu);
  // Runs until every process has ended, a limit is reached or a poll says stop. Another call
  // continues as if it had not stopped.
  SimulationEnd run();
  // Adds a poll, which is called once before each stretch of a thread's run; a stretch ends at a
  // system call, a trap, a clock event or when it is long. If one returns false, run() returns, and
  // another run() calls all again: a function that returns false every other time lets each run()
  // do one stretch. For the progress display and Ctrl-C.
  void on_poll(std::function<bool()> poll) { polls_.push_back(std::move(poll)); }
  // A poll that is called while this object lives, beside the others.
  class Poll {
   public:
    Poll(Simulation& simulation, std::function<bool()> poll)
        : polls_(simulation.polls_), at_(polls_.insert(polls_.end(), std::move(poll))) {}
    ~Poll() { polls_.erase(at_); }
    Poll(const Poll&) = delete;
    Poll& operator=(const Poll&) = delete;

   private:
    std::list<std::function<bool()>>& polls_;
    std::list<std::function<bool()>>::iterator at_;
  };

  // Somebody outside may type or send signals, and `wait` waits for that, at most so long (nullopt:
  // without end) and returns how long it took. Called when no thread can run, if one waits for what
  // may come from outside, if nothing but a signal from there could help, or to keep pace: so long
  // the simulated time passes as the host's does. Empty: nobody is there.
  using OutsideWait =
      std::function<std::chrono::microseconds(std::optional<std::chrono::microseconds> most)>;
  // What such waits are for. `brings_signals`: signals may come. `keeps_pace`: whoever is outside
  // sees when guests do something, so that a sleep, too, takes the host's time.
  struct Outside {
    bool brings_signals = true;
    bool keeps_pace = false;
  };
  void on_outside_wait(OutsideWait wait, Outside outside) {
    outside_wait_ = std::move(wait);
    outside_ = outside;
  }

  // ---- For debuggers (sim/debug), before a run().
  // run() returns as soon as the clock has come to `time`: at the first instruction boundary at or
  // after it, behind the clock events that are due there, or, while nobody can run, at the first
  // clock event. The run goes on afterwards as if
  // it had not stopped. nullopt: it does not stop for that reason.
  void stop_at(std::optional<Cycles> time) { stop_at_ = time; }
  // run() as far as stop_at(time). nullopt: it has come there.
  std::optional<SimulationEnd> run_until(Cycles time);
  // Instructions of a stretch, unless something ends it earlier.
  static constexpr Instructions longest_stretch{std::uint64_t{1} << 22};
  void set_longest_stretch(Instructions length) { stretch_ = length; }
  // For a poll: whether a system call ended the stretch before it, and whether the next thing to
  // happen is an instruction of the thread that ran, and nothing of the kernel's.
  bool is_behind_call() const { return is_behind_call_; }
  bool is_between_instructions() const { return running_ != nullptr && !running_->in_kernel; }
  // The thread, which is inside the kernel, leaves it at once.
  void leave_kernel(Thread& thread);

  // Not within a stretch.
  void archive(Archive& to);
  // The state of now, and back to it: the run goes on from there as it did, but for what it has
  // read or written on the host. Between run() and run(). The error says what cannot be saved.
  Result<Snapshot, std::string> save();
  void load(const Snapshot& snapshot, Personality& os);

  Observers observers;
  const SimulationOptions& options() const { return options_; }
  // From the next system call on.
  void set_system_call_cost(Cycles cost) { options_.kernel_costs.system_call = cost; }
  VirtualClock& clock() { return clock_; }
  const VirtualClock& clock() const { return clock_; }
  const std::shared_ptr<MemoryBudget>& budget() const { return budget_; }
  const std::vector<std::shared_ptr<ProgramRecord>>& finished_programs() const {
    return finished_.all();
  }
  // Also those still running; by pid.
  std::vector<std::shared_ptr<const ProgramRecord>> programs() const;
  Instructions instructions() const;
  // Null: no clocks were asked for.
  const ClockSweep* sweep() const { return sweep_.get(); }
  bool at_process_limit() const { return processes_.size() >= options_.max_processes; }
  bool at_thread_limit() const;

  // Whether the thread, which waits, no longer has to: its event has happened, or its time is over.
  bool is_over(const Thread& waiting) const;

  // ---- For personalities.
  const Process* find(int pid) const;
  Process* find(int pid) { return const_cast<Process*>(std::as_const(*this).find(pid)); }
  std::vector<Process*> children_of(const Process& parent);
  // All processes, including zombies, by pid.
  std::vector<Process*> processes();
  // Those of whom wait(2) tells the thread.
  std::vector<Waitable> waitables_of(const Thread& waiter, const ChildEvent& wanted) const {
    return hardclock::waitables_of(processes_, waiter, wanted);
  }
  // Ends the process, after the kernel's time for that. Orphans become nobody's children and vanish
  // when they end. Its parent finds a zombie, but the tracers of its threads hear first; when they
  // have, tell_end() is the personality's to call.
  void exit(Process& process, ExitStatus status);
  // The zombie's end is its parent's to know; without one it vanishes.
  void tell_end(Process& zombie);
  // Ends one thread. Its work stays in the program's record. The last one ends the process, with
  // `if_last`: status 0 as in Solaris (illumos, uts/common/os/lwp.c, lwp_exit()) unless told
  // otherwise. A tracer hears of `own`.
  void exit_thread(Thread& thread, ExitStatus if_last = {}, ExitStatus own = {});
  // vfork: `child` has the memory of `thread`'s process, or a copy of it, until it execs or exits;
  // `thread` sleeps until then. Its call must be complete: result set, pc past it. No signal
  // wakes it (4.3BSD kern_fork.c, newproc(): sleeps at PZERO - 1; 4.4BSD fork1(): PWAIT without
  // PCATCH).
  void wait_for_vfork(Thread& thread, Process& child);
  // Stops the process: none of its threads runs until it is continued or ended. The running thread
  // continues until the personality returns.
  void stop(Process& process, unsigned signal);
  // Continues a stopped process.
  void resume(Process& process);
  // Forgets a zombie that was waited for.
  void reap(Process& zombie);
  // Keeps the record of the program that the process runs. For exec, before replace_program.
  void record_program(Process& process, std::optional<ExitStatus> status);
  // Exec by `caller`: new memory, and one thread in place of all. That thread has id 1 (illumos,
  // uts/common/os/exec.c, exec_common()) and keeps the caller's signal mask and tracer, but not its
  // os_state. The tracers of the others hear of their ends, but not of the first one's.
  // Processes that share the old memory keep it. `caller` and the old memory stay valid until the
  // personality returns.
  Thread& replace_program(Thread& caller, Owner<AddressSpace> memory, std::unique_ptr<Cpu> cpu);
  // The same for a process of one thread.
  Thread& replace_program(Process& process, Owner<AddressSpace> memory, std::unique_ptr<Cpu> cpu) {
    return replace_program(process.main_thread(), std::move(memory), std::move(cpu));
  }
  // Posts a signal to the process; see Personality::deliver_signals.
  void post_signal(Process& process, unsigned signal) { process.signals.pending.set(signal - 1); }
  const KernelCosts& kernel_costs() const { return options_.kernel_costs; }
  std::uint64_t stack_gap() const { return options_.stack_gap; }
  // Charges time that the kernel spends on behalf of the thread: clock interrupts in it find the
  // processor in system mode, at the thread's pc. They may post signals and end the thread's time
  // slice, which takes effect when the personality returns. A cost of 0 has no effect.
  void charge(Thread& thread, Cycles cost);
  // A process's wish for the fast clock may have changed.
  void update_fast_clock();
  // The same for the alarm, an interrupt of the clock's between its ticks: it comes when the first
  // personality wants it, or at once if that is over.
  void update_alarm();
  // Counts a user tick at `pc` for the record of the thread's process.
  void count_tick_sample(Thread& thread, GuestAddr pc) {
    if (!options_.keep_profiles) return;
    samples_[thread.process.pid][pc] += 1;
    thread.cpu->count_tick();
  }

 private:
  void archive_processes(Archive& to);
  friend void hardclock(Simulation&, Thread*, ProcessorMode);

  Thread* next_thread();
  void wake_waiting();
  std::optional<SimulationEnd> run_thread(Thread& thread);
  void begin_time_slice(Thread& thread);
  void handle(Thread& thread, const Stop& stop);
  void make_call(Thread& thread);
  void spend_in_kernel(Thread& thread, Cycles cycles);
  void charge_page_faults(Thread& thread);
  void take_clock_events(Thread* current, ProcessorMode mode);
  // The silent clocks find the program, or the kernel at work for it, until now.
  void note_user_mode(const Thread& thread);
  void note_kernel_mode(const Thread& thread);
  Ticks take_due_events(Thread* current, ProcessorMode mode);
  void retire_thread(std::unique_ptr<Thread> thread);
  static void keep_for_tracer(const Thread& ended, ExitStatus status);
  void retire_threads(Process& process);
  void drop_retired();
  void leave_processors();
  bool idle();
  void pass_idle_time(Ticks event);
  Cycles first_moment() const;
  Cycles next_event() const;
  Cycles idle_event() const;
  bool take_alarm(Thread* current);
  std::uint64_t microseconds_until(Cycles when) const;
  bool waits_for_outside() const;
  void wait_for_outside(std::optional<Ticks> wake_up);
  std::optional<Ticks> first_wake_up() const;
  std::optional<Ticks> first_expiry(bool also_of_stopped) const;
  void skip_idle_ticks(Ticks event);
  bool has_happened(const Thread&, const NoEvent&) const { return false; }
  bool has_happened(const Thread&, const OthersTurn&) const { return true; }
  bool has_happened(const Thread& waiting, const ChildEvent& event) const;
  bool has_happened(const Thread& waiting, const VforkEnd& event) const;
  bool has_happened(const Thread& waiting, const SignalPending& event) const;
  bool has_happened(const Thread& waiting, const ObjectEvent& event) const;
  bool has_happened(const Thread& waiting) const;
  void wake(Thread& thread, Wait::Stage next);
  bool can_go_on(const Thread& thread) const;
  std::string waiting_threads() const;
  SimulationEnd stuck() const;
  std::optional<SimulationEnd> reason_to_stop();
  bool is_told_to_stop();
  // With the clock events that are due by then.
  bool is_at_stop() const {
    return stop_at_ && clock_.now() >= *stop_at_ && next_event() > clock_.now();
  }
  Instructions next_stretch(const Thread& thread) const;
  Instructions instructions_left() const;
  bool alive(const Thread* thread) const;
  // Without what the sweep has counted.
  ProgramRecord record_of(const Process& process) const;
  ProfileRecord profile_of(const Process& process) const;

  SimulationOptions options_;
  VirtualClock clock_;
  std::shared_ptr<MemoryBudget> budget_;
  std::unique_ptr<ClockSweep> sweep_;
  std::map<int, std::unique_ptr<Process>> processes_;
  std::deque<Thread*> ready_;  // all threads but the running one; those that wait keep their place
  Thread* stopped_ = nullptr;  // run() returned in the middle of its time slice
  Thread* running_ = nullptr;  // within run_thread
  // That ran, by its process's pid and its id: the pipeline has its state.
  std::optional<std::pair<int, int>> last_thread_;
  bool yield_ = false;  // the time slice is over
  bool is_behind_call_ = false;
  int next_pid_;
  int first_pid_ = 0;
  ExitStatus first_status_;
  // What ended; destroyed by drop_retired(), and here in the same order: threads before their
  // memory.
  std::vector<std::unique_ptr<Process>> retired_processes_;
  std::vector<Owner<AddressSpace>> retired_memory_;
  std::vector<std::unique_ptr<Thread>> retired_threads_;
  ProgramRecords finished_;
  std::map<int, std::map<GuestAddr, std::uint64_t>> samples_;
  Instructions finished_instructions_;
  struct Recorded {
    CpuTime time;
    Ticks profiled_ticks;
  };
  // By pid, of processes that run: what the records so far have of its time.
  std::map<int, Recorded> recorded_;
  std::list<std::function<bool()>> polls_;
  OutsideWait outside_wait_;
  Outside outside_;
  std::uint64_t outside_microseconds_ = 0;  // waited, and not yet passed on the clock
  static constexpr Cycles never{~std::uint64_t{0}};
  Cycles alarm_ = never;
  std::optional<Cycles> stop_at_;
  Instructions stretch_ = longest_stretch;
};

// The clock interrupt: charges the tick to the running thread's process, counts its interval timers
// down, profiles it, and ends its time slice when that is used up. Without a thread the machine is
// idle, and only the real-time timers move.
void hardclock(Simulation& simulation, Thread* current, ProcessorMode mode);
// By how much a tick counts an interval timer down.
std::uint64_t tick_microseconds(const VirtualClock& clock);
// The fast profiling clock's interrupt.
void fast_hardclock(Thread* current, ProcessorMode mode);

}  // namespace hardclock
