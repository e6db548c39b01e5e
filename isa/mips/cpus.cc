#include <array>

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

Level level_of_isa(const CpuDescription& description) {
  for (std::size_t i = 0; i < level_count; ++i) {
    const auto level = static_cast<Level>(i);
    if (description.isa == level_name(level)) return level;
  }
  CHECK(false);  // a test makes every processor of timing/
  return Level::mips1;
}

// e_flags, EF_MIPS_ARCH: the top four bits.
constexpr unsigned arch_shift = 28;
// n32, and o32 with 64-bit floating-point registers (GNU binutils, include/elf/mips.h).
constexpr std::uint32_t ef_mips_abi2 = 0x20, ef_mips_fp64 = 0x200;
// By the value of EF_MIPS_ARCH.
constexpr std::array default_cpus = {"r3000",    "mips2",    "mips3",    "mips4",   "",
                                     "mips32r2", "mips64r2", "mips32r2", "mips64r2"};

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

const CpuDescription* default_cpu(std::uint32_t elf_flags) {
  const std::uint32_t arch = elf_flags >> arch_shift;
  if (arch >= default_cpus.size()) return nullptr;
  return find_cpu(default_cpus[arch]);
}

std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options) {
  CHECK(supports(description, options.mode));
  const Level level = level_of_isa(description);
  return std::make_unique<DelaySlotEngine<Isa>>(
      Isa(level, options.mode, options.emulates_rdhwr, options.fuses_multiply_add), memory,
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
