#include <array>

#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/isa.h"
#include "sim/base/check.h"
#include "sim/engine/delay_slot_engine.h"
#include "sim/engine/processor_timing.h"
#include "sim/timing/description_library.h"

namespace hardclock::pa_risc {
namespace {

// The files of timing/ and machines/, in alphabetical order.
constexpr const char* timing_files[] = {
#include "isa/pa_risc/timing_files.inc"
};

constexpr const char* machine_files[] = {
#include "isa/pa_risc/machine_files.inc"
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
  return Level::pa1_0;
}

// What a program's file says of the processor that it needs: the system id of SOM, and the low half
// of e_flags in ELF, where Linux programs have the same numbers (GNU binutils, include/som/aout.h,
// include/elf/hppa.h). SOM's 0x211 is PA-RISC 1.2, which is 1.1 for user programs.
struct Architecture {
  std::uint32_t id;
  Level level;
  std::string_view name;
  std::string_view default_cpu;
};
constexpr std::array architectures = {
    Architecture{0x20b, Level::pa1_0, "PA-RISC 1.0", "pa7100"},
    Architecture{0x210, Level::pa1_1, "PA-RISC 1.1", "pa7100"},
    Architecture{0x211, Level::pa1_1, "PA-RISC 1.2", "pa7100"},
    Architecture{0x214, Level::pa2_0, "PA-RISC 2.0", "pa2_0"},
};
constexpr std::uint32_t architecture_mask = 0xffff;

const Architecture* architecture_of(std::uint32_t flags) {
  for (const Architecture& each : architectures) {
    if (each.id == (flags & architecture_mask)) return &each;
  }
  return nullptr;
}

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

const CpuDescription* default_cpu(std::uint32_t flags) {
  const Architecture* const architecture = architecture_of(flags);
  return architecture == nullptr ? nullptr : find_cpu(architecture->default_cpu);
}

std::string_view architecture_name(std::uint32_t flags) {
  const Architecture* const architecture = architecture_of(flags);
  return architecture == nullptr ? "an unknown PA-RISC" : architecture->name;
}

bool supports(const CpuDescription& description, std::uint32_t flags, const Mode& mode) {
  const Level level = level_of_isa(description);
  const Architecture* const architecture = architecture_of(flags);
  if (architecture == nullptr || level < architecture->level) return false;
  return !mode.wide || level >= Level::pa2_0;
}

std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options) {
  const Level level = level_of_isa(description);
  CHECK(!options.mode.wide || level >= Level::pa2_0);
  return std::make_unique<DelaySlotEngine<Isa>>(
      Isa(level, options.mode), memory, timing_of(description, options.functional), options.memory,
      options.reference ? EngineMode::reference : EngineMode::blocks);
}

}  // namespace hardclock::pa_risc
