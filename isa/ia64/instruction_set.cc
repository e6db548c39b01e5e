#include "isa/ia64/instruction_set.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "isa/ia64/call_numbers.h"
#include "isa/ia64/cpu.h"
#include "isa/ia64/debug_registers.h"
#include "isa/ia64/dependencies.h"
#include "isa/ia64/disassembly.h"
#include "isa/ia64/resources.h"
#include "sim/base/check.h"
#include "sim/debug/checked_cpu.h"

namespace hardclock::ia64 {
namespace {

// A file does not say which instructions it has: the generic processor has them all.
Result<const CpuDescription*, std::string> default_cpu_of(std::span<const Image* const>) {
  const CpuDescription* const cpu = find_cpu("ia64");
  CHECK(cpu != nullptr);
  return cpu;
}

std::optional<std::string> objection(const CpuDescription&, const Image&, const CpuRequest&) {
  return std::nullopt;
}

std::string register_name(Resource resource) {
  const auto name = [resource](const char* file, Resource first) {
    return file + std::to_string(resource - first);
  };
  if (resource < nat_resource(0)) return name("r", gr_resource(0));
  if (resource < significand_resource(0)) return name("r", nat_resource(0));
  if (resource < exponent_resource(0)) return name("f", significand_resource(0));
  if (resource < br_resource(0)) return name("f", exponent_resource(0));
  if (resource < kernel_resource(0)) return name("b", br_resource(0));
  const bool is_predicate = resource >= predicate_resource(0) && resource < predicate_resource(64);
  return is_predicate ? name("p", predicate_resource(0)) : "a register";
}

std::string how_to_compile(const CpuDescription&) { return "for an older Itanium"; }

std::unique_ptr<Cpu> make_requested(const CpuDescription& cpu, const Image&, AddressSpace& memory,
                                    const CpuRequest& request) {
  CpuOptions options{.functional = request.functional || cpu.functional(),
                     .memory = request.memory,
                     .translation = request.translation};
  if (request.gateway_page) options.gateway = request.gateway_page->value();
  return make_cpu(cpu, memory, options);
}

std::unique_ptr<const Disassembler> disassembler(const Image&) { return make_disassembler(); }

std::unique_ptr<const Disassembler> executed(const CpuDescription&, const Image& image) {
  return disassembler(image);
}

constexpr Check checks[] = {
    {"dependencies", "illegal dependencies within an instruction group", with_dependency_check},
};

const debug::RegisterSet& registers_of_image(const Image&) { return debug_registers(); }

}  // namespace

constinit const InstructionSet instruction_set{
    .architecture = Architecture::ia64,
    .name = "IA-64",
    .cpus = cpus,
    .find_cpu = find_cpu,
    .has_level = has_level,
    .machines = machines,
    .mistake_in = mistake_in,
    .default_cpu = default_cpu_of,
    .objection = objection,
    .how_to_compile = how_to_compile,
    .make_cpu = make_requested,
    .disassembler = disassembler,
    .executed = executed,
    .register_name = register_name,
    .checks = checks,
    .call_numbers = call_numbers,
    .debug_registers = registers_of_image,
    .make_checked_cpu = debug::make_checked_cpu<CpuBase>,
};

}  // namespace hardclock::ia64
