// Memory formats of floating-point loads and stores (SDM 1, section 5.3, figures 5-4 to 5-9), as
// conversions between a register and what memory has there, read as an integer. The caller loads
// and stores in the data's byte order, takes NaTVal for NaTs, and faults on storing NaTVal. Loads
// of pairs (ldfps, ldfpd, ldfp8) convert each half alone. Conversions move bits: no rounding, no
// NaN made quiet, no exception.
//
//   format            load           store          general register
//   single            ldfs           stfs           setf.s    getf.s
//   double            ldfd           stfd           setf.d    getf.d
//   double-extended   ldfe           stfe
//   integer           ldf8           stf8           setf.sig  getf.sig
//   spill image       ldf.fill       stf.spill
//
// The integer format is from_significand() and FpRegister::significand, the spill image fill() and
// spill(), all in floating_point_register.h.
#pragma once

#include <cstdint>

#include "isa/ia64/floating_point_register.h"

namespace hardclock::ia64::fp {

// A format of memory without an integer bit.
template <unsigned exponent_bits, unsigned fraction_bits>
struct MemoryFormat {
  static constexpr std::uint32_t exponent_mask = (1u << exponent_bits) - 1;
  static constexpr std::uint64_t fraction_mask = (std::uint64_t{1} << fraction_bits) - 1;
  // From the fraction's lowest bit to the significand's.
  static constexpr unsigned fraction_shift = 63 - fraction_bits;
  // What a register's exponent has more than that of memory.
  static constexpr std::uint32_t rebias = exponent_bias - exponent_mask / 2;

  // A denormal keeps its fraction and gets the exponent of the format's least normalized numbers.
  static constexpr FpRegister load(std::uint64_t memory) {
    const bool sign = (memory >> (exponent_bits + fraction_bits) & 1) != 0;
    const auto exponent = static_cast<std::uint32_t>(memory >> fraction_bits) & exponent_mask;
    const std::uint64_t fraction = (memory & fraction_mask) << fraction_shift;
    if (exponent == 0) return {fraction, fraction != 0 ? rebias + 1 : 0, sign};
    return {fraction | integer_bit,
            exponent == exponent_mask ? special_exponent : exponent + rebias, sign};
  }

  // The top bit and the lowest bits of the exponent, and the highest of the fraction, whatever the
  // number: what does not fit is cut off. Without the integer bit, the exponent becomes 0.
  static constexpr std::uint64_t store(const FpRegister& f) {
    const std::uint64_t top = f.exponent >> 16 & 1;
    const std::uint64_t low = f.exponent & (exponent_mask >> 1);
    const bool is_normalized = (f.significand & integer_bit) != 0;
    const std::uint64_t exponent = is_normalized ? top << (exponent_bits - 1) | low : 0;
    const std::uint64_t fraction = f.significand >> fraction_shift & fraction_mask;
    return (std::uint64_t{f.sign} << exponent_bits | exponent) << fraction_bits | fraction;
  }
};
using Single = MemoryFormat<8, 23>;
using Double = MemoryFormat<11, 52>;

constexpr FpRegister from_single(std::uint32_t memory) { return Single::load(memory); }
constexpr std::uint32_t to_single(const FpRegister& f) {
  return static_cast<std::uint32_t>(Single::store(f));
}
constexpr FpRegister from_double(std::uint64_t memory) { return Double::load(memory); }
constexpr std::uint64_t to_double(const FpRegister& f) { return Double::store(f); }

// The 10 bytes of a double-extended number.
struct ExtendedImage {
  std::uint64_t significand = 0;    // with the integer bit
  std::uint16_t sign_exponent = 0;  // the sign in bit 15
  bool operator==(const ExtendedImage&) const = default;
};
constexpr std::uint32_t extended_exponent_mask = 0x7fff;

constexpr FpRegister from_extended(const ExtendedImage& memory) {
  constexpr std::uint32_t rebias = denormal_extended - 1;
  const std::uint32_t exponent = memory.sign_exponent & extended_exponent_mask;
  const bool sign = memory.sign_exponent >> 15 != 0;
  if (exponent == 0) return {memory.significand, 0, sign};
  return {memory.significand,
          exponent == extended_exponent_mask ? special_exponent : exponent + rebias, sign};
}

// The top bit and the lowest 14 bits of the exponent; the significand as it is.
constexpr ExtendedImage to_extended(const FpRegister& f) {
  const std::uint32_t exponent = (f.exponent >> 16 & 1) << 14 | (f.exponent & 0x3fff);
  return {f.significand, static_cast<std::uint16_t>(std::uint32_t{f.sign} << 15 | exponent)};
}

}  // namespace hardclock::ia64::fp
