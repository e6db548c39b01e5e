#include "sim/cli/instruction_sets.h"

#include <array>

#include "isa/mips/cpu.h"
#include "isa/mips/disassembly.h"
#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/disassembly.h"
#include "sim/base/check.h"
#include "sim/timing/description_library.h"

namespace hardclock {
namespace {

namespace mips_set {

mips::Mode mode_of(const Image& image) {
  return mips::mode_of_program(image.flags, image.address_bits);
}

Result<const CpuDescription*, std::string> default_cpu(const Image& image) {
  if (const CpuDescription* const cpu = mips::default_cpu(image.flags)) return cpu;
  return Failure{std::string(
      "the program is compiled for MIPS V, MIPS release 6 or an unknown processor, which is not "
      "simulated; compile it with -mips1 to -mips4 or -march=mips32r2 or mips64r2")};
}

std::optional<std::string> objection(const CpuDescription& cpu, const Image& image) {
  if (mips::supports(cpu, mode_of(image))) return std::nullopt;
  return "the program needs 64-bit registers, which " + cpu.name +
         " does not have; choose another --cpu";
}

std::unique_ptr<Cpu> make_cpu(const CpuDescription& cpu, const Image& image, AddressSpace& memory,
                              const CpuRequest& request) {
  return mips::make_cpu(cpu, memory,
                        {.functional = request.functional || cpu.functional(),
                         .emulates_rdhwr = image.is_linux,
                         .memory = request.memory,
                         .mode = mode_of(image)});
}

Disassembler disassembler(const Image&) {
  return mips::disassemble;
}

}  // namespace mips_set

namespace pa_risc_set {

// The page on which Linux has its gateway; in the space that is the kernel's, not the program's.
constexpr GuestAddr linux_gateway(0);

bool is_wide(const Image& image) {
  return image.address_bits == 64;
}

Result<const CpuDescription*, std::string> default_cpu(const Image& image) {
  if (const CpuDescription* const cpu = pa_risc::default_cpu(image.flags)) return cpu;
  return Failure{
      std::string("the program is compiled for an unknown PA-RISC; there are 1.0, 1.1 and 2.0: "
                  "check the file")};
}

std::optional<std::string> objection(const CpuDescription& cpu, const Image& image) {
  if (pa_risc::supports(cpu, image.flags, {.wide = is_wide(image)})) return std::nullopt;
  return "the program is compiled for " + std::string(pa_risc::architecture_name(image.flags)) +
         ", which " + cpu.name + " is not; choose another --cpu";
}

std::unique_ptr<Cpu> make_cpu(const CpuDescription& cpu, const Image& image, AddressSpace& memory,
                              const CpuRequest& request) {
  pa_risc::Mode mode{.wide = is_wide(image)};
  if (image.is_linux) mode.gateway_page = linux_gateway;
  return pa_risc::make_cpu(cpu, memory,
                           {.functional = request.functional || cpu.functional(),
                            .memory = request.memory,
                            .mode = mode});
}

std::string disassemble_narrow(std::uint32_t word, GuestAddr pc) {
  return pa_risc::disassemble(word, pc, false);
}
std::string disassemble_wide(std::uint32_t word, GuestAddr pc) {
  return pa_risc::disassemble(word, pc, true);
}
Disassembler disassembler(const Image& image) {
  return is_wide(image) ? disassemble_wide : disassemble_narrow;
}

}  // namespace pa_risc_set

constexpr std::array sets = {
    InstructionSet{Machine::mips, "MIPS", mips::cpus, mips::machines, mips_set::default_cpu,
                   mips_set::objection, mips_set::make_cpu, mips_set::disassembler},
    InstructionSet{Machine::pa_risc, "PA-RISC", pa_risc::cpus, pa_risc::machines,
                   pa_risc_set::default_cpu, pa_risc_set::objection, pa_risc_set::make_cpu,
                   pa_risc_set::disassembler},
};

}  // namespace

std::span<const InstructionSet> instruction_sets() {
  return sets;
}

std::string instruction_set_names() {
  std::string names;
  for (const InstructionSet& set : sets) {
    names += (names.empty() ? "" : " or ") + std::string(set.name);
  }
  return names;
}

const InstructionSet* find_instruction_set(Machine machine) {
  for (const InstructionSet& set : sets) {
    if (set.machine == machine) return &set;
  }
  return nullptr;
}

const InstructionSet& instruction_set_of(const CpuDescription& cpu) {
  for (const InstructionSet& set : sets) {
    for (const CpuDescription& each : set.cpus()) {
      if (&each == &cpu) return set;
    }
  }
  CHECK(false);
  return sets.front();
}

const CpuDescription* find_cpu(std::string_view name) {
  for (const InstructionSet& set : sets) {
    if (const CpuDescription* const cpu = find_description(set.cpus(), name)) return cpu;
  }
  return nullptr;
}

const MachineDescription* find_machine(std::string_view name) {
  for (const InstructionSet& set : sets) {
    if (const MachineDescription* const found = find_description(set.machines(), name))
      return found;
  }
  return nullptr;
}

}  // namespace hardclock
