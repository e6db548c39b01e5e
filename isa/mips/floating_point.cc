#include "isa/mips/floating_point.h"

#include <emmintrin.h>

#include <bit>
#include <cmath>
#include <limits>

#include "isa/mips/registers.h"

namespace hardclock::mips::fp {
namespace {

// FCSR exception bits, as they stand in each of its three fields.
constexpr std::uint32_t inexact = 1, underflow = 2, overflow = 4, divide_by_zero = 8, invalid = 16;

constexpr std::uint32_t exception_mask = 31;
// Unimplemented operation: a cause bit that no enable bit holds back.
constexpr std::uint32_t unimplemented = 32;

Outcome finish(std::uint64_t value, std::uint32_t exceptions, std::uint32_t fcsr) {
  fcsr &= ~(0x3fu << fcsr_cause_shift);
  fcsr |= exceptions << fcsr_cause_shift;
  if ((exceptions & (fcsr >> fcsr_enables_shift) & exception_mask) == 0) {
    fcsr |= exceptions << fcsr_flags_shift;
  }
  return {value, fcsr};
}

// Computes on the host's SSE unit in the guest's rounding mode and collects the IEEE exceptions.
// The barriers keep the compiler from moving the arithmetic out from between them.
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

template <class T>
struct Format;
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr std::uint64_t sign = 0x80000000;
  static constexpr Bits default_nan = 0x7fbfffff;
  static constexpr Bits nan_selector = 0x00400000;  // set: signalling
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr std::uint64_t sign = 0x8000000000000000;
  static constexpr Bits default_nan = 0x7ff7ffffffffffff;
  static constexpr Bits nan_selector = 0x0008000000000000;
};

template <class T>
T from_bits(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<typename Format<T>::Bits>(bits));
}

template <class T>
bool is_nan(std::uint64_t bits) {
  return std::isnan(from_bits<T>(bits));
}

template <class T>
bool is_signalling(std::uint64_t bits) {
  return is_nan<T>(bits) && (bits & Format<T>::nan_selector) != 0;
}

// The result when a or b is a NaN: a signalling one is an invalid operation, a quiet one goes
// through, a first.
template <class T>
Outcome propagate_nan(std::uint64_t a, std::uint64_t b, std::uint32_t fcsr) {
  if (is_signalling<T>(a) || is_signalling<T>(b)) {
    return finish(Format<T>::default_nan, invalid, fcsr);
  }
  return finish(is_nan<T>(a) ? a : b, 0, fcsr);
}

// While underflow traps, tininess alone is an underflow (IEEE 754-1985, 7.4). Of the tiny results
// the host, whose exceptions are masked, reports those that are inexact too.
template <class T>
Outcome rounded(T result, std::uint32_t exceptions, std::uint32_t fcsr) {
  if (std::isnan(result)) return finish(Format<T>::default_nan, exceptions, fcsr);
  const bool underflow_traps = ((fcsr >> fcsr_enables_shift) & underflow) != 0;
  if (underflow_traps && std::fpclassify(result) == FP_SUBNORMAL) exceptions |= underflow;
  return finish(std::bit_cast<typename Format<T>::Bits>(result), exceptions, fcsr);
}

template <class T, class Operation>
Outcome arithmetic(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr, Operation operation) {
  const auto control = static_cast<std::uint32_t>(fcsr);
  if (is_nan<T>(a) || is_nan<T>(b)) return propagate_nan<T>(a, b, control);
  const HostArithmetic host(control & fcsr_rounding);
  const T left = host.barrier(from_bits<T>(a));
  const T right = host.barrier(from_bits<T>(b));
  const T result = host.barrier(operation(left, right));
  return rounded(result, host.exceptions(), control);
}

constexpr auto plus = [](auto a, auto b) { return a + b; };
constexpr auto minus = [](auto a, auto b) { return a - b; };
constexpr auto times = [](auto a, auto b) { return a * b; };
constexpr auto over = [](auto a, auto b) { return a / b; };
constexpr auto root_s = [](float a, float) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))); };
constexpr auto root_d = [](double a, double) {
  return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(a)));
};

// ABS and NEG are arithmetic, unlike MOV: a signalling NaN is an invalid operation, and a quiet one
// stays as it is, sign included.
template <class T>
Outcome with_sign(std::uint64_t a, std::uint64_t result, std::uint64_t fcsr) {
  const auto control = static_cast<std::uint32_t>(fcsr);
  return is_nan<T>(a) ? propagate_nan<T>(a, a, control) : finish(result, 0, control);
}

template <class From, class To>
Outcome convert(From value, std::uint64_t fcsr) {
  const auto control = static_cast<std::uint32_t>(fcsr);
  const HostArithmetic host(control & fcsr_rounding);
  const To result = host.barrier(static_cast<To>(host.barrier(value)));
  return rounded(result, host.exceptions(), control);
}

Outcome to_word(double value, std::uint64_t fcsr, std::uint64_t rounding) {
  const auto control = static_cast<std::uint32_t>(fcsr);
  const Outcome out_of_range = finish(0x7fffffff, invalid, control);
  if (!(std::fabs(value) < 4294967296.0)) return out_of_range;  // also a NaN
  const HostArithmetic host(static_cast<std::uint32_t>(rounding));
  const std::int64_t word = host.barrier(_mm_cvtsd_si64(_mm_set_sd(host.barrier(value))));
  if (word != static_cast<std::int32_t>(word)) return out_of_range;
  return finish(static_cast<std::uint32_t>(word), host.exceptions(), control);
}

template <class T>
Outcome compare(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr_and_condition) {
  const auto fcsr = static_cast<std::uint32_t>(fcsr_and_condition);
  const auto condition = static_cast<std::uint32_t>(fcsr_and_condition >> 32);
  const T left = from_bits<T>(a);
  const T right = from_bits<T>(b);
  const bool unordered = std::isnan(left) || std::isnan(right);
  const bool less = !unordered && left < right;
  const bool equal = !unordered && left == right;
  const bool holds = ((condition & 1) != 0 && unordered) || ((condition & 2) != 0 && equal) ||
                     ((condition & 4) != 0 && less);
  const bool signals =
      ((condition & 8) != 0 && unordered) || is_signalling<T>(a) || is_signalling<T>(b);
  return finish(holds ? 1 : 0, signals ? invalid : 0, fcsr);
}

}  // namespace

Outcome add_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr) {
  return arithmetic<float>(a, b, fcsr, plus);
}
Outcome sub_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr) {
  return arithmetic<float>(a, b, fcsr, minus);
}
Outcome mul_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr) {
  return arithmetic<float>(a, b, fcsr, times);
}
Outcome div_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr) {
  return arithmetic<float>(a, b, fcsr, over);
}
Outcome sqrt_s(std::uint64_t a, std::uint64_t fcsr) {
  return arithmetic<float>(a, a, fcsr, root_s);
}
Outcome add_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr) {
  return arithmetic<double>(a, b, fcsr, plus);
}
Outcome sub_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr) {
  return arithmetic<double>(a, b, fcsr, minus);
}
Outcome mul_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr) {
  return arithmetic<double>(a, b, fcsr, times);
}
Outcome div_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr) {
  return arithmetic<double>(a, b, fcsr, over);
}
Outcome sqrt_d(std::uint64_t a, std::uint64_t fcsr) {
  return arithmetic<double>(a, a, fcsr, root_d);
}

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

Outcome double_to_single(std::uint64_t a, std::uint64_t fcsr) {
  if (!is_nan<double>(a)) return convert<double, float>(from_bits<double>(a), fcsr);
  const auto control = static_cast<std::uint32_t>(fcsr);
  if (is_signalling<double>(a)) return finish(Format<float>::default_nan, invalid, control);
  const std::uint32_t fraction = static_cast<std::uint32_t>(a >> 29) & 0x007fffff;
  // A payload that lies wholly in the lost bits would leave an infinity.
  if (fraction == 0) return finish(Format<float>::default_nan, 0, control);
  return finish((static_cast<std::uint32_t>(a >> 32) & 0x80000000) | 0x7f800000 | fraction, 0,
                control);
}

Outcome single_to_double(std::uint64_t a, std::uint64_t fcsr) {
  if (!is_nan<float>(a)) return convert<float, double>(from_bits<float>(a), fcsr);
  const auto control = static_cast<std::uint32_t>(fcsr);
  if (is_signalling<float>(a)) return finish(Format<double>::default_nan, invalid, control);
  return finish((a & 0x80000000) << 32 | std::uint64_t{0x7ff} << 52 | (a & 0x007fffff) << 29, 0,
                control);
}

Outcome word_to_single(std::uint64_t a, std::uint64_t fcsr) {
  return convert<std::int32_t, float>(static_cast<std::int32_t>(a), fcsr);
}
Outcome word_to_double(std::uint64_t a, std::uint64_t fcsr) {
  return convert<std::int32_t, double>(static_cast<std::int32_t>(a), fcsr);
}
Outcome single_to_word(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding) {
  return to_word(double{from_bits<float>(a)}, fcsr, rounding);
}
Outcome double_to_word(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding) {
  return to_word(from_bits<double>(a), fcsr, rounding);
}

Outcome compare_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr_and_condition) {
  return compare<float>(a, b, fcsr_and_condition);
}
Outcome compare_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr_and_condition) {
  return compare<double>(a, b, fcsr_and_condition);
}

std::uint64_t enabled_causes(std::uint64_t fcsr) {
  const std::uint64_t enables = ((fcsr >> fcsr_enables_shift) & exception_mask) | unimplemented;
  return (fcsr >> fcsr_cause_shift) & enables;
}

}  // namespace hardclock::mips::fp
