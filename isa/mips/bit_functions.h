// Pure functions of 64-bit numbers that instructions call: products of 128 bits, leading bits,
// masks.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace hardclock::mips {

// {low half, high half}
using Product = std::array<std::uint64_t, 2>;

inline Product multiply_unsigned_64(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
}

inline Product multiply_signed_64(std::uint64_t a, std::uint64_t b) {
  const __int128 product =
      static_cast<__int128>(static_cast<std::int64_t>(a)) * static_cast<std::int64_t>(b);
  return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
}

inline std::uint64_t leading_zeros_32(std::uint64_t value) {
  return static_cast<std::uint64_t>(std::countl_zero(static_cast<std::uint32_t>(value)));
}
inline std::uint64_t leading_zeros_64(std::uint64_t value) {
  return static_cast<std::uint64_t>(std::countl_zero(value));
}

// Ones in bits low..high, 0 to 63; none if high is below low.
constexpr std::uint64_t bits_between(unsigned low, unsigned high) {
  if (high < low) return 0;
  return ~std::uint64_t{0} >> (63 - high) & ~std::uint64_t{0} << low;
}

}  // namespace hardclock::mips
