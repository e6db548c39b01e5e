#include "isa/pa_risc/instruction_set.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isa/code_words.h"
#include "isa/pa_risc/call_numbers.h"
#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/debug_registers.h"
#include "isa/pa_risc/disassembly.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "isa/pa_risc/registers.h"
#include "isa/undecoded.h"
#include "isa/word_disassembler.h"
#include "sim/base/check.h"
#include "sim/debug/checked_cpu.h"

namespace hardclock::pa_risc {
namespace {

bool is_wide(const Image& image) { return image.address_bits == 64; }

bool runs(const CpuDescription& cpu, const Image& file) {
  return supports(cpu, file.flags, {.wide = is_wide(file)});
}

// What a processor makes of instruction words.
class Decoding {
 public:
  explicit Decoding(const CpuDescription& cpu) {
    for (std::size_t i = 0; i < level_count; ++i) {
      if (cpu.isa == level_name(static_cast<Level>(i))) level_ = static_cast<Level>(i);
    }
    auto undecoded = read_undecoded(cpu);
    CHECK(undecoded.ok());  // mistake_in() has found none
    undecoded_ = *std::move(undecoded);
  }

  InstructionWord executed(InstructionWord word) const {
    return without_undecoded(undecoded_, word);
  }
  // True for a word that is not an instruction at any level.
  bool has(InstructionWord word) const {
    const Opcode opcode = decode(executed(word)).opcode;
    return opcode == Opcode::invalid || available(opcode, level_);
  }

 private:
  Level level_{};
  std::vector<UndecodedBits> undecoded_;
};

bool is_instruction(InstructionWord word) { return decode(word).opcode != Opcode::invalid; }

// Whether the code of a file of GNU's tools for Linux is a later processor's, against its mark:
// bash of Gentoo in 2006 is marked 1.1, and has 13000 of 2.0's instructions. Code that asks the
// processor first, such as OpenSSL's, is a small part. A part of the words, evenly spread, will do.
bool understates(const CpuDescription& cpu, const Image& file) {
  constexpr std::uint64_t most_words = 4096, one_in = 50;
  if (!file.is_linux && !file.is_of_gnu_tools) return false;
  const Decoding decoding(cpu);
  std::uint64_t all = 0, seen = 0, foreign = 0;
  for (const CodeRange& range : file.code) all += range.size / sizeof(InstructionWord);
  const std::uint64_t step = 1 + all / most_words;
  for (const CodeRange& range : file.code) {
    const CodeWords words(file, range);
    for (std::uint64_t i = 1; i + 1 < words.count(); i += step) {
      ++seen;
      if (decoding.has(words[i])) continue;
      if (is_instruction(words[i - 1]) && is_instruction(words[i + 1])) ++foreign;
    }
  }
  return foreign * one_in > seen;
}

constexpr std::uint32_t pa2_0_mark = 0x214;

// That of the file which asks most, by its mark or by its code.
Result<const CpuDescription*, std::string> default_cpu_of(std::span<const Image* const> files) {
  for (const Image* const file : files) {
    const CpuDescription* const cpu = default_cpu(file->flags);
    const auto is_run = [cpu](const Image* each) { return runs(*cpu, *each); };
    if (cpu == nullptr || !std::ranges::all_of(files, is_run)) continue;
    const auto is_too_much = [cpu](const Image* each) { return understates(*cpu, *each); };
    return std::ranges::any_of(files, is_too_much) ? default_cpu(pa2_0_mark) : cpu;
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

std::unique_ptr<const Disassembler> executed(const CpuDescription& cpu, const Image& image) {
  return make_word_disassembler(image.endian, [wide = is_wide(image), decoding = Decoding(cpu)](
                                                  InstructionWord word, GuestAddr pc) {
    return disassemble(decoding.executed(word), pc, wide);
  });
}

ForeignCode foreign_code(const CpuDescription& cpu, const Image& file, const CpuRequest&) {
  return find_foreign_code(file, is_instruction, [decoding = Decoding(cpu)](InstructionWord word) {
    return decoding.has(word);
  });
}

bool has_instruction(const CpuDescription& cpu, const Image& file, std::uint32_t word) {
  return is_instruction(word) && runs(cpu, file) && Decoding(cpu).has(word);
}

// The default of programs below 2.0, then those that have more.
constexpr const char* usual_cpus[] = {"pa7100", "pa7100lc", "pa8000"};

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
    .foreign_code = foreign_code,
    .has_instruction = has_instruction,
    .usual_cpus = usual_cpus,
    .call_numbers = call_numbers,
    .debug_registers = registers_of_image,
    .make_checked_cpu = debug::make_checked_cpu<CpuBase>,
};

}  // namespace hardclock::pa_risc
