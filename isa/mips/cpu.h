// A MIPS processor as its ABI sees it, and how to make one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/mips/chip.h"
#include "isa/mips/mode.h"
#include "isa/mips/registers.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/cpu.h"
#include "sim/engine/translation.h"
#include "sim/memory/address_space.h"
#include "sim/timing/cpu_description.h"

namespace hardclock::mips {

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

struct CpuOptions {
  bool functional = false;  // one cycle an instruction
  bool reference = false;   // one instruction at a time: slow, for comparison
  Translation translation{};
  bool emulates_instructions = false;  // RDHWR, LL, SC, SYNC at any level: the kernel's work
  // The machine's caches and TLB, common to all its processors; nullptr: every access hits.
  std::shared_ptr<MachineMemory> memory = nullptr;
  Mode mode{};  // 64-bit operations or addresses need a level with 64-bit registers
};

// Whether the processor has 64-bit registers where the mode uses them: for 64-bit operations and
// addresses, and for FR = 1.
bool supports(const CpuDescription& description, const Mode& mode);

// The description must support the mode.
std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options);

inline constexpr const char* default_cpus[] = {"r3000", "r4400", "r5000", "24kf", "5kf", "5kef"};

// The processor to run a program on when none is chosen, by EF_MIPS_ARCH of the e_flags of all its
// files (System V ABI, MIPS supplement; GNU binutils, include/elf/mips.h). It is the first of
// default_cpus that has all their instructions and supports the mode. Nullptr for MIPS V, release 6
// and unknown levels, which no processor here has.
const CpuDescription* default_cpu(std::span<const std::uint32_t> elf_flags, const Mode& mode = {});

inline const CpuDescription* default_cpu(std::uint32_t elf_flags) {
  return default_cpu(std::span(&elf_flags, 1));
}

// What a file was made for, by its e_flags: "MIPS II", "MIPS32 release 2"; and what a processor is.
std::string_view architecture_name(std::uint32_t elf_flags);
std::string_view architecture_name(const CpuDescription& description);
// The option of a compiler that makes files for a processor: "-mips3", "-march=mips32r2".
std::string compiler_option(const CpuDescription& description);

// Whether a processor has every instruction that such a file may hold.
bool has_architecture(const CpuDescription& description, std::uint32_t elf_flags);

// Whether a processor with these options has an instruction. True for a word that is not an
// instruction at any level.
class InstructionCheck {
 public:
  InstructionCheck(const CpuDescription& description, const CpuOptions& options);
  bool has(std::uint32_t word) const;
  // The instruction word that the processor executes: its decoder may ignore some bits.
  std::uint32_t executed_word(std::uint32_t word) const { return chip_.decoded_word(word); }

 private:
  std::size_t level_;  // Level
  Chip chip_;
};

// How a program's ABI uses the processor, by e_flags and the file's class (32 or 64 bits): o32 has
// 32-bit operations and FR = 0 (1 with EF_MIPS_FP64); n32 and n64 have 64-bit ones and FR = 1.
Mode mode_of_program(std::uint32_t elf_flags, unsigned address_bits);

}  // namespace hardclock::mips
