// Where the PA-RISC procedure conventions keep what a kernel needs: the only part of the processor
// that a personality sees. Every function takes the Cpu of a PA-RISC thread.
// Sources: Hewlett-Packard, "The 32-bit PA-RISC Run-time Architecture Document", version 1.0
// (1997), chapters 2 and 3; "64-bit Runtime Architecture for PA-RISC 2.0", version 3.3 (1997).
#pragma once

#include <cstdint>

#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/registers.h"
#include "sim/base/check.h"

namespace hardclock::pa_risc {

enum GprNumber : unsigned {
  rp = 2,
  ret1 = 29,
  ret0 = 28,
  arg3 = 23,
  arg2 = 24,
  arg1 = 25,
  arg0 = 26,
  dp = 27,
  sp = 30,
  ble_link = 31,  // BLE's return address, also that of a system call
};

inline Registers& registers_of(Cpu& cpu) {
  auto* const own = dynamic_cast<CpuBase*>(&cpu);
  CHECK(own != nullptr);
  return own->registers();
}

// A 32-bit word as a register holds it: the upper half is 0.
inline std::uint32_t to_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace hardclock::pa_risc
