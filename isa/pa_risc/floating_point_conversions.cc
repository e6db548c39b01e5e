// Conversions between the floating-point formats and integers.
#include "sim/floating_point/conversions.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "isa/pa_risc/floating_point.h"
#include "isa/pa_risc/floating_point_rules.h"

namespace hardclock::pa_risc::fp {
namespace {

// What is invalid saturates: NaNs by their sign (Linux, arch/parisc/math-emu/fcnvfx.c, fcnvfu.c).
template <class From, class Integer>
Outcome rounded_to_integer(std::uint64_t a, std::uint64_t fr0, std::uint32_t rounding) {
  using Limits = std::numeric_limits<Integer>;
  const From value = operand(from_bits<From>(a), fr0);
  Result result = ieee754::to_integer<Integer>(double{value}, rounding);
  if (result.exceptions == invalid) {
    const Integer end = std::signbit(value) ? Limits::min() : Limits::max();
    result.bits = static_cast<std::make_unsigned_t<Integer>>(end);
  }
  return finish(result, fr0);
}

// A NaN keeps its sign and the leading bits of its fraction; a fraction that would vanish becomes
// the default NaN's.
Result narrowed_nan(std::uint64_t a) {
  const bool signals = is_signalling<double>(a);
  const std::uint64_t nan = signals ? quieted<double>(a) : a;
  const std::uint64_t fraction = nan >> 29 & 0x007f'ffff;
  const std::uint64_t bits = fraction == 0 ? default_nan<float> : 0x7f80'0000 | fraction;
  return {(nan >> 32 & sign_s) | bits, signals ? invalid : 0};
}
Result widened_nan(std::uint64_t a) {
  const bool signals = is_signalling<float>(a);
  const std::uint64_t nan = signals ? quieted<float>(a) : a;
  const std::uint64_t bits =
      (nan & sign_s) << 32 | std::uint64_t{0x7ff} << 52 | (nan & 0x007f'ffff) << 29;
  return {bits, signals ? invalid : 0};
}

}  // namespace

Outcome dbl_to_sgl(std::uint64_t a, std::uint64_t fr0) {
  const auto value = from_bits<double>(a);
  if ((fr0 & (rounding_mode | denormalized_as_zero)) == 0) {
    const auto result = static_cast<float>(value);
    if (ieee754::is_ordinary(result) || value == 0) [[likely]] {
      return finish({to_bits(result), double{result} == value ? 0 : inexact}, fr0);
    }
  }
  if (std::isnan(value)) return finish(narrowed_nan(a), fr0);
  const double x = operand(value, fr0);
  const auto operation = [x] {
    return HostArithmetic::barrier(static_cast<float>(HostArithmetic::barrier(x)));
  };
  return finish(rounded<float>(fr0, operation, [x] { return x; }), fr0);
}

// Exact, denormals included.
Outcome sgl_to_dbl(std::uint64_t a, std::uint64_t fr0) {
  const auto value = from_bits<float>(a);
  if (std::isnan(value)) return finish(widened_nan(a), fr0);
  return finish({to_bits(double{operand(value, fr0)}), 0}, fr0);
}

template <class To, class Integer>
Outcome from_integer(std::uint64_t a, std::uint64_t fr0) {
  return finish(ieee754::from_integer<To>(static_cast<Integer>(a), rounding_of(fr0)), fr0);
}
template Outcome from_integer<float, std::int32_t>(std::uint64_t, std::uint64_t);
template Outcome from_integer<double, std::int32_t>(std::uint64_t, std::uint64_t);
template Outcome from_integer<float, std::int64_t>(std::uint64_t, std::uint64_t);
template Outcome from_integer<double, std::int64_t>(std::uint64_t, std::uint64_t);
template Outcome from_integer<float, std::uint32_t>(std::uint64_t, std::uint64_t);
template Outcome from_integer<double, std::uint32_t>(std::uint64_t, std::uint64_t);
template Outcome from_integer<float, std::uint64_t>(std::uint64_t, std::uint64_t);
template Outcome from_integer<double, std::uint64_t>(std::uint64_t, std::uint64_t);

template <class From, class Integer>
Outcome to_integer(std::uint64_t a, std::uint64_t fr0) {
  return rounded_to_integer<From, Integer>(a, fr0, rounding_of(fr0));
}
template <class From, class Integer>
Outcome truncate(std::uint64_t a, std::uint64_t fr0) {
  return rounded_to_integer<From, Integer>(a, fr0, ieee754::toward_zero);
}
template Outcome to_integer<float, std::int32_t>(std::uint64_t, std::uint64_t);
template Outcome to_integer<float, std::int64_t>(std::uint64_t, std::uint64_t);
template Outcome to_integer<float, std::uint32_t>(std::uint64_t, std::uint64_t);
template Outcome to_integer<float, std::uint64_t>(std::uint64_t, std::uint64_t);
template Outcome to_integer<double, std::int32_t>(std::uint64_t, std::uint64_t);
template Outcome to_integer<double, std::int64_t>(std::uint64_t, std::uint64_t);
template Outcome to_integer<double, std::uint32_t>(std::uint64_t, std::uint64_t);
template Outcome to_integer<double, std::uint64_t>(std::uint64_t, std::uint64_t);
template Outcome truncate<float, std::int32_t>(std::uint64_t, std::uint64_t);
template Outcome truncate<float, std::int64_t>(std::uint64_t, std::uint64_t);
template Outcome truncate<float, std::uint32_t>(std::uint64_t, std::uint64_t);
template Outcome truncate<float, std::uint64_t>(std::uint64_t, std::uint64_t);
template Outcome truncate<double, std::int32_t>(std::uint64_t, std::uint64_t);
template Outcome truncate<double, std::int64_t>(std::uint64_t, std::uint64_t);
template Outcome truncate<double, std::uint32_t>(std::uint64_t, std::uint64_t);
template Outcome truncate<double, std::uint64_t>(std::uint64_t, std::uint64_t);

}  // namespace hardclock::pa_risc::fp
