#include "isa/mips/call_numbers.h"

#include <algorithm>
#include <optional>

#include "isa/code_words.h"
#include "isa/mips/mips_decode.h"

namespace hardclock::mips {
namespace {

constexpr std::uint8_t zero = 0, v0 = 2;

// LI, which is ADDIU or ORI of zero.
std::optional<std::uint32_t> constant_in_v0(InstructionWord word) {
  const Instruction instruction = decode(word);
  if (instruction.opcode == Opcode::addiu) {
    const Rri& li = instruction.operands.rri;
    if (li.rt == v0 && li.rs == zero && li.imm >= 0) return static_cast<std::uint32_t>(li.imm);
  }
  if (instruction.opcode == Opcode::ori) {
    const Rru& li = instruction.operands.rru;
    if (li.rt == v0 && li.rs == zero) return li.uimm;
  }
  return std::nullopt;
}

// The number of the call at word `i`; nullopt: there is none, or the number comes from elsewhere.
std::optional<std::uint32_t> number_of_call(const CodeWords& words, std::uint64_t i) {
  constexpr std::uint64_t most_before = 6;
  if (decode(words[i]).opcode != Opcode::syscall) return std::nullopt;
  for (std::uint64_t back = 1; back <= std::min(i, most_before); ++back) {
    if (const auto number = constant_in_v0(words[i - back])) return number;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> call_numbers(const Image& file) {
  return numbers_in_code(file, number_of_call);
}

}  // namespace hardclock::mips
