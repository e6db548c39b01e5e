// A bare MIPS machine for tests: memory with code in it and a processor, no operating system.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "isa/mips/cpu.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "sim/memory/address_space.h"

namespace hardclock::support {

inline const CpuDescription& mips_cpu(std::string_view name) {
  for (const CpuDescription& cpu : mips::cpus()) {
    if (cpu.name == name) return cpu;
  }
  CHECK(false);
  return mips::cpus().front();
}

// One processor's timing with another level's instructions, so that both can be tested together.
inline CpuDescription with_timing_of(std::string_view name, const std::string& isa) {
  CpuDescription cpu = mips_cpu(name);
  cpu.isa = isa;
  return cpu;
}
inline CpuDescription with_r3000_timing(const std::string& isa) {
  return with_timing_of("r3000", isa);
}
inline CpuDescription mips2_with_r3000_timing() {
  return with_r3000_timing("mips2");
}

struct MipsMachine {
  static constexpr Cycles far{~std::uint64_t{0} >> 1};
  static constexpr Instructions unlimited{~std::uint64_t{0} >> 1};
  static constexpr Permissions all{.read = true, .write = true, .execute = true};

  MipsMachine(Endian endian, const CpuDescription& description, mips::CpuOptions options = {})
      : memory(std::make_shared<MemoryBudget>(std::uint64_t{64} << 20), endian,
               GuestAddr(0x8000'0000)),
        cpu(mips::make_cpu(description, memory, options)) {}

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
  mips::Registers& registers() { return cpu->registers(); }

  AddressSpace memory;
  std::unique_ptr<mips::CpuBase> cpu;
  Cycles now;
};

}  // namespace hardclock::support
