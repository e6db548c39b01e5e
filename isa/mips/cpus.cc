#include <array>

#include "isa/mips/cpu.h"
#include "isa/mips/isa.h"
#include "sim/base/check.h"
#include "sim/engine/delay_slot_engine.h"

namespace hardclock::mips {
namespace {

// The files of timing/, in alphabetical order.
constexpr const char* timing_files[] = {
#include "isa/mips/timing_files.inc"
};

std::vector<CpuDescription> parse_all() {
  std::vector<CpuDescription> parsed;
  for (const char* const text : timing_files) {
    auto description = parse_cpu_description(text);
    CHECK(description.ok());
    parsed.push_back(*std::move(description));
  }
  return parsed;
}

std::shared_ptr<const Pipeline> pipeline_of(const CpuDescription& description, bool functional) {
  if (functional) return std::make_shared<FunctionalPipeline>();
  std::vector<const char*> names;
  for (unsigned i = 0; i < timing_class_count; ++i) {
    names.push_back(timing_class_name(static_cast<TimingClass>(i)));
  }
  auto pipeline = make_pipeline(description, names);
  CHECK(pipeline.ok());
  return *pipeline;
}

// e_flags, EF_MIPS_ARCH: the top four bits (System V ABI, MIPS supplement).
constexpr unsigned arch_shift = 28;

}  // namespace

const std::vector<CpuDescription>& cpus() {
  static const std::vector<CpuDescription> all = parse_all();
  return all;
}

std::unique_ptr<CpuBase> make_cpu(const CpuDescription& description, AddressSpace& memory,
                                  const CpuOptions& options) {
  const auto level = static_cast<Level>(level_of(description) - 1);
  return std::make_unique<DelaySlotEngine<Isa>>(
      Isa(level), memory, pipeline_of(description, options.functional),
      options.reference ? EngineMode::reference : EngineMode::blocks);
}

unsigned level_of_elf_flags(std::uint32_t flags) {
  const std::uint32_t arch = flags >> arch_shift;
  return arch <= 1 ? arch + 1 : 0;
}

unsigned level_of(const CpuDescription& description) {
  for (const Level level : {Level::mips1, Level::mips2}) {
    if (description.isa == level_name(level)) return static_cast<unsigned>(level) + 1;
  }
  CHECK(false);  // a test parses every .timing file
  return 0;
}

}  // namespace hardclock::mips
