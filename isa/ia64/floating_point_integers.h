// Conversion to integers of any width, for floating_point.h and floating_point_parallel.h.
#pragma once

#include "isa/ia64/floating_point.h"

namespace hardclock::ia64::fp {

// Converts to an integer of `bits`, 32 or 64. Its bits are the significand's lowest; those of a
// negative one are sign-extended to 64. An invalid operation gives the integer's topmost bit.
Outcome to_integer(const FpRegister& f, unsigned bits, bool is_signed,
                   const Environment& environment);

constexpr Environment toward_zero(Environment environment) {
  environment.rounding = Rounding::zero;
  return environment;
}

}  // namespace hardclock::ia64::fp
