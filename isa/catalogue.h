// The processors and machines of an instruction set, as its folder describes them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"
#include "sim/engine/processor_timing.h"
#include "sim/timing/bundle_pipeline.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/cpu_library.h"
#include "sim/timing/description_library.h"
#include "sim/timing/in_order.h"
#include "sim/timing/out_of_order.h"

namespace hardclock {

// Tables says what the decoder generated for the instruction set has:
//   Opcode, Level, TimingClass, opcode_count, level_count, timing_class_count
//   needed_everywhere   classes of instructions that every level executes, whatever the patterns
//   say
template <class Tables>
class Catalogue {
  using Level = typename Tables::Level;
  using Opcode = typename Tables::Opcode;
  using TimingClass = typename Tables::TimingClass;

 public:
  // The files of timing/ and machines/.
  Catalogue(std::span<const DescriptionFile> timing_files,
            std::span<const DescriptionFile> machine_files)
      : cpus_(timing_files), machine_files_(machine_files) {}

  // All are read.
  const std::vector<CpuDescription>& cpus() { return cpus_.all(); }
  const std::vector<MachineDescription>& machines() {
    if (machines_.empty()) {
      machines_ = without_mistakes(parse_descriptions(machine_files_, parse_machine_description));
    }
    return machines_;
  }
  // This one is; null: none is called `name`.
  const CpuDescription* find_cpu(std::string_view name) { return cpus_.find(name); }

  static std::optional<Level> find_level(std::string_view name) {
    for (std::size_t i = 0; i < Tables::level_count; ++i) {
      const auto level = static_cast<Level>(i);
      if (name == level_name(level)) return level;
    }
    return std::nullopt;
  }

  static Level level_of(const CpuDescription& description) {
    const auto level = find_level(description.isa);
    CHECK(level.has_value());  // a test makes every processor of timing/
    return *level;
  }

  static std::vector<const char*> class_names() {
    std::vector<const char*> names;
    for (std::size_t i = 0; i < Tables::timing_class_count; ++i) {
      names.push_back(timing_class_name(static_cast<TimingClass>(i)));
    }
    return names;
  }

  // The classes of which a processor has no instruction; has(Opcode) says which it has.
  template <class Has>
  static std::vector<const char*> absent_classes(Has has) {
    std::vector<bool> is_present(Tables::timing_class_count);
    for (const TimingClass each : Tables::needed_everywhere) {
      is_present[static_cast<std::size_t>(each)] = true;
    }
    for (std::size_t i = 0; i < Tables::opcode_count; ++i) {
      const auto opcode = static_cast<Opcode>(i);
      if (!has(opcode)) continue;
      is_present[static_cast<std::size_t>(info(opcode).timing)] = true;
    }
    const std::vector<const char*> names = class_names();
    std::vector<const char*> absent;
    for (std::size_t i = 0; i < is_present.size(); ++i) {
      if (!is_present[i]) absent.push_back(names[i]);
    }
    return absent;
  }

  static std::vector<const char*> absent_classes(Level level) {
    return absent_classes([level](Opcode opcode) { return available(opcode, level); });
  }

  // Why there is no pipeline by this description, whose level is known; nullopt: there is one.
  static std::optional<std::string> mistake_in(const CpuDescription& description,
                                               std::span<const char* const> absent) {
    if (description.functional()) return std::nullopt;
    const auto error_of = [](const auto& made) {
      return made ? std::nullopt : std::optional(made.error());
    };
    const std::vector<const char*> classes = class_names();
    if (description.kind == PipelineKind::out_of_order) {
      return error_of(make_out_of_order(description, classes, absent));
    }
    if (description.kind == PipelineKind::bundles) {
      return error_of(make_bundle_pipeline(description, classes, absent));
    }
    return error_of(make_in_order(description, classes, absent));
  }

  static ProcessorTiming timing_of(const CpuDescription& description, bool functional,
                                   std::span<const char* const> absent) {
    return processor_timing(description, functional, class_names(), absent);
  }

 private:
  CpuLibrary cpus_;
  std::span<const DescriptionFile> machine_files_;
  std::vector<MachineDescription> machines_;  // empty: not read yet
};

}  // namespace hardclock
