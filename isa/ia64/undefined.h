// What slots do that no pattern of ia64.decode matches.
// Source: "Intel Itanium Architecture Software Developer's Manual", volume 3, chapter 4: the shades
// of the empty entries in the tables of major opcodes and of opcode extensions; HP's simulator Ski
// lists them (src/encodings/encoding.unusedop).
#pragma once

#include <cstdint>

#include "isa/ia64/bundle.h"
#include "isa/ia64/ia64_decode.h"
#include "sim/base/bits.h"

namespace hardclock::ia64 {

enum class Undefined : std::uint8_t {
  nop,                  // ignored
  fault_if_predicated,  // Illegal Operation fault if PR[qp] is 1, else ignored; qp is bits 0 to 5
  fault,                // Illegal Operation fault
};

// Of a word for which decode() has no opcode, or one that the processor's level lacks.
constexpr Undefined undefined(Word word) {
  const auto unit = static_cast<Unit>(word >> slot_bits);
  const std::uint64_t opcode = bit_field(word, 37, 4);
  if (unit == Unit::m) {
    // What the Itanium 9500 left of hint.m beside its own hints is a hint still.
    const bool is_hint = opcode == 0 && bit_field(word, 26, 10) == 0b000'00'0001'1;
    return is_hint ? Undefined::nop : Undefined::fault_if_predicated;
  }
  if (unit != Unit::b) return Undefined::fault_if_predicated;
  const std::uint64_t x6 = bit_field(word, 27, 6);
  switch (opcode) {
    case 0:
      if (x6 == 1) return Undefined::nop;
      return x6 < 0x20 ? Undefined::fault_if_predicated : Undefined::fault;
    case 2:
    case 3:
    case 6:
      return Undefined::nop;
    default:
      return Undefined::fault;
  }
}

}  // namespace hardclock::ia64
