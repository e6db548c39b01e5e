// Which exceptions of FCSR trap, and which of them a signal names. Pure functions; the fields are
// those of registers.h.
#pragma once

#include <cstdint>

#include "isa/mips/registers.h"
#include "sim/floating_point/exception.h"

namespace hardclock::mips::fp {

using ieee754::Exception;

// The enabled cause bits of FCSR, V Z O U I at bits 4..0, and E (unimplemented operation) at bit 5,
// which is always enabled. Nonzero means that the instruction traps.
inline std::uint64_t enabled_causes(std::uint64_t fcsr) {
  constexpr std::uint64_t exceptions = 31, unimplemented = 32;
  const std::uint64_t enables = ((fcsr >> fcsr_enables_shift) & exceptions) | unimplemented;
  return (fcsr >> fcsr_cause_shift) & enables;
}

// The enabled cause that a signal names: the first in this order, which is Linux's
// (arch/mips/kernel/traps.c, force_fcr31_sig).
inline Exception trapping_exception(std::uint32_t fcsr) {
  const std::uint64_t causes = enabled_causes(fcsr);
  if ((causes & 16) != 0) return Exception::invalid;
  if ((causes & 8) != 0) return Exception::divide_by_zero;
  if ((causes & 4) != 0) return Exception::overflow;
  if ((causes & 2) != 0) return Exception::underflow;
  if ((causes & 1) != 0) return Exception::inexact;
  return causes != 0 ? Exception::unimplemented : Exception::none;
}

}  // namespace hardclock::mips::fp
