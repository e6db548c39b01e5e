#include "isa/instruction_sets.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "isa/ia64/instruction_set.h"
#include "isa/mips/instruction_set.h"
#include "isa/pa_risc/instruction_set.h"
#include "sim/base/check.h"
#include "sim/base/lower_case.h"
#include "sim/timing/description_library.h"
#include "sim/timing/inherited_rows.h"

namespace hardclock {
namespace {

constexpr std::array sets = {&mips::instruction_set, &pa_risc::instruction_set,
                             &ia64::instruction_set};

// Null: none has a processor of this level.
const InstructionSet* find_set_of_level(std::string_view level) {
  for (const InstructionSet* const set : sets) {
    for (const CpuDescription& each : set->cpus()) {
      if (each.isa == level) return set;
    }
  }
  return nullptr;
}

}  // namespace

std::span<const InstructionSet* const> instruction_sets() { return sets; }

std::string instruction_set_names() {
  std::string names;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (i > 0) names += i + 1 == sets.size() ? " or " : ", ";
    names += sets[i]->name;
  }
  return names;
}

const InstructionSet* find_instruction_set(Architecture architecture) {
  for (const InstructionSet* const set : sets) {
    if (set->architecture == architecture) return set;
  }
  return nullptr;
}

std::unique_ptr<const Disassembler> find_disassembler(const Image& image) {
  const InstructionSet* const set = find_instruction_set(image.architecture);
  return set != nullptr ? set->disassembler(image) : nullptr;
}

const InstructionSet& instruction_set_of(const CpuDescription& cpu) {
  const auto set = std::ranges::find_if(
      sets, [&](const InstructionSet* each) { return each->has_level(cpu.isa); });
  CHECK(set != sets.end());
  return **set;
}

Result<CpuDescription, std::string> read_cpu(std::string_view text) {
  auto cpu = parse_cpu_description(text);
  if (!cpu) return cpu;
  const InstructionSet* const set = find_set_of_level(cpu->isa);
  if (set == nullptr) return Failure{"no processor has isa " + cpu->isa + "; take that of one"};
  // The last one: what it is like is found among the others, even under its own name.
  std::vector<CpuDescription> cpus = set->cpus();
  cpus.push_back(*std::move(cpu));
  if (const auto made = inherit_rows(cpus); !made) return Failure{made.error()};
  if (const auto mistake = set->mistake_in(cpus.back())) return Failure{*mistake};
  return std::move(cpus.back());
}

Result<std::unique_ptr<Cpu>, std::string> make_default_cpu(const Image& image, AddressSpace& memory,
                                                           const CpuRequest& request) {
  const InstructionSet* const set = find_instruction_set(image.architecture);
  if (set == nullptr) return Failure{"not a program for " + instruction_set_names()};
  const auto cpu = set->default_cpu(std::array{&image});
  if (!cpu) return Failure{cpu.error()};
  return set->make_cpu(**cpu, image, memory, request);
}

const CpuDescription* find_cpu(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const InstructionSet* const set : sets) {
    if (const CpuDescription* const cpu = set->find_cpu(lower)) return cpu;
  }
  return nullptr;
}

const MachineDescription* find_machine(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const InstructionSet* const set : sets) {
    if (const MachineDescription* const found = find_description(set->machines(), lower)) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace hardclock
