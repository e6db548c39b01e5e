// What instructions of types A and I compute that the words of vocabulary.h do not say: pure
// functions of 64-bit numbers, for M::call. Each has the name of its pattern in ia64.decode.
// Parallel ones are in multimedia_functions.h. Source: "Intel Itanium Architecture Software
// Developer's Manual", revision 2.3, volume 3, chapter 2: the instruction's page.
//
// Parameters come in the order of the assembly syntax and have its values: a count, position or
// length is the operand, not the field that encodes it. A NaT source makes the result NaT, which is
// the caller's.
#pragma once

#include <bit>
#include <cstdint>

namespace hardclock::ia64::alu {

// ---- Bit fields. pos is 0 to 63, len 1 to 64; a field that would reach beyond bit 63 ends there.
// The ones of a field.
constexpr std::uint64_t field_mask(std::uint64_t pos, std::uint64_t len) {
  return ~std::uint64_t{0} >> (64 - len) << pos;
}
constexpr std::uint64_t extr_u(std::uint64_t r3, std::uint64_t pos, std::uint64_t len) {
  return (r3 & field_mask(pos, len)) >> pos;
}

// ---- Counts. clz of 0 is 64.
constexpr std::uint64_t popcnt(std::uint64_t r3) {
  return static_cast<std::uint64_t>(std::popcount(r3));
}
constexpr std::uint64_t clz(std::uint64_t r3) {
  return static_cast<std::uint64_t>(std::countl_zero(r3));
}
// The index of the first element that is zero, from the left (most significant) or from the right;
// the number of elements if none is.
template <unsigned bits>
constexpr std::uint64_t czx_r(std::uint64_t r3) {
  std::uint64_t index = 0;
  while (index < 64 / bits && extr_u(r3, index * bits, bits) != 0) ++index;
  return index;
}
template <unsigned bits>
constexpr std::uint64_t czx_l(std::uint64_t r3) {
  std::uint64_t index = 0;
  while (index < 64 / bits && extr_u(r3, 64 - (index + 1) * bits, bits) != 0) ++index;
  return index;
}
inline constexpr auto czx1_l = czx_l<8>;
inline constexpr auto czx1_r = czx_r<8>;
inline constexpr auto czx2_l = czx_l<16>;
inline constexpr auto czx2_r = czx_r<16>;

}  // namespace hardclock::ia64::alu
