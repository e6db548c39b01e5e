// Parallel floating-point operations: each does what its scalar relative of floating_point.h does
// to two singles, which are the halves of the significand (SDM 3, chapter 2). Environments are made
// with Completer::parallel: pc and wre have no effect.
//
// A register that is NaTVal makes the result NaTVal. Flags are those of both halves. If a half
// faults, the instruction does, and ISR.code tells of both; otherwise traps of both are told.
// fpmerge, fpack, fpabs and fpneg are in floating_point_moves.h.
#pragma once

#include "isa/ia64/floating_point.h"

namespace hardclock::ia64::fp {

Outcome fpma(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
             const Environment& environment);
Outcome fpms(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
             const Environment& environment);
Outcome fpnma(const FpRegister& f3, const FpRegister& f4, const FpRegister& f2,
              const Environment& environment);
// These with register number f0 as f2. f1 is no pair of ones: its halves are -0 and +0.
Outcome fpmpy(const FpRegister& f3, const FpRegister& f4, const Environment& environment);
Outcome fpnmpy(const FpRegister& f3, const FpRegister& f4, const Environment& environment);

Outcome fpmin(const FpRegister& f2, const FpRegister& f3, const Environment& environment);
Outcome fpmax(const FpRegister& f2, const FpRegister& f3, const Environment& environment);
Outcome fpamin(const FpRegister& f2, const FpRegister& f3, const Environment& environment);
Outcome fpamax(const FpRegister& f2, const FpRegister& f3, const Environment& environment);

// A half becomes all ones or zero. `negated` gives neq, nlt, nle and ord.
Outcome fpcmp(Relation relation, bool negated, const FpRegister& f2, const FpRegister& f3,
              const Environment& environment);

// To 32-bit integers; an invalid operation gives 2^31.
Outcome fpcvt_fx(const FpRegister& f2, const Environment& environment);
Outcome fpcvt_fxu(const FpRegister& f2, const Environment& environment);
Outcome fpcvt_fx_trunc(const FpRegister& f2, const Environment& environment);
Outcome fpcvt_fxu_trunc(const FpRegister& f2, const Environment& environment);

// p2 is set if both halves may be iterated on. Unlike the scalar instructions these never give a
// rounded quotient or root. A half of fprcpa is the approximation or, if that is no normalized
// single, an infinity or a zero; a half of fprsqrta is the reciprocal of the root for 0 and
// infinity, too.
Approximation fprcpa(const FpRegister& f2, const FpRegister& f3, const Environment& environment);
Approximation fprsqrta(const FpRegister& f3, const Environment& environment);

}  // namespace hardclock::ia64::fp
