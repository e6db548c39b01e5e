// An IA-64 processor as its ABI sees it, and how to make one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ia64/registers.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/cpu.h"
#include "sim/engine/translation.h"
#include "sim/memory/address_space.h"
#include "sim/timing/cpu_description.h"

namespace hardclock::ia64 {

class CpuBase : public Cpu {
 public:
  virtual Registers& registers() = 0;
  // A register stack of 96 registers may have to be stored or loaded first.
  Cycles longest_instruction() const override { return Cycles(10'000); }
};

// The processors that have a file in timing/, in alphabetical order.
const std::vector<CpuDescription>& cpus();

const CpuDescription* find_cpu(std::string_view name);  // nullptr if there is none

// Why no processor can be made by a description, whose level is one of cpus(); nullopt: it can.
std::optional<std::string> mistake_in(const CpuDescription& description);

// Whether the patterns have a level of this name, with a processor or without.
bool has_level(std::string_view name);

// The machines that have a file in machines/, in alphabetical order. Each names one of cpus().
const std::vector<MachineDescription>& machines();

inline constexpr std::uint64_t no_gateway = ~std::uint64_t{0};

struct CpuOptions {
  bool functional = false;  // one cycle a slot
  bool reference = false;   // one instruction at a time: slow, for comparison
  // The machine's caches and TLB, common to all its processors; nullptr: every access hits.
  std::shared_ptr<MachineMemory> memory = nullptr;
  // A break in this bundle is a system call, whatever its number (HP-UX).
  std::uint64_t gateway = no_gateway;
  Translation translation{};
};

std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options);

}  // namespace hardclock::ia64
