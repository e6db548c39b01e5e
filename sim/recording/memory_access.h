// What an instruction is about to do, for those who watch a program's memory.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"

namespace hardclock {

// A load, or a store, as which counts what replaces the memory that it reads (PA-RISC LDCW).
struct MemoryAccess {
  GuestAddr address;
  std::uint64_t size = 0;  // bytes
  bool writes = false;
};

struct NextInstruction {
  GuestAddr pc;
  std::optional<MemoryAccess> access;
};

}  // namespace hardclock
