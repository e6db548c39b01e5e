// The results that IEEE 754-1985 delivers to handlers of overflow and underflow.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "sim/floating_point/format.h"

namespace hardclock::ieee754 {

// A host format whose range holds every result of operations on T's numbers, with at least two more
// bits of precision.
template <class T>
struct WiderFormat;
template <>
struct WiderFormat<float> {
  using Type = double;
};
template <>
struct WiderFormat<double> {
  using Type = long double;  // x87: 64 bits of significand
};
template <class T>
using Wider = typename WiderFormat<T>::Type;

// Rounds toward zero and, if that is inexact, sets the last bit to one: rounding such a result
// again, in any mode, gives the same as rounding the exact one.
template <class W, class Operation>
W rounded_to_odd(Operation operation) {
  std::fesetround(FE_TOWARDZERO);
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile W truncated = operation();
  const bool is_inexact = std::fetestexcept(FE_INEXACT) != 0;
  W result = truncated;
  if (is_inexact) {
    // In both formats the lowest eight bytes contain the significand's last bit.
    std::uint64_t low;
    std::memcpy(&low, &result, sizeof low);
    low |= 1;
    std::memcpy(&result, &low, sizeof low);
  }
  return result;
}

// The result of `operation`, rounded as if the exponent had no bounds, then with its exponent
// lowered (`overflows`) or raised by 3/4 of the exponent range (IEEE 754-1985, 7.3 and 7.4).
// `operation` computes in Wider<T> and reads its operands from volatile variables. The result is
// meaningless if even that exponent is out of range: a double that is far beyond a single.
template <class T, class Operation>
std::uint64_t wrapped_result(std::uint32_t rounding, bool overflows, Operation operation) {
  static constexpr int host_rounding[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  constexpr int adjustment = static_cast<int>(Format<T>::exponent_limit + 1) / 4 * 3;
  std::fenv_t saved;
  std::feholdexcept(&saved);
  const Wider<T> wide = rounded_to_odd<Wider<T>>(operation);
  volatile Wider<T> scaled = std::ldexp(wide, overflows ? -adjustment : adjustment);
  std::fesetround(host_rounding[rounding & 3]);
  volatile T result = static_cast<T>(scaled);
  std::fesetenv(&saved);
  return to_bits(static_cast<T>(result));
}

}  // namespace hardclock::ieee754
