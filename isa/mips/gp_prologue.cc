#include "isa/mips/gp_prologue.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/instruction_word.h"
#include "sim/base/endian.h"

namespace hardclock::mips {
namespace {

constexpr std::size_t prologue_words = 3;
using Words = std::array<InstructionWord, prologue_words>;

constexpr InstructionWord operation = 0xffff0000;  // of the instructions with 16 bits of a number
constexpr InstructionWord lui = 0x3c1c0000, addiu = 0x279c0000, daddiu = 0x679c0000;
constexpr InstructionWord addu = 0x0399e021, daddu = 0x0399e02d;

bool adds_low_half(InstructionWord word) {
  return (word & operation) == addiu || (word & operation) == daddiu;
}

bool adds_own_address(InstructionWord word) { return word == addu || word == daddu; }

bool is_gp_prologue(const Words& words) {
  if ((words[0] & operation) != lui) return false;
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
