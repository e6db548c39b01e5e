// A machine without an instruction set for tests of the simulation loop: processors that follow a
// script, and a personality that writes down what it is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/process/simulation.h"
#include "tests/unit/process/fake_event.h"

namespace hardclock::fake {

inline constexpr std::uint64_t hertz = 100'000;
inline constexpr std::uint64_t tick_cycles = hertz / 100;

// What a processor does between two system calls: instructions of one cycle. The last stretch ends
// in system calls for ever.
using Script = std::vector<std::uint64_t>;

class ScriptedCpu final : public Cpu {
 public:
  explicit ScriptedCpu(Script script) : script_(std::move(script)) {}
  std::unique_ptr<Cpu> fork(AddressSpace&) const override {
    return std::make_unique<ScriptedCpu>(script_);
  }
  Stop run(Cycles& now, Cycles deadline, Instructions limit) override {
    std::uint64_t left = limit.value();
    while (true) {
      if (done_in_stretch_ == script_[stretch_]) {
        return Stop{StopReason::trap, Trap{traps_with, 0, {}}};
      }
      if (now >= deadline) return Stop{StopReason::deadline, {}};
      if (left-- == 0) return Stop{StopReason::limit, {}};
      if (sampler_ != nullptr) sampler_->take(GuestAddr(pc), now + Cycles(1));
      profile_.add(GuestAddr(pc), CycleReason::issue, 1);
      ++done_in_stretch_;
      ++done_;
      ++now;
      pc += 4;
    }
  }
  void sample_pcs(PcSampler* sampler) override { sampler_ = sampler; }
  GuestAddr interrupted_pc() const override { return GuestAddr(pc); }
  void interrupted() override { ++interrupts; }
  void drain_pipeline() override { ++drains; }
  void complete_system_call() override {
    pc += 4;
    if (stretch_ + 1 == script_.size()) return;
    ++stretch_;
    done_in_stretch_ = 0;
  }
  std::optional<Fault> split_access(const Fault& refused) override { return refused; }
  ExecutionCounts counts() const override { return {Instructions(done_), Cycles(done_)}; }
  void archive(Archive& to) override { to.state(done_); }
  Maker maker() const override { return nullptr; }
  void collect_cycle_profile() override {}
  void collect_reasons() override {}
  ReasonProfile reason_profile() const override { return profile_; }
  void count_kernel(Cycles cycles) override {
    profile_.add(interrupted_pc(), CycleReason::kernel, cycles.value());
  }
  void collect_calls(std::shared_ptr<FunctionFinder>) override {}
  void watch(const WatchedPlace&, std::shared_ptr<Awaited>) override {}
  CallRecord calls() const override { return {}; }
  void count_tick() override {}
  void observe(InstructionObserver) override {}
  void observe_timing(TimingObserver) override {}

  std::uint64_t pc = 0x1000;
  int interrupts = 0;
  int drains = 0;
  TrapKind traps_with = TrapKind::system_call;

 private:
  Script script_;
  std::size_t stretch_ = 0;
  std::uint64_t done_in_stretch_ = 0;
  std::uint64_t done_ = 0;
  ReasonProfile profile_;
  PcSampler* sampler_ = nullptr;
};

inline ScriptedCpu& cpu_of(Thread& thread) {
  return static_cast<ScriptedCpu&>(*thread.cpu);
}

inline std::string name_of(const Thread& thread) {
  return std::to_string(thread.process.pid) + "." + std::to_string(thread.id);
}

// Every unblocked signal has a handler, at `handler`; none restarts the call that it interrupts.
class FakeOs final : public Personality {
 public:
  static constexpr std::uint64_t handler = 0x8000;
  using OnCall = std::function<void(Simulation&, Thread&)>;
  explicit FakeOs(OnCall on_call) : on_call_(std::move(on_call)) {}

  void attach(Simulation& simulation) override { simulation_ = &simulation; }
  Simulation& simulation() const override { return *simulation_; }
  void system_call(Thread& thread) override { on_call_(*simulation_, thread); }
  void trap(Thread& thread, const Trap&) override { thread.cpu->complete_system_call(); }
  void profile_tick(Thread& thread, GuestAddr pc, ClockKind, ProcessorMode mode) override {
    const auto at = std::to_string(simulation_->clock().now().value());
    note(thread, (mode == ProcessorMode::user ? "user " : "system ") + std::to_string(pc.value()) +
                     " @" + at);
    ticks.push_back({name_of(thread), mode});
  }
  void deliver_signals(Thread& thread) override {
    for (unsigned bit = 0; bit < max_signals; ++bit) {
      if (!deliverable(thread).test(bit)) continue;
      thread.process.signals.pending.reset(bit);
      const bool interrupted = thread.take_interrupted_wait().has_value();
      if (interrupted) thread.cpu->complete_system_call();
      cpu_of(thread).pc = handler;
      note(thread, "signal " + std::to_string(bit + 1) + (interrupted ? " EINTR" : ""));
    }
  }
  bool interrupts_wait(const Thread& thread) const override { return deliverable(thread).any(); }
  bool has_happened(const Thread&, const ObjectEvent& event) const override {
    return fake::condition_of(event).holds();
  }
  bool comes_from_outside(const ObjectEvent& event) const override {
    return fake::condition_of(event).is_outside;
  }
  void timer_expired(Process& process, TimerKind) override {
    simulation_->post_signal(process, alarm);
  }
  void child_exited(Process&, Process&) override {}
  void release(Process&) override {}
  void clear() override {}
  void archive(Archive&) override {}
  bool wants_fast_clock(const Process&) const override { return false; }
  void leaving_kernel(Thread& thread) override {
    note(thread, "leaves at " + std::to_string(cpu_of(thread).pc));
  }

  void note(const Thread& thread, const std::string& what) {
    log.push_back(name_of(thread) + " " + what);
  }
  // The entries that contain `what`.
  std::vector<std::string> noted(const std::string& what) const {
    std::vector<std::string> found;
    for (const std::string& entry : log) {
      if (entry.find(what) != std::string::npos) found.push_back(entry);
    }
    return found;
  }

  static constexpr unsigned alarm = 14;
  struct Tick {
    std::string thread;
    ProcessorMode mode;
  };
  std::vector<std::string> log;
  std::vector<Tick> ticks;

 private:
  static SignalSet deliverable(const Thread& thread) {
    return thread.process.signals.pending & ~thread.blocked_signals;
  }

  Simulation* simulation_ = nullptr;
  OnCall on_call_;
};

inline SimulationOptions options() {
  SimulationOptions options;
  options.cpu_clock = Hertz(hertz);
  return options;
}

inline std::shared_ptr<AddressSpace> make_memory(const Simulation& simulation) {
  return std::make_shared<AddressSpace>(simulation.budget(), Endian::big, GuestAddr(0x8000'0000));
}

// A process with one thread for each script.
inline Process& add_process(Simulation& simulation, Personality& os,
                            const std::vector<Script>& scripts, int parent = 0) {
  Process& process = simulation.create_process(parent, os);
  process.memory = make_memory(simulation);
  for (const Script& script : scripts) {
    simulation.add_thread(process, std::make_unique<ScriptedCpu>(script));
  }
  return process;
}

}  // namespace hardclock::fake
