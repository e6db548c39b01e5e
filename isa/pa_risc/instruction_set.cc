#include "isa/pa_risc/instruction_set.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "isa/pa_risc/call_numbers.h"
#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/debug_registers.h"
#include "isa/pa_risc/disassembly.h"
#include "isa/pa_risc/registers.h"
#include "isa/word_disassembler.h"

namespace hardclock::pa_risc {
namespace {

bool is_wide(const Image& image) { return image.address_bits == 64; }

bool runs(const CpuDescription& cpu, const Image& file) {
  return supports(cpu, file.flags, {.wide = is_wide(file)});
}

// That of the file which asks most.
Result<const CpuDescription*, std::string> default_cpu_of(std::span<const Image* const> files) {
  for (const Image* const file : files) {
    const CpuDescription* const cpu = default_cpu(file->flags);
    const auto is_run = [cpu](const Image* each) { return runs(*cpu, *each); };
    if (cpu != nullptr && std::ranges::all_of(files, is_run)) return cpu;
  }
  return Failure{
      std::string("the program is compiled for an unknown PA-RISC; there are 1.0, 1.1 and 2.0: "
                  "check the file")};
}

std::optional<std::string> objection(const CpuDescription& cpu, const Image& file,
                                     const CpuRequest&) {
  if (runs(cpu, file)) return std::nullopt;
  return "is compiled for " + std::string(architecture_name(file.flags)) + ", which " + cpu.name +
         " is not";
}

std::string register_name(Resource resource) {
  if (resource < fpr_left_resource(0)) return std::string(general_register_name(resource));
  if (resource < space_resource(0)) return fpr_half_name(resource - fpr_left_resource(0));
  if (resource < space_resource(8)) return "sr" + std::to_string(resource - space_resource(0));
  return resource == shift_amount_resource ? "sar" : "a register";
}

std::string built_for(const Image& file) { return std::string(architecture_name(file.flags)); }

std::string how_to_compile(const CpuDescription&) { return "for an older PA-RISC"; }

std::unique_ptr<Cpu> make_requested(const CpuDescription& cpu, const Image& image,
                                    AddressSpace& memory, const CpuRequest& request) {
  Mode mode{.wide = is_wide(image)};
  if (request.gateway_page) mode.gateway_page = *request.gateway_page;
  return make_cpu(cpu, memory,
                  {.functional = request.functional || cpu.functional(),
                   .memory = request.memory,
                   .mode = mode,
                   .translation = request.translation});
}

std::unique_ptr<const Disassembler> disassembler(const Image& image) {
  return make_word_disassembler(image.endian,
                                [wide = is_wide(image)](InstructionWord word, GuestAddr pc) {
                                  return disassemble(word, pc, wide);
                                });
}

std::unique_ptr<const Disassembler> executed(const CpuDescription&, const Image& image) {
  return disassembler(image);
}

const debug::RegisterSet& registers_of_image(const Image& image) {
  return debug_registers({.wide = is_wide(image)});
}

}  // namespace

constinit const InstructionSet instruction_set{
    .architecture = Architecture::pa_risc,
    .name = "PA-RISC",
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
    .built_for = built_for,
    .call_numbers = call_numbers,
    .debug_registers = registers_of_image,
};

}  // namespace hardclock::pa_risc
