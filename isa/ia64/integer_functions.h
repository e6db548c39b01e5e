// What instructions of types A and I compute that is more than an operator or two: pure functions
// of 64-bit numbers, for M::call. Each has the name of its pattern in ia64.decode. Parallel ones
// are in multimedia_functions.h. Source: "Intel Itanium Architecture Software Developer's Manual",
// revision 2.3, volume 3, chapter 2: the instruction's page.
//
// Parameters come in the order of the assembly syntax and have its values: a count, position or
// length is the operand, not the field that encodes it. An immediate in the place of a register is
// sign-extended. Logical results are 0 or 1. A NaT source makes the result NaT, which is the
// caller's; tnat and the compares have their own rules.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace hardclock::ia64::alu {

// ---- Addresses of 32 bits (addp4, shladdp4): bits 31:30 of r3 choose the region in bits 62:61.
constexpr std::uint64_t pointer_4(std::uint64_t sum, std::uint64_t r3) {
  return (sum & 0xffff'ffff) | (r3 >> 30 & 3) << 61;
}
// Also of imm14 for r2.
constexpr std::uint64_t addp4(std::uint64_t r2, std::uint64_t r3) { return pointer_4(r2 + r3, r3); }
// count is 1 to 4.
constexpr std::uint64_t shladdp4(std::uint64_t r2, std::uint64_t count, std::uint64_t r3) {
  return pointer_4((r2 << count) + r3, r3);
}

// ---- Shifts by any 64-bit count: above 63 no bit of the operand is left.
constexpr std::uint64_t shl(std::uint64_t r2, std::uint64_t count) {
  return count > 63 ? 0 : r2 << count;
}
constexpr std::uint64_t shr_u(std::uint64_t r3, std::uint64_t count) {
  return count > 63 ? 0 : r3 >> count;
}
constexpr std::uint64_t shr(std::uint64_t r3, std::uint64_t count) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(r3) >> (count > 63 ? 63 : count));
}
// The low doubleword of r2:r3 shifted right. count is 0 to 63.
constexpr std::uint64_t shrp(std::uint64_t r2, std::uint64_t r3, std::uint64_t count) {
  return count == 0 ? r3 : r3 >> count | r2 << (64 - count);
}

// ---- Bit fields. pos is 0 to 63, len 1 to 64; a field that would reach beyond bit 63 ends there.
// The ones of a field.
constexpr std::uint64_t field_mask(std::uint64_t pos, std::uint64_t len) {
  return ~std::uint64_t{0} >> (64 - len) << pos;
}
constexpr std::uint64_t extr_u(std::uint64_t r3, std::uint64_t pos, std::uint64_t len) {
  return (r3 & field_mask(pos, len)) >> pos;
}
constexpr std::uint64_t extr(std::uint64_t r3, std::uint64_t pos, std::uint64_t len) {
  const std::uint64_t above = pos + len < 64 ? 64 - pos - len : 0;
  return shr(r3 << above, above + pos);
}
// The bits of `ones` where the mask has ones, those of `zeros` elsewhere. Also mov to the
// predicates.
constexpr std::uint64_t merged(std::uint64_t ones, std::uint64_t zeros, std::uint64_t mask) {
  return (ones & mask) | (zeros & ~mask);
}
// Also of imm1 for r2. The form of two registers has a len of 1 to 16.
constexpr std::uint64_t dep(std::uint64_t r2, std::uint64_t r3, std::uint64_t pos,
                            std::uint64_t len) {
  return merged(r2 << pos, r3, field_mask(pos, len));
}
// Also of imm8 for r2.
constexpr std::uint64_t dep_z(std::uint64_t r2, std::uint64_t pos, std::uint64_t len) {
  return r2 << pos & field_mask(pos, len);
}

// ---- Extension (zxt, sxt).
constexpr std::uint64_t zxt1(std::uint64_t r3) { return static_cast<std::uint8_t>(r3); }
constexpr std::uint64_t zxt2(std::uint64_t r3) { return static_cast<std::uint16_t>(r3); }
constexpr std::uint64_t zxt4(std::uint64_t r3) { return static_cast<std::uint32_t>(r3); }
template <class Signed>
constexpr std::uint64_t sign_extended(std::uint64_t r3) {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<Signed>(r3)});
}
constexpr std::uint64_t sxt1(std::uint64_t r3) { return sign_extended<std::int8_t>(r3); }
constexpr std::uint64_t sxt2(std::uint64_t r3) { return sign_extended<std::int16_t>(r3); }
constexpr std::uint64_t sxt4(std::uint64_t r3) { return sign_extended<std::int32_t>(r3); }

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
constexpr std::uint64_t czx1_l(std::uint64_t r3) { return czx_l<8>(r3); }
constexpr std::uint64_t czx1_r(std::uint64_t r3) { return czx_r<8>(r3); }
constexpr std::uint64_t czx2_l(std::uint64_t r3) { return czx_l<16>(r3); }
constexpr std::uint64_t czx2_r(std::uint64_t r3) { return czx_r<16>(r3); }

// ---- Unsigned products of words. Three of them make one of doublewords:
// a * b = mpy4(a, b) + mpyshl4(a, b) + mpyshl4(b, a).
constexpr std::uint64_t mpy4(std::uint64_t r2, std::uint64_t r3) { return zxt4(r2) * zxt4(r3); }
// The upper word of r2 times the lower one of r3, 32 bits to the left.
constexpr std::uint64_t mpyshl4(std::uint64_t r2, std::uint64_t r3) {
  return (r2 >> 32) * zxt4(r3) << 32;
}

// ---- Relations of compares, r2 or the immediate against r3; cmp4 looks at the low words.
constexpr std::uint64_t cmp_eq(std::uint64_t r2, std::uint64_t r3) { return r2 == r3 ? 1 : 0; }
constexpr std::uint64_t cmp_ne(std::uint64_t r2, std::uint64_t r3) { return r2 != r3 ? 1 : 0; }
constexpr std::uint64_t cmp_ltu(std::uint64_t r2, std::uint64_t r3) { return r2 < r3 ? 1 : 0; }
constexpr std::uint64_t cmp_lt(std::uint64_t r2, std::uint64_t r3) {
  return static_cast<std::int64_t>(r2) < static_cast<std::int64_t>(r3) ? 1 : 0;
}
constexpr std::uint64_t cmp_gt(std::uint64_t r2, std::uint64_t r3) { return cmp_lt(r3, r2); }
constexpr std::uint64_t cmp_ge(std::uint64_t r2, std::uint64_t r3) { return 1 - cmp_lt(r2, r3); }
constexpr std::uint64_t cmp_le(std::uint64_t r2, std::uint64_t r3) { return 1 - cmp_lt(r3, r2); }
constexpr std::uint64_t cmp4_eq(std::uint64_t r2, std::uint64_t r3) {
  return cmp_eq(zxt4(r2), zxt4(r3));
}
constexpr std::uint64_t cmp4_ne(std::uint64_t r2, std::uint64_t r3) {
  return cmp_ne(zxt4(r2), zxt4(r3));
}
constexpr std::uint64_t cmp4_ltu(std::uint64_t r2, std::uint64_t r3) {
  return cmp_ltu(zxt4(r2), zxt4(r3));
}
constexpr std::uint64_t cmp4_lt(std::uint64_t r2, std::uint64_t r3) {
  return cmp_lt(sxt4(r2), sxt4(r3));
}
constexpr std::uint64_t cmp4_gt(std::uint64_t r2, std::uint64_t r3) { return cmp4_lt(r3, r2); }
constexpr std::uint64_t cmp4_ge(std::uint64_t r2, std::uint64_t r3) { return 1 - cmp4_lt(r2, r3); }
constexpr std::uint64_t cmp4_le(std::uint64_t r2, std::uint64_t r3) { return 1 - cmp4_lt(r3, r2); }
// pos is 0 to 63. tnat is tbit of the NaT bit; tf of bit 32 + imm5 of CPUID register 4.
constexpr std::uint64_t tbit_nz(std::uint64_t r3, std::uint64_t pos) { return r3 >> pos & 1; }
constexpr std::uint64_t tbit_z(std::uint64_t r3, std::uint64_t pos) { return 1 - tbit_nz(r3, pos); }

// ---- Predicates.
enum class CompareType : std::uint8_t { none, unc, and_, or_, or_andcm };

// What a compare, tbit, tnat or tf of this type writes: {whether it writes, p1, p2}. If it does
// not, both predicates stay as they are. `qp` is the qualifying predicate, `nat` whether a source
// is NaT (never for tnat, which looks at NaT bits, and tf), `relation` what the compare found; each
// 0 or 1. fcmp and fclass follow none and unc, with NaTVal for NaT. That p1 and p2 are one register
// is a fault, which is the caller's: if qp is 1, and always for unc.
template <CompareType type>
constexpr std::array<std::uint64_t, 3> compared(std::uint64_t qp, std::uint64_t nat,
                                                std::uint64_t relation) {
  const std::uint64_t holds = relation & (1 - nat);
  const std::uint64_t fails = (1 - relation) & (1 - nat);
  if constexpr (type == CompareType::none) return {qp, holds, fails};
  if constexpr (type == CompareType::unc) return {1, qp & holds, qp & fails};
  if constexpr (type == CompareType::and_) return {qp & (1 - holds), 0, 0};
  if constexpr (type == CompareType::or_) return {qp & holds, 1, 1};
  return {qp & holds, 1, 0};
}

}  // namespace hardclock::ia64::alu
