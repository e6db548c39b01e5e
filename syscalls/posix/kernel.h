// A Unix kernel as a personality: processes, calls, signals, ticks. What one Unix does differently
// from another is in its UnixSystem.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

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
#include "syscalls/posix/ipc/ipc.h"
#include "syscalls/posix/profile_tick.h"
#include "syscalls/posix/program_file.h"
#include "syscalls/posix/signals/delivery.h"
#include "syscalls/posix/signals/job_control.h"
#include "syscalls/posix/signals/ptrace.h"
#include "syscalls/posix/sleepers.h"
#include "syscalls/posix/sockets/network.h"
#include "syscalls/posix/timer_ticks.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::host {
class Internet;
}

namespace hardclock::posix {

// Makes the processor that runs a program of this port. The error is one line for the user.
using MakeCpu = std::function<Result<std::unique_ptr<Cpu>, std::string>(const Program&, const Port&,
                                                                        AddressSpace&)>;

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
  // Whether somebody will ask often for the names of functions in programs that guests start by
  // exec: to read them takes a third of it. Else they are read when a message has one.
  bool names_functions = true;
};

class Kernel final : public Personality {
 public:
  Kernel(const UnixSystem& system, Options options);
  Kernel(const Kernel&) = delete;
  ~Kernel() override;

  // Starts the machine's first process. The error is one line for the user.
  Result<Process*, std::string> start(Simulation& simulation, const Program& program,
                                      host::StandardStreams streams);

  void attach(Simulation& simulation) override { simulation_ = &simulation; }
  Simulation& simulation() const override { return *simulation_; }
  void system_call(Thread& thread) override;
  void trap(Thread& thread, const Trap& trap) override { signals_.trap(thread, trap); }
  void profile_tick(Thread& thread, GuestAddr pc, ClockKind kind, ProcessorMode mode) override {
    profiling_.tick(thread, pc, kind, mode);
  }
  void deliver_signals(Thread& thread) override { signals_.deliver_signals(thread); }
  bool hears_of_outside() override { return async_files_.await_outside(); }
  bool interrupts_wait(const Thread& thread) const override {
    return signals_.interrupts_wait(thread);
  }
  bool has_happened(const Thread& waiting, const ObjectEvent& event) const override;
  bool comes_from_outside(const ObjectEvent& event) const override;
  void timer_expired(Process& process, TimerKind timer) override {
    timers_.timer_expired(process, timer);
  }
  void clock_ticked(Process& process, Thread* running) override {
    timers_.clock_ticked(process, running);
  }
  void alarm_came(Process& process) override { timers_.alarm_came(process); }
  std::optional<Cycles> next_alarm(const Process& process) const override {
    return timers_.next_alarm(process);
  }
  bool heeds_timer(const Process& process, TimerKind timer) const override {
    return timers_.heeds_timer(process, timer);
  }
  std::optional<Ticks> next_expiry(const Process& process) const override {
    return timers_.next_expiry(process);
  }
  void child_exited(Process& parent, Process& child) override;
  void switch_to(Thread& thread) override;
  void release(Process& process) override;
  bool wants_fast_clock(const Process& process) const override {
    return Profiling::wants_fast_clock(process);
  }
  void tracee_ended(Process& process, const EndedTracee& tracee) override {
    ptrace_.tracee_ended(process, tracee);
  }
  void leaving_kernel(Thread& thread) override { profiling_.leaving_kernel(thread); }

  const UnixSystem& system() const { return system_; }
  const Options& options() const { return options_; }
  // The parts.
  SignalDelivery& signals() { return signals_; }
  JobControl& jobs() { return jobs_; }
  Ptrace& ptrace() { return ptrace_; }
  const Profiling& profiling() const { return profiling_; }
  const TimerTicks& timers() const { return timers_; }
  // The thread is inside the kernel, which the instruction at `pc` has entered. For harnesses.
  void enter_at(Thread& thread, GuestAddr pc);

  // ---- For the calls.
  host::GuestFiles& files() const { return *options_.files; }
  bool names_functions() const { return options_.names_functions; }
  // describe() of it in the process's program.
  std::string describe_place(const Process& process, GuestAddr pc) const;
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
  // Whether the machine, and the user of `parent`, may have one process more, a child of it. That
  // the machine may not is said to hardclock's user once.
  bool has_room_for_process(const Process& parent, ChildMemory memory);

  // ---- Ends. Threads whose tracers asked for that stop first.
  // The process ends, with all its threads.
  void end(Process& process, ExitStatus status);
  // One thread ends, as by Simulation::exit_thread(). It no longer asks the tracer.
  void end_thread(Thread& thread, ExitStatus if_last, ExitStatus own);

  // The number of the call that the thread is about to make.
  unsigned call_number(Thread& thread);
  // A signal whose handler is about to start ends the call that waits, which may restart.
  void interrupt_call(Thread& thread, const Wait& wait, bool restart);
  // Sends the signals that files' owners asked for.
  void tell_of_files();
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
  void answer_call(Thread& thread);
  std::shared_ptr<OpenFile> stream_file(int number, host::OpenedFile file) const;

  void say_limit(host::HostUse::Limit limit) const;

  const UnixSystem& system_;
  Options options_;
  Simulation* simulation_ = nullptr;  // null: there is no process yet
  SignalDelivery signals_{*this};
  JobControl jobs_;
  Ptrace ptrace_{*this};
  Profiling profiling_{*this};
  TimerTicks timers_{*this};
  std::map<std::string, std::uint64_t> missing_;
  SharedFiles shared_files_;
  Sleepers sleepers_;
  Ipc ipc_;
  Fifos fifos_;
  FileLocks file_locks_;
  Network network_;
  AsyncFiles async_files_;
  std::shared_ptr<OpenFile> console_;
  int caller_ = 0;
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
