#include <array>

#include "isa/catalogue.h"
#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/isa.h"
#include "sim/base/check.h"
#include "sim/engine/engine.h"
#include "sim/timing/description_library.h"

namespace hardclock::pa_risc {
namespace {

static_assert(TranslatedIsa<Isa> && SplitsAccesses<Isa>);

// The files of timing/ and machines/, in alphabetical order.
constexpr DescriptionFile timing_files[] = {
#include "isa/pa_risc/timing_files.inc"
};

constexpr DescriptionFile machine_files[] = {
#include "isa/pa_risc/machine_files.inc"
};

// Of the generated decoder, for Catalogue.
struct Tables {
  using Level = pa_risc::Level;
  using Opcode = pa_risc::Opcode;
  using TimingClass = pa_risc::TimingClass;
  static constexpr std::size_t level_count = pa_risc::level_count;
  static constexpr std::size_t opcode_count = pa_risc::opcode_count;
  static constexpr std::size_t timing_class_count = pa_risc::timing_class_count;
  // Their instructions are those whose operands say so.
  static constexpr std::array needed_everywhere = {TimingClass::branch_backward,
                                                   TimingClass::nullifier};
};

Catalogue<Tables>& catalogue() {
  static Catalogue<Tables> all(timing_files, machine_files);
  return all;
}

Level level_of(const CpuDescription& description) {
  return Catalogue<Tables>::level_of(description);
}

std::vector<UndecodedBits> undecoded_of(const CpuDescription& description) {
  auto undecoded = read_undecoded(description);
  CHECK(undecoded.ok());  // a test makes every processor of timing/
  return *std::move(undecoded);
}

// The names of timing/, as Chip has them; pa1_1 and pa2_0 are nobody's.
constexpr std::array chips = {
    std::pair("pa7000", Chip::pa7000),     std::pair("pa7100", Chip::pa7100),
    std::pair("pa7100lc", Chip::pa7100lc), std::pair("pa7200", Chip::pa7200),
    std::pair("pa7300lc", Chip::pa7300lc), std::pair("pa8000", Chip::pa8000),
    std::pair("pa8200", Chip::pa8200),     std::pair("pa8500", Chip::pa8500),
    std::pair("pa8600", Chip::pa8600),     std::pair("pa8700", Chip::pa8700),
};

Chip chip_named(std::string_view name) {
  for (const auto& [each, chip] : chips) {
    if (each == name) return chip;
  }
  return Chip::other;
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

const std::vector<CpuDescription>& cpus() { return catalogue().cpus(); }

const CpuDescription* find_cpu(std::string_view name) { return catalogue().find_cpu(name); }

bool has_level(std::string_view name) { return Catalogue<Tables>::find_level(name).has_value(); }

const std::vector<MachineDescription>& machines() { return catalogue().machines(); }

const CpuDescription* default_cpu(std::uint32_t flags) {
  const Architecture* const architecture = architecture_of(flags);
  return architecture == nullptr ? nullptr : find_cpu(architecture->default_cpu);
}

std::string_view architecture_name(std::uint32_t flags) {
  const Architecture* const architecture = architecture_of(flags);
  return architecture == nullptr ? "an unknown PA-RISC" : architecture->name;
}

bool supports(const CpuDescription& description, std::uint32_t flags, const Mode& mode) {
  const Level level = level_of(description);
  const Architecture* const architecture = architecture_of(flags);
  if (architecture == nullptr || level < architecture->level) return false;
  return !mode.wide || level >= Level::pa2_0;
}

std::vector<const char*> absent_timing_classes(const CpuDescription& description) {
  return Catalogue<Tables>::absent_classes(level_of(description));
}

std::optional<std::string> mistake_in(const CpuDescription& description) {
  if (const auto undecoded = read_undecoded(description); !undecoded) return undecoded.error();
  return Catalogue<Tables>::mistake_in(description, absent_timing_classes(description));
}

std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options) {
  const Level level = level_of(description);
  CHECK(!options.mode.wide || level >= Level::pa2_0);
  return std::make_unique<Engine<Isa>>(
      Isa(level, options.mode, undecoded_of(description), chip_named(description.name)), memory,
      common_timing(memory.budget()->caches(), description, options.functional,
                    [&] {
                      return Catalogue<Tables>::timing_of(description, options.functional,
                                                          absent_timing_classes(description));
                    }),
      options.memory, options.reference ? EngineMode::reference : EngineMode::blocks,
      options.translation);
}

}  // namespace hardclock::pa_risc
