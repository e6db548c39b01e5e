// A machine with one of the systems on it, whose processes a harness drives like a debugger: it
// lets one thread at a time make a call, or run at a pc of the harness's choice until clock ticks
// have hit it there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/debug/thread_control.h"
#include "sim/process/simulation.h"
#include "syscalls/conform/guest_agent.h"
#include "syscalls/conform/guest_code.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::conform {

struct MachineOptions {
  const posix::UnixSystem* system = nullptr;
  const GuestCode* code = nullptr;
  AgentLayout agent;
  // A directory of the host that programs can exec from, as /exec; empty: there is none.
  std::string exec_directory;
  posix::MakeCpu make_cpu;
};

// What a call answered: a value, or an error.
struct Answer {
  std::uint64_t value = 0;
  std::optional<posix::Errno> error = {};
  bool hangs = false;  // neither: the call did not return
};

class GuestMachine {
 public:
  // The error is one line.
  static Result<std::unique_ptr<GuestMachine>, std::string> create(const MachineOptions& options);

  Process& first() { return *first_; }
  Process* find(std::uint64_t pid) { return simulation_.find(static_cast<int>(pid)); }
  const posix::UnixSystem& system() const { return *options_.system; }
  const GuestCode& code() const { return *options_.code; }
  posix::Kernel& kernel() { return *kernel_; }
  const std::string& exec_directory() const { return options_.exec_directory; }

  // Why nothing that the machine says can be believed any more; empty: it can.
  const std::string& failure() const { return failure_; }

  // Whether the system has the call.
  bool has_call(std::string_view name) const;
  // Whether the thread waits for another process: it neither runs nor makes calls.
  bool sleeps(const Thread& thread) const;
  // The thread makes a call by the name that the system's table has for it, and stays inside the
  // kernel, on its way back. Nothing: the thread is gone (exec).
  std::optional<Answer> call(Thread& thread, std::string_view name,
                             std::span<const std::uint64_t> arguments);
  // The thread leaves the kernel, where it is inside, and goes on at `pc`.
  void leave_kernel(Thread& thread, GuestAddr pc);
  // The same, but nothing comes of it.
  void leave_unseen(Thread& thread) { control_.leave_kernel_unseen(thread); }
  // The thread is inside the kernel, which something else than a call has entered.
  void enter_kernel(Thread& thread) { control_.enter_kernel(thread); }
  // The fast ticks of the thread that wait are charged.
  void charge_waiting(Thread& thread) { kernel_->profiling().charge_waiting(thread); }
  // The thread catches a signal when it leaves the kernel next, be it for a call or behind the
  // ticks of one of the three below, and goes on at `handler`. Of MIPS programs.
  void send_signal(Thread& thread, GuestAddr handler);
  void drop_signals(const Process& process);
  // `count` ticks of the clock that the thread's profiling goes by find it in user mode at `pc`.
  void tick(Thread& thread, GuestAddr pc, std::uint64_t count);
  // The same, but the kernel comes to charge them after the last only. For kernels that mark the
  // process in the interrupt.
  void tick_late(Thread& thread, GuestAddr pc, std::uint64_t count);
  // The thread is inside the kernel for `count` ticks and comes back at `pc`; for kernels that
  // charge the instruction that entered the kernel, that one is at `pc`.
  void tick_in_kernel(Thread& thread, GuestAddr pc, std::uint64_t count);

  // Takes away all memory of a fresh process but the agent's.
  void strip(Process& process);
  // Takes away the stack that a system made for a fresh process, here and where it was copied from.
  void drop_stack(Process& process, Process& creator);
  // Bytes of the agent's data page in the thread's process, from `at` on.
  void store(Thread& thread, std::uint64_t at, std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> load(Thread& thread, std::uint64_t at, std::size_t size);
  GuestAddr data(std::uint64_t at) const { return options_.agent.data() + at; }

 private:
  explicit GuestMachine(const MachineOptions& options);
  Result<Ok, std::string> boot();
  void make_data_writable(Thread& thread, bool writable);
  void fail(const char* why);
  void go_to(Thread& thread, GuestAddr pc);
  bool is_fast(Thread& thread);
  Cycles period(bool fast) const;
  void step_over_near_ticks(bool fast);
  Cycles next_tick(bool fast) const;
  Pages pages_of_loop(GuestAddr pc, bool behind_call) const;
  bool place_loop(AddressSpace& memory, GuestAddr pc, bool behind_call);
  void remove_loop(AddressSpace& memory, GuestAddr pc, bool behind_call);
  void step_to_tick();
  void go_on(Thread& thread);
  void deliver(Thread& thread, GuestAddr handler);
  void catch_signal(Thread& thread, GuestAddr pc);
  void interrupt(Thread& thread, GuestAddr pc, ProcessorMode mode);
  void interrupt_at(Thread& thread, GuestAddr pc, std::uint64_t count);

  MachineOptions options_;
  Simulation simulation_;
  debug::ThreadControl control_{simulation_};
  std::unique_ptr<posix::Kernel> kernel_;
  Process* first_ = nullptr;
  std::map<std::pair<int, int>, GuestAddr> handlers_;  // by pid and thread, of signals to catch
  std::string failure_;
};

}  // namespace hardclock::conform
