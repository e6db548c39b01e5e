#include <elf.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/catalogue.h"
#include "isa/mips/any_level.h"
#include "isa/mips/chip.h"
#include "isa/mips/cpu.h"
#include "isa/mips/isa.h"
#include "sim/base/check.h"
#include "sim/engine/engine.h"
#include "sim/timing/description_library.h"

namespace hardclock::mips {
namespace {

static_assert(TranslatedIsa<Isa> && SplitsAccesses<Isa> && HasSlowInstructions<Isa>);

// The files of timing/ and machines/, in alphabetical order.
constexpr DescriptionFile timing_files[] = {
#include "isa/mips/timing_files.inc"
};

constexpr DescriptionFile machine_files[] = {
#include "isa/mips/machine_files.inc"
};

// Of the generated decoder, for Catalogue.
struct Tables {
  using Level = mips::Level;
  using Opcode = mips::Opcode;
  using TimingClass = mips::TimingClass;
  static constexpr std::size_t level_count = mips::level_count;
  static constexpr std::size_t opcode_count = mips::opcode_count;
  static constexpr std::size_t timing_class_count = mips::timing_class_count;
  // RDHWR, which kernels emulate.
  static constexpr std::array needed_everywhere = {TimingClass::clock};
};

Catalogue<Tables>& catalogue() {
  static Catalogue<Tables> all(timing_files, machine_files);
  return all;
}

Level level_of(const CpuDescription& description) {
  return Catalogue<Tables>::level_of(description);
}

// e_flags, EF_MIPS_ARCH: the top four bits.
constexpr unsigned arch_shift = 28;

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
    Architecture{"", "MIPS32 release 6"},
    Architecture{"", "MIPS64 release 6"},
};

std::optional<Level> level_of_flags(std::uint32_t elf_flags) {
  const std::uint32_t arch = elf_flags >> arch_shift;
  if (arch >= architectures.size()) return std::nullopt;
  return Catalogue<Tables>::find_level(architectures[arch].level);
}

bool includes(Level level, Level other) {
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (available(opcode, other) && !available(opcode, level)) return false;
  }
  return true;
}

// What Linux carries out for a program whose processor lacks it (6.1, arch/mips/kernel/traps.c,
// do_ri(): simulate_llsc(), simulate_rdhwr(), simulate_sync()). Here the processor is made with
// them; what its file has no price for costs as much as what is nearest (any_level.h).
constexpr std::string_view kernels_emulate[] = {"rdhwr", "ll", "sc", "sync"};

Chip chip_of(const CpuDescription& description, bool is_emulated) {
  auto chip = read_chip(description);
  CHECK(chip.ok());  // a test makes every processor of timing/
  if (is_emulated) {
    chip->added.insert(chip->added.end(), std::begin(kernels_emulate), std::end(kernels_emulate));
  }
  return *std::move(chip);
}

std::vector<const char*> classes_without_instruction(Level level, const Chip& chip) {
  return Catalogue<Tables>::absent_classes(
      [&](Opcode opcode) { return available(opcode, level) || chip.adds(info(opcode).name); });
}

}  // namespace

const std::vector<CpuDescription>& cpus() { return catalogue().cpus(); }

const CpuDescription* find_cpu(std::string_view name) { return catalogue().find_cpu(name); }

bool has_level(std::string_view name) { return Catalogue<Tables>::find_level(name).has_value(); }

const std::vector<MachineDescription>& machines() { return catalogue().machines(); }

bool supports(const CpuDescription& description, const Mode& mode) {
  const Level level = level_of(description);
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
  const auto found = std::ranges::find(architectures, description.isa, &Architecture::level);
  return found == architectures.end() ? description.isa : found->name;
}

std::string compiler_option(const CpuDescription& description) {
  const bool is_later = level_of(description) > Level::mips4;
  return (is_later ? "-march=" : "-") + description.isa;
}

bool has_architecture(const CpuDescription& description, std::uint32_t elf_flags) {
  const auto level = level_of_flags(elf_flags);
  return level.has_value() && includes(level_of(description), *level);
}

InstructionCheck::InstructionCheck(const CpuDescription& description, const CpuOptions& options)
    : level_(static_cast<std::size_t>(level_of(description))),
      chip_(chip_of(description, options.emulates_instructions)) {}

bool InstructionCheck::has(std::uint32_t word) const {
  const Opcode opcode = decode(executed_word(word)).opcode;
  return opcode == Opcode::invalid || available(opcode, static_cast<Level>(level_)) ||
         chip_.adds(info(opcode).name);
}

std::vector<const char*> absent_timing_classes(const CpuDescription& description) {
  return classes_without_instruction(level_of(description), chip_of(description, false));
}

std::optional<std::string> mistake_in(const CpuDescription& description) {
  if (const auto chip = read_chip(description); !chip) return chip.error();
  return Catalogue<Tables>::mistake_in(description, absent_timing_classes(description));
}

std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options) {
  CHECK(supports(description, options.mode));
  const Level level = level_of(description);
  Chip chip = chip_of(description, options.emulates_instructions);
  const unsigned variant = options.functional + 2u * options.emulates_instructions;
  ProcessorTiming timing = common_timing(
      memory.budget()->caches(), description, static_cast<std::uint8_t>(variant), [&] {
        return Catalogue<Tables>::timing_of(
            options.emulates_instructions ? with_nearest_classes(description) : description,
            options.functional, classes_without_instruction(level, chip));
      });
  if (options.functional) chip.sign_extension_cycles = 0;
  return std::make_unique<Engine<Isa>>(
      Isa(level, options.mode, std::move(chip), memory.endian()), memory, std::move(timing),
      options.memory, options.reference ? EngineMode::reference : EngineMode::blocks,
      options.translation);
}

Mode mode_of_program(std::uint32_t elf_flags, unsigned address_bits) {
  const bool is_n32 = (elf_flags & EF_MIPS_ABI2) != 0;
  Mode mode;
  mode.address_bits = address_bits;
  mode.operation_bits = is_n32 ? 64 : address_bits;
  mode.fr = mode.operation_bits == 64 || (elf_flags & EF_MIPS_FP64) != 0;
  return mode;
}

}  // namespace hardclock::mips
