#include "isa/mips/instruction_set.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/code_words.h"
#include "isa/mips/any_level.h"
#include "isa/mips/call_numbers.h"
#include "isa/mips/cpu.h"
#include "isa/mips/debug_registers.h"
#include "isa/mips/disassembly.h"
#include "isa/mips/gp_prologue.h"
#include "isa/mips/registers.h"
#include "isa/word_disassembler.h"

namespace hardclock::mips {
namespace {

Mode mode_of(const Image& image) { return mode_of_program(image.flags, image.address_bits); }

Result<const CpuDescription*, std::string> default_cpu_of(std::span<const Image* const> files) {
  std::vector<std::uint32_t> flags;
  Mode widest;
  for (const Image* const file : files) {
    const Mode mode = mode_of(*file);
    flags.push_back(file->flags);
    widest.operation_bits = std::max(widest.operation_bits, mode.operation_bits);
    widest.address_bits = std::max(widest.address_bits, mode.address_bits);
    widest.fr = widest.fr || mode.fr;
  }
  if (const auto* const cpu = default_cpu(flags, widest)) return cpu;
  return Failure{std::string(
      "the program is compiled for MIPS V, MIPS release 6 or an unknown processor, which is not "
      "simulated; compile it with -mips1 to -mips4 or -march=mips32r2 or mips64r2")};
}

// The words of the file's code, where it says where that is, until visit(word) is false.
template <class Visit>
void visit_code_words(const Image& file, Visit visit) {
  for (const CodeRange& range : file.code) {
    const CodeWords words(file, range);
    for (std::uint64_t i = 0; i < words.count(); ++i) {
      if (!visit(words[i])) return;
    }
  }
}

// The mark of a file is the highest of what it was linked from, and says what there may be in it:
// crtn.o of IRIX 5.3 makes every program one for MIPS II, and they ran on an R3000. What there is,
// its code tells.
bool has_foreign_code(const CpuDescription& cpu, const Image& file, const CpuRequest& request) {
  if (has_architecture(cpu, file.flags)) return false;
  if (file.code.empty()) return true;
  const InstructionCheck check(cpu, {.emulates_rdhwr = request.emulates_thread_pointer});
  bool has_all = true;
  visit_code_words(file, [&](InstructionWord word) { return has_all = check.has(word); });
  return !has_all;
}

std::string built_for(const Image& file) { return std::string(architecture_name(file.flags)); }

std::uint64_t count_foreign(const CpuDescription& cpu, const Image& file) {
  const InstructionCheck check(cpu, {});
  std::uint64_t count = 0;
  visit_code_words(file, [&](InstructionWord word) {
    count += check.has(word) ? 0 : 1;
    return true;
  });
  return count;
}

std::optional<std::string> objection(const CpuDescription& cpu, const Image& file,
                                     const CpuRequest& request) {
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
                   .emulates_rdhwr = request.emulates_thread_pointer,
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

const debug::RegisterSet& registers_of_image(const Image&) { return debug_registers(); }

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
    .count_foreign = count_foreign,
    .call_numbers = call_numbers,
    .debug_registers = registers_of_image,
    .inner_entry = behind_gp_prologue,
};

}  // namespace hardclock::mips
