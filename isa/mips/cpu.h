// A MIPS processor as its ABI sees it, and how to make one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "isa/mips/registers.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/memory/address_space.h"
#include "sim/timing/cpu_description.h"

namespace hardclock::mips {

class CpuBase : public Cpu {
 public:
  virtual Registers& registers() = 0;
};

// The processors that have a file in timing/, in alphabetical order.
const std::vector<CpuDescription>& cpus();

struct CpuOptions {
  bool functional = false;  // one cycle an instruction
  bool reference = false;   // one instruction at a time: slow, for comparison
};

std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options);

// The architecture level (1 or 2: MIPS I, MIPS II) that an ELF header's e_flags ask for; 0 for one
// that no CPU here implements.
unsigned level_of_elf_flags(std::uint32_t flags);
unsigned level_of(const CpuDescription& description);

}  // namespace hardclock::mips
