// Rules common to the arithmetic and the conversions of floating_point.h: PA-RISC's NaNs, how
// exceptions reach fr0, and how its enables and its D bit change a result.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "isa/pa_risc/floating_point.h"
#include "isa/pa_risc/floating_point_status.h"
#include "sim/floating_point/format.h"
#include "sim/floating_point/host_arithmetic.h"
#include "sim/floating_point/wrapped_result.h"

namespace hardclock::pa_risc::fp {

using ieee754::Format;
using ieee754::from_bits;
using ieee754::HostArithmetic;
using ieee754::inexact;
using ieee754::invalid;
using ieee754::is_nan;
using ieee754::overflow;
using ieee754::Result;
using ieee754::to_bits;
using ieee754::underflow;

inline constexpr std::uint32_t exception_mask = 31;

// Its only fraction bit is the one after the selector.
template <class T>
inline constexpr std::uint64_t default_nan = static_cast<std::uint64_t>(Format<T>::exponent_limit)
                                                 << Format<T>::fraction_bits
                                             | ieee754::nan_selector<T> >> 1;

template <class T>
bool is_signalling(std::uint64_t bits) {
  return is_nan<T>(bits) && (bits & ieee754::nan_selector<T>) != 0;
}

// A signalling NaN made quiet.
template <class T>
std::uint64_t quieted(std::uint64_t bits) {
  return (bits & ~ieee754::nan_selector<T>) | ieee754::nan_selector<T> >> 1;
}

inline std::uint32_t enables_of(std::uint64_t fr0) {
  return static_cast<std::uint32_t>(fr0 >> enables_shift) & exception_mask;
}
inline std::uint32_t rounding_of(std::uint64_t fr0) {
  return static_cast<std::uint32_t>((fr0 & rounding_mode) >> rounding_shift);
}

// The codes of exceptions in an exception register: V Z O U I from 32 down to 2. Those of
// FMPYFADD and FMPYNFADD differ (Linux, arch/parisc/math-emu/float.h, OPC_2E_...).
inline std::uint64_t exception_code(std::uint32_t exceptions) { return exceptions << 1; }
inline std::uint64_t fused_exception_code(std::uint32_t exceptions) {
  return ((exceptions & invalid) != 0 ? 0x30u : 0) | ((exceptions & overflow) != 0 ? 0x18u : 0) |
         ((exceptions & underflow) != 0 ? 0x0cu : 0) | ((exceptions & inexact) != 0 ? 0x12u : 0);
}

// fr0 after an operation with these exceptions: an enabled one sets T and exception register 1, the
// others set their flags.
template <std::uint64_t (*code)(std::uint32_t) = exception_code>
std::uint64_t raised(std::uint32_t exceptions, std::uint64_t fr0) {
  const std::uint32_t trapping = exceptions & enables_of(fr0);
  if (trapping != 0) [[unlikely]] {
    fr0 =
        fr0 >> status_shift << status_shift | delayed_trap | code(trapping) << exception_code_shift;
  }
  return fr0 | static_cast<std::uint64_t>(exceptions & ~trapping) << flags_shift;
}

inline Outcome finish(const Result& result, std::uint64_t fr0) {
  return {result.bits, raised(result.exceptions, fr0)};
}

// The operand, as zero if D requires that. Takes NaNs.
template <class T>
T operand(T value, std::uint64_t fr0) {
  const bool flushes = (fr0 & denormalized_as_zero) != 0;
  if (flushes && std::fpclassify(value) == FP_SUBNORMAL) return std::copysign(T{0}, value);
  return value;
}

// ieee754::compute with fr0's controls. While underflow traps, tininess alone is an underflow (IEEE
// 754-1985, 7.4). The host, whose exceptions are masked, reports only those tiny results that are
// also inexact. `wide` is the operation in ieee754::Wider<T>.
template <class T, class Operation, class WideOperation>
Result rounded(std::uint64_t fr0, Operation operation, WideOperation wide) {
  Result result = ieee754::compute<T>(rounding_of(fr0), operation);
  const T value = from_bits<T>(result.bits);
  if (std::isnan(value)) return {default_nan<T>, result.exceptions};
  const bool flushes = (fr0 & denormalized_as_zero) != 0;
  if (flushes && std::fabs(value) <= std::numeric_limits<T>::min()) {
    const auto tiny = ieee754::tiny_before_rounding<T>(operation);
    if (tiny.is_tiny) return {to_bits(std::copysign(T{0}, tiny.nearest_to_zero)), 0};
  }
  const std::uint32_t enables = enables_of(fr0);
  if ((enables & underflow) != 0 && std::fpclassify(value) == FP_SUBNORMAL) {
    result.exceptions |= underflow;
  }
  const std::uint32_t out_of_range = result.exceptions & enables & (overflow | underflow);
  if (out_of_range != 0) {
    result.bits =
        ieee754::wrapped_result<T>(rounding_of(fr0), (out_of_range & overflow) != 0, wide);
  }
  return result;
}

}  // namespace hardclock::pa_risc::fp
