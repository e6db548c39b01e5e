// Random instances of patterns, for the comparisons with other disassemblers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace hardclock {

// `count` words with these fixed bits. The others are random, but registers are often 0 or 31 and
// 16-bit immediates often 0 or -1, where aliases lie. Equal for equal seeds.
inline std::vector<std::uint32_t> random_instances(std::uint32_t match, std::uint32_t mask,
                                                   std::size_t count, std::uint32_t seed) {
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
    words.push_back((word & ~mask) | match);
  }
  return words;
}

// The enumerators of an Opcode, of which there are `count`.
template <class Opcode>
std::vector<Opcode> opcodes_up_to(std::size_t count) {
  std::vector<Opcode> opcodes;
  for (std::size_t i = 0; i < count; ++i) opcodes.push_back(static_cast<Opcode>(i));
  return opcodes;
}

}  // namespace hardclock
