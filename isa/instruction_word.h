// The text of instruction sets whose instructions are 32-bit words, aligned and in the byte order
// of data.
#pragma once

#include <cstdint>

#include "sim/base/endian.h"
#include "sim/base/instruction_text.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/instruction_layout.h"
#include "sim/memory/address_space.h"
#include "sim/memory/fault.h"

namespace hardclock {

using InstructionWord = std::uint32_t;
using InstructionWordLayout = WordLayout<sizeof(InstructionWord)>;

// `needed` is Access::read on processors without an execute permission.
inline Result<InstructionWord, Fault> fetch_word(AddressSpace& memory, GuestAddr pc,
                                                 Access needed) {
  const auto bytes = memory.fetch<sizeof(InstructionWord)>(pc, needed);
  if (!bytes) return Failure{bytes.error()};
  return load_bytes<InstructionWord>(bytes->data(), memory.endian());
}

inline InstructionText text_of_word(InstructionWord word, GuestAddr pc, Endian order) {
  InstructionText text{.address = pc, .length = sizeof word};
  store_bytes(text.bytes.data(), word, order);
  return text;
}

inline InstructionWord word_of(const InstructionText& text, Endian order) {
  return load_bytes<InstructionWord>(text.bytes.data(), order);
}

}  // namespace hardclock
