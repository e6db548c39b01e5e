// A PA-RISC process whose processor runs nothing: a test sets the registers as a program would, and
// enters the kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "isa/pa_risc/abi.h"
#include "sim/process/simulation.h"
#include "syscalls/host/file_space.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::support {

class StillCpu final : public pa_risc::CpuBase {
 public:
  pa_risc::Registers& registers() override { return registers_; }
  std::unique_ptr<Cpu> fork(AddressSpace&) const override {
    return std::make_unique<StillCpu>(*this);
  }
  Stop run(Cycles&, Cycles, Instructions) override { return {}; }
  GuestAddr interrupted_pc() const override { return GuestAddr(registers_.interrupted_pc()); }
  void interrupted() override {}
  void drain_pipeline() override {}
  void complete_system_call() override { registers_.complete_system_call(); }
  std::optional<Fault> split_access(const Fault& refused) override { return refused; }
  ExecutionCounts counts() const override { return {}; }
  void archive(Archive&) override {}
  Maker maker() const override { return nullptr; }
  void collect_cycle_profile() override {}
  void collect_reasons() override {}
  ReasonProfile reason_profile() const override { return ReasonProfile(); }
  void count_kernel(Cycles) override {}
  void collect_calls(std::shared_ptr<FunctionFinder>) override {}
  void watch(const WatchedPlace&, std::shared_ptr<Awaited>) override {}
  CallRecord calls() const override { return {}; }
  void count_tick() override {}
  void sample_pcs(PcSampler*) override {}
  void observe_timing(TimingObserver) override {}
  void observe(InstructionObserver) override {}

 private:
  pa_risc::Registers registers_;
};

class PaRiscProcess {
 public:
  // `failure` says why there is no process.
  PaRiscProcess(const posix::UnixSystem& system, const host::FileSpace& files,
                const posix::Program& program)
      : simulation(SimulationOptions{}) {
    kernel = std::make_unique<posix::Kernel>(
        system,
        posix::Options{std::make_shared<host::GuestFiles>(host::GuestFiles::create(files).value()),
                       host::TimeOfDay(), make_cpu,
                       [this](const std::string& line) { notices.push_back(line); }, nullptr});
    const auto started = kernel->start(simulation, program, {});
    if (!started) {
      failure = started.error();
      return;
    }
    process = *started;
  }

  Thread& thread() { return process->main_thread(); }
  AddressSpace& memory() { return *process->memory; }
  pa_risc::Registers& registers() { return pa_risc::registers_of(*thread().cpu); }
  std::uint64_t& gpr(unsigned n) { return registers().gpr[n]; }
  // The value at a mapped address.
  std::uint32_t half(std::uint64_t at) {
    return memory().read<std::uint16_t>(GuestAddr(at)).value();
  }
  std::uint32_t word(std::uint64_t at) {
    return memory().read<std::uint32_t>(GuestAddr(at)).value();
  }
  std::uint64_t doubleword(std::uint64_t at) {
    return memory().read<std::uint64_t>(GuestAddr(at)).value();
  }

  std::string failure;
  std::vector<std::string> notices;
  Simulation simulation;
  std::unique_ptr<posix::Kernel> kernel;
  Process* process = nullptr;

 private:
  static Result<std::unique_ptr<Cpu>, std::string> make_cpu(const posix::Program&,
                                                            const posix::Port&, AddressSpace&) {
    return std::unique_ptr<Cpu>(std::make_unique<StillCpu>());
  }
};

}  // namespace hardclock::support
