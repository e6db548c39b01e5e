// Conversions between floating-point numbers and integers.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/floating_point/format.h"
#include "sim/floating_point/host_arithmetic.h"

namespace hardclock::ieee754 {

// Doubles below it may have a fraction.
inline constexpr double first_without_fraction = 0x1p52;

// The integers of the type are at least `lowest` and below the other bound.
template <class Integer>
inline constexpr double lowest = static_cast<double>(std::numeric_limits<Integer>::min());
template <class Integer>
inline constexpr double beyond = 2.0 *
                                 static_cast<double>(std::uint64_t{1}
                                                     << (std::numeric_limits<Integer>::digits - 1));

// Converts an integer to the nearest number or, by the rounding mode, to a neighbour of it. Zero
// needs no mode: compilers make an unsigned zero from a difference, which is -0 when rounded down.
template <class To, class Integer>
Result from_integer(Integer value, std::uint32_t rounding) {
  if (rounding == to_nearest || value == 0) {
    const To result = static_cast<To>(value);
    const bool exact = double{result} < beyond<Integer> && static_cast<Integer>(result) == value;
    return {to_bits(result), exact ? 0 : inexact};
  }
  return compute<To>(rounding, [&] {
    return HostArithmetic::barrier(static_cast<To>(HostArithmetic::barrier(value)));
  });
}

// Rounds a number from -2^63 to below 2^63 to an integer, as a number. Exact: numbers with a
// fraction are far below 2^63.
inline double integral(double value, std::uint64_t rounding) {
  const auto truncated = static_cast<double>(_mm_cvttsd_si64(_mm_set_sd(value)));
  switch (rounding & 3) {
    case 0:
      return static_cast<double>(_mm_cvtsd_si64(_mm_set_sd(value)));
    case 1:
      return truncated;
    case 2:
      return truncated < value ? truncated + 1 : truncated;
    default:
      return truncated > value ? truncated - 1 : truncated;
  }
}

// Converts to an integer, zero-extended to 64 bits. Invalid: NaNs, and values that do not round to
// an integer of the type.
template <class Integer>
Result to_integer(double value, std::uint64_t rounding) {
  const bool is_long = value >= lowest<std::int64_t> && value < beyond<std::int64_t>;
  if (!is_long && !(value > 0 && value < beyond<Integer>)) return {0, invalid};
  const double integer = is_long ? integral(value, rounding) : value;
  if (integer < lowest<Integer> || integer >= beyond<Integer>) return {0, invalid};
  const auto bits = static_cast<std::make_unsigned_t<Integer>>(static_cast<Integer>(integer));
  return {bits, integer == value ? 0 : inexact};
}

// Rounds to an integral number of the same format and keeps the sign of a zero. Not for NaNs.
template <class T>
Result to_integral(T value, std::uint64_t rounding) {
  if (!(std::fabs(value) < first_without_fraction)) return {to_bits(value), 0};
  const T integer = std::copysign(static_cast<T>(integral(value, rounding)), value);
  return {to_bits(integer), integer == value ? 0 : inexact};
}

}  // namespace hardclock::ieee754
