// The five operations. Each has two tests: whether operands and result stay away from the ends of
// the format, and whether a result rounded to nearest is exact. Together they give result and
// exceptions without reading MXCSR, which costs several times the operation.
#pragma once

#include <emmintrin.h>

#include <cmath>
#include <cstdint>

#include "sim/floating_point/format.h"

namespace hardclock::ieee754 {

// Whether x * y is `product`, which is rounded to nearest: x and y are normal, product ordinary.
inline bool product_is_exact(float x, float y, float product) {
  return double{x} * double{y} == double{product};  // 48 bits at most
}
// The significands' product of 105 or 106 bits (the exponent tells which) must have only zeros
// after its first 53.
inline bool product_is_exact(double x, double y, double product) {
  constexpr std::uint64_t leading = std::uint64_t{1} << 52, fraction = leading - 1;
  const auto significand = [](double value) { return (to_bits(value) & fraction) | leading; };
  const unsigned carry = exponent_field(product) + 1023 - exponent_field(x) - exponent_field(y);
  const std::uint64_t low = significand(x) * significand(y);
  return (low & ((leading << carry) - 1)) == 0;
}

// The rounding error of a sum is itself a number, which these steps compute (Knuth, "The Art of
// Computer Programming", volume 2, 4.2.2, theorem B). Sums are never both tiny and inexact.
struct Add {
  template <class T>
  static T apply(T a, T b) {
    return a + b;
  }
  template <class T>
  static bool is_plain(T, T, T sum) {
    return sum == 0 || exponent_field(sum) - 1 <= Format<T>::exponent_limit - 3;
  }
  template <class T>
  static bool is_exact(T a, T b, T sum) {
    const T from_b = sum - a;
    return (a - (sum - from_b)) + (b - from_b) == 0;
  }
};

struct Subtract {
  template <class T>
  static T apply(T a, T b) {
    return a - b;
  }
  template <class T>
  static bool is_plain(T a, T b, T difference) {
    return Add::is_plain(a, b, difference);
  }
  template <class T>
  static bool is_exact(T a, T b, T difference) {
    return Add::is_exact(a, -b, difference);
  }
};

struct Multiply {
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
  template <class T>
  static bool is_plain(T a, T b, T product) {
    return (is_ordinary(product) && is_normal(a) && is_normal(b)) ||
           (product == 0 && (a == 0 || b == 0));
  }
  template <class T>
  static bool is_exact(T a, T b, T product) {
    return product == 0 || product_is_exact(a, b, product);
  }
};

struct Divide {
  template <class T>
  static T apply(T a, T b) {
    return a / b;
  }
  template <class T>
  static bool is_plain(T a, T b, T quotient) {
    return (is_ordinary(quotient) && is_ordinary(a) && is_normal(b)) || (quotient == 0 && a == 0);
  }
  template <class T>
  static bool is_exact(T a, T b, T quotient) {
    return quotient == 0 || (quotient * b == a && product_is_exact(quotient, b, a));
  }
};

struct SquareRoot {
  static float apply(float a, float) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))); }
  static double apply(double a, double) {
    return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(a)));
  }
  template <class T>
  static bool is_plain(T a, T, T root) {
    return (is_ordinary(a) && !std::isnan(root)) || a == 0;
  }
  template <class T>
  static bool is_exact(T a, T, T root) {
    return a == 0 || (root * root == a && product_is_exact(root, root, a));
  }
};

}  // namespace hardclock::ieee754
