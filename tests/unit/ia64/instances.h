// Random instances of the IA-64 patterns, and bundles that hold them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "isa/ia64/bundle.h"
#include "isa/ia64/ia64_decode.h"
#include "tests/unit/decode/instances.h"

namespace hardclock::ia64 {

inline constexpr unsigned word_bits = 44;
inline constexpr Word word_mask = (Word{1} << word_bits) - 1;

inline std::vector<Opcode> all_opcodes() {
  return opcodes_up_to<Opcode>(opcode_count);
}

// Makes fields of a slot what pseudo-ops ask for: often 0 or 1, two registers or positions equal or
// inverse.
inline std::uint64_t with_likely_fields(std::uint64_t slot, std::mt19937_64& random) {
  constexpr struct {
    unsigned low, length;
  } fields[] = {{0, 6}, {6, 7}, {13, 7}, {20, 7}, {27, 7}, {27, 9}, {33, 4}, {20, 2}};
  for (const auto& [low, length] : fields) {
    const std::uint64_t bits = ((std::uint64_t{1} << length) - 1) << low;
    const std::uint64_t choice = random() % 8;
    if (choice < 2) slot &= ~bits;
    if (choice == 2) slot = (slot & ~bits) | std::uint64_t{1} << low;
  }
  const auto copy = [&slot](unsigned to, unsigned from, unsigned length, std::uint64_t inverted) {
    const std::uint64_t bits = bit_field(slot ^ inverted, from, length);
    slot = (slot & ~(((std::uint64_t{1} << length) - 1) << to)) | bits << to;
  };
  switch (random() % 16) {
    case 0:
      copy(20, 13, 7, 0);
      break;
    case 1:  // len6d, cpos6c
      copy(27, 20, 6, 0);
      break;
    case 2:  // len6d, pos6b
      copy(27, 14, 6, ~std::uint64_t{0});
      break;
    default:
      break;
  }
  return slot;
}

// `count` words of the pattern. Equal for equal seeds.
inline std::vector<Word> instances(Opcode opcode, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const OpcodeInfo& pattern = info(opcode);
  std::vector<Word> words;
  for (std::size_t i = 0; i < count; ++i) {
    const Word word = with_likely_fields(random() & word_mask, random);
    words.push_back((word & ~pattern.mask & word_mask) | pattern.match);
  }
  return words;
}

// A bundle without stops that holds the word, and where. The slot L of a word of MLX is `l`.
struct Placed {
  Bundle bundle;
  std::size_t slot = 0;
};
inline Placed place(Word word, std::uint64_t l = 0) {
  constexpr std::uint64_t nop = std::uint64_t{1} << 27;  // of M, I, F and X
  constexpr std::uint64_t nop_b = std::uint64_t{2} << 37;
  const std::uint64_t slot = word & slot_mask;
  switch (static_cast<Unit>(word >> slot_bits)) {
    case Unit::m:
      return {{0x00, {slot, nop, nop}}, 0};
    case Unit::i:
      return {{0x00, {nop, slot, nop}}, 1};
    case Unit::f:
      return {{0x0c, {nop, slot, nop}}, 1};
    case Unit::b:
      return {{0x16, {nop_b, slot, nop_b}}, 1};
    case Unit::x:
    case Unit::l:
      break;
  }
  return {{0x04, {nop, l, slot}}, 1};
}

}  // namespace hardclock::ia64
