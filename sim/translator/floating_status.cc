#include "sim/translator/floating_status.h"

#include <cmath>
#include <optional>

#include "sim/floating_point/format.h"
#include "sim/floating_point/host_arithmetic.h"
#include "sim/floating_point/operations.h"

namespace hardclock {
namespace {

using ieee754::from_bits;
using ieee754::HostArithmetic;

template <class T, class Operation>
ieee754::Result compute(std::uint64_t left, std::uint64_t right) {
  const T a = from_bits<T>(left), b = from_bits<T>(right);
  return ieee754::compute<T>(ieee754::to_nearest, [&] {
    return HostArithmetic::barrier(
        Operation::apply(HostArithmetic::barrier(a), HostArithmetic::barrier(b)));
  });
}

template <class T, class Operation>
std::uint32_t exceptions_of(const FloatingRecord& record) {
  return compute<T, Operation>(record.a, record.b).exceptions;
}

template <class T>
std::uint32_t fused_exceptions(const FloatingRecord& record) {
  const bool subtracts = (record.last >> variant_shift & 1) != 0;
  const T a = from_bits<T>(record.a), b = from_bits<T>(record.b), c = from_bits<T>(record.c);
  return ieee754::compute<T>(ieee754::to_nearest,
                             [&] {
                               return HostArithmetic::barrier(
                                   std::fma(HostArithmetic::barrier(a), HostArithmetic::barrier(b),
                                            HostArithmetic::barrier(subtracts ? -c : c)));
                             })
      .exceptions;
}

template <class T>
std::uint32_t multiply_add_exceptions(const FloatingRecord& record) {
  constexpr std::uint32_t fused = 4;
  if ((record.last >> variant_shift & fused) != 0) return fused_exceptions<T>(record);
  const bool subtracts = (record.last >> variant_shift & 1) != 0;
  const ieee754::Result product = compute<T, ieee754::Multiply>(record.a, record.b);
  const ieee754::Result sum = subtracts ? compute<T, ieee754::Subtract>(product.bits, record.c)
                                        : compute<T, ieee754::Add>(product.bits, record.c);
  return product.exceptions | sum.exceptions;
}

template <class T>
std::uint32_t reciprocal_exceptions(std::uint64_t of) {
  return compute<T, ieee754::Divide>(ieee754::to_bits(T{1}), of).exceptions;
}
template <class T>
std::uint32_t reciprocal_root_exceptions(const FloatingRecord& record) {
  const ieee754::Result root = compute<T, ieee754::SquareRoot>(record.a, record.a);
  return root.exceptions | reciprocal_exceptions<T>(root.bits);
}

// Of a conversion of `from` to To.
template <class To, class From>
std::uint32_t conversion_exceptions(From from) {
  return ieee754::compute<To>(
             ieee754::to_nearest,
             [&] {
               return HostArithmetic::barrier(static_cast<To>(HostArithmetic::barrier(from)));
             })
      .exceptions;
}

// In whichever direction it is rounded.
template <class From>
std::uint32_t integer_exceptions(From from) {
  return std::trunc(from) == from ? 0 : ieee754::inexact;
}

std::uint32_t last_exceptions(const FloatingRecord& record) {
  constexpr std::uint32_t function = (1u << variant_shift) - 1;
  switch (static_cast<HostFunction>(record.last & function)) {
    case HostFunction::add_single:
      return exceptions_of<float, ieee754::Add>(record);
    case HostFunction::add_double:
      return exceptions_of<double, ieee754::Add>(record);
    case HostFunction::subtract_single:
      return exceptions_of<float, ieee754::Subtract>(record);
    case HostFunction::subtract_double:
      return exceptions_of<double, ieee754::Subtract>(record);
    case HostFunction::multiply_single:
      return exceptions_of<float, ieee754::Multiply>(record);
    case HostFunction::multiply_double:
      return exceptions_of<double, ieee754::Multiply>(record);
    case HostFunction::divide_single:
      return exceptions_of<float, ieee754::Divide>(record);
    case HostFunction::divide_double:
      return exceptions_of<double, ieee754::Divide>(record);
    case HostFunction::multiply_add_single:
      return multiply_add_exceptions<float>(record);
    case HostFunction::multiply_add_double:
      return multiply_add_exceptions<double>(record);
    case HostFunction::square_root_single:
      return exceptions_of<float, ieee754::SquareRoot>(record);
    case HostFunction::square_root_double:
      return exceptions_of<double, ieee754::SquareRoot>(record);
    case HostFunction::reciprocal_single:
      return reciprocal_exceptions<float>(record.a);
    case HostFunction::reciprocal_double:
      return reciprocal_exceptions<double>(record.a);
    case HostFunction::reciprocal_root_single:
      return reciprocal_root_exceptions<float>(record);
    case HostFunction::reciprocal_root_double:
      return reciprocal_root_exceptions<double>(record);
    case HostFunction::double_to_single:
      return conversion_exceptions<float>(from_bits<double>(record.a));
    case HostFunction::word_to_single:
    case HostFunction::long_to_single:
      return conversion_exceptions<float>(static_cast<std::int64_t>(record.a));
    case HostFunction::long_to_double:
      return conversion_exceptions<double>(static_cast<std::int64_t>(record.a));
    case HostFunction::single_to_word:
    case HostFunction::single_to_long:
      return integer_exceptions(from_bits<float>(record.a));
    case HostFunction::double_to_word:
    case HostFunction::double_to_long:
      return integer_exceptions(from_bits<double>(record.a));
    default:
      return 0;  // is always exact
  }
}

std::uint32_t collected_exceptions(std::uint32_t host) {
  return ((host & 0x04) != 0 ? ieee754::divide_by_zero : 0) |
         ((host & 0x08) != 0 ? ieee754::overflow : 0) |
         ((host & 0x10) != 0 ? ieee754::underflow : 0) |
         ((host & 0x20) != 0 ? ieee754::inexact : 0);
}

}  // namespace

void settle_floating_status(FloatingRecord* record, std::uint32_t* status,
                            const FloatingMode* mode) {
  std::optional<std::uint32_t> last;
  if (record->last != 0) last = last_exceptions(*record);
  *status = mode->with_exceptions(*status, collected_exceptions(record->host_status), last);
  record->last = 0;
  _mm_setcsr(plain_mxcsr);
}

}  // namespace hardclock
