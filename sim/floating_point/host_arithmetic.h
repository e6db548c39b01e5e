// Operations on the host's SSE unit in the guest's rounding mode, with their exceptions.
#pragma once

#include <emmintrin.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/floating_point/format.h"

namespace hardclock::ieee754 {

// Rounding modes, numbered as MIPS and PA-RISC do: 0 to nearest, ties to even; 1 toward zero; 2
// toward positive, 3 toward negative infinity.
inline constexpr unsigned to_nearest = 0, toward_zero = 1;

// Computes on the host's SSE unit in the guest's rounding mode and collects the IEEE exceptions.
// The barriers keep the compiler from moving the arithmetic out from between them. Outside this
// class the host rounds to nearest.
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

// Runs `operation`, which computes a T from operands that are not NaNs and passes these and the
// result through HostArithmetic::barrier. Tininess is detected after rounding; a tiny result that
// is exact is not an underflow.
template <class T, class Operation>
Result compute(std::uint32_t rounding, Operation operation) {
  T result;
  std::uint32_t exceptions;
  {
    const HostArithmetic host(rounding);
    result = operation();
    exceptions = host.exceptions();
  }
  return {to_bits(result), exceptions};
}

// The result of rounding toward zero, if it is not zero and lies between the smallest normal
// numbers before rounding.
template <class T>
struct TinyResult {
  bool is_tiny = false;
  T nearest_to_zero = 0;
};
template <class T, class Operation>
TinyResult<T> tiny_before_rounding(Operation operation) {
  const HostArithmetic host(toward_zero);
  const T result = operation();
  const bool exact_zero = result == 0 && host.exceptions() == 0;
  return {std::fabs(result) < std::numeric_limits<T>::min() && !exact_zero, result};
}

}  // namespace hardclock::ieee754
