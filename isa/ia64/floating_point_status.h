// ar.fpsr, the floating-point status register (SDM 1, section 5.2: figure 5-2, tables 5-3 to 5-6):
// six trap disable bits, and four status fields sf0 to sf3 of controls and flags.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/ia64/floating_point_register.h"
#include "sim/floating_point/exception.h"

namespace hardclock::ia64::fp {

using ieee754::Exception;

// Exceptions, in the order of the trap disable bits and of a status field's flags: V D Z O U I.
// The first three are faults, the others traps.
inline constexpr std::uint32_t invalid = 1, denormal = 2, zero_divide = 4, overflow = 8,
                               underflow = 16, inexact = 32;
inline constexpr std::uint32_t all_exceptions = 63;
inline constexpr std::uint32_t all_faults = invalid | denormal | zero_divide;

// A status field: 7 bits of controls, then 6 of flags. `sf` is 0..3.
inline constexpr unsigned controls_bits = 7, field_bits = 13;
inline constexpr std::uint32_t controls_mask = 0x7f;
constexpr unsigned controls_shift(unsigned sf) { return 6 + field_bits * sf; }
constexpr unsigned flags_shift(unsigned sf) { return controls_shift(sf) + controls_bits; }

// Controls. Flush-to-zero takes effect only while underflow does not trap. td disables all traps of
// operations that use the field; in sf0 it is reserved.
inline constexpr std::uint32_t flush_to_zero = 1, wide_range_exponent = 2, traps_disabled = 64;
constexpr std::uint32_t precision_control(std::uint32_t controls) { return controls >> 2 & 3; }
constexpr std::uint32_t rounding_control(std::uint32_t controls) { return controls >> 4 & 3; }

constexpr std::uint32_t controls(std::uint64_t fpsr, unsigned sf) {
  return static_cast<std::uint32_t>(fpsr >> controls_shift(sf)) & controls_mask;
}
constexpr std::uint32_t flags(std::uint64_t fpsr, unsigned sf) {
  return static_cast<std::uint32_t>(fpsr >> flags_shift(sf)) & all_exceptions;
}
// Flags are sticky.
constexpr std::uint64_t with_flags(std::uint64_t fpsr, unsigned sf, std::uint32_t raised) {
  return fpsr | std::uint64_t{raised} << flags_shift(sf);
}
// The exceptions that do not fault or trap in an operation that uses the field.
constexpr std::uint32_t disabled_exceptions(std::uint64_t fpsr, unsigned sf) {
  const bool all = (controls(fpsr, sf) & traps_disabled) != 0;
  return all ? all_exceptions : static_cast<std::uint32_t>(fpsr) & all_exceptions;
}

// Whether writing the value is a Reserved Register/Field fault: bits 63..58, td of sf0, or 1 in a
// precision control.
constexpr bool is_reserved(std::uint64_t fpsr) {
  bool reserved = fpsr >> 58 != 0 || (controls(fpsr, 0) & traps_disabled) != 0;
  for (unsigned sf = 0; sf < 4; ++sf) {
    reserved = reserved || precision_control(controls(fpsr, sf)) == 1;
  }
  return reserved;
}

// fsetc.sf: the field's controls become those of sf0, ANDed and ORed with the 7-bit masks. Nothing
// is returned for a Reserved Register/Field fault.
constexpr std::optional<std::uint64_t> fsetc(std::uint64_t fpsr, unsigned sf,
                                             std::uint32_t and_mask, std::uint32_t or_mask) {
  const std::uint64_t changed = ((controls(fpsr, 0) & and_mask) | or_mask) & controls_mask;
  const std::uint64_t field = std::uint64_t{controls_mask} << controls_shift(sf);
  const std::uint64_t result = (fpsr & ~field) | changed << controls_shift(sf);
  if (is_reserved(result)) return std::nullopt;
  return result;
}

// fclrf.sf
constexpr std::uint64_t fclrf(std::uint64_t fpsr, unsigned sf) {
  return fpsr & ~(std::uint64_t{all_exceptions} << flags_shift(sf));
}

// fchkf.sf: whether it branches, because the field has a flag whose trap the trap disable bits
// enable, or one that sf0 lacks.
constexpr bool fchkf(std::uint64_t fpsr, unsigned sf) {
  const std::uint32_t harmless = static_cast<std::uint32_t>(fpsr) & all_exceptions & flags(fpsr, 0);
  return (flags(fpsr, sf) & ~harmless) != 0;
}

// ISR.code of floating-point faults and traps. A fault has V 1, D 2, Z 4, a trap the bits below:
// those of a scalar operation or of the high half of a parallel one. The low half's are 4 bits
// higher in a fault and 4 bits lower in a trap. All are different, so a code tells which it is.
inline constexpr std::uint32_t isr_overflow = 1 << 11, isr_underflow = 1 << 12,
                               isr_inexact = 1 << 13;
// The delivered result's magnitude is greater than the exact one's.
inline constexpr std::uint32_t isr_fpa = 1 << 14;
inline constexpr unsigned isr_low_half = 4;

// The exception that a signal names, if ISR.code has several: the first in Linux's order
// (arch/ia64/kernel/traps.c, handle_fpu_swa), for which a denormal operand is an underflow.
constexpr Exception trapping_exception(std::uint32_t isr_code) {
  const auto has = [isr_code](std::uint32_t high, std::uint32_t low) {
    return (isr_code & (high | low)) != 0;
  };
  if (has(invalid, invalid << isr_low_half)) return Exception::invalid;
  if (has(denormal, denormal << isr_low_half)) return Exception::underflow;
  if (has(zero_divide, zero_divide << isr_low_half)) return Exception::divide_by_zero;
  if (has(isr_overflow, isr_overflow >> isr_low_half)) return Exception::overflow;
  if (has(isr_underflow, isr_underflow >> isr_low_half)) return Exception::underflow;
  if (has(isr_inexact, isr_inexact >> isr_low_half)) return Exception::inexact;
  return Exception::none;
}

// An instruction's precision completer: .s, .d, none; or a parallel instruction.
enum class Completer : std::uint8_t { single, double_, none, parallel };

enum class Rounding : std::uint8_t { nearest, down, up, zero };  // as rc has them

// How an operation rounds, and which exceptions it delivers.
struct Environment {
  std::int32_t least_exponent = 1;     // of normalized results, biased as in a register
  std::int32_t greatest_exponent = 0;  // likewise
  std::uint32_t precision = 64;        // bits of significand: 24, 53 or 64
  Rounding rounding = Rounding::nearest;
  bool flushes = false;                     // tiny results to zero
  bool parallel = false;                    // the result will be a single in a pair
  std::uint32_t disabled = all_exceptions;  // exceptions that neither fault nor trap
};

// The computation model (SDM 1, table 5-6). The completer or pc gives the precision; the exponent
// has 17 bits if wre is set, else 8 for .s, 11 for .d, and 15 for pc, whatever its precision. A
// parallel result is always a single. The reserved pc 1 counts as 0.
constexpr Environment environment(std::uint64_t fpsr, unsigned sf, Completer completer) {
  constexpr std::uint32_t precisions[] = {24, 24, 53, 64};
  const std::uint32_t field = controls(fpsr, sf);
  std::uint32_t precision = precisions[precision_control(field)];
  std::int32_t least = denormal_extended;
  if (completer == Completer::single || completer == Completer::parallel) {
    precision = 24;
    least = denormal_single;
  } else if (completer == Completer::double_) {
    precision = 53;
    least = denormal_double;
  }
  const bool parallel = completer == Completer::parallel;
  if ((field & wide_range_exponent) != 0 && !parallel) least = 1;
  // The exponents of a format lie around the bias: from -(2^n - 2) to 2^n - 1.
  const std::int32_t greatest = 2 * static_cast<std::int32_t>(exponent_bias) + 1 - least;
  return {.least_exponent = least,
          .greatest_exponent = greatest,
          .precision = precision,
          .rounding = static_cast<Rounding>(rounding_control(field)),
          .flushes = (field & flush_to_zero) != 0,
          .parallel = parallel,
          .disabled = disabled_exceptions(fpsr, sf)};
}

}  // namespace hardclock::ia64::fp
