// A PA-RISC process without a processor: registers that a test sets and reads, and the kernel that
// it calls.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "isa/pa_risc/abi.h"
#include "sim/base/check.h"
#include "sim/process/simulation.h"
#include "syscalls/host/file_space.h"
#include "syscalls/linux/linux.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::testing {

class IdleCpu final : public pa_risc::CpuBase {
 public:
  pa_risc::Registers& registers() override { return registers_; }
  std::unique_ptr<Cpu> fork(AddressSpace&) const override {
    return std::make_unique<IdleCpu>(*this);
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

inline constexpr std::uint32_t text_base = 0x10000, data_base = 0x20000;

class Guest {
 public:
  explicit Guest(const std::string& folder) : simulation(SimulationOptions()) {
    const std::string path = folder + "/self";
    std::ofstream(path) << "seven b";
    host::FileSpace space;
    space.binds.push_back({path, "/self", false});
    auto files = host::GuestFiles::create(space);
    CHECK(files.ok());
    kernel = std::make_unique<posix::Kernel>(
        *linux_system(Machine::pa_risc),
        posix::Options{
            std::make_shared<host::GuestFiles>(*std::move(files)), host::TimeOfDay(),
            [](const Image&, AddressSpace&) -> Result<std::unique_ptr<Cpu>, std::string> {
              return std::unique_ptr<Cpu>(std::make_unique<IdleCpu>());
            },
            [this](const std::string& line) { notices.push_back(line); }, nullptr});
    const auto started = kernel->start(
        simulation,
        posix::Program{"/self", std::make_shared<const Image>(image()), {"self", "x"}, {"A=b"}},
        {});
    CHECK(started.ok());
    process = *started;
  }

  // The result register after the call that a program enters the gateway page at `entry` for.
  std::uint32_t enter(std::uint64_t entry, std::uint32_t number,
                      std::initializer_list<std::uint32_t> arguments) {
    unsigned reg = pa_risc::arg0;
    for (const std::uint32_t argument : arguments) registers().gpr[reg--] = argument;
    registers().gpr[20] = number;
    registers().set_pc(entry);
    registers().gpr[pa_risc::ble_link] = return_address | 3;
    kernel->system_call(simulation, thread());
    return pa_risc::to_word(registers().gpr[pa_risc::ret0]);
  }
  std::uint32_t call(std::uint32_t number, std::initializer_list<std::uint32_t> arguments) {
    return enter(0x100, number, arguments);
  }

  Thread& thread() { return process->main_thread(); }
  pa_risc::Registers& registers() { return pa_risc::registers_of(*thread().cpu); }
  AddressSpace& memory() { return *process->memory; }
  std::uint32_t word(std::uint64_t address) {
    return memory().read<std::uint32_t>(GuestAddr(address)).value();
  }
  std::uint16_t half(std::uint64_t address) {
    return memory().read<std::uint16_t>(GuestAddr(address)).value();
  }
  std::uint64_t wide(std::uint64_t address) {
    return memory().read<std::uint64_t>(GuestAddr(address)).value();
  }
  void store(std::uint64_t address, std::uint32_t value) {
    CHECK(memory().write(GuestAddr(address), value).ok());
  }
  std::string text(std::uint64_t address) {
    return memory().read_string(GuestAddr(address), 100).value();
  }
  void store_text(std::uint64_t address, const std::string& value) {
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(value.c_str()), value.size() + 1);
    CHECK(memory().write_bytes(GuestAddr(address), bytes).ok());
  }

  static constexpr std::uint64_t return_address = text_base + 0x40;

  std::vector<std::string> notices;
  Simulation simulation;
  std::unique_ptr<posix::Kernel> kernel;
  Process* process = nullptr;

 private:
  static Image image() {
    Image image;
    image.machine = Machine::pa_risc;
    image.flags = 0x210;
    image.is_linux = true;
    image.entry = GuestAddr(text_base + 0x10);
    image.segments = {
        {GuestAddr(text_base), page_size, Permissions{.read = true, .execute = true}, {}},
        {GuestAddr(data_base), 2 * page_size, Permissions{.read = true, .write = true}, {}}};
    return image;
  }
};

}  // namespace hardclock::gnu_linux::testing
