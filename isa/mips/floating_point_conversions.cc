// Conversions between the floating-point formats and integers.
#include <cmath>
#include <cstdint>

#include "isa/mips/floating_point.h"
#include "isa/mips/host_arithmetic.h"
#include "isa/mips/registers.h"

namespace hardclock::mips::fp {
namespace {

// The integers that the format of a result has.
struct IntegerRange {
  double lowest, beyond;  // at least the one, below the other
  std::uint64_t saturated;
};
constexpr IntegerRange word_range{-0x1p31, 0x1p31, 0x7fffffff};
constexpr IntegerRange long_range{-0x1p63, 0x1p63, 0x7fffffffffffffff};

// An integer in the nearest or, by FCSR's rounding mode, a neighbouring number.
template <class To>
Outcome from_integer(std::int64_t value, std::uint64_t fcsr) {
  const auto control = static_cast<std::uint32_t>(fcsr);
  if ((control & fcsr_rounding) == 0) {
    const To result = static_cast<To>(value);
    const bool exact =
        double{result} < long_range.beyond && static_cast<std::int64_t>(result) == value;
    return finish({to_bits(result), exact ? 0 : inexact}, fcsr);
  }
  const auto operation = [&] {
    return HostArithmetic::barrier(static_cast<To>(HostArithmetic::barrier(value)));
  };
  return finish(rounded<To>(control, operation), fcsr);
}

// Exact: numbers with a fraction are far below 2^63.
double integral(double value, std::uint64_t rounding) {
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

Outcome to_integer(double value, const IntegerRange& range, std::uint64_t fcsr,
                   std::uint64_t rounding) {
  const Result out_of_range{range.saturated, invalid};
  const bool is_long = value >= long_range.lowest && value < long_range.beyond;  // nor a NaN
  if (!is_long) return finish(out_of_range, fcsr);
  const double integer = integral(value, rounding);
  if (integer < range.lowest || integer >= range.beyond) return finish(out_of_range, fcsr);
  const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(integer));
  return finish({bits, integer == value ? 0 : inexact}, fcsr);
}

Outcome to_word(double value, std::uint64_t fcsr, std::uint64_t rounding) {
  Outcome outcome = to_integer(value, word_range, fcsr, rounding);
  outcome[0] &= 0xffffffff;
  return outcome;
}

}  // namespace

Outcome double_to_single(std::uint64_t a, std::uint64_t fcsr) {
  const auto value = from_bits<double>(a);
  const auto control = static_cast<std::uint32_t>(fcsr);
  if ((control & fcsr_rounding) == 0) {
    const auto result = static_cast<float>(value);
    if (is_ordinary(result) || value == 0) [[likely]] {
      return finish({to_bits(result), double{result} == value ? 0 : inexact}, fcsr);
    }
  }
  if (is_signalling<double>(a)) return finish({Format<float>::default_nan, invalid}, fcsr);
  if (is_nan<double>(a)) {
    const std::uint32_t fraction = static_cast<std::uint32_t>(a >> 29) & 0x007fffff;
    // A payload that lies wholly in the lost bits would leave an infinity.
    if (fraction == 0) return finish({Format<float>::default_nan, 0}, fcsr);
    const std::uint32_t sign = static_cast<std::uint32_t>(a >> 32) & 0x80000000;
    return finish({sign | 0x7f800000 | fraction, 0}, fcsr);
  }
  return finish(rounded<float>(control,
                               [&] {
                                 return HostArithmetic::barrier(
                                     static_cast<float>(HostArithmetic::barrier(value)));
                               }),
                fcsr);
}

// Exact, denormals included.
Outcome single_to_double(std::uint64_t a, std::uint64_t fcsr) {
  if (!is_nan<float>(a)) return finish({to_bits(double{from_bits<float>(a)}), 0}, fcsr);
  if (is_signalling<float>(a)) return finish({Format<double>::default_nan, invalid}, fcsr);
  return finish({(a & 0x80000000) << 32 | std::uint64_t{0x7ff} << 52 | (a & 0x007fffff) << 29, 0},
                fcsr);
}

Outcome word_to_single(std::uint64_t a, std::uint64_t fcsr) {
  return from_integer<float>(static_cast<std::int32_t>(a), fcsr);
}
Outcome word_to_double(std::uint64_t a, std::uint64_t fcsr) {
  return finish({to_bits(static_cast<double>(static_cast<std::int32_t>(a))), 0}, fcsr);
}
Outcome long_to_single(std::uint64_t a, std::uint64_t fcsr) {
  return from_integer<float>(static_cast<std::int64_t>(a), fcsr);
}
Outcome long_to_double(std::uint64_t a, std::uint64_t fcsr) {
  return from_integer<double>(static_cast<std::int64_t>(a), fcsr);
}

Outcome single_to_word(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding) {
  return to_word(double{from_bits<float>(a)}, fcsr, rounding);
}
Outcome double_to_word(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding) {
  return to_word(from_bits<double>(a), fcsr, rounding);
}
Outcome single_to_long(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding) {
  return to_integer(double{from_bits<float>(a)}, long_range, fcsr, rounding);
}
Outcome double_to_long(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding) {
  return to_integer(from_bits<double>(a), long_range, fcsr, rounding);
}

}  // namespace hardclock::mips::fp
