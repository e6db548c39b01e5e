// The processor status word of PA-RISC as a kernel saves and restores it for a program.
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition, chapter 2;
// Kane, "PA-RISC 2.0 Architecture", chapter 2: the carries of the upper nibbles are in its upper
// half, and W says that addresses have 64 bits.
#pragma once

#include <cstdint>

#include "isa/pa_risc/registers.h"

namespace hardclock::pa_risc {

namespace status_word {
inline constexpr std::uint64_t user = 0x4000f;  // C, Q, P, D, I: set for every program
inline constexpr std::uint64_t wide = 1U << 27;
inline constexpr std::uint64_t nullify = 1U << 21, divide_step = 1U << 17;
inline constexpr unsigned carries = 8, upper_carries = 32;
}  // namespace status_word

inline std::uint64_t status_word_of(const Registers& registers, unsigned address_bits) {
  const std::uint64_t carries = registers.carries();
  return status_word::user | (address_bits == 64 ? status_word::wide : 0) |
         (registers.nullify ? status_word::nullify : 0) |
         (registers.divide_step ? status_word::divide_step : 0) |
         (carries & 0xff) << status_word::carries | carries >> 8 << status_word::upper_carries;
}

// Takes the bits that a program may change.
inline void take_status_word(Registers& registers, std::uint64_t word) {
  registers.nullify = (word & status_word::nullify) != 0;
  registers.divide_step = (word & status_word::divide_step) != 0;
  registers.set_carries(static_cast<std::uint16_t>(
      (word >> status_word::carries & 0xff) | (word >> status_word::upper_carries & 0xff) << 8));
}

}  // namespace hardclock::pa_risc
