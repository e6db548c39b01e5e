// A floating-point register: sign, 17-bit exponent and 64-bit significand with an explicit integer
// bit. What its encodings mean is in table 5-2 of the "Intel Itanium Architecture Software
// Developer's Manual", revision 2.3, volume 1 (here: SDM 1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hardclock::ia64::fp {

// The bias of the exponent.
inline constexpr std::uint32_t exponent_bias = 0xffff;
// Infinities and NaNs.
inline constexpr std::uint32_t special_exponent = 0x1ffff;
// With significand 0 and sign 0, NaTVal.
inline constexpr std::uint32_t nat_value_exponent = 0x1fffe;
// 2^63: significands with this exponent are integers, or pairs of singles.
inline constexpr std::uint32_t integer_exponent = 0x1003e;
// Denormals of the three memory formats. A double-extended denormal has exponent 0 in a register;
// its value is that of this exponent.
inline constexpr std::uint32_t denormal_single = 0xff81, denormal_double = 0xfc01,
                               denormal_extended = 0xc001;

inline constexpr std::uint64_t integer_bit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t quiet_bit = std::uint64_t{1} << 62;

struct FpRegister {
  std::uint64_t significand = 0;
  std::uint32_t exponent = 0;  // 0..0x1ffff
  bool sign = false;

  bool operator==(const FpRegister&) const = default;
  static constexpr std::size_t state_members = 3;
};

// The constant registers f0 and f1.
inline constexpr FpRegister zero{}, one{integer_bit, exponent_bias, false};
inline constexpr FpRegister nat_value{0, nat_value_exponent, false};
// The result of an invalid operation without a NaN.
inline constexpr FpRegister indefinite{integer_bit | quiet_bit, special_exponent, true};

constexpr FpRegister signed_zero(bool sign) { return {0, 0, sign}; }
constexpr FpRegister infinity(bool sign) { return {integer_bit, special_exponent, sign}; }
// An integer, or two singles, in the form in which instructions leave them.
constexpr FpRegister from_significand(std::uint64_t significand) {
  return {significand, integer_exponent, false};
}

constexpr bool is_nat_value(const FpRegister& f) { return f == nat_value; }
// Pseudo-NaNs and pseudo-infinities.
constexpr bool is_unsupported(const FpRegister& f) {
  return f.exponent == special_exponent && (f.significand & integer_bit) == 0;
}
constexpr bool is_infinity(const FpRegister& f) {
  return f.exponent == special_exponent && f.significand == integer_bit;
}
constexpr bool is_nan(const FpRegister& f) {
  return f.exponent == special_exponent && f.significand > integer_bit;
}
constexpr bool is_signalling_nan(const FpRegister& f) {
  return is_nan(f) && (f.significand & quiet_bit) == 0;
}
constexpr bool is_quiet_nan(const FpRegister& f) {
  return is_nan(f) && (f.significand & quiet_bit) != 0;
}
constexpr bool is_finite(const FpRegister& f) { return f.exponent != special_exponent; }
// Zeros and pseudo-zeros, which are zeros with an exponent. NaTVal, whose encoding is one of
// theirs, must have been looked for before.
constexpr bool has_value_zero(const FpRegister& f) { return is_finite(f) && f.significand == 0; }
constexpr bool is_zero(const FpRegister& f) { return f.exponent == 0 && f.significand == 0; }
constexpr bool is_normal(const FpRegister& f) {
  return f.exponent - 1 < special_exponent - 1 && (f.significand & integer_bit) != 0;
}
// Denormals, pseudo-denormals, pseudo-zeros and other finite numbers that are neither normalized
// nor zero: operands of the exception Denormal/Unnormal Operand. NaTVal is none of them.
constexpr bool is_unnormal(const FpRegister& f) {
  return is_finite(f) && !is_normal(f) && !is_zero(f) && !is_nat_value(f);
}

// What stf.spill writes and ldf.fill reads: the significand, then sign and exponent in bits 17..0
// (SDM 1, figure 5-9). These are the doublewords at the lower and at the higher address of a
// little-endian image; a big-endian one has them the other way round.
using SpillImage = std::array<std::uint64_t, 2>;
constexpr SpillImage spill(const FpRegister& f) {
  return {f.significand, std::uint64_t{f.sign} << 17 | f.exponent};
}
// Bits above 17 of the second doubleword are ignored.
constexpr FpRegister fill(const SpillImage& image) {
  return {image[0], static_cast<std::uint32_t>(image[1]) & 0x1ffff, (image[1] >> 17 & 1) != 0};
}

}  // namespace hardclock::ia64::fp
