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
#include "sim/process/signals.h"

namespace hardclock {

class Personality;
class Process;

// What a personality keeps for each process: descriptors, profiling state, break...
class OsState {
 public:
  virtual ~OsState() = default;
};

class Thread {
 public:
  Thread(Process& process, std::unique_ptr<Cpu> processor)
      : process(process), cpu(std::move(processor)) {}

  // Waits in the system call at the pc until `ready_to_run`; the call then runs again. `call` is
  // its name, for messages. A signal handler ends the call with EINTR, unless the call is
  // restartable and the handler asks for that.
  void wait(std::function<bool()> ready_to_run, std::string call, bool restartable) {
    ready = std::move(ready_to_run);
    waits_in = std::move(call);
    restarts = restartable;
  }
  bool waiting() const { return static_cast<bool>(ready); }

  Process& process;
  std::unique_ptr<Cpu> cpu;
  SignalSet blocked_signals;
  std::optional<SignalSet> mask_after_wait;  // sigsuspend's caller gets this mask back
  std::function<bool()> ready;               // empty: not waiting
  std::string waits_in;
  bool restarts = true;
  std::uint64_t call_progress = 0;  // bytes that a call moved before it had to wait
  bool repeats_call = false;        // woken: the system call at the pc has to run again
  bool interrupted_call = false;    // woken by a signal: that call is to end or to restart
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

class Process {
 public:
  Process(int pid, int parent, Personality& os) : pid(pid), parent(parent), os(&os) {}

  // The thread that signals to the process are delivered to.
  Thread& main_thread() { return *threads.front(); }
  IntervalTimer& timer(TimerKind kind) { return timers[static_cast<std::size_t>(kind)]; }

  const int pid;
  int parent;
  Personality* os;
  std::string program;  // the path it was started with
  std::shared_ptr<const Image> image;
  std::unique_ptr<AddressSpace> memory;  // before the threads: their processors refer to it
  std::vector<std::unique_ptr<Thread>> threads;
  std::unique_ptr<OsState> os_state;
  Signals signals;
  std::array<IntervalTimer, timer_kinds> timers;
  CpuTime time;
  CpuTime children_time;                  // of those waited for
  Ticks profiled_ticks;                   // that incremented a counter
  std::optional<ExitStatus> exit_status;  // set: a zombie
};

}  // namespace hardclock
