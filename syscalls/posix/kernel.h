// IRIX 5.3, o32: the personality. Source of what it does: the IRIX man pages, the ABI as SGI's own
// libc uses it, and NetBSD's sys/compat/irix.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/load/load.h"
#include "sim/process/simulation.h"
#include "syscalls/host/guest_files.h"
#include "syscalls/host/standard_streams.h"
#include "syscalls/host/time_of_day.h"
#include "syscalls/irix/call.h"
#include "syscalls/master/call_info.h"
#include "syscalls/master/strace.h"

namespace hardclock::irix {

// Makes the processor that runs an image. The error is one line for the user.
using MakeCpu =
    std::function<Result<std::unique_ptr<Cpu>, std::string>(const Image&, AddressSpace&)>;

struct Options {
  std::shared_ptr<host::GuestFiles> files;
  host::TimeOfDay time_of_day;
  MakeCpu make_cpu;
  std::function<void(const std::string&)> notice;  // a line for the user, without newline
  // A guest is about to write to what was standard stream 0, 1 or 2; may be empty.
  std::function<void(int stream, std::span<const std::uint8_t> bytes)> output;
};

struct Program {
  std::string path;  // as the guest sees it
  std::shared_ptr<const Image> image;
  std::vector<std::string> arguments;    // argv, with argv[0]
  std::vector<std::string> environment;  // "NAME=value"
};

struct SignalInfo;

class Irix final : public Personality {
 public:
  explicit Irix(Options options) : options_(std::move(options)) {}

  // Starts the machine's first process. The error is one line for the user.
  Result<Process*, std::string> start(Simulation& simulation, const Program& program,
                                      host::StandardStreams streams);

  void system_call(Simulation& simulation, Thread& thread) override;
  void trap(Simulation& simulation, Thread& thread, const Trap& trap) override;
  void profile_tick(Simulation& simulation, Thread& thread, GuestAddr pc, TickSourceKind source,
                    ProcessorMode mode) override;
  void deliver_signals(Simulation& simulation, Thread& thread) override;
  bool interrupts_wait(const Thread& thread) const override;
  void timer_expired(Simulation& simulation, Process& process, TimerKind timer) override;
  void child_exited(Simulation& simulation, Process& parent, Process& child) override;
  void release(Process& process) override;
  bool wants_fast_clock(const Process& process) const override;

  // ---- For the calls.
  host::GuestFiles& files() { return *options_.files; }
  // Seconds since 1970 and microseconds of guest time.
  std::pair<std::uint32_t, std::uint32_t> time_of_day(const Simulation& simulation) const;
  // exec: replaces the process's program. On failure nothing has changed.
  Result<Ok, Errno> replace_program(Simulation& simulation, Process& process, Program program);
  Result<std::shared_ptr<const Image>, Errno> load(const host::GuestPath& path);
  // A new processor context like the parent's, in the child's memory; fork returns 0 and 1 there.
  Process& fork(Simulation& simulation, Thread& parent);
  // ENOSYS, said to the user once for each name.
  CallResult answer_missing(const std::string& name);
  // Calls that were answered with ENOSYS, by name, with how often.
  const std::map<std::string, std::uint64_t>& missing_calls() const { return missing_; }

 private:
  struct Request;
  static Request decode(Call& call);
  static std::optional<CallText> text_of(const Call& call, const Request& request);
  CallResult dispatch(Call& call, unsigned number, const CallInfo* info);
  void finish(Call& call, const CallResult& result, const CallInfo* info,
              const std::optional<CallText>& text);
  void trace_call(const Call& call, const CallResult& result, const CallInfo& info,
                  const CallText& text);
  static void trace_unknown(const Call& call, const Request& request);
  void trace_interrupted(Simulation& simulation, Thread& thread, const CallResult& result);
  void interrupt_call(Simulation& simulation, Thread& thread, bool restart);
  void deliver(Simulation& simulation, Thread& thread, unsigned signal, const SignalInfo& info);

  Options options_;
  std::map<std::string, std::uint64_t> missing_;
};

// The highest user address of a process plus one; the stack ends below it.
inline constexpr GuestAddr user_end{0x80000000};

// A process image: memory with the program, its stack and its PRDA, and a processor at its entry.
struct ProcessImage {
  std::unique_ptr<AddressSpace> memory;
  std::unique_ptr<Cpu> cpu;
  GuestAddr break_start;
};
// E2BIG when the arguments do not fit, ENOMEM when the program does not; `message` says why.
struct ExecFailure {
  Errno error;
  std::string message;
};
Result<ProcessImage, ExecFailure> make_process_image(const Simulation& simulation,
                                                     const Program& program, int pid,
                                                     const MakeCpu& make_cpu);

}  // namespace hardclock::irix
