// Floating-point arithmetic as pure functions: operand bits and FCSR in, result bits and new FCSR
// out. IEEE 754 with MIPS's choices: a quiet NaN has its top fraction bit clear, an invalid
// operation yields the default NaN, conversions to integer saturate to 0x7fffffff.
// (Kane and Heinrich, "MIPS RISC Architecture", chapters 9 and 10.)
#pragma once

#include <array>
#include <cstdint>

namespace hardclock::mips::fp {

// {result bits, FCSR}. When an enabled exception is among FCSR's cause bits the instruction traps,
// the result is void and the sticky flags are unchanged.
using Outcome = std::array<std::uint64_t, 2>;

Outcome add_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr);
Outcome sub_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr);
Outcome mul_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr);
Outcome div_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr);
Outcome sqrt_s(std::uint64_t a, std::uint64_t fcsr);
Outcome abs_s(std::uint64_t a, std::uint64_t fcsr);
Outcome neg_s(std::uint64_t a, std::uint64_t fcsr);
Outcome add_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr);
Outcome sub_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr);
Outcome mul_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr);
Outcome div_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr);
Outcome sqrt_d(std::uint64_t a, std::uint64_t fcsr);
Outcome abs_d(std::uint64_t a, std::uint64_t fcsr);
Outcome neg_d(std::uint64_t a, std::uint64_t fcsr);

Outcome double_to_single(std::uint64_t a, std::uint64_t fcsr);
Outcome single_to_double(std::uint64_t a, std::uint64_t fcsr);
Outcome word_to_single(std::uint64_t a, std::uint64_t fcsr);
Outcome word_to_double(std::uint64_t a, std::uint64_t fcsr);
// `rounding` is an FCSR rounding mode (0..3).
Outcome single_to_word(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding);
Outcome double_to_word(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding);

// C.cond: `condition` is the instruction's 4-bit field: 1 unordered, 2 equal, 4 less, 8 signalling.
// The result is 1 when it holds, else 0. Takes a and b in one format; fcsr_and_condition is
// FCSR | condition << 32.
Outcome compare_s(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr_and_condition);
Outcome compare_d(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr_and_condition);

// The cause bits of FCSR that are enabled, V Z O U I at bits 4..0, and E at bit 5, which always is:
// nonzero means that the instruction traps.
std::uint64_t enabled_causes(std::uint64_t fcsr);

}  // namespace hardclock::mips::fp
