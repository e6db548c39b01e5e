#include "isa/mips/floating_point.h"

#include <cmath>
#include <initializer_list>
#include <optional>

#include "isa/mips/floating_point_rules.h"
#include "isa/mips/registers.h"
#include "sim/floating_point/operations.h"

namespace hardclock::mips::fp {
namespace {

using ieee754::SquareRoot;

// The result when one of the operands is a NaN: a signalling one is an invalid operation, a quiet
// one goes through, the first of several.
template <class T>
Result propagated_nan(std::initializer_list<std::uint64_t> operands) {
  std::optional<std::uint64_t> first;
  for (const std::uint64_t operand : operands) {
    if (is_signalling<T>(operand)) return {default_nan<T>, invalid};
    if (!first && is_nan<T>(operand)) first = static_cast<typename Format<T>::Bits>(operand);
  }
  return {*first, 0};
}

template <class T, class Operation>
Result arithmetic(std::uint64_t a, std::uint64_t b, std::uint32_t control) {
  const T left = from_bits<T>(a);
  const T right = from_bits<T>(b);
  if ((control & fcsr_rounding) == 0) {
    const T result = Operation::apply(left, right);
    if (Operation::is_plain(left, right, result)) [[likely]] {
      return {to_bits(result), Operation::is_exact(left, right, result) ? 0 : inexact};
    }
  }
  if (std::isnan(left) || std::isnan(right)) return propagated_nan<T>({a, b});
  return rounded<T>(control, [&] {
    return HostArithmetic::barrier(
        Operation::apply(HostArithmetic::barrier(left), HostArithmetic::barrier(right)));
  });
}

template <class T>
Outcome square_root(std::uint64_t a, std::uint64_t fcsr) {
  return binary<T, SquareRoot>(a, a, fcsr);
}

template <class T>
Outcome reciprocal(std::uint64_t a, std::uint64_t fcsr) {
  return binary<T, Divide>(to_bits(T{1}), a, fcsr);
}

template <class T>
Outcome reciprocal_root(std::uint64_t a, std::uint64_t fcsr) {
  const auto control = static_cast<std::uint32_t>(fcsr);
  const Result root = arithmetic<T, SquareRoot>(a, a, control);
  Result result = arithmetic<T, Divide>(to_bits(T{1}), root.bits, control);
  result.exceptions |= root.exceptions;
  return finish(result, fcsr);
}

// ABS and NEG are arithmetic, unlike MOV: a signalling NaN is an invalid operation, and a quiet one
// stays as it is, sign included.
template <class T>
Outcome with_sign(std::uint64_t a, std::uint64_t result, std::uint64_t fcsr) {
  if (is_nan<T>(a)) return finish(propagated_nan<T>({a}), fcsr);
  return finish({result, 0}, fcsr);
}

// The product of infinity and zero is invalid whatever is added, as it is by itself.
template <class T>
Result fused_multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c, bool subtracts,
                          std::uint32_t control) {
  const T left = from_bits<T>(a), right = from_bits<T>(b);
  const T addend = subtracts ? -from_bits<T>(c) : from_bits<T>(c);
  if (std::isnan(left * right) && !std::isnan(left) && !std::isnan(right)) {
    return {default_nan<T>, invalid};
  }
  if (std::isnan(left) || std::isnan(right) || std::isnan(addend)) {
    return propagated_nan<T>({a, b, c});
  }
  return rounded<T>(control, [&] {
    return HostArithmetic::barrier(std::fma(HostArithmetic::barrier(left),
                                            HostArithmetic::barrier(right),
                                            HostArithmetic::barrier(addend)));
  });
}

}  // namespace

template <class T, class Operation>
Outcome binary(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr) {
  return finish(arithmetic<T, Operation>(a, b, static_cast<std::uint32_t>(fcsr)), fcsr);
}
template Outcome binary<float, Add>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<double, Add>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<float, Subtract>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<double, Subtract>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<float, Multiply>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<double, Multiply>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<float, Divide>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome binary<double, Divide>(std::uint64_t, std::uint64_t, std::uint64_t);
Outcome sqrt_s(std::uint64_t a, std::uint64_t fcsr) { return square_root<float>(a, fcsr); }
Outcome sqrt_d(std::uint64_t a, std::uint64_t fcsr) { return square_root<double>(a, fcsr); }

Outcome abs_s(std::uint64_t a, std::uint64_t fcsr) {
  return with_sign<float>(a, a & ~Format<float>::sign, fcsr);
}
Outcome neg_s(std::uint64_t a, std::uint64_t fcsr) {
  return with_sign<float>(a, a ^ Format<float>::sign, fcsr);
}
Outcome abs_d(std::uint64_t a, std::uint64_t fcsr) {
  return with_sign<double>(a, a & ~Format<double>::sign, fcsr);
}
Outcome neg_d(std::uint64_t a, std::uint64_t fcsr) {
  return with_sign<double>(a, a ^ Format<double>::sign, fcsr);
}

Outcome recip_s(std::uint64_t a, std::uint64_t fcsr) { return reciprocal<float>(a, fcsr); }
Outcome rsqrt_s(std::uint64_t a, std::uint64_t fcsr) { return reciprocal_root<float>(a, fcsr); }
Outcome recip_d(std::uint64_t a, std::uint64_t fcsr) { return reciprocal<double>(a, fcsr); }
Outcome rsqrt_d(std::uint64_t a, std::uint64_t fcsr) { return reciprocal_root<double>(a, fcsr); }

template <class T>
Outcome multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                     std::uint64_t fcsr_and_variant) {
  const auto control = static_cast<std::uint32_t>(fcsr_and_variant);
  const std::uint64_t variant = fcsr_and_variant >> 32;
  const bool subtracts = (variant & subtract) != 0;
  Result result;
  if ((variant & fused) != 0) {
    result = fused_multiply_add<T>(a, b, c, subtracts, control);
  } else {
    const Result product = arithmetic<T, Multiply>(a, b, control);
    result = subtracts ? arithmetic<T, Subtract>(product.bits, c, control)
                       : arithmetic<T, Add>(product.bits, c, control);
    result.exceptions |= product.exceptions;
  }
  if ((variant & negate) != 0 && !is_nan<T>(result.bits)) result.bits ^= Format<T>::sign;
  return finish(result, control);
}
template Outcome multiply_add<float>(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome multiply_add<double>(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);

template <class T>
Outcome compare(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr_and_condition) {
  const std::uint64_t condition = fcsr_and_condition >> 32;
  const T left = from_bits<T>(a);
  const T right = from_bits<T>(b);
  const bool unordered = std::isnan(left) || std::isnan(right);
  const bool less = !unordered && left < right;
  const bool equal = !unordered && left == right;
  const bool holds = ((condition & 1) != 0 && unordered) || ((condition & 2) != 0 && equal) ||
                     ((condition & 4) != 0 && less);
  const bool signals =
      ((condition & 8) != 0 && unordered) || is_signalling<T>(a) || is_signalling<T>(b);
  return finish({holds ? 1u : 0u, signals ? invalid : 0}, fcsr_and_condition);
}
template Outcome compare<float>(std::uint64_t, std::uint64_t, std::uint64_t);
template Outcome compare<double>(std::uint64_t, std::uint64_t, std::uint64_t);

}  // namespace hardclock::mips::fp
