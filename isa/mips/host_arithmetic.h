// What the arithmetic and the conversions of floating_point.h share: IEEE formats with MIPS's NaNs,
// operations on the host's SSE unit in the guest's rounding mode, and how their exceptions reach
// FCSR.
#pragma once

#include <emmintrin.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "isa/mips/floating_point.h"
#include "isa/mips/registers.h"

namespace hardclock::mips::fp {

// FCSR exception bits, as they stand in each of its three fields.
inline constexpr std::uint32_t inexact = 1, underflow = 2, overflow = 4, divide_by_zero = 8,
                               invalid = 16;
inline constexpr std::uint32_t exception_mask = 31;

template <class T>
struct Format;
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr unsigned fraction_bits = 23;
  static constexpr unsigned exponent_limit = 255;  // infinities and NaNs
  static constexpr std::uint64_t sign = 0x80000000;
  static constexpr Bits default_nan = 0x7fbfffff;
  static constexpr Bits nan_selector = 0x00400000;  // set: signalling
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr unsigned fraction_bits = 52;
  static constexpr unsigned exponent_limit = 2047;
  static constexpr std::uint64_t sign = 0x8000000000000000;
  static constexpr Bits default_nan = 0x7ff7ffffffffffff;
  static constexpr Bits nan_selector = 0x0008000000000000;
};

template <class T>
T from_bits(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<typename Format<T>::Bits>(bits));
}

template <class T>
std::uint64_t to_bits(T value) {
  return std::bit_cast<typename Format<T>::Bits>(value);
}

template <class T>
bool is_nan(std::uint64_t bits) {
  return std::isnan(from_bits<T>(bits));
}

template <class T>
bool is_signalling(std::uint64_t bits) {
  return is_nan<T>(bits) && (bits & Format<T>::nan_selector) != 0;
}

// The biased exponent: 0 for zeros and denormals.
template <class T>
unsigned exponent_field(T value) {
  return static_cast<unsigned>(to_bits(value) >> Format<T>::fraction_bits) &
         Format<T>::exponent_limit;
}

// A number that is not within a factor of two of the smallest or the largest numbers: rounded to
// nearest on the host, neither tiny nor an overflow.
template <class T>
bool is_ordinary(T value) {
  return exponent_field(value) - 2 <= Format<T>::exponent_limit - 4;
}

// An operation's result before FCSR has seen its exceptions.
struct Result {
  std::uint64_t bits = 0;
  std::uint32_t exceptions = 0;
};

inline Outcome finish(const Result& result, std::uint64_t fcsr) {
  auto control = static_cast<std::uint32_t>(fcsr);
  control &= ~(0x3fu << fcsr_cause_shift);
  control |= result.exceptions << fcsr_cause_shift;
  if ((result.exceptions & (control >> fcsr_enables_shift) & exception_mask) == 0) {
    control |= result.exceptions << fcsr_flags_shift;
  }
  return {result.bits, control};
}

// Computes on the host's SSE unit in the guest's rounding mode and collects the IEEE exceptions.
// The barriers keep the compiler from moving the arithmetic out from between them. Everywhere else
// the host rounds to nearest.
class HostArithmetic {
 public:
  explicit HostArithmetic(std::uint32_t rounding) : saved_(_mm_getcsr()) {
    // MXCSR: all exceptions masked (bits 7..12), rounding in bits 13..14 in x86's order.
    static constexpr std::uint32_t x86_rounding[4] = {0, 3, 2, 1};
    _mm_setcsr(0x1f80 | x86_rounding[rounding & 3] << 13);
  }
  ~HostArithmetic() { _mm_setcsr(saved_); }
  HostArithmetic(const HostArithmetic&) = delete;
  HostArithmetic& operator=(const HostArithmetic&) = delete;

  template <class T>
  static T barrier(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      asm volatile("" : "+x"(value));
    } else {
      asm volatile("" : "+r"(value));
    }
    return value;
  }

  std::uint32_t exceptions() const {
    const std::uint32_t host = _mm_getcsr();
    return (host & 0x01 ? invalid : 0) | (host & 0x04 ? divide_by_zero : 0) |
           (host & 0x08 ? overflow : 0) | (host & 0x10 ? underflow : 0) |
           (host & 0x20 ? inexact : 0);
  }

 private:
  std::uint32_t saved_;
};

// While FCSR's FS is set a result that is not zero and lies between the smallest normal numbers
// before rounding becomes a zero or, when rounded away from zero, the smallest normal number ("MIPS
// R4000 Microprocessor User's Manual", table 7-1, underflow; Linux, arch/mips/math-emu/ieee754sp.c,
// ieee754sp_format). `nearest_to_zero` is the result rounded toward zero.
template <class T>
Result flushed(T nearest_to_zero, std::uint32_t rounding) {
  const bool negative = std::signbit(nearest_to_zero);
  const bool away = negative ? rounding == 3 : rounding == 2;
  const T magnitude = away ? std::numeric_limits<T>::min() : T{0};
  return {to_bits(negative ? -magnitude : magnitude), underflow | inexact};
}

// Runs `operation`, which yields a T from operands that are not NaNs and passes these and the
// result through HostArithmetic::barrier. While underflow traps, tininess alone is an underflow
// (IEEE 754-1985, 7.4). Of the tiny results the host, whose exceptions are masked, reports those
// that are inexact too.
template <class T, class Operation>
Result rounded(std::uint32_t control, Operation operation) {
  constexpr T smallest_normal = std::numeric_limits<T>::min();
  T result;
  std::uint32_t exceptions;
  {
    const HostArithmetic host(control & fcsr_rounding);
    result = operation();
    exceptions = host.exceptions();
  }
  if (std::isnan(result)) return {Format<T>::default_nan, exceptions};
  if ((control & fcsr_flush) != 0 && std::fabs(result) <= smallest_normal) {
    const HostArithmetic host(1);
    const T nearest_to_zero = operation();
    const bool exact_zero = nearest_to_zero == 0 && host.exceptions() == 0;
    if (std::fabs(nearest_to_zero) < smallest_normal && !exact_zero) {
      return flushed(nearest_to_zero, control & fcsr_rounding);
    }
  }
  const bool underflow_traps = ((control >> fcsr_enables_shift) & underflow) != 0;
  if (underflow_traps && std::fpclassify(result) == FP_SUBNORMAL) exceptions |= underflow;
  return {to_bits(result), exceptions};
}

}  // namespace hardclock::mips::fp
