// Rules common to the arithmetic and the conversions of floating_point.h: MIPS's NaNs, how
// exceptions reach FCSR, and how its enables and its FS bit change a result.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "isa/mips/floating_point.h"
#include "isa/mips/registers.h"
#include "sim/floating_point/conversions.h"
#include "sim/floating_point/format.h"
#include "sim/floating_point/host_arithmetic.h"

namespace hardclock::mips::fp {

using ieee754::Format;
using ieee754::from_bits;
using ieee754::HostArithmetic;
using ieee754::inexact;
using ieee754::invalid;
using ieee754::is_nan;
using ieee754::is_ordinary;
using ieee754::Result;
using ieee754::to_bits;
using ieee754::underflow;

inline constexpr std::uint32_t exception_mask = 31;

template <class T>
inline constexpr std::uint64_t default_nan = 0;
template <>
inline constexpr std::uint64_t default_nan<float> = 0x7fbfffff;
template <>
inline constexpr std::uint64_t default_nan<double> = 0x7ff7ffffffffffff;

template <class T>
bool is_signalling(std::uint64_t bits) {
  return is_nan<T>(bits) && (bits & ieee754::nan_selector<T>) != 0;
}

inline Outcome finish(const Result& result, std::uint64_t fcsr) {
  auto control = static_cast<std::uint32_t>(fcsr);
  control &= ~(0x3fu << fcsr_cause_shift);
  control |= result.exceptions << fcsr_cause_shift;
  if ((result.exceptions & (control >> fcsr_enables_shift) & exception_mask) == 0) {
    control |= result.exceptions << fcsr_flags_shift;
  }
  return {result.bits, control};
}

// With FCSR's FS set, a nonzero result between the smallest normal numbers before rounding becomes
// a zero or, if rounded away from zero, the smallest normal number ("MIPS R4000 Microprocessor
// User's Manual", table 7-1, underflow; Linux, arch/mips/math-emu/ieee754sp.c, ieee754sp_format).
// `nearest_to_zero` is the result rounded toward zero.
template <class T>
Result flushed(T nearest_to_zero, std::uint32_t rounding) {
  const bool negative = std::signbit(nearest_to_zero);
  const bool away = negative ? rounding == 3 : rounding == 2;
  const T magnitude = away ? std::numeric_limits<T>::min() : T{0};
  return {to_bits(negative ? -magnitude : magnitude), underflow | inexact};
}

// ieee754::compute with FCSR's controls. While underflow traps, tininess alone is an underflow
// (IEEE 754-1985, 7.4). The host, whose exceptions are masked, reports only those tiny results that
// are also inexact.
template <class T, class Operation>
Result rounded(std::uint32_t control, Operation operation) {
  Result result = ieee754::compute<T>(control & fcsr_rounding, operation);
  const T value = from_bits<T>(result.bits);
  if (std::isnan(value)) return {default_nan<T>, result.exceptions};
  if ((control & fcsr_flush) != 0 && std::fabs(value) <= std::numeric_limits<T>::min()) {
    const auto tiny = ieee754::tiny_before_rounding<T>(operation);
    if (tiny.is_tiny) return flushed(tiny.nearest_to_zero, control & fcsr_rounding);
  }
  const bool underflow_traps = ((control >> fcsr_enables_shift) & underflow) != 0;
  if (underflow_traps && std::fpclassify(value) == FP_SUBNORMAL) result.exceptions |= underflow;
  return result;
}

}  // namespace hardclock::mips::fp
