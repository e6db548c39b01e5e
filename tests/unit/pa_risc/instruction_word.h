// Words of PA-RISC instructions from their fields.
#pragma once

#include <cstdint>

#include "isa/pa_risc/pa_risc_decode.h"

namespace hardclock::pa_risc {

// A piece of an instruction word; bit 0 is the least significant.
struct Field {
  unsigned low, bits;
};
inline constexpr Field field_t{0, 5}, field_r1{16, 5}, field_r2{21, 5}, field_condition{12, 4},
    field_c{13, 3}, field_f{27, 1}, field_n{1, 1};

constexpr std::uint32_t with(std::uint32_t word, Field field, std::uint32_t value) {
  const std::uint32_t mask = ((std::uint32_t{1} << field.bits) - 1) << field.low;
  return (word & ~mask) | (value << field.low & mask);
}
// Gives the word the bits that the pattern fixes.
inline std::uint32_t as(Opcode opcode, std::uint32_t word) {
  return (word & ~info(opcode).mask) | info(opcode).match;
}
// An instruction of three registers.
inline std::uint32_t three_registers(Opcode opcode, unsigned r1, unsigned r2, unsigned t,
                                     std::uint32_t word = 0) {
  return as(opcode, with(with(with(word, field_r1, r1), field_r2, r2), field_t, t));
}

}  // namespace hardclock::pa_risc
