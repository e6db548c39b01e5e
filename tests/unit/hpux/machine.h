// HP-UX with a process whose processor runs nothing: a test puts into the registers what a program
// would, and enters the kernel.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/pa_risc/abi.h"
#include "sim/process/simulation.h"
#include "syscalls/hpux/hpux.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/state.h"

namespace hardclock::hpux::testing {

inline constexpr std::uint64_t text = 0x1000, data = 0x40001000;
inline constexpr std::uint64_t gateway = 0xc0000000;

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
  ExecutionCounts counts() const override { return {}; }
  CycleProfile cycle_profile() const override { return {}; }
  void observe_timing(std::function<void(const InstructionTimes&)>) override {}
  void observe(InstructionObserver) override {}

 private:
  pa_risc::Registers registers_;
};

// A page of code and one of data, for PA-RISC 1.1, or in 64 bits for 2.0.
inline Image program_image(unsigned address_bits = 32) {
  Image image;
  image.format = address_bits == 32 ? FileFormat::som : FileFormat::elf;
  image.machine = Machine::pa_risc;
  image.address_bits = address_bits;
  image.flags = address_bits == 32 ? 0x210 : 0x80214;
  image.os_abi = 1;
  image.page_zero_reads_zero = true;
  image.entry = GuestAddr(text + 0x10);
  image.segments = {{GuestAddr(text), page_size, {.read = true, .execute = true}, {}},
                    {GuestAddr(data), page_size, {.read = true, .write = true}, {}}};
  return image;
}

class Machine {
 public:
  explicit Machine(const Image& image = program_image(), host::FileSpace files = {})
      : simulation(SimulationOptions{}) {
    kernel = std::make_unique<posix::Kernel>(
        hpux_system(),
        posix::Options{
            std::make_shared<host::GuestFiles>(host::GuestFiles::create(std::move(files)).value()),
            host::TimeOfDay(), make_cpu,
            [this](const std::string& line) { notices.push_back(line); }, nullptr});
    const auto started = kernel->start(
        simulation,
        posix::Program{
            "/prog", std::make_shared<const Image>(image), {"prog", "x"}, {"A=b", "C=d"}},
        {});
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
  std::uint32_t word(std::uint64_t at) {
    return memory().read<std::uint32_t>(GuestAddr(at)).value();
  }
  std::uint64_t doubleword(std::uint64_t at) {
    return memory().read<std::uint64_t>(GuestAddr(at)).value();
  }
  std::uint32_t half(std::uint64_t at) {
    return memory().read<std::uint16_t>(GuestAddr(at)).value();
  }

  // As a stub of the C library does it: through an entry of the gateway page, from 0x1020.
  void enter(unsigned number, std::uint64_t entry = 4) {
    gpr(22) = number;
    gpr(31) = (text + 0x20) | 3;
    registers().set_pc(gateway + entry);
    kernel->system_call(simulation, thread());
  }
  // The error's number, or nothing; with the arguments in registers, then on the stack.
  std::optional<std::uint64_t> call(unsigned number,
                                    std::initializer_list<std::uint64_t> arguments) {
    const bool is_wide = process->image->address_bits == 64;
    unsigned index = 0;
    for (const std::uint64_t argument : arguments) {
      if (index < 4 || is_wide) {
        gpr(26 - index) = argument;
      } else {
        const GuestAddr at(gpr(30) - 52 - 4 * (index - 4));
        if (!memory().write(at, static_cast<std::uint32_t>(argument))) failure = "no stack";
      }
      ++index;
    }
    enter(number);
    if (gpr(22) == 0) return std::nullopt;
    return gpr(28);
  }

  std::string failure;
  std::vector<std::string> notices;
  Simulation simulation;
  std::unique_ptr<posix::Kernel> kernel;
  Process* process = nullptr;

 private:
  static Result<std::unique_ptr<Cpu>, std::string> make_cpu(const Image&, AddressSpace&) {
    return std::unique_ptr<Cpu>(std::make_unique<StillCpu>());
  }
};

}  // namespace hardclock::hpux::testing
