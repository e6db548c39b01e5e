// Division, including the cases that the manual leaves undefined. These follow what the R3000
// leaves in HI and LO (Martin Korth, "Nocash PSX Specifications", CPU multiply/divide notes), and
// for the 64-bit forms the VR4300's same rule (ares, ares/n64/cpu/interpreter-ipu.cpp, CPU::DDIV).
#pragma once

#include <array>
#include <cstdint>

namespace hardclock::mips {

// {quotient, remainder}; those of 32-bit numbers are sign-extended.
using Division = std::array<std::uint64_t, 2>;

inline std::uint64_t sign_extended(std::uint32_t word) {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word)});
}

inline Division divide_signed(std::uint64_t dividend, std::uint64_t divisor) {
  const auto n = static_cast<std::int32_t>(dividend);
  const auto d = static_cast<std::int32_t>(divisor);
  if (d == 0) return {sign_extended(n < 0 ? 1 : ~0u), sign_extended(static_cast<std::uint32_t>(n))};
  if (d == -1) return {sign_extended(0u - static_cast<std::uint32_t>(n)), 0};
  return {sign_extended(static_cast<std::uint32_t>(n / d)),
          sign_extended(static_cast<std::uint32_t>(n % d))};
}

inline Division divide_unsigned(std::uint64_t dividend, std::uint64_t divisor) {
  const auto n = static_cast<std::uint32_t>(dividend);
  const auto d = static_cast<std::uint32_t>(divisor);
  if (d == 0) return {sign_extended(~0u), sign_extended(n)};
  return {sign_extended(n / d), sign_extended(n % d)};
}

inline Division divide_signed_64(std::uint64_t dividend, std::uint64_t divisor) {
  const auto n = static_cast<std::int64_t>(dividend);
  const auto d = static_cast<std::int64_t>(divisor);
  if (d == 0) return {n < 0 ? 1 : ~std::uint64_t{0}, dividend};
  if (d == -1) return {0 - dividend, 0};
  return {static_cast<std::uint64_t>(n / d), static_cast<std::uint64_t>(n % d)};
}

inline Division divide_unsigned_64(std::uint64_t dividend, std::uint64_t divisor) {
  if (divisor == 0) return {~std::uint64_t{0}, dividend};
  return {dividend / divisor, dividend % divisor};
}

}  // namespace hardclock::mips
