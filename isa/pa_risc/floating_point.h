// Floating-point arithmetic as pure functions: operand bits and fr0 in, result bits and fr0 out.
// fr0 is the doubleword register: floating_point_status.h.
//
// IEEE 754-1985 with PA-RISC's choices. A NaN with its top fraction bit set is signalling. An
// invalid operation without a NaN yields 0x7fa00000 or 0x7ff4000000000000. Among NaN operands the
// first signalling one, else the first, becomes the result; a signalling one becomes quiet by 01 in
// its two top fraction bits. Tininess is detected after rounding, loss of accuracy as an inexact
// result. Conversions to integers saturate at the end on the operand's side, even a NaN's.
//
// The kernel's part is included: PA-RISC leaves denormals, underflow, large conversions and whole
// operations to the kernel through assist traps, and HP-UX's and Linux's emulation (they share HP's
// code) deliver the IEEE result. So nothing here is unimplemented.
//
// D (denormalized as zero) takes denormal operands as zeros and turns results that are tiny before
// rounding into zeros of their sign. Its effect on the flags is not published: none is raised, as
// in QEMU.
//
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition, chapter 6;
// Kane, "PA-RISC 2.0 Architecture", chapter 8; "HP-UX Floating-Point Guide", chapters 2 and 5;
// Linux, arch/parisc/math-emu (HP's own); QEMU 7.2, target/hppa/op_helper.c. The guide says that
// tininess is "generally" detected before rounding, the other two after it.
#pragma once

#include <array>
#include <cstdint>

#include "sim/floating_point/operations.h"

namespace hardclock::pa_risc::fp {

using ieee754::Add;
using ieee754::Divide;
using ieee754::Multiply;
using ieee754::Subtract;

// {result bits, fr0}. If the operation raises an enabled exception, fr0's T is set, exception
// register 1 has its code, and its flag is unchanged (`traps` in floating_point_status.h tells).
// The result still goes to the target register; only with `keeps_target` it is void. Operations
// take fr0 with T clear: while T is set, the delayed trap comes first.
//
// Approximations: one instruction traps at a time, so exception registers 2 to 7 are never used;
// the parameter field of an underflow's exception register is the instruction's; a double too far
// beyond a single for the adjusted exponent traps as overflow or underflow with a void result,
// where a kernel reports an unimplemented operation.
//
// An operand is the low 32 bits for a single (`_s`) or a word, and all 64 for a double (`_d`) or a
// doubleword.
using Outcome = std::array<std::uint64_t, 2>;

// T is float or double.
template <class T, class Operation>
Outcome binary(std::uint64_t a, std::uint64_t b, std::uint64_t fr0);
inline constexpr auto add_s = binary<float, Add>, add_d = binary<double, Add>;
inline constexpr auto sub_s = binary<float, Subtract>, sub_d = binary<double, Subtract>;
inline constexpr auto mul_s = binary<float, Multiply>, mul_d = binary<double, Multiply>;
inline constexpr auto div_s = binary<float, Divide>, div_d = binary<double, Divide>;
// FREM: IEEE 754's remainder, by the quotient rounded to nearest. No processor has it; the kernel
// emulates it.
template <class T>
Outcome remainder(std::uint64_t a, std::uint64_t b, std::uint64_t fr0);
inline constexpr auto rem_s = remainder<float>, rem_d = remainder<double>;
Outcome sqrt_s(std::uint64_t a, std::uint64_t fr0);
Outcome rnd_s(std::uint64_t a, std::uint64_t fr0);  // to an integral single
Outcome sqrt_d(std::uint64_t a, std::uint64_t fr0);
Outcome rnd_d(std::uint64_t a, std::uint64_t fr0);

// FMPYFADD: a * b + c, rounded once. FMPYNFADD: -(a * b) + c. Their exceptions have their own codes
// in the exception register.
template <class T, bool negates>
Outcome fused_multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t fr0);
inline constexpr auto multiply_add_s = fused_multiply_add<float, false>;
inline constexpr auto multiply_add_d = fused_multiply_add<double, false>;
inline constexpr auto negate_multiply_add_s = fused_multiply_add<float, true>;
inline constexpr auto negate_multiply_add_d = fused_multiply_add<double, true>;

// FABS, FNEG and (PA-RISC 2.0) FNEGABS move bits as FCPY does: no operand is invalid, and fr0 stays
// unchanged.
inline constexpr std::uint64_t sign_s = 0x8000'0000, sign_d = 0x8000'0000'0000'0000;
constexpr std::uint64_t abs_s(std::uint64_t a) { return a & ~sign_s; }
constexpr std::uint64_t neg_s(std::uint64_t a) { return a ^ sign_s; }
constexpr std::uint64_t negabs_s(std::uint64_t a) { return a | sign_s; }
constexpr std::uint64_t abs_d(std::uint64_t a) { return a & ~sign_d; }
constexpr std::uint64_t neg_d(std::uint64_t a) { return a ^ sign_d; }
constexpr std::uint64_t negabs_d(std::uint64_t a) { return a | sign_d; }

// XMPYU: the product of two unsigned words.
template <class Value>
Value xmpyu(Value a, Value b) {
  constexpr std::uint64_t word = 0xffff'ffff;
  return (a & word) * (b & word);
}

// FCNV: sgl, dbl; w and dw are signed, uw and udw (PA-RISC 2.0) unsigned integers.
Outcome sgl_to_dbl(std::uint64_t a, std::uint64_t fr0);
Outcome dbl_to_sgl(std::uint64_t a, std::uint64_t fr0);
template <class To, class Integer>
Outcome from_integer(std::uint64_t a, std::uint64_t fr0);
inline constexpr auto w_to_sgl = from_integer<float, std::int32_t>;
inline constexpr auto w_to_dbl = from_integer<double, std::int32_t>;
inline constexpr auto dw_to_sgl = from_integer<float, std::int64_t>;
inline constexpr auto dw_to_dbl = from_integer<double, std::int64_t>;
inline constexpr auto uw_to_sgl = from_integer<float, std::uint32_t>;
inline constexpr auto uw_to_dbl = from_integer<double, std::uint32_t>;
inline constexpr auto udw_to_sgl = from_integer<float, std::uint64_t>;
inline constexpr auto udw_to_dbl = from_integer<double, std::uint64_t>;
// Rounds by the rounding mode, or toward zero (FCNV,T).
template <class From, class Integer>
Outcome to_integer(std::uint64_t a, std::uint64_t fr0);
template <class From, class Integer>
Outcome truncate(std::uint64_t a, std::uint64_t fr0);
inline constexpr auto sgl_to_w = to_integer<float, std::int32_t>;
inline constexpr auto sgl_to_dw = to_integer<float, std::int64_t>;
inline constexpr auto sgl_to_uw = to_integer<float, std::uint32_t>;
inline constexpr auto sgl_to_udw = to_integer<float, std::uint64_t>;
inline constexpr auto dbl_to_w = to_integer<double, std::int32_t>;
inline constexpr auto dbl_to_dw = to_integer<double, std::int64_t>;
inline constexpr auto dbl_to_uw = to_integer<double, std::uint32_t>;
inline constexpr auto dbl_to_udw = to_integer<double, std::uint64_t>;
inline constexpr auto truncate_sgl_to_w = truncate<float, std::int32_t>;
inline constexpr auto truncate_sgl_to_dw = truncate<float, std::int64_t>;
inline constexpr auto truncate_sgl_to_uw = truncate<float, std::uint32_t>;
inline constexpr auto truncate_sgl_to_udw = truncate<float, std::uint64_t>;
inline constexpr auto truncate_dbl_to_w = truncate<double, std::int32_t>;
inline constexpr auto truncate_dbl_to_dw = truncate<double, std::int64_t>;
inline constexpr auto truncate_dbl_to_uw = truncate<double, std::uint32_t>;
inline constexpr auto truncate_dbl_to_udw = truncate<double, std::uint64_t>;

// FCMP; yields fr0. `condition` is the instruction's 5-bit field: 16 greater, 8 less, 4 equal, 2
// unordered; with 1 a quiet NaN is invalid as well. Target 0 moves the C bit to the front of the
// compare queue and sets the C bit; 1 to 7 sets that bit of the compare array (PA-RISC 2.0). They
// are set even if the invalid operation traps.
constexpr std::uint64_t comparison(std::uint64_t condition, std::uint64_t target) {
  return condition | target << 5;
}
template <class T>
std::uint64_t compare(std::uint64_t a, std::uint64_t b, std::uint64_t comparison,
                      std::uint64_t fr0);
inline constexpr auto compare_s = compare<float>, compare_d = compare<double>;

}  // namespace hardclock::pa_risc::fp
