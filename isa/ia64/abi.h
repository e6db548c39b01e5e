// What a personality sees of an IA-64 processor. Every function takes the Cpu of an IA-64 thread.
// Source: Intel, "Itanium Software Conventions and Runtime Architecture Guide" (245358-003, 2001),
// chapters 5 and 8.
#pragma once

#include "isa/ia64/cpu.h"
#include "isa/ia64/registers.h"
#include "sim/base/check.h"

namespace hardclock::ia64 {

enum GrNumber : unsigned { gp = 1, ret0 = 8, ret1 = 9, ret2 = 10, sp = 12, tp = 13 };
enum BrNumber : unsigned { rp = 0 };

inline Registers& registers_of(Cpu& cpu) {
  auto* const own = dynamic_cast<CpuBase*>(&cpu);
  CHECK(own != nullptr);
  return own->registers();
}

}  // namespace hardclock::ia64
