// What arithmetic and conversions must give, computed with MPFR: the exact result rounded to a
// precision with any exponent, and that brought into the range of a format as the manual says
// (SDM 1, section 5.4). It shares no arithmetic with the simulator.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/ia64/floating_point.h"

namespace hardclock::ia64::fp {

// A row of the manual's table of computation models (SDM 1, table 5-6), and what to put into fpsr
// and the instruction to get it.
struct Model {
  Completer completer;
  std::uint32_t pc;
  bool wre;
  unsigned precision;
  long emin, emax;  // exponents of normalized numbers, unbiased
};
inline constexpr Model models[] = {
    {Completer::single, 3, false, 24, -126, 127},
    {Completer::double_, 0, false, 53, -1022, 1023},
    {Completer::none, 0, false, 24, -16382, 16383},
    {Completer::none, 2, false, 53, -16382, 16383},
    {Completer::none, 3, false, 64, -16382, 16383},
    {Completer::single, 2, true, 24, -65534, 65535},
    {Completer::double_, 3, true, 53, -65534, 65535},
    {Completer::none, 0, true, 24, -65534, 65535},
    {Completer::none, 2, true, 53, -65534, 65535},
    {Completer::none, 3, true, 64, -65534, 65535},
    {Completer::parallel, 3, true, 24, -126, 127},
};

// The other controls: rc as fpsr has it, ftz, and the exceptions V D Z O U I that do not trap.
struct Controls {
  unsigned rc = 0;
  bool ftz = false;
  std::uint32_t disabled = 63;
};

// fpsr with the controls in status field 2.
std::uint64_t fpsr_of(const Model& model, const Controls& controls);
Environment environment_of(const Model& model, const Controls& controls);

// f3 * f4, negated or not, plus f2 (if there is one), negated or not. Operands are numbers or
// infinities; invalid operations have no expectation.
struct Product {
  FpRegister f3, f4;
  bool negated = false;
};
std::optional<Outcome> expected_sum(const Product& product, const FpRegister* f2, bool f2_negated,
                                    const Model& model, const Controls& controls);
// Of finite numbers that are not zero, and of a positive one.
Outcome expected_quotient(const FpRegister& f2, const FpRegister& f3, const Model& model,
                          const Controls& controls);
Outcome expected_root(const FpRegister& f3, const Model& model, const Controls& controls);

// A conversion of a number or an infinity to a 64-bit integer.
Outcome expected_integer(const FpRegister& f2, bool is_signed, const Controls& controls);
// Negative, zero or positive as a is less than, equal to or greater than b. Not for NaNs.
int compared_values(const FpRegister& a, const FpRegister& b);
// The exception of denormal and unnormal operands.
std::uint32_t operand_flags(const FpRegister& f);

// How far an approximation is from 1 / f3 or 1 / sqrt(f3), relatively.
double reciprocal_error(const FpRegister& f3, const FpRegister& approximation);
double reciprocal_root_error(const FpRegister& f3, const FpRegister& approximation);

}  // namespace hardclock::ia64::fp
