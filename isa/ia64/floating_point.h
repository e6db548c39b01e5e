// Floating-point arithmetic as pure functions: registers and an Environment in, an Outcome out.
// Operands have the manual's names; f2 of a multiply-add is the addend. Results are those of the
// architecture. What hardware leaves to the software assistance handler (denormals, extreme
// operands of frcpa and frsqrta) is included, so no operation asks for assistance.
//
// A NaTVal operand makes the result NaTVal and raises nothing. An unsupported operand, or an
// invalid operation on numbers, gives the indefinite NaN. If operands are NaNs, the first among f4,
// f2, f3 becomes the result and is made quiet; frcpa looks at f2 first. D is not raised beside V or
// Z, nor with a NaN, even where only D would fault.
//
// Sources: "Intel Itanium Architecture Software Developer's Manual", revision 2.3: volume 1,
// chapter 5; volume 2, part 2, chapter 8; volume 3, chapter 2 (here: SDM). Where it is silent (V
// and Z before D, which operands frcpa and frsqrta leave to software), HP's simulator Ski 1.5 is
// followed.
#pragma once

#include <cstdint>

#include "isa/ia64/floating_point_register.h"
#include "isa/ia64/floating_point_status.h"

namespace hardclock::ia64::fp {

// With a fault nothing is written: result and flags are void. Else the result goes to f1 and the
// flags are added to the status field; a trap comes after that. The result of an overflow or
// underflow that traps is rounded as if the exponent had no bounds; the register keeps the low 17
// bits of its exponent (a single of a pair the low 8). Nothing scales it: that is the handler's.
struct Outcome {
  FpRegister result{};
  std::uint32_t flags = 0;  // V D Z O U I as in a status field
  std::uint32_t fault = 0;  // ISR.code, 0 without a fault
  std::uint32_t trap = 0;   // ISR.code without the bits that do not tell of floating point
};

// f3 * f4 + f2, f3 * f4 - f2 and -(f3 * f4) + f2, rounded once. With f1 as f4 (fadd, fsub) they are
// sum and difference. Register number f0 as f2 makes each a multiplication: see below.
Outcome fma(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
            const Environment& environment);
Outcome fms(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
            const Environment& environment);
Outcome fnma(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
             const Environment& environment);
// f3 * f4 and -(f3 * f4): fma and fms, or fnma, with register number f0 as f2. Unlike an added +0
// they keep the sign of a product that is zero. fnorm is fmpy with f1 as f4.
Outcome fmpy(const FpRegister& f3, const FpRegister& f4, const Environment& environment);
Outcome fnmpy(const FpRegister& f3, const FpRegister& f4, const Environment& environment);

// fcmp. Invalid: for lt and le any NaN, for eq and unord a signalling one; for all an unsupported
// operand. The other relations are these with operands or predicates exchanged.
enum class Relation : std::uint8_t { eq, lt, le, unord };
// With is_nat both target predicates are cleared. With a fault nothing is written.
struct Comparison {
  bool holds = false;
  bool is_nat = false;
  std::uint32_t flags = 0;
  std::uint32_t fault = 0;
};
Comparison fcmp(Relation relation, const FpRegister& f2, const FpRegister& f3,
                const Environment& environment);

// fclass's 9-bit mask. A number must have one of the two signs and be of one of the kinds zero to
// infinity; NaNs and NaTVal need only their bit. Unsupported encodings are of no class.
enum ClassMask : std::uint32_t {
  class_pos = 1,
  class_neg = 2,
  class_zero = 4,
  class_unorm = 8,
  class_norm = 16,
  class_inf = 32,
  class_snan = 64,
  class_qnan = 128,
  class_nat = 256,
};
// is_nat: NaTVal, and the mask does not ask for it. Never faults.
Comparison fclass(const FpRegister& f2, std::uint32_t mask);

// The lesser or greater number, or magnitude. f3 if they are equal or one is a NaN, which is
// invalid, quiet or not. The result is the operand as it is, not normalized.
Outcome fmin(const FpRegister& f2, const FpRegister& f3, const Environment& environment);
Outcome fmax(const FpRegister& f2, const FpRegister& f3, const Environment& environment);
Outcome famin(const FpRegister& f2, const FpRegister& f3, const Environment& environment);
Outcome famax(const FpRegister& f2, const FpRegister& f3, const Environment& environment);

// Conversions to a signed or unsigned 64-bit integer, by the rounding control or toward zero
// (.trunc). NaNs and values that do not round to such an integer are invalid; the result is then
// 2^63. pc and wre have no effect.
Outcome fcvt_fx(const FpRegister& f2, const Environment& environment);
Outcome fcvt_fxu(const FpRegister& f2, const Environment& environment);
Outcome fcvt_fx_trunc(const FpRegister& f2, const Environment& environment);
Outcome fcvt_fxu_trunc(const FpRegister& f2, const Environment& environment);
// The significand, as a signed integer, to the number: exact. fcvt.xuf is fmpy with f1.
FpRegister fcvt_xf(const FpRegister& f2);

// frcpa and frsqrta. With p2 set the result is an approximation of 1 / f3 or 1 / sqrt(f3), from
// which a program iterates; otherwise it is the quotient f2 / f3 or the square root itself. That is
// so for zeros, infinities, NaNs, and for operands from which an iteration in registers would fail:
// then it is rounded by the environment, the field's own (Completer::none).
struct Approximation {
  Outcome outcome{};
  bool p2 = false;
};
Approximation frcpa(const FpRegister& f2, const FpRegister& f3, const Environment& environment);
Approximation frsqrta(const FpRegister& f3, const Environment& environment);

}  // namespace hardclock::ia64::fp
