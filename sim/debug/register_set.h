// The registers of an instruction set as a debugger names them: by number, in the order that GDB's
// remote protocol has for the processor. Each isa/*/debug_registers.h has its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/engine/cpu.h"

namespace hardclock::debug {

struct RegisterSet {
  unsigned count = 0;  // numbers are below it
  unsigned pc = 0;     // number of the program counter
  // nullopt: the register is not simulated, as those that only the kernel sees. `cpu` is one of the
  // instruction set.
  std::optional<std::uint64_t> (*read)(Cpu& cpu, unsigned number) = nullptr;
  // False: the register is not simulated, or cannot be written.
  bool (*write)(Cpu& cpu, unsigned number, std::uint64_t value) = nullptr;
  // As disassembly spells it, "t0"; empty if the register is not simulated.
  std::string (*name)(unsigned number) = nullptr;
};

}  // namespace hardclock::debug
