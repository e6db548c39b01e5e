// A bare machine for tests: memory with code in it and a processor, no operating system.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "sim/memory/address_space.h"
#include "sim/recording/trap.h"

namespace hardclock::support {

// CpuBase is the ISA's.
template <class CpuBase>
struct BareMachine {
  static constexpr Cycles far{~std::uint64_t{0} >> 1};
  static constexpr Instructions unlimited{~std::uint64_t{0} >> 1};
  static constexpr Permissions all{.read = true, .write = true, .execute = true};

  // User programs have the addresses below `end`. `make` makes the processor for an AddressSpace.
  template <class Make>
  BareMachine(Endian endian, GuestAddr end, Make make)
      : memory(std::make_shared<MemoryBudget>(std::uint64_t{64} << 20), endian, end),
        cpu(make(memory)) {}

  // Maps the code, readable and writable, and points the processor at it.
  void load(GuestAddr address, std::span<const std::uint8_t> code) {
    const std::uint64_t start = address.value() & ~page_mask;
    const std::uint64_t size = address.value() + code.size() - start;
    CHECK(memory.map(GuestAddr(start), size, all, "code").ok());
    CHECK(memory.initialize(address, code).ok());
    cpu->registers().set_pc(address.value());
  }

  Stop run(Cycles deadline = far, Instructions limit = unlimited) {
    return cpu->run(now, deadline, limit);
  }
  auto& registers() { return cpu->registers(); }

  // A child goes on where this process is, which ends.
  void replace_process() { cpu.reset(static_cast<CpuBase*>(cpu->fork(memory).release())); }

  AddressSpace memory;
  std::unique_ptr<CpuBase> cpu;
  Cycles now;
};

}  // namespace hardclock::support
