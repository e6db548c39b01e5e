// A PA-RISC processor as its ABI sees it, and how to make one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/pa_risc/mode.h"
#include "isa/pa_risc/registers.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/cpu.h"
#include "sim/engine/translation.h"
#include "sim/memory/address_space.h"
#include "sim/timing/cpu_description.h"

namespace hardclock::pa_risc {

class CpuBase : public Cpu {
 public:
  virtual Registers& registers() = 0;
};

// The processors that have a file in timing/, in alphabetical order.
const std::vector<CpuDescription>& cpus();

const CpuDescription* find_cpu(std::string_view name);  // nullptr if there is none

// The timing classes of which a processor has no instruction; its file needs no rows for them.
std::vector<const char*> absent_timing_classes(const CpuDescription& description);
// Why no processor can be made by a description, whose level is one of cpus(); nullopt: it can.
std::optional<std::string> mistake_in(const CpuDescription& description);

// Whether the patterns have a level of this name, with a processor or without.
bool has_level(std::string_view name);

// The machines that have a file in machines/, in alphabetical order. Each names one of cpus().
const std::vector<MachineDescription>& machines();

// The following take what a program's file says about the processor: the system id of SOM or the
// e_flags of ELF.
// The processor to run a program on when none is chosen; nullptr for an unknown architecture.
const CpuDescription* default_cpu(std::uint32_t flags);
// "PA-RISC 1.1", for messages.
std::string_view architecture_name(std::uint32_t flags);

struct CpuOptions {
  bool functional = false;  // one cycle an instruction
  bool reference = false;   // one instruction at a time: slow, for comparison
  // The machine's caches and TLB, common to all its processors; nullptr: every access hits.
  std::shared_ptr<MachineMemory> memory = nullptr;
  Mode mode{};  // wide mode needs PA-RISC 2.0
  Translation translation{};
};

// Whether the processor can run such a program in the mode.
bool supports(const CpuDescription& description, std::uint32_t flags, const Mode& mode);

// Wide mode needs a PA-RISC 2.0 processor.
std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options);

}  // namespace hardclock::pa_risc
