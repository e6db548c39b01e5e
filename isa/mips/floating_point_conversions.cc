// Conversions between the floating-point formats and integers.
#include <cstdint>
#include <limits>

#include "isa/mips/floating_point.h"
#include "isa/mips/floating_point_rules.h"
#include "isa/mips/registers.h"

namespace hardclock::mips::fp {
namespace {

// An integer in the nearest or, by FCSR's rounding mode, a neighbouring number.
template <class To>
Outcome from_integer(std::int64_t value, std::uint64_t fcsr) {
  const auto rounding = static_cast<std::uint32_t>(fcsr) & fcsr_rounding;
  return finish(ieee754::from_integer<To>(value, rounding), fcsr);
}

// What is invalid gives the largest integer.
template <class Integer>
Outcome to_integer(double value, std::uint64_t fcsr, std::uint64_t rounding) {
  Result result = ieee754::to_integer<Integer>(value, rounding);
  if (result.exceptions == invalid) {
    result.bits = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
  }
  return finish(result, fcsr);
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
  if (is_signalling<double>(a)) return finish({default_nan<float>, invalid}, fcsr);
  if (is_nan<double>(a)) {
    const std::uint32_t fraction = static_cast<std::uint32_t>(a >> 29) & 0x007fffff;
    // A payload that lies wholly in the lost bits would leave an infinity.
    if (fraction == 0) return finish({default_nan<float>, 0}, fcsr);
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
  if (is_signalling<float>(a)) return finish({default_nan<double>, invalid}, fcsr);
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
  return to_integer<std::int32_t>(double{from_bits<float>(a)}, fcsr, rounding);
}
Outcome double_to_word(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding) {
  return to_integer<std::int32_t>(from_bits<double>(a), fcsr, rounding);
}
Outcome single_to_long(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding) {
  return to_integer<std::int64_t>(double{from_bits<float>(a)}, fcsr, rounding);
}
Outcome double_to_long(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding) {
  return to_integer<std::int64_t>(from_bits<double>(a), fcsr, rounding);
}

}  // namespace hardclock::mips::fp
