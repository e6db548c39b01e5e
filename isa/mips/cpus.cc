#include <algorithm>
#include <array>
#include <optional>

#include "isa/mips/chip.h"
#include "isa/mips/cpu.h"
#include "isa/mips/isa.h"
#include "sim/base/check.h"
#include "sim/engine/delay_slot_engine.h"
#include "sim/engine/processor_timing.h"
#include "sim/timing/description_library.h"

namespace hardclock::mips {
namespace {

// The files of timing/ and machines/, in alphabetical order.
constexpr const char* timing_files[] = {
#include "isa/mips/timing_files.inc"
};

constexpr const char* machine_files[] = {
#include "isa/mips/machine_files.inc"
};

ProcessorTiming timing_of(const CpuDescription& description, bool functional) {
  std::array<const char*, timing_class_count> classes{};
  for (unsigned i = 0; i < timing_class_count; ++i) {
    classes[i] = timing_class_name(static_cast<TimingClass>(i));
  }
  return processor_timing(description, functional, classes);
}

// e_flags, EF_MIPS_ARCH: the top four bits.
constexpr unsigned arch_shift = 28;
// n32, and o32 with 64-bit floating-point registers (GNU binutils, include/elf/mips.h).
constexpr std::uint32_t ef_mips_abi2 = 0x20, ef_mips_fp64 = 0x200;

struct Architecture {
  std::string_view level;  // as level_name() spells it; empty: no processor here has it
  std::string_view name;
};
// By the value of EF_MIPS_ARCH.
constexpr std::array architectures = {
    Architecture{"mips1", "MIPS I"},
    Architecture{"mips2", "MIPS II"},
    Architecture{"mips3", "MIPS III"},
    Architecture{"mips4", "MIPS IV"},
    Architecture{"", "MIPS V"},
    Architecture{"mips32", "MIPS32"},
    Architecture{"mips64", "MIPS64"},
    Architecture{"mips32r2", "MIPS32 release 2"},
    Architecture{"mips64r2", "MIPS64 release 2"},
};

std::optional<Level> find_level(std::string_view name) {
  for (std::size_t i = 0; i < level_count; ++i) {
    const auto level = static_cast<Level>(i);
    if (name == level_name(level)) return level;
  }
  return std::nullopt;
}

std::optional<Level> level_of_flags(std::uint32_t elf_flags) {
  const std::uint32_t arch = elf_flags >> arch_shift;
  if (arch >= architectures.size()) return std::nullopt;
  return find_level(architectures[arch].level);
}

bool includes(Level level, Level other) {
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (available(opcode, other) && !available(opcode, level)) return false;
  }
  return true;
}

Level level_of_isa(const CpuDescription& description) {
  const auto level = find_level(description.isa);
  CHECK(level.has_value());  // a test makes every processor of timing/
  return *level;
}

Chip chip_of(const CpuDescription& description) {
  auto chip = read_chip(description);
  CHECK(chip.ok());  // a test makes every processor of timing/
  return *std::move(chip);
}

constexpr std::array default_cpus = {"r3000", "r4400", "r5000", "mips32r2", "mips64r2"};

}  // namespace

const std::vector<CpuDescription>& cpus() {
  static const auto all = parse_descriptions(timing_files, parse_cpu_description);
  return all;
}

const CpuDescription* find_cpu(std::string_view name) {
  return find_description(cpus(), name);
}

const std::vector<MachineDescription>& machines() {
  static const auto all = parse_descriptions(machine_files, parse_machine_description);
  return all;
}

bool supports(const CpuDescription& description, const Mode& mode) {
  const Level level = level_of_isa(description);
  // DADDU is every 64-bit processor's. FR = 1 is MIPS32's only from release 2 on.
  const bool wide = available(Opcode::daddu, level);
  if (mode.operation_bits != 32 || mode.address_bits != 32) return wide;
  return !mode.fr || wide || level == Level::mips32r2;
}

const CpuDescription* default_cpu(std::span<const std::uint32_t> elf_flags, const Mode& mode) {
  for (const char* const name : default_cpus) {
    const CpuDescription* const cpu = find_cpu(name);
    const auto is_had = [cpu](std::uint32_t flags) { return has_architecture(*cpu, flags); };
    if (std::ranges::all_of(elf_flags, is_had) && supports(*cpu, mode)) return cpu;
  }
  return nullptr;
}

std::string_view architecture_name(std::uint32_t elf_flags) {
  const std::uint32_t arch = elf_flags >> arch_shift;
  return arch < architectures.size() ? architectures[arch].name : "an unknown MIPS";
}

std::string_view architecture_name(const CpuDescription& description) {
  return std::ranges::find(architectures, description.isa, &Architecture::level)->name;
}

std::string compiler_option(const CpuDescription& description) {
  const bool is_later = level_of_isa(description) > Level::mips4;
  return (is_later ? "-march=" : "-") + description.isa;
}

bool has_architecture(const CpuDescription& description, std::uint32_t elf_flags) {
  const auto level = level_of_flags(elf_flags);
  return level.has_value() && includes(level_of_isa(description), *level);
}

InstructionCheck::InstructionCheck(const CpuDescription& description, const CpuOptions& options)
    : level_(static_cast<std::size_t>(level_of_isa(description))),
      chip_(chip_of(description)),
      emulates_rdhwr_(options.emulates_rdhwr) {}

bool InstructionCheck::has(std::uint32_t word) const {
  const Opcode opcode = decode(executed_word(word)).opcode;
  return opcode == Opcode::invalid || available(opcode, static_cast<Level>(level_)) ||
         (opcode == Opcode::rdhwr && emulates_rdhwr_);
}

std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options) {
  CHECK(supports(description, options.mode));
  const Level level = level_of_isa(description);
  return std::make_unique<DelaySlotEngine<Isa>>(
      Isa(level, options.mode, options.emulates_rdhwr, chip_of(description)), memory,
      timing_of(description, options.functional), options.memory,
      options.reference ? EngineMode::reference : EngineMode::blocks);
}

Mode mode_of_program(std::uint32_t elf_flags, unsigned address_bits) {
  const bool is_n32 = (elf_flags & ef_mips_abi2) != 0;
  Mode mode;
  mode.address_bits = address_bits;
  mode.operation_bits = is_n32 ? 64 : address_bits;
  mode.fr = mode.operation_bits == 64 || (elf_flags & ef_mips_fp64) != 0;
  return mode;
}

}  // namespace hardclock::mips
