// Rules for special operands that the operations of floating_point.h share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "isa/ia64/floating_point.h"

namespace hardclock::ia64::fp {

inline Outcome faulted(std::uint32_t exceptions) { return {.fault = exceptions & all_faults}; }

// The faults among `raised` that are enabled.
inline std::uint32_t enabled_faults(std::uint32_t raised, const Environment& environment) {
  return raised & all_faults & ~environment.disabled;
}

// `result`, unless what was raised faults. For results that cannot trap.
inline Outcome delivered(const FpRegister& result, std::uint32_t raised,
                         const Environment& environment) {
  const std::uint32_t faults = enabled_faults(raised, environment);
  if (faults != 0) return faulted(faults);
  return {.result = result, .flags = raised};
}

inline std::uint32_t denormal_if(bool is_raised) { return is_raised ? denormal : 0; }

// The outcome if one of the operands is NaTVal, unsupported or a NaN. Of several NaNs the first
// becomes the result.
inline std::optional<Outcome> not_a_number(std::initializer_list<const FpRegister*> operands,
                                           const Environment& environment) {
  const FpRegister* first = nullptr;
  std::uint32_t raised = 0;
  bool unsupported = false;
  for (const FpRegister* f : operands) {
    if (is_nat_value(*f)) return Outcome{.result = nat_value};
    unsupported = unsupported || is_unsupported(*f);
    if (is_signalling_nan(*f)) raised = invalid;
    if (is_nan(*f) && first == nullptr) first = f;
  }
  if (unsupported) return delivered(indefinite, invalid, environment);
  if (first == nullptr) return std::nullopt;
  return delivered({first->significand | quiet_bit, first->exponent, first->sign}, raised,
                   environment);
}

}  // namespace hardclock::ia64::fp
