// The bytes of an instruction as they lie in memory. What they mean, and in which order, only the
// instruction set knows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/units.h"

namespace hardclock {

// One text holds one instruction or, as an IA-64 bundle does, several: a slot each.
struct InstructionText {
  static constexpr std::size_t most_bytes = 16;

  GuestAddr address;                             // of the first byte
  std::uint8_t length = 0;                       // bytes, at most most_bytes
  std::uint8_t slot = 0;                         // which instruction of the text is meant
  std::array<std::uint8_t, most_bytes> bytes{};  // in memory order; 0 behind the text

  std::span<const std::uint8_t> content() const { return std::span(bytes).first(length); }
  // The slot is in the low bits, as in the ip that debuggers of IA-64 show.
  GuestAddr pc() const { return address + slot; }
  // Of the next text in memory.
  GuestAddr end() const { return address + length; }
  // Whether this instruction is the next one in memory after `other`.
  bool follows(const InstructionText& other) const {
    return slot == 0 ? address == other.end() : address == other.address && slot == other.slot + 1;
  }

  friend bool operator==(const InstructionText&, const InstructionText&) = default;
};

}  // namespace hardclock
