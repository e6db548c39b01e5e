#include "isa/mips/instruction_set.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/code_words.h"
#include "isa/mips/any_level.h"
#include "isa/mips/call_numbers.h"
#include "isa/mips/cpu.h"
#include "isa/mips/debug_registers.h"
#include "isa/mips/disassembly.h"
#include "isa/mips/gp_prologue.h"
#include "isa/mips/mips_decode.h"
#include "isa/mips/registers.h"
#include "isa/word_disassembler.h"
#include "sim/debug/checked_cpu.h"

namespace hardclock::mips {
namespace {

Mode mode_of(const Image& image) { return mode_of_program(image.flags, image.address_bits); }

// What e_flags say of a file's code besides its level, where no processor here has it:
// EF_MIPS_ARCH_ASE and EF_MIPS_MACH (GNU binutils 2.40, include/elf/mips.h).
struct Extension {
  std::uint32_t mask;
  std::uint32_t mark;
  std::string_view name;
};
constexpr std::uint32_t ef_mips_mach = 0x00ff0000;
constexpr Extension extensions[] = {
    {0x02000000, 0x02000000, "microMIPS"},     {0x04000000, 0x04000000, "MIPS16"},
    {0x08000000, 0x08000000, "MDMX"},          {ef_mips_mach, 0x00840000, "Allegrex"},
    {ef_mips_mach, 0x008b0000, "Octeon"},      {ef_mips_mach, 0x008c0000, "XLR"},
    {ef_mips_mach, 0x008d0000, "Octeon 2"},    {ef_mips_mach, 0x008e0000, "Octeon 3"},
    {ef_mips_mach, 0x00910000, "VR5400"},      {ef_mips_mach, 0x00920000, "R5900"},
    {ef_mips_mach, 0x00930000, "interAptiv"},  {ef_mips_mach, 0x00980000, "VR5500"},
    {ef_mips_mach, 0x00a00000, "Loongson 2E"}, {ef_mips_mach, 0x00a10000, "Loongson 2F"},
    {ef_mips_mach, 0x00a20000, "GS464"},       {ef_mips_mach, 0x00a30000, "GS464E"},
    {ef_mips_mach, 0x00a40000, "GS264E"},
};

// Null: none is known.
const Extension* extension_of(const Image& file) {
  const auto found = std::ranges::find_if(
      extensions, [&file](const Extension& each) { return (file.flags & each.mask) == each.mark; });
  return found == std::end(extensions) ? nullptr : &*found;
}

std::string built_for(const Image& file) {
  const Extension* const extension = extension_of(file);
  return std::string(architecture_name(file.flags)) +
         (extension == nullptr ? "" : " with " + std::string(extension->name));
}

// As the rest of a sentence; nullopt: some processor here is for such files.
std::optional<std::string> what_is_not_simulated(const Image& file) {
  const Mode widest{.operation_bits = 64, .address_bits = 64, .fr = true};
  if (extension_of(file) == nullptr && default_cpu(std::span(&file.flags, 1), widest) != nullptr) {
    return std::nullopt;
  }
  return "is for " + built_for(file) + ", which is not simulated";
}

// Whether programs of the mode can have the instruction; false for what is none.
bool is_for_mode(InstructionWord word, const Mode& mode) {
  const Opcode opcode = decode(word).opcode;
  if (opcode == Opcode::invalid) return false;
  if (mode.operation_bits == 32 && needs(opcode, Feature::wide)) return false;
  return mode.fr || !needs(opcode, Feature::fr);
}

ForeignCode foreign_code(const CpuDescription& cpu, const Image& file, const CpuRequest& request) {
  const InstructionCheck check(cpu, {.emulates_instructions = request.emulates_instructions});
  const auto can_be = [mode = mode_of(file)](InstructionWord word) {
    return is_for_mode(word, mode);
  };
  return find_foreign_code(file, can_be, [&](InstructionWord word) { return check.has(word); });
}

// GNU's assembler marks a file by its options, whatever `.set` lets into the code: glibc of 2012 is
// marked MIPS I and has branches likely, for which no kernel steps in. Other files' marks hold:
// IRIX's have code for later processors, and ask first.
bool understates(const CpuDescription& cpu, const Image& file) {
  if (!file.is_linux && !file.is_of_gnu_tools) return false;
  return foreign_code(cpu, file, {.emulates_instructions = true}).count != 0;
}

// The first from `marked` on that has all of the files' code; `marked`, which has all that their
// marks allow, if none has. Files for MIPS32 and later are not looked at.
const CpuDescription* suitable_for_code(const CpuDescription* marked,
                                        std::span<const Image* const> files, const Mode& mode) {
  if (compiler_option(*marked).starts_with("-march")) return marked;
  const auto from = std::ranges::find(default_cpus, marked->name);
  for (const char* const name : std::span(from, std::end(default_cpus))) {
    const CpuDescription* const cpu = find_cpu(name);
    const auto is_too_much = [cpu](const Image* file) { return understates(*cpu, *file); };
    if (supports(*cpu, mode) && std::ranges::none_of(files, is_too_much)) return cpu;
  }
  return marked;
}

Result<const CpuDescription*, std::string> default_cpu_of(std::span<const Image* const> files) {
  std::vector<std::uint32_t> flags;
  Mode widest;
  for (const Image* const file : files) {
    if (const auto what = what_is_not_simulated(*file)) {
      return Failure{(file == files.front() ? "the program " : "a library of the program ") +
                     *what + "; compile it with -mips1 to -mips4 or -march=mips32r2 or mips64r2"};
    }
    const Mode mode = mode_of(*file);
    flags.push_back(file->flags);
    widest.operation_bits = std::max(widest.operation_bits, mode.operation_bits);
    widest.address_bits = std::max(widest.address_bits, mode.address_bits);
    widest.fr = widest.fr || mode.fr;
  }
  if (const auto* const cpu = default_cpu(flags, widest)) {
    return suitable_for_code(cpu, files, widest);
  }
  return Failure{std::string(
      "the program and its libraries are for different processors, and none is like all of them; "
      "compile them with the same one of -mips1 to -mips4, -march=mips32r2 or mips64r2")};
}

// The mark of a file is the highest of what it was linked from, and says what there may be in it:
// crtn.o of IRIX 5.3 makes every program one for MIPS II, and they ran on an R3000. What there is,
// its code tells.
bool has_foreign_code(const CpuDescription& cpu, const Image& file, const CpuRequest& request) {
  if (has_architecture(cpu, file.flags)) return false;
  return file.code.empty() || foreign_code(cpu, file, request).count != 0;
}

bool has_instruction(const CpuDescription& cpu, const Image& file, std::uint32_t word) {
  const Mode mode = mode_of(file);
  return is_for_mode(word, mode) && supports(cpu, mode) && InstructionCheck(cpu, {}).has(word);
}

std::optional<std::string> objection(const CpuDescription& cpu, const Image& file,
                                     const CpuRequest& request) {
  if (const auto what = what_is_not_simulated(file)) return what;
  if (!supports(cpu, mode_of(file))) {
    return "needs 64-bit registers, which the " + cpu.name + " does not have";
  }
  if (!has_foreign_code(cpu, file, request)) return std::nullopt;
  return "is for " + std::string(architecture_name(file.flags)) + ", the " + cpu.name + " has " +
         std::string(architecture_name(cpu));
}

std::string register_name(Resource resource) {
  if (resource < fpr_resource(0)) return std::string(general_register_name(resource));
  if (resource < hi_resource) return "$f" + std::to_string(resource - fpr_resource(0));
  if (resource == hi_resource) return "hi";
  if (resource == lo_resource) return "lo";
  if (resource == fcsr_resource) return "c1_fcsr";
  if (resource < link_resource) return "$fcc" + std::to_string(resource - fp_condition_resource(0));
  return "a register";
}

std::string how_to_compile(const CpuDescription& cpu) { return "with " + compiler_option(cpu); }

std::unique_ptr<Cpu> make_requested(const CpuDescription& cpu, const Image& image,
                                    AddressSpace& memory, const CpuRequest& request) {
  return make_cpu(cpu, memory,
                  {.functional = request.functional || cpu.functional(),
                   .translation = request.translation,
                   .emulates_instructions = request.emulates_instructions,
                   .memory = request.memory,
                   .mode = mode_of(image)});
}

std::unique_ptr<const Disassembler> disassembler(const Image& image) {
  return make_word_disassembler(image.endian, disassemble);
}

std::unique_ptr<const Disassembler> executed(const CpuDescription& cpu, const Image& image) {
  return make_word_disassembler(
      image.endian, [check = InstructionCheck(cpu, {})](InstructionWord word, GuestAddr pc) {
        return disassemble(check.executed_word(word), pc);
      });
}

const debug::RegisterSet& registers_of_image(const Image& image) {
  return debug_registers(mode_of(image));
}

}  // namespace

constinit const InstructionSet instruction_set{
    .architecture = Architecture::mips,
    .name = "MIPS",
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
    .with_any_level = with_any_level,
    .built_for = built_for,
    .foreign_code = foreign_code,
    .has_instruction = has_instruction,
    .usual_cpus = default_cpus,
    .call_numbers = call_numbers,
    .debug_registers = registers_of_image,
    .inner_entry = behind_gp_prologue,
    .make_checked_cpu = debug::make_checked_cpu<CpuBase>,
};

}  // namespace hardclock::mips
