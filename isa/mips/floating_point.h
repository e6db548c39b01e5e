// Floating-point arithmetic as pure functions: operand bits and FCSR in, result bits and new FCSR
// out. IEEE 754-1985 with MIPS's choices: a quiet NaN has its top fraction bit clear, an invalid
// operation yields the default NaN, a quiet NaN goes through, tininess is detected after rounding,
// conversions to integer saturate to 0x7fffffff or 0x7fffffffffffffff.
// Sources: Kane and Heinrich, "MIPS RISC Architecture", chapters 9 and 10; Heinrich, "MIPS R4000
// User's Manual", chapters 6 and 7; Price, "MIPS IV Instruction Set", revision 3.2, appendix B;
// "MIPS64 Architecture For Programmers", volumes I and II, revision 2.50.
//
// The kernel's part is included. R3010, R4000 and their successors leave denormals, NaNs and large
// conversions to the kernel through the unimplemented operation exception; IRIX and Linux emulate
// the instruction, and the program sees the IEEE result. So nothing here raises E.
//
// FCSR's FS bit (MIPS III on) flushes tiny results; denormal operands keep their value: the R4000
// manual's table 7-1 and QEMU. (With FS, Linux's emulation takes denormal operands as zeros, and
// MIPS32 leaves that to the processor.)
#pragma once

#include <array>
#include <cstdint>

#include "sim/floating_point/operations.h"

namespace hardclock::mips::fp {

using ieee754::Add;
using ieee754::Divide;
using ieee754::Multiply;
using ieee754::Subtract;

// {result bits, FCSR}. If FCSR's cause bits have an enabled exception, the instruction traps, the
// result is void and the sticky flags are unchanged. An operand is the low 32 bits for a single
// (`_s`) or a word, and all 64 bits for a double (`_d`) or a long.
using Outcome = std::array<std::uint64_t, 2>;

// T is float or double.
template <class T, class Operation>
Outcome binary(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr);
inline constexpr auto add_s = binary<float, Add>, add_d = binary<double, Add>;
inline constexpr auto sub_s = binary<float, Subtract>, sub_d = binary<double, Subtract>;
inline constexpr auto mul_s = binary<float, Multiply>, mul_d = binary<double, Multiply>;
inline constexpr auto div_s = binary<float, Divide>, div_d = binary<double, Divide>;
Outcome sqrt_s(std::uint64_t a, std::uint64_t fcsr);
Outcome abs_s(std::uint64_t a, std::uint64_t fcsr);
Outcome neg_s(std::uint64_t a, std::uint64_t fcsr);
Outcome sqrt_d(std::uint64_t a, std::uint64_t fcsr);
Outcome abs_d(std::uint64_t a, std::uint64_t fcsr);
Outcome neg_d(std::uint64_t a, std::uint64_t fcsr);

// 1 / a and 1 / sqrt(a), each operation rounded in turn. MIPS IV allows them an error of one and
// two units in the last place; this is what QEMU and Linux's emulation compute.
Outcome recip_s(std::uint64_t a, std::uint64_t fcsr);
Outcome rsqrt_s(std::uint64_t a, std::uint64_t fcsr);
Outcome recip_d(std::uint64_t a, std::uint64_t fcsr);
Outcome rsqrt_d(std::uint64_t a, std::uint64_t fcsr);

// a * b + c, for MADD; the variant turns it into MSUB, NMADD or NMSUB. Unfused (R5000, R10000,
// MIPS32, MIPS64), result and flags are those of a separate multiplication, addition and negation
// ("MIPS64 Architecture For Programmers", volume II, NMADD.fmt); a negated NaN is that NaN. Fused
// (R8000), the product is not rounded. fcsr_and_variant is FCSR | variant << 32.
enum MultiplyAdd : std::uint64_t {
  subtract = 1,  // subtracts c instead of adding it
  negate = 2,    // the rounded sum or difference
  fused = 4,
};
template <class T>
Outcome multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                     std::uint64_t fcsr_and_variant);
inline constexpr auto multiply_add_s = multiply_add<float>, multiply_add_d = multiply_add<double>;

Outcome double_to_single(std::uint64_t a, std::uint64_t fcsr);
Outcome single_to_double(std::uint64_t a, std::uint64_t fcsr);
Outcome word_to_single(std::uint64_t a, std::uint64_t fcsr);
Outcome word_to_double(std::uint64_t a, std::uint64_t fcsr);
Outcome long_to_single(std::uint64_t a, std::uint64_t fcsr);
Outcome long_to_double(std::uint64_t a, std::uint64_t fcsr);
// `rounding` is an FCSR rounding mode (0..3).
Outcome single_to_word(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding);
Outcome double_to_word(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding);
Outcome single_to_long(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding);
Outcome double_to_long(std::uint64_t a, std::uint64_t fcsr, std::uint64_t rounding);

// C.cond: `condition` is the instruction's 4-bit field: 1 unordered, 2 equal, 4 less, 8 signalling.
// The result is 1 if it holds, else 0. Takes a and b in one format; fcsr_and_condition is
// FCSR | condition << 32.
template <class T>
Outcome compare(std::uint64_t a, std::uint64_t b, std::uint64_t fcsr_and_condition);
inline constexpr auto compare_s = compare<float>, compare_d = compare<double>;

}  // namespace hardclock::mips::fp
