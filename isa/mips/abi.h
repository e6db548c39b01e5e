// Where the MIPS o32 convention keeps what a kernel needs: the only part of the processor that a
// personality sees. Every function takes the Cpu of a MIPS thread.
// Source: System V ABI, MIPS RISC Processor Supplement (3rd edition), chapter 3.
#pragma once

#include <cstdint>

#include "isa/mips/cpu.h"
#include "isa/mips/registers.h"
#include "sim/base/check.h"
#include "sim/base/result.h"
#include "sim/memory/address_space.h"

namespace hardclock::mips {

enum GprNumber : unsigned {
  zero = 0,
  v0 = 2,
  v1 = 3,
  a0 = 4,
  a1 = 5,
  a2 = 6,
  a3 = 7,
  t9 = 25,
  gp = 28,
  sp = 29,
  ra = 31
};

inline Registers& registers_of(Cpu& cpu) {
  auto* const own = dynamic_cast<CpuBase*>(&cpu);
  CHECK(own != nullptr);
  return own->registers();
}

// A 32-bit word in the form that a register holds.
inline std::uint64_t to_register(std::uint32_t word) {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word)});
}
inline std::uint32_t to_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

// Argument `index` of a call (0, 1, ...): a0..a3, then the stack from 16(sp) on.
Result<std::uint32_t, Fault> argument(Cpu& cpu, AddressSpace& memory, unsigned index);

}  // namespace hardclock::mips
