#include "isa/foreign_instruction.h"

#include <algorithm>
#include <array>

#include "isa/instruction_sets.h"
#include "sim/base/endian.h"

namespace hardclock {
namespace {

std::string text_of(const InstructionSet& set, const Image& file, std::uint32_t word,
                    GuestAddr pc) {
  InstructionText text;
  text.address = pc;
  text.length = sizeof word;
  store_bytes(text.bytes.data(), word, file.endian);
  std::string written = set.disassembler(file)->disassemble(text);
  std::ranges::replace(written, '\t', ' ');
  return written;
}

}  // namespace

std::string who_has_instruction(const CpuDescription& cpu, const Image& file, std::uint32_t word,
                                GuestAddr pc) {
  const InstructionSet* const set = find_instruction_set(file.architecture);
  if (set == nullptr || set->has_instruction == nullptr) return {};
  if (set->has_instruction(cpu, file, word)) return {};
  const std::string text = text_of(*set, file, word, pc);
  for (const std::string name : set->usual_cpus) {
    if (!set->has_instruction(*set->find_cpu(name), file, word)) continue;
    return text + ": the " + name + " has it, --cpu=" + name;
  }
  return text + ": no processor here has it in such a program";
}

std::string who_has_instruction(const CpuDescription& cpu, const Image& file, AddressSpace& memory,
                                GuestAddr pc) {
  std::array<std::uint8_t, sizeof(std::uint32_t)> bytes{};
  if (!memory.examine(pc, bytes)) return {};
  return who_has_instruction(cpu, file, load_bytes<std::uint32_t>(bytes.data(), file.endian), pc);
}

}  // namespace hardclock
