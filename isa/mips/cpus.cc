#include <array>

#include "isa/mips/cpu.h"
#include "isa/mips/isa.h"
#include "sim/base/check.h"
#include "sim/engine/delay_slot_engine.h"
#include "sim/timing/in_order.h"
#include "sim/timing/out_of_order.h"

namespace hardclock::mips {
namespace {

// The files of timing/, in alphabetical order.
constexpr const char* timing_files[] = {
#include "isa/mips/timing_files.inc"
};

constexpr const char* machine_files[] = {
#include "isa/mips/machine_files.inc"
};

std::vector<MachineDescription> parse_machines() {
  std::vector<MachineDescription> parsed;
  for (const char* const text : machine_files) {
    auto description = parse_machine_description(text);
    CHECK(description.ok());
    parsed.push_back(*std::move(description));
  }
  return parsed;
}

template <class Description>
const Description* find_named(const std::vector<Description>& all, std::string_view name) {
  for (const Description& each : all) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::vector<CpuDescription> parse_all() {
  std::vector<CpuDescription> parsed;
  for (const char* const text : timing_files) {
    auto description = parse_cpu_description(text);
    CHECK(description.ok());
    parsed.push_back(*std::move(description));
  }
  return parsed;
}

ProcessorTiming timing_of(const CpuDescription& description, bool functional) {
  if (functional || description.functional()) return {std::make_shared<FunctionalPipeline>(), {}};
  std::vector<const char*> names;
  for (unsigned i = 0; i < timing_class_count; ++i) {
    names.push_back(timing_class_name(static_cast<TimingClass>(i)));
  }
  if (description.kind == PipelineKind::out_of_order) {
    auto core = make_out_of_order(description, names);
    CHECK(core.ok());
    return {std::make_shared<FunctionalPipeline>(), *core};
  }
  auto pipeline = make_in_order(description, names);
  CHECK(pipeline.ok());
  return {*pipeline, {}};
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
  static const std::vector<CpuDescription> all = parse_all();
  return all;
}

const CpuDescription* find_cpu(std::string_view name) {
  return find_named(cpus(), name);
}

const std::vector<MachineDescription>& machines() {
  static const std::vector<MachineDescription> all = parse_machines();
  return all;
}

const MachineDescription* find_machine(std::string_view name) {
  return find_named(machines(), name);
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
