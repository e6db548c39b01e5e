// Operands for the tests of floating point: values at the edges of a format, and random pairs that
// make rounding, cancellation, overflow and underflow likely.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace hardclock::support {

// An IEEE 754 binary format by its widths in bits.
struct BinaryFormat {
  unsigned exponent_bits;
  unsigned fraction_bits;

  constexpr std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  constexpr std::uint64_t exponent_limit() const { return (std::uint64_t{1} << exponent_bits) - 1; }
  constexpr std::uint64_t sign() const {
    return std::uint64_t{1} << (exponent_bits + fraction_bits);
  }
  constexpr std::uint64_t infinity() const { return exponent_limit() << fraction_bits; }
  // The top bit of the fraction: in a NaN of MIPS or PA-RISC it means signalling.
  constexpr std::uint64_t signalling() const { return std::uint64_t{1} << (fraction_bits - 1); }
  constexpr bool is_nan(std::uint64_t bits) const { return (bits & ~sign()) > infinity(); }
  constexpr bool is_signalling(std::uint64_t bits) const {
    return is_nan(bits) && (bits & signalling()) != 0;
  }
};

inline constexpr BinaryFormat single{8, 23};
inline constexpr BinaryFormat twin{11, 52};

using Pair = std::pair<std::uint64_t, std::uint64_t>;
using Triple = std::array<std::uint64_t, 3>;

// Zeros, denormals, normals at both ends, infinities, quiet and signalling NaNs, numbers around
// the edges of 32-bit and 64-bit integers and half-way between integers; each with both signs.
std::vector<std::uint64_t> special_operands(const BinaryFormat& format);
std::vector<std::uint64_t> special_words();
std::vector<std::uint64_t> special_longs();

// Each special operand with each.
std::vector<Pair> special_pairs(const std::vector<std::uint64_t>& operands);
std::vector<Pair> random_pairs(const BinaryFormat& format, std::size_t count, std::uint64_t seed);
// The third operand is often near the product of the first two, or decides how that is rounded.
std::vector<Triple> random_triples(const BinaryFormat& format, std::size_t count,
                                   std::uint64_t seed);

}  // namespace hardclock::support
