// Which of IEEE 754's exceptions a trap of floating-point arithmetic is for.
#pragma once

#include <cstdint>

namespace hardclock::ieee754 {

enum class Exception : std::uint8_t {
  none,            // nothing traps
  invalid,         // FPE_FLTINV
  divide_by_zero,  // FPE_FLTDIV
  overflow,        // FPE_FLTOVF
  underflow,       // FPE_FLTUND
  inexact,         // FPE_FLTRES
  unimplemented,   // MIPS's E alone, for which IEEE 754 and siginfo have no name
};

}  // namespace hardclock::ieee754
