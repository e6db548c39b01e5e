#include "isa/mips/call_numbers.h"

#include <algorithm>
#include <optional>
#include <set>

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

// The number of the call at word `i`; nullopt: it comes from elsewhere.
std::optional<std::uint32_t> number_of_call(const CodeWords& words, std::uint64_t i) {
  constexpr std::uint64_t most_before = 6;
  for (std::uint64_t back = 1; back <= std::min(i, most_before); ++back) {
    if (const auto number = constant_in_v0(words[i - back])) return number;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> call_numbers(const Image& file) {
  std::set<std::uint32_t> numbers;
  for (const CodeRange& range : file.code) {
    const CodeWords words(file, range);
    for (std::uint64_t i = 0; i < words.count(); ++i) {
      if (decode(words[i]).opcode != Opcode::syscall) continue;
      if (const auto number = number_of_call(words, i)) numbers.insert(*number);
    }
  }
  return std::vector<std::uint32_t>(numbers.begin(), numbers.end());
}

}  // namespace hardclock::mips
