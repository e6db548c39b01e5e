#include <array>

#include "isa/catalogue.h"
#include "isa/ia64/chip.h"
#include "isa/ia64/cpu.h"
#include "isa/ia64/isa.h"
#include "sim/base/check.h"
#include "sim/engine/engine.h"
#include "sim/timing/description_library.h"

namespace hardclock::ia64 {
namespace {

static_assert(TranslatedIsa<Isa> && MayLoseWords<Isa> && MakesImplicitAccesses<Isa> &&
              PredictedSequencing<Isa::Sequencing>);

// The files of timing/ and machines/, in alphabetical order.
constexpr DescriptionFile timing_files[] = {
#include "isa/ia64/timing_files.inc"
};

constexpr DescriptionFile machine_files[] = {
#include "isa/ia64/machine_files.inc"
};

// Of the generated decoder, for Catalogue.
struct Tables {
  using Level = ia64::Level;
  using Opcode = ia64::Opcode;
  using TimingClass = ia64::TimingClass;
  static constexpr std::size_t level_count = ia64::level_count;
  static constexpr std::size_t opcode_count = ia64::opcode_count;
  static constexpr std::size_t timing_class_count = ia64::timing_class_count;
  // Their instructions are those whose operands say so.
  static constexpr std::array needed_everywhere = {TimingClass::toar_rsc, TimingClass::toar_ccv,
                                                   TimingClass::toar_rnat, TimingClass::frar_ccv,
                                                   TimingClass::frar_itc};
};

Catalogue<Tables>& catalogue() {
  static Catalogue<Tables> all(timing_files, machine_files);
  return all;
}

Level level_of(const CpuDescription& description) {
  return Catalogue<Tables>::level_of(description);
}

std::vector<const char*> absent_timing_classes(const CpuDescription& description) {
  return Catalogue<Tables>::absent_classes(level_of(description));
}

}  // namespace

const std::vector<CpuDescription>& cpus() { return catalogue().cpus(); }

const CpuDescription* find_cpu(std::string_view name) { return catalogue().find_cpu(name); }

bool has_level(std::string_view name) { return Catalogue<Tables>::find_level(name).has_value(); }

const std::vector<MachineDescription>& machines() { return catalogue().machines(); }

std::optional<std::string> mistake_in(const CpuDescription& description) {
  if (const auto chip = read_chip(description); !chip) return chip.error();
  return Catalogue<Tables>::mistake_in(description, absent_timing_classes(description));
}

std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options) {
  const auto chip = read_chip(description);
  CHECK(chip.ok());  // a test makes every processor of timing/, and mistake_in() has seen others
  return std::make_unique<Engine<Isa>>(
      Isa({.level = level_of(description),
           .alat_entries = chip->alat_entries,
           .gateway = options.gateway},
          options.functional ? 0 : chip->stack_words),
      memory,
      common_timing(memory.budget()->caches(), description, options.functional,
                    [&] {
                      return Catalogue<Tables>::timing_of(description, options.functional,
                                                          absent_timing_classes(description));
                    }),
      options.memory, options.reference ? EngineMode::reference : EngineMode::blocks,
      options.translation);
}

}  // namespace hardclock::ia64
