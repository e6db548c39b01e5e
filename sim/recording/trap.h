// How an instruction can fail to complete: the synchronous exceptions of a processor, in terms that
// every ISA shares. A personality turns them into system calls and signals.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/memory/fault.h"

namespace hardclock {

enum class TrapKind : std::uint8_t {
  system_call,          // code: the instruction's code field
  breakpoint,           // code: the instruction's code field
  conditional_trap,     // code: the instruction's code field
  integer_overflow,     //
  floating_point,       //
  illegal_instruction,  // undefined, privileged, or above the processor's level
  memory,               // fault says why
};

struct Trap {
  TrapKind kind = TrapKind::illegal_instruction;
  std::uint32_t code = 0;
  Fault fault{};
};

}  // namespace hardclock
