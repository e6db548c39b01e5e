#include "sim/cli/instruction_sets.h"

#include <algorithm>
#include <array>

#include "isa/mips/cpu.h"
#include "isa/mips/disassembly.h"
#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/disassembly.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/cli/values.h"
#include "sim/timing/description_library.h"

namespace hardclock {
namespace {

namespace mips_set {

mips::Mode mode_of(const Image& image) {
  return mips::mode_of_program(image.flags, image.address_bits);
}

Result<const CpuDescription*, std::string> default_cpu(std::span<const Image* const> files) {
  std::vector<std::uint32_t> flags;
  mips::Mode widest;
  for (const Image* const file : files) {
    const mips::Mode mode = mode_of(*file);
    flags.push_back(file->flags);
    widest.operation_bits = std::max(widest.operation_bits, mode.operation_bits);
    widest.address_bits = std::max(widest.address_bits, mode.address_bits);
    widest.fr = widest.fr || mode.fr;
  }
  if (const auto* const cpu = mips::default_cpu(flags, widest)) return cpu;
  return Failure{std::string(
      "the program is compiled for MIPS V, MIPS release 6 or an unknown processor, which is not "
      "simulated; compile it with -mips1 to -mips4 or -march=mips32r2 or mips64r2")};
}

// The words of the file's code, where it says where that is.
template <class Visit>
bool any_code_word(const Image& file, Visit visit) {
  for (const CodeRange& range : file.code) {
    const Segment* const segment = find_segment(file.segments, range.start);
    const std::uint64_t offset = range.start - segment->address;
    for (std::uint64_t at = 0; at + 4 <= range.size; at += 4) {
      if (visit(load_bytes<std::uint32_t>(&segment->bytes[offset + at], file.endian))) return true;
    }
  }
  return false;
}

// The mark of a file is the highest of what it was linked from, and says what there may be in it:
// crtn.o of IRIX 5.3 makes every program one for MIPS II, and they ran on an R3000. What there is,
// its code tells.
bool has_foreign_code(const CpuDescription& cpu, const Image& file) {
  if (mips::has_architecture(cpu, file.flags)) return false;
  if (file.code.empty()) return true;
  const mips::InstructionCheck check(cpu,
                                     {.emulates_rdhwr = file.is_linux || file.is_of_gnu_tools});
  return any_code_word(file, [&](std::uint32_t word) { return !check.has(word); });
}

std::optional<std::string> objection(const CpuDescription& cpu, const Image& file) {
  if (!mips::supports(cpu, mode_of(file))) {
    return "needs 64-bit registers, which the " + cpu.name + " does not have";
  }
  if (!has_foreign_code(cpu, file)) return std::nullopt;
  return "is for " + std::string(mips::architecture_name(file.flags)) + ", the " + cpu.name +
         " has " + std::string(mips::architecture_name(cpu));
}

std::string how_to_compile(const CpuDescription& cpu) {
  return "with " + mips::compiler_option(cpu);
}

std::unique_ptr<Cpu> make_cpu(const CpuDescription& cpu, const Image& image, AddressSpace& memory,
                              const CpuRequest& request) {
  return mips::make_cpu(cpu, memory,
                        {.functional = request.functional || cpu.functional(),
                         .emulates_rdhwr = image.is_linux || image.is_of_gnu_tools,
                         .memory = request.memory,
                         .mode = mode_of(image)});
}

Disassembler disassembler(const Image&) {
  return mips::disassemble;
}

std::function<std::string(std::uint32_t, GuestAddr)> executed(const CpuDescription& cpu,
                                                              const Image&) {
  return [check = mips::InstructionCheck(cpu, {})](std::uint32_t word, GuestAddr pc) {
    return mips::disassemble(check.executed_word(word), pc);
  };
}

}  // namespace mips_set

namespace pa_risc_set {

// The page on which Linux has its gateway; in the space that is the kernel's, not the program's.
constexpr GuestAddr linux_gateway(0);

bool is_wide(const Image& image) {
  return image.address_bits == 64;
}

bool runs(const CpuDescription& cpu, const Image& file) {
  return pa_risc::supports(cpu, file.flags, {.wide = is_wide(file)});
}

// That of the file which asks most.
Result<const CpuDescription*, std::string> default_cpu(std::span<const Image* const> files) {
  for (const Image* const file : files) {
    const CpuDescription* const cpu = pa_risc::default_cpu(file->flags);
    const auto is_run = [cpu](const Image* each) { return runs(*cpu, *each); };
    if (cpu != nullptr && std::ranges::all_of(files, is_run)) return cpu;
  }
  return Failure{
      std::string("the program is compiled for an unknown PA-RISC; there are 1.0, 1.1 and 2.0: "
                  "check the file")};
}

std::optional<std::string> objection(const CpuDescription& cpu, const Image& file) {
  if (runs(cpu, file)) return std::nullopt;
  return "is compiled for " + std::string(pa_risc::architecture_name(file.flags)) + ", which " +
         cpu.name + " is not";
}

std::string how_to_compile(const CpuDescription&) {
  return "for an older PA-RISC";
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

std::function<std::string(std::uint32_t, GuestAddr)> executed(const CpuDescription&,
                                                              const Image& image) {
  return disassembler(image);
}

}  // namespace pa_risc_set

constexpr std::array sets = {
    InstructionSet{Machine::mips, "MIPS", mips::cpus, mips::machines, mips_set::default_cpu,
                   mips_set::objection, mips_set::how_to_compile, mips_set::make_cpu,
                   mips_set::disassembler, mips_set::executed},
    InstructionSet{Machine::pa_risc, "PA-RISC", pa_risc::cpus, pa_risc::machines,
                   pa_risc_set::default_cpu, pa_risc_set::objection, pa_risc_set::how_to_compile,
                   pa_risc_set::make_cpu, pa_risc_set::disassembler, pa_risc_set::executed},
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
  const std::string lower = lower_case(name);
  for (const InstructionSet& set : sets) {
    if (const CpuDescription* const cpu = find_description(set.cpus(), lower)) return cpu;
  }
  return nullptr;
}

const MachineDescription* find_machine(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const InstructionSet& set : sets) {
    if (const MachineDescription* const found = find_description(set.machines(), lower))
      return found;
  }
  return nullptr;
}

}  // namespace hardclock
