// A Unix kernel as a personality: processes, calls, signals, ticks. What one Unix does differently
// from another is in its UnixSystem.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/load/load.h"
#include "sim/process/simulation.h"
#include "syscalls/host/guest_files.h"
#include "syscalls/host/standard_streams.h"
#include "syscalls/host/terminal.h"
#include "syscalls/host/time_of_day.h"
#include "syscalls/master/call_info.h"
#include "syscalls/master/strace.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/files/async_files.h"
#include "syscalls/posix/files/fifos.h"
#include "syscalls/posix/files/file_locks.h"
#include "syscalls/posix/files/file_mapping.h"
#include "syscalls/posix/files/terminal.h"
#include "syscalls/posix/ipc/ipc.h"
#include "syscalls/posix/program_file.h"
#include "syscalls/posix/sleepers.h"
#include "syscalls/posix/sockets/network.h"
#include "syscalls/posix/unix_system.h"
#include "syscalls/profil/charge.h"

namespace hardclock::host {
class Internet;
}

namespace hardclock::posix {

// Makes the processor that runs a program of this port. The error is one line for the user.
using MakeCpu = std::function<Result<std::unique_ptr<Cpu>, std::string>(const Program&, const Port&,
                                                                        AddressSpace&)>;

// A charge to the profile of a thread, for observers.
struct ChargeSeen {
  Thread& thread;
  GuestAddr pc;  // as the program's pointers have it
  Ticks ticks;   // 0: the counter was only probed
  const profil::State& before;
  const profil::State& after;
  const profil::Charge& charge;
};

struct Options {
  std::shared_ptr<host::GuestFiles> files;
  host::TimeOfDay time_of_day;
  MakeCpu make_cpu;
  std::function<void(const std::string&)> notice;  // a line for the user, without newline
  // A guest is about to write to what was standard stream 0, 1 or 2; may be empty.
  std::function<void(int stream, std::span<const std::uint8_t> bytes)> output;
  std::string host_name = "hardclock";  // gethostname(2), uname(2)
  // Is told of each charge of ticks to a profile, when it has been made; may be empty.
  std::function<void(const ChargeSeen&)> charged = {};
  // The one that the standard streams are, if guests may use it as one; null: nothing is a
  // terminal.
  std::shared_ptr<host::Terminal> terminal = {};
  // The host's network, if guests may reach it; null: they reach each other alone.
  std::shared_ptr<host::Internet> internet = {};
  // For the notice that an instruction ends a process: what is known of the one that the thread is
  // at, or nothing. May be empty.
  std::function<std::string(const Thread&)> reserved_instruction = {};
};

// What a terminal tells its foreground process group.
enum class TerminalSignal : std::uint8_t { interrupt, quit, stop, window_change };

class Kernel final : public Personality {
 public:
  Kernel(const UnixSystem& system, Options options)
      : system_(system), options_(std::move(options)) {
    if (options_.terminal != nullptr) terminal_ = std::make_shared<Terminal>(options_.terminal);
  }
  Kernel(const Kernel&) = delete;
  ~Kernel() override;

  // Starts the machine's first process. The error is one line for the user.
  Result<Process*, std::string> start(Simulation& simulation, const Program& program,
                                      host::StandardStreams streams);

  void attach(Simulation& simulation) override { simulation_ = &simulation; }
  Simulation& simulation() const override { return *simulation_; }
  void system_call(Thread& thread) override;
  void trap(Thread& thread, const Trap& trap) override;
  void profile_tick(Thread& thread, GuestAddr pc, ClockKind kind, ProcessorMode mode) override;
  void deliver_signals(Thread& thread) override;
  bool hears_of_outside() override { return async_files_.await_outside(); }
  bool interrupts_wait(const Thread& thread) const override;
  bool has_happened(const Thread& waiting, const ObjectEvent& event) const override;
  bool comes_from_outside(const ObjectEvent& event) const override;
  void timer_expired(Process& process, TimerKind timer) override;
  void clock_ticked(Process& process, Thread* running) override;
  void alarm_came(Process& process) override;
  std::optional<Cycles> next_alarm(const Process& process) const override;
  bool heeds_timer(const Process& process, TimerKind timer) const override;
  std::optional<Ticks> next_expiry(const Process& process) const override;
  void child_exited(Process& parent, Process& child) override;
  void switch_to(Thread& thread) override;
  void release(Process& process) override;
  bool wants_fast_clock(const Process& process) const override;
  void tracee_ended(Process& process, const EndedTracee& tracee) override;
  void leaving_kernel(Thread& thread) override;

  const UnixSystem& system() const { return system_; }
  // The profiling state that a tick of this thread goes by.
  profil::State& profiling_of(Thread& thread);
  // The thread is inside the kernel, which the instruction at `pc` has entered. For harnesses.
  void enter_at(Thread& thread, GuestAddr pc);
  // Charges the fast ticks of the thread that wait for the next tick. For observers.
  void charge_waiting(Thread& thread);

  // ---- For who watches the terminal, which there must be (terminal_jobs.cc).
  // The user typed one of the characters, or changed the window. False: nobody can be told, for
  // there is no foreground, or the system has no such signal.
  bool signal_foreground(TerminalSignal signal);
  // Whether the first process has been stopped since the last call: its parent is the user's shell,
  // for which hardclock stands. If so it is to go on when hardclock does.
  bool take_stop_of_first() { return std::exchange(first_has_stopped_, false); }
  void continue_first();

  // ---- For the calls.
  // Null: there is none.
  const std::shared_ptr<Terminal>& terminal() const { return terminal_; }
  // The session, which the terminal controls, loses it (terminal_jobs.cc).
  void hang_up();
  // A process group without a parent that could continue it (POSIX.1, "orphaned process group").
  bool is_orphaned(const Process& of) const;
  // A signal to every process of a group.
  void post_to_group(int group, unsigned signal);
  // A signal to those who own a file, as far as who set the owner may send it (async_files.cc).
  void signal_owner(const FileOwner& owner, unsigned signal, const SignalInfo& info = {});
  host::GuestFiles& files() const { return *options_.files; }
  SharedFiles& shared_files() { return shared_files_; }
  Sleepers& sleepers() { return sleepers_; }
  Ipc& ipc() { return ipc_; }
  Fifos& fifos() { return fifos_; }
  FileLocks& file_locks() { return file_locks_; }
  Network& network() { return network_; }
  AsyncFiles& async_files() { return async_files_; }
  host::Internet* internet() const { return options_.internet.get(); }
  const std::string& host_name() const { return options_.host_name; }
  // The pid of the process that makes the present call, or made the last one.
  int caller() const { return caller_; }
  // The run's standard error; null where it was closed.
  const std::shared_ptr<OpenFile>& console() const { return console_; }
  // The guest's time of day.
  host::GuestTime date() const { return date_at(nanoseconds_of(simulation().clock())); }
  // And so many nanoseconds after the machine's start.
  host::GuestTime date_at(std::uint64_t nanoseconds) const {
    return options_.time_of_day.at(nanoseconds);
  }
  // Seconds since 1970 and microseconds of guest time.
  std::pair<std::uint32_t, std::uint32_t> time_of_day() const;
  // exec: replaces the process's program. On failure nothing has changed.
  Result<Ok, Errno> replace_program(Thread& thread, Program program);
  // How the child of a fork gets its memory.
  enum class ChildMemory : std::uint8_t { copied, shared };
  // A new process like the parent's, whose call returns the parent's pid and 1. The caller has
  // asked has_room_for_process().
  Process& fork(Thread& parent, ChildMemory memory);
  // The same in the parent's memory, or in a copy of it where profil::Vfork says so; the parent's
  // thread sleeps until the child execs or exits.
  CallResult vfork(Thread& parent);
  // A new thread of the process with its creator's registers, whose call is not complete: the
  // caller says where it starts. It is not profiled where states belong to threads. EAGAIN.
  Result<Thread*, Errno> create_thread(Thread& creator);
  // The thread's operations on semaphores are undone apart from those of its process's others from
  // now on.
  void unshare_undo_list(Thread& thread);
  // Puts a profiling state in place.
  void profile(Thread& thread, profil::State state);
  // Sends a signal to a process, unless that has ended. Any of its threads takes it.
  void post(Process& process, unsigned signal, const SignalInfo& info = {});
  // The same to one of its threads, and no other takes it.
  void post_to(Thread& thread, unsigned signal, const SignalInfo& info);
  // What is told of a child that stopped or went on, and of one that ended.
  SignalInfo child_info(const Process& child, SignalInfo::Cause cause, unsigned status) const;
  SignalInfo end_info(const Process& zombie) const;
  // Takes a signal that is pending for the thread, or else for its process: what its sender said.
  SignalInfo take_pending(Thread& thread, unsigned signal);
  // Whether the machine, and the user of `parent`, may have one process more, a child of it. That
  // the machine may not is said to hardclock's user once.
  bool has_room_for_process(const Process& parent, ChildMemory memory);

  // ---- Ends. Threads whose tracers asked for that stop first.
  // The process ends, with all its threads.
  void end(Process& process, ExitStatus status);
  // One thread ends, as by Simulation::exit_thread(). It no longer asks the tracer.
  void end_thread(Thread& thread, ExitStatus if_last, ExitStatus own);
  // Whether the thread, which is about to end by itself with this exit code, stops first because
  // its tracer asked for that. Then the thread makes its call again.
  bool stops_before_end(Thread& thread, std::uint32_t code);

  // ---- Tracing (tracing.cc).
  // `tracer` hears of the target's stops and decides on its signals from now on.
  void begin_tracing(const Thread& tracer, Thread& target, bool is_seized);
  // The traced thread, which stands still, goes on. A signal other than 0 takes effect on it if it
  // has stopped for one, and is sent to it if it has stopped for a call.
  void continue_traced(Thread& target, unsigned signal);
  // The same for one instruction, after which it stops with SIGTRAP; at once if `is_over`.
  void step_traced(Thread& target, unsigned signal, bool is_over);
  // Nobody traces it any more, and it goes on as by continue_traced() if it stands still.
  void end_tracing(Thread& target, unsigned signal);
  // The thread, traced by PTRACE_SEIZE, stops soon.
  static void interrupt_traced(Thread& target);
  // The stopped thread waits for news of its process. False: it has not stopped for that.
  static bool listen(Thread& target);
  // The tracer has heard of the thread's end.
  void forget_tracee(Process& process, int thread);
  // `child` was made by the thread `parent`, whose tracer may want to hear of that, and to trace
  // it, too: always if `is_followed`.
  void trace_child(Thread& parent, Thread& child, TraceEvent event, bool is_followed = false);

  // ENOSYS, said to the user once for each name.
  CallResult answer_missing(const std::string& name);
  // Calls that were answered with ENOSYS, by name, with how often.
  const std::map<std::string, std::uint64_t>& missing_calls() const { return missing_; }

  void clear() override;
  void archive(Archive& to) override;

 private:
  // Of a thread that ends before its process.
  void leave_shared(Thread& thread);
  void leave_undo_list(Thread& thread);
  struct Request;
  struct CallNumber {
    unsigned number = 0;
    unsigned first_argument = 0;  // where the call's own begin among those that were passed
    bool is_complete = true;
  };
  Call make_call(Thread& thread);
  CallNumber number_of(Call& call) const;
  Request decode(Call& call) const;
  std::optional<CallText> text_of(const Call& call, const Request& request) const;
  CallResult dispatch(Call& call, unsigned number, const CallInfo* info);
  void finish(Call& call, const CallResult& result, const CallInfo* info,
              const std::optional<CallText>& text);
  void trace_call(const Call& call, const CallResult& result, const CallInfo& info,
                  const CallText& text);
  void trace_unknown(const Call& call, const Request& request) const;
  void trace_interrupted(Thread& thread, const CallResult& result);
  void set_result(Thread& thread, const CallResult& result) const;
  ErrnoName answered(Errno error) const;
  void interrupt_call(Thread& thread, const Wait& wait, bool restart);
  void announce(Process& process, unsigned signal);
  SignalSet left_to_first(const Thread& thread) const;
  // ---- Timers (timer_ticks.cc).
  bool would_change(const Process& process, unsigned signal) const;
  std::optional<std::uint64_t> next_time(const Process& process) const;
  void expire(Process& process, Timer& timer);
  void expire_timers(Process& process, bool with_used);
  void expire_real_timer(Process& process);
  void expire_interval_timers(Process& process, Thread* running);
  // A signal was taken: the timer that sent it goes on, and tells what it missed.
  void rearm(Process& process, unsigned signal, SignalInfo& info);

  bool deliver_from(SignalQueue queue, const SignalSet& wanted, Thread& thread);
  void raise(Thread& thread, const Trap& trap, SignalInfo info);
  void deliver(Thread& thread, unsigned signal, const SignalInfo& info);
  void take_default_action(Thread& thread, unsigned signal);
  void stop(Thread& thread, unsigned signal);
  void complete_stop(Process& process);
  bool take_effect(Thread& thread, unsigned signal, const SignalInfo& info);
  void stop_for_tracer(Thread& thread, TracedStop stop, unsigned code,
                       const std::optional<SignalInfo>& info);
  void stop_for_event(Thread& thread, TraceEvent event, std::uint64_t message);
  bool stops_if_due(Thread& thread);
  bool takes_passed_signal(Thread& thread);
  void end_traced_step(Thread& thread);
  void join_stop(Thread& thread);
  bool asks_tracer(Thread& thread, unsigned signal, const SignalInfo& info);
  bool stops_at_controlled_entry(Thread& thread);
  bool stops_at_entry(Thread& thread);
  bool stops_at_exit(Thread& thread);
  bool stops_after_vfork(Thread& thread);
  void trace_exec(const Thread& old, Thread& fresh);
  void leave_tracee(Thread& tracee);
  void leave_tracees(const Thread& tracer);
  void report_to_tracer(const Thread& tracee, SignalInfo::Cause cause);
  void answer_call(Thread& thread);
  void tell_of_files();
  void resume(Process& process);
  void report_to_parent(const Process& child, const SignalInfo& info);
  void report_to(int pid, const SignalInfo& info);
  bool is_first(const Process& process) const { return process.pid == first_pid_; }
  void leave_terminal(const Process& process);
  std::shared_ptr<OpenFile> stream_file(int number, host::OpenedFile file) const;

  void charge(Thread& thread, Ticks ticks, GuestAddr pc, const char* what);
  // All that the thread owes, where it would go on without a signal.
  void charge_exit(Thread& thread);
  void charge_before_signal(Thread& thread);
  void explain_tick(const Thread& thread, GuestAddr pc, const char* clock, std::string_view text);
  void profile_system_tick(Thread& thread, GuestAddr pc);

  void say_limit(host::HostUse::Limit limit) const;

  const UnixSystem& system_;
  Options options_;
  Simulation* simulation_ = nullptr;  // null: there is no process yet
  std::map<std::string, std::uint64_t> missing_;
  SharedFiles shared_files_;
  Sleepers sleepers_;
  Ipc ipc_;
  Fifos fifos_;
  FileLocks file_locks_;
  Network network_;
  AsyncFiles async_files_;
  std::shared_ptr<OpenFile> console_;
  std::shared_ptr<Terminal> terminal_;
  int first_pid_ = 0;
  int caller_ = 0;
  std::uint64_t last_tracing_ = 0;  // counts Tracer::since
  bool first_has_stopped_ = false;
  bool has_said_full_ = false;  // has_room_for_process() has
};

// A process image: memory with the program and its stack, and a processor at its entry.
struct ProcessImage {
  std::unique_ptr<AddressSpace> memory;
  std::unique_ptr<Cpu> cpu;
  std::shared_ptr<const Image> image;  // as it lies in memory
  const Port* port = nullptr;          // of the system to the program's processor
  GuestAddr heap_start;
  std::shared_ptr<const StartText> started;
};
// E2BIG when the arguments do not fit, ENOMEM when the program does not, ENOEXEC when it is for
// another system; `message` says why.
Result<ProcessImage, ExecFailure> make_process_image(const UnixSystem& system,
                                                     const Simulation& simulation,
                                                     const Program& program, int pid,
                                                     const MakeCpu& make_cpu);

}  // namespace hardclock::posix
