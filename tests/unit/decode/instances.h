// Random instances of the MIPS patterns, for the comparisons with other disassemblers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "isa/mips/mips_decode.h"

namespace hardclock::mips {

// `count` words of the pattern: its fixed bits, and operands of which registers are often $0 or
// $31 and 16-bit immediates often 0 or -1, where aliases lie. Equal for equal seeds.
inline std::vector<std::uint32_t> instances(Opcode opcode, std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t word = static_cast<std::uint32_t>(random());
    for (const unsigned low : {6, 11, 16, 21}) {
      const std::uint32_t bits = std::uint32_t{31} << low;
      const std::uint32_t choice = random() % 8;
      if (choice < 3) word &= ~bits;
      if (choice == 3) word |= bits;
    }
    const std::uint32_t choice = random() % 16;
    if (choice == 0) word &= 0xffff'0000;
    if (choice == 1) word |= 0x0000'ffff;
    words.push_back((word & ~info(opcode).mask) | info(opcode).match);
  }
  return words;
}

inline std::vector<Opcode> all_opcodes() {
  std::vector<Opcode> opcodes;
  for (std::size_t i = 0; i < opcode_count; ++i) opcodes.push_back(static_cast<Opcode>(i));
  return opcodes;
}

}  // namespace hardclock::mips
