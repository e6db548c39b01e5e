// The results that IEEE 754-1985 wants delivered to handlers of overflow and underflow.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "sim/floating_point/format.h"

namespace hardclock::ieee754 {

// A host format with the range for every result of operations on T's numbers, and with at least two
// bits more.
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

// Rounds toward zero and, where that is inexact, makes the last bit a one: rounding such a result
// once more, in any mode, gives what rounding the exact one gives.
template <class W, class Operation>
W rounded_to_odd(Operation operation) {
  std::fesetround(FE_TOWARDZERO);
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile W truncated = operation();
  const bool is_inexact = std::fetestexcept(FE_INEXACT) != 0;
  W result = truncated;
  if (is_inexact) {
    // The lowest eight bytes end in the significand's last bit in both formats.
    std::uint64_t low;
    std::memcpy(&low, &result, sizeof low);
    low |= 1;
    std::memcpy(&result, &low, sizeof low);
  }
  return result;
}

// The result of `operation`, which computes in Wider<T> and reads its operands from volatile
// variables, rounded as if the exponent had no bounds, then with an exponent that is 3/4 of all
// exponents lower (`overflows`) or higher (IEEE 754-1985, 7.3 and 7.4). Not meaningful where that
// exponent is out of range as well: a double that is far beyond a single.
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
