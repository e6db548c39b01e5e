// The binary formats of IEEE 754 as bits, and its five exceptions. The instruction set decides what
// a NaN's fraction means.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace hardclock::ieee754 {

// Exceptions, in the order in which MIPS and PA-RISC keep them.
inline constexpr std::uint32_t inexact = 1, underflow = 2, overflow = 4, divide_by_zero = 8,
                               invalid = 16;

// T is float or double.
template <class T>
struct Format;
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr unsigned fraction_bits = 23;
  static constexpr unsigned exponent_limit = 255;  // infinities and NaNs
  static constexpr std::uint64_t sign = 0x80000000;
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr unsigned fraction_bits = 52;
  static constexpr unsigned exponent_limit = 2047;
  static constexpr std::uint64_t sign = 0x8000000000000000;
};

// The topmost bit of a fraction: one of the two kinds of NaN has it set.
template <class T>
inline constexpr std::uint64_t nan_selector = std::uint64_t{1} << (Format<T>::fraction_bits - 1);

// The low 32 bits are a single.
template <class T>
T from_bits(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<typename Format<T>::Bits>(bits));
}

template <class T>
std::uint64_t to_bits(T value) {
  return std::bit_cast<typename Format<T>::Bits>(value);
}

template <class T>
bool is_nan(std::uint64_t bits) {
  return std::isnan(from_bits<T>(bits));
}

// The biased exponent: 0 for zeros and denormals.
template <class T>
unsigned exponent_field(T value) {
  return static_cast<unsigned>(to_bits(value) >> Format<T>::fraction_bits) &
         Format<T>::exponent_limit;
}

template <class T>
bool is_normal(T value) {
  const unsigned field = exponent_field(value);
  return field != 0 && field != Format<T>::exponent_limit;
}

// A number that is not within a factor of two of the smallest or the largest numbers: if the host
// rounds to nearest, the result is neither tiny nor an overflow.
template <class T>
bool is_ordinary(T value) {
  return exponent_field(value) - 2 <= Format<T>::exponent_limit - 4;
}

// The result of an operation. After an invalid operation the bits are meaningless: the instruction
// set chooses the NaN or integer that stands for the result.
struct Result {
  std::uint64_t bits = 0;
  std::uint32_t exceptions = 0;
};

}  // namespace hardclock::ieee754
