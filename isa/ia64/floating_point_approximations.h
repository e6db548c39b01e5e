// The approximations of frcpa and frsqrta, for floating_point.h and floating_point_parallel.h.
#pragma once

#include "isa/ia64/floating_point_rounding.h"

namespace hardclock::ia64::fp {

// 1 / f3 and 1 / sqrt(f3) with 11 bits, of which the first 8 or 7 bits of f3's fraction decide
// (SDM 3, fp_ieee_recip and fp_ieee_recip_sqrt, whose tables these formulas give). The exponent is
// taken modulo 2^17.
FpRegister approximate_reciprocal(const Number& f3);
FpRegister approximate_reciprocal_root(const Number& f3);

}  // namespace hardclock::ia64::fp
