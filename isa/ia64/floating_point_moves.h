// Instructions that move or combine bits of floating-point registers: no rounding, no exception.
// A NaTVal operand makes the result NaTVal. Operands have the manual's names (SDM 3, chapter 2).
#pragma once

#include <cstdint>

#include "isa/ia64/floating_point_memory.h"
#include "isa/ia64/floating_point_register.h"

namespace hardclock::ia64::fp {

// `result`, or NaTVal if an operand is.
template <class... Operands>
constexpr FpRegister unless_nat(const FpRegister& result, const Operands&... operands) {
  return (is_nat_value(operands) || ...) ? nat_value : result;
}

// fmerge.s, .ns, .se: sign, complemented sign, or sign and exponent of f2; the rest of f3. fabs,
// fneg and fnegabs are these with f0 or one operand twice.
constexpr FpRegister fmerge_s(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat({f3.significand, f3.exponent, f2.sign}, f2, f3);
}
constexpr FpRegister fmerge_ns(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat({f3.significand, f3.exponent, !f2.sign}, f2, f3);
}
constexpr FpRegister fmerge_se(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat({f3.significand, f2.exponent, f2.sign}, f2, f3);
}

// Logical operations on significands.
constexpr FpRegister fand(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_significand(f2.significand & f3.significand), f2, f3);
}
constexpr FpRegister fandcm(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_significand(f2.significand & ~f3.significand), f2, f3);
}
constexpr FpRegister for_(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_significand(f2.significand | f3.significand), f2, f3);
}
constexpr FpRegister fxor(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_significand(f2.significand ^ f3.significand), f2, f3);
}
// The bits of f3 where f2 has ones, those of f4 elsewhere.
constexpr FpRegister fselect(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2) {
  const std::uint64_t chosen =
      (f3.significand & f2.significand) | (f4.significand & ~f2.significand);
  return unless_nat(from_significand(chosen), f3, f4, f2);
}

// A significand's halves.
constexpr std::uint32_t high_half(const FpRegister& f) {
  return static_cast<std::uint32_t>(f.significand >> 32);
}
constexpr std::uint32_t low_half(const FpRegister& f) {
  return static_cast<std::uint32_t>(f.significand);
}
constexpr FpRegister from_halves(std::uint32_t high, std::uint32_t low) {
  return from_significand(std::uint64_t{high} << 32 | low);
}

// fmix.l, .r, .lr: the left (high) or right halves of f2 and f3.
constexpr FpRegister fmix_l(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_halves(high_half(f2), high_half(f3)), f2, f3);
}
constexpr FpRegister fmix_r(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_halves(low_half(f2), low_half(f3)), f2, f3);
}
constexpr FpRegister fmix_lr(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_halves(high_half(f2), low_half(f3)), f2, f3);
}

// fsxt.l, .r: a half of f2 that its sign fills, then the same half of f3.
constexpr std::uint32_t sign_fill(std::uint32_t half) { return half >> 31 != 0 ? ~0u : 0; }
constexpr FpRegister fsxt_l(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_halves(sign_fill(high_half(f2)), high_half(f3)), f2, f3);
}
constexpr FpRegister fsxt_r(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_halves(sign_fill(low_half(f2)), low_half(f3)), f2, f3);
}

// fswap: the low half of f3, then the high half of f2; .nl and .nr negate the left or right half of
// the result.
inline constexpr std::uint32_t sign_of_single = 0x8000'0000;
constexpr FpRegister fswap(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_halves(low_half(f3), high_half(f2)), f2, f3);
}
constexpr FpRegister fswap_nl(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_halves(low_half(f3) ^ sign_of_single, high_half(f2)), f2, f3);
}
constexpr FpRegister fswap_nr(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_halves(low_half(f3), high_half(f2) ^ sign_of_single), f2, f3);
}

// fpack: two registers as stfs would store them.
constexpr FpRegister fpack(const FpRegister& f2, const FpRegister& f3) {
  return unless_nat(from_halves(to_single(f2), to_single(f3)), f2, f3);
}

// fpmerge.s, .ns, .se: fmerge on each of two singles. fpabs, fpneg and fpnegabs are made of them.
constexpr FpRegister merged_halves(const FpRegister& f2, const FpRegister& f3, std::uint32_t mask,
                                   std::uint32_t complemented) {
  const std::uint64_t both = std::uint64_t{mask} << 32 | mask;
  const std::uint64_t flipped = std::uint64_t{complemented} << 32 | complemented;
  const std::uint64_t pair = ((f2.significand ^ flipped) & both) | (f3.significand & ~both);
  return unless_nat(from_significand(pair), f2, f3);
}
constexpr FpRegister fpmerge_s(const FpRegister& f2, const FpRegister& f3) {
  return merged_halves(f2, f3, sign_of_single, 0);
}
constexpr FpRegister fpmerge_ns(const FpRegister& f2, const FpRegister& f3) {
  return merged_halves(f2, f3, sign_of_single, sign_of_single);
}
constexpr FpRegister fpmerge_se(const FpRegister& f2, const FpRegister& f3) {
  return merged_halves(f2, f3, 0xff80'0000, 0);
}

// xma: the product of the significands plus that of f2, which is zero-extended to 128 bits; its low
// or high doubleword, of a signed or an unsigned product.
__extension__ using UnsignedProduct = unsigned __int128;
__extension__ using SignedProduct = __int128;
constexpr UnsignedProduct unsigned_sum(const FpRegister& f3, const FpRegister& f4,
                                       const FpRegister& f2) {
  return static_cast<UnsignedProduct>(f3.significand) * f4.significand + f2.significand;
}
constexpr FpRegister xma_l(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2) {
  const std::uint64_t low = f3.significand * f4.significand + f2.significand;
  return unless_nat(from_significand(low), f3, f4, f2);
}
constexpr FpRegister xma_hu(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2) {
  const auto high = static_cast<std::uint64_t>(unsigned_sum(f3, f4, f2) >> 64);
  return unless_nat(from_significand(high), f3, f4, f2);
}
constexpr FpRegister xma_h(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2) {
  const SignedProduct product =
      static_cast<SignedProduct>(static_cast<std::int64_t>(f3.significand)) *
      static_cast<std::int64_t>(f4.significand);
  const auto high = static_cast<std::uint64_t>((product + f2.significand) >> 64);
  return unless_nat(from_significand(high), f3, f4, f2);
}

// getf.exp and setf.exp: sign and exponent in bits 17..0 of a general register. setf gives the
// significand 1.0 and ignores the other bits. NaTs are the caller's.
constexpr std::uint64_t getf_exp(const FpRegister& f2) { return spill(f2)[1]; }
constexpr FpRegister setf_exp(std::uint64_t r2) { return fill({integer_bit, r2}); }

}  // namespace hardclock::ia64::fp
