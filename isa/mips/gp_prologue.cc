#include "isa/mips/gp_prologue.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/instruction_word.h"
#include "isa/mips/mips_decode.h"
#include "sim/base/endian.h"

namespace hardclock::mips {
namespace {

constexpr std::size_t prologue_words = 3;
using Words = std::array<InstructionWord, prologue_words>;

constexpr std::uint8_t t9 = 25, gp = 28;

bool sets_high_half(InstructionWord word) {
  const Instruction instruction = decode(word);
  return instruction.opcode == Opcode::lui && instruction.operands.ru.rt == gp;
}

bool adds_low_half(InstructionWord word) {
  const Instruction instruction = decode(word);
  if (instruction.opcode != Opcode::addiu && instruction.opcode != Opcode::daddiu) return false;
  return instruction.operands.rri.rt == gp && instruction.operands.rri.rs == gp;
}

// The function's own, which its caller leaves in t9.
bool adds_own_address(InstructionWord word) {
  const Instruction instruction = decode(word);
  if (instruction.opcode != Opcode::addu && instruction.opcode != Opcode::daddu) return false;
  return instruction.operands.rrr == Rrr{.rd = gp, .rs = gp, .rt = t9};
}

bool is_gp_prologue(const Words& words) {
  if (!sets_high_half(words[0])) return false;
  return (adds_low_half(words[1]) && adds_own_address(words[2])) ||
         (adds_own_address(words[1]) && adds_low_half(words[2]));
}

}  // namespace

std::optional<GuestAddr> behind_gp_prologue(const Image& file, GuestAddr function) {
  const Segment* const segment = find_segment(file.segments, function);
  if (segment == nullptr) return std::nullopt;
  const std::uint64_t offset = function - segment->address;
  if (offset > segment->bytes.size() || segment->bytes.size() - offset < sizeof(Words))
    return std::nullopt;
  Words words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = load_bytes<InstructionWord>(&segment->bytes[offset + i * sizeof(InstructionWord)],
                                           file.endian);
  }
  if (!is_gp_prologue(words)) return std::nullopt;
  return function + sizeof(Words);
}

}  // namespace hardclock::mips
