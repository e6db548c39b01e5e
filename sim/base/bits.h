// Bit fields and sign extension of instruction words and register values.
#pragma once

#include <cstdint>

namespace hardclock {

// The `length` bits of `word` that start at bit `low` (0 is the least significant bit).
// length is 1..64 and low + length at most 64.
constexpr std::uint64_t bit_field(std::uint64_t word, unsigned low, unsigned length) {
  return (word >> low) & (~std::uint64_t{0} >> (64 - length));
}

// `value` with its low `length` bits (1..64) read as a two's complement number.
constexpr std::int64_t sign_extend(std::uint64_t value, unsigned length) {
  const unsigned shift = 64 - length;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

}  // namespace hardclock
