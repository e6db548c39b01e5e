#include "isa/pa_risc/floating_point.h"

#include <cmath>
#include <initializer_list>
#include <optional>

#include "isa/pa_risc/floating_point_rules.h"
#include "isa/pa_risc/floating_point_status.h"
#include "sim/floating_point/conversions.h"
#include "sim/floating_point/operations.h"

namespace hardclock::pa_risc::fp {
namespace {

using ieee754::SquareRoot;

// The result when one of the operands is a NaN: the first signalling one made quiet, which is an
// invalid operation, or the first one.
template <class T>
Result propagated_nan(std::initializer_list<std::uint64_t> operands) {
  std::optional<std::uint64_t> first;
  for (const std::uint64_t operand : operands) {
    const std::uint64_t bits = static_cast<typename Format<T>::Bits>(operand);
    if (is_signalling<T>(bits)) return {quieted<T>(bits), invalid};
    if (!first && is_nan<T>(bits)) first = bits;
  }
  return {*first, 0};
}

// Neither overflows nor underflows.
template <class T>
Outcome square_root(std::uint64_t a, std::uint64_t fr0) {
  const T value = from_bits<T>(a);
  if ((fr0 & (rounding_mode | denormalized_as_zero)) == 0) {
    const T root = SquareRoot::apply(value, value);
    if (SquareRoot::is_plain(value, value, root)) [[likely]] {
      return finish({to_bits(root), SquareRoot::is_exact(value, value, root) ? 0 : inexact}, fr0);
    }
  }
  if (std::isnan(value)) return finish(propagated_nan<T>({a}), fr0);
  const T x = operand(value, fr0);
  Result result = ieee754::compute<T>(rounding_of(fr0), [&] {
    return HostArithmetic::barrier(
        SquareRoot::apply(HostArithmetic::barrier(x), HostArithmetic::barrier(x)));
  });
  if (result.exceptions == invalid) result.bits = default_nan<T>;
  return finish(result, fr0);
}

template <class T>
Outcome round_to_integral(std::uint64_t a, std::uint64_t fr0) {
  if (is_nan<T>(a)) return finish(propagated_nan<T>({a}), fr0);
  return finish(ieee754::to_integral(operand(from_bits<T>(a), fr0), rounding_of(fr0)), fr0);
}

std::uint64_t record_comparison(bool holds, std::uint64_t target, std::uint64_t fr0) {
  if (target >= 1 && target <= array_bits) {
    const std::uint64_t bit = queue_newest >> (target - 1);
    return holds ? fr0 | bit : fr0 & ~bit;
  }
  const std::uint64_t moved =
      (fr0 >> 1 & queue & ~queue_newest) | ((fr0 & condition_bit) != 0 ? queue_newest : 0);
  fr0 = (fr0 & ~queue) | moved;
  return holds ? fr0 | condition_bit : fr0 & ~condition_bit;
}

}  // namespace

template <class T, class Operation>
Outcome binary(std::uint64_t a, std::uint64_t b, std::uint64_t fr0) {
  const T left = from_bits<T>(a), right = from_bits<T>(b);
  if ((fr0 & (rounding_mode | denormalized_as_zero)) == 0) {
    const T result = Operation::apply(left, right);
    if (Operation::is_plain(left, right, result)) [[likely]] {
      return finish({to_bits(result), Operation::is_exact(left, right, result) ? 0 : inexact}, fr0);
    }
  }
  if (std::isnan(left) || std::isnan(right)) return finish(propagated_nan<T>({a, b}), fr0);
  const T x = operand(left, fr0), y = operand(right, fr0);
  const auto wide = [x, y] {
    const volatile ieee754::Wider<T> wide_x = x, wide_y = y;
    return Operation::template apply<ieee754::Wider<T>>(wide_x, wide_y);
  };
  const auto operation = [&] {
    return HostArithmetic::barrier(
        Operation::apply(HostArithmetic::barrier(x), HostArithmetic::barrier(y)));
  };
  return finish(rounded<T>(fr0, operation, wide), fr0);
}
template Outcome binary<float, Add>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<double, Add>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<float, Subtract>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<double, Subtract>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<float, Multiply>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<double, Multiply>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<float, Divide>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<double, Divide>(std::uint64_t, std::uint64_t, std::uint64_t);

// Exact, but for a divisor of zero or an infinite dividend.
template <class T>
Outcome remainder(std::uint64_t a, std::uint64_t b, std::uint64_t fr0) {
  const T dividend = from_bits<T>(a), divisor = from_bits<T>(b);
  if (std::isnan(dividend) || std::isnan(divisor)) return finish(propagated_nan<T>({a, b}), fr0);
  const T x = operand(dividend, fr0), y = operand(divisor, fr0);
  if (std::isinf(x) || y == 0) {
    return finish(Result{default_nan<T>, static_cast<std::uint32_t>(invalid)}, fr0);
  }
  // A zero has the sign of the dividend (IEEE 754-1985, 5.1); the host's has that of the rounding.
  const auto signed_as_x = [x](auto r) { return r == 0 ? std::copysign(r, decltype(r){x}) : r; };
  const auto operation = [=] { return signed_as_x(std::remainder(x, y)); };
  const auto wide = [=] {
    return signed_as_x(std::remainder(ieee754::Wider<T>{x}, ieee754::Wider<T>{y}));
  };
  return finish(rounded<T>(fr0, operation, wide), fr0);
}
template Outcome remainder<float>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome remainder<double>(std::uint64_t, std::uint64_t, std::uint64_t);

Outcome sqrt_s(std::uint64_t a, std::uint64_t fr0) { return square_root<float>(a, fr0); }
Outcome rnd_s(std::uint64_t a, std::uint64_t fr0) { return round_to_integral<float>(a, fr0); }
Outcome sqrt_d(std::uint64_t a, std::uint64_t fr0) { return square_root<double>(a, fr0); }
Outcome rnd_d(std::uint64_t a, std::uint64_t fr0) { return round_to_integral<double>(a, fr0); }

// A NaN goes through even where infinity and zero would be multiplied (Linux,
// arch/parisc/math-emu/fmpyfadd.c).
template <class T, bool negates>
Outcome fused_multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t fr0) {
  Result result;
  if (is_nan<T>(a) || is_nan<T>(b) || is_nan<T>(c)) {
    result = propagated_nan<T>({a, b, c});
  } else {
    const T left = operand(from_bits<T>(a), fr0), y = operand(from_bits<T>(b), fr0),
            z = operand(from_bits<T>(c), fr0);
    const T x = negates ? -left : left;
    const auto operation = [x, y, z] {
      return HostArithmetic::barrier(std::fma(
          HostArithmetic::barrier(x), HostArithmetic::barrier(y), HostArithmetic::barrier(z)));
    };
    const auto wide = [x, y, z] {
      const volatile ieee754::Wider<T> wide_x = x, wide_y = y, wide_z = z;
      return std::fma(ieee754::Wider<T>{wide_x}, ieee754::Wider<T>{wide_y},
                      ieee754::Wider<T>{wide_z});
    };
    result = rounded<T>(fr0, operation, wide);
  }
  return {result.bits, raised<fused_exception_code>(result.exceptions, fr0)};
}
template Outcome fused_multiply_add<float, false>(std::uint64_t, std::uint64_t, std::uint64_t,
                                                  std::uint64_t);
template Outcome fused_multiply_add<double, false>(std::uint64_t, std::uint64_t, std::uint64_t,
                                                   std::uint64_t);
template Outcome fused_multiply_add<float, true>(std::uint64_t, std::uint64_t, std::uint64_t,
                                                 std::uint64_t);
template Outcome fused_multiply_add<double, true>(std::uint64_t, std::uint64_t, std::uint64_t,
                                                  std::uint64_t);

template <class T>
std::uint64_t compare(std::uint64_t a, std::uint64_t b, std::uint64_t comparison,
                      std::uint64_t fr0) {
  constexpr std::uint64_t greater = 16, less = 8, equal = 4, unordered = 2, signals = 1;
  const T left = operand(from_bits<T>(a), fr0), right = operand(from_bits<T>(b), fr0);
  std::uint64_t relation = equal;
  std::uint32_t exceptions = 0;
  if (std::isnan(left) || std::isnan(right)) {
    relation = unordered;
    const bool is_invalid =
        (comparison & signals) != 0 || is_signalling<T>(a) || is_signalling<T>(b);
    if (is_invalid) exceptions = invalid;
  } else if (left != right) {
    relation = left < right ? less : greater;
  }
  return raised(exceptions, record_comparison((comparison & relation) != 0, comparison >> 5, fr0));
}
template std::uint64_t compare<float>(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);
template std::uint64_t compare<double>(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);

}  // namespace hardclock::pa_risc::fp
