// What each floating-point instruction does, once: the part of semantics.h for the arithmetic, in
// the order of pa_risc.decode; conversions are in semantics_fpu_convert.h. The arithmetic itself is
// in floating_point.h.
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994),
// chapter 6; Kane, "PA-RISC 2.0 Architecture" (1996), chapter 8.
#pragma once

#include <cstdint>

#include "isa/pa_risc/floating_point.h"
#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/operand_values.h"
#include "isa/pa_risc/semantics_fpu_convert.h"
#include "isa/pa_risc/semantics_fpu_operands.h"

namespace hardclock::pa_risc {

// ---- FID. The model and revision of a PA-7300LC's unit, in the place of the compare queue, as
// QEMU 7.2 has them (target/hppa/translate.c); all processors here answer so.
inline constexpr std::uint64_t fp_identity = 0x000f'0800'0000'0000;
void fid(auto& m, const None&) {
  take_delayed_trap(m);
  m.fp_compare(m.constant(fp_identity));
}

// ---- FCPY FABS FSQRT FRND FNEG FNEGABS.
void fcpy_s(auto& m, const auto& i) { transfer(m, copy, single_target(i), single_1(i)); }
void fabs_s(auto& m, const auto& i) { transfer(m, fp::abs_s, single_target(i), single_1(i)); }
void fsqrt_s(auto& m, const auto& i) { single_to_single(m, fp::sqrt_s, i); }
void frnd_s(auto& m, const auto& i) { single_to_single(m, fp::rnd_s, i); }
void fneg_s(auto& m, const auto& i) { transfer(m, fp::neg_s, single_target(i), single_1(i)); }
void fnegabs_s(auto& m, const auto& i) { transfer(m, fp::negabs_s, single_target(i), single_1(i)); }
void fcpy_d(auto& m, const FpRr& i) { transfer(m, copy, Double{i.ft}, Double{i.fr1}); }
void fabs_d(auto& m, const FpRr& i) { transfer(m, fp::abs_d, Double{i.ft}, Double{i.fr1}); }
void fsqrt_d(auto& m, const FpRr& i) { double_to_double(m, fp::sqrt_d, i); }
void frnd_d(auto& m, const FpRr& i) { double_to_double(m, fp::rnd_d, i); }
void fneg_d(auto& m, const FpRr& i) { transfer(m, fp::neg_d, Double{i.ft}, Double{i.fr1}); }
void fnegabs_d(auto& m, const FpRr& i) { transfer(m, fp::negabs_d, Double{i.ft}, Double{i.fr1}); }

// ---- FADD FSUB FMPY FDIV FREM.
void fadd_s(auto& m, const auto& i) { compute_singles(m, fp::add_s, i); }
void fsub_s(auto& m, const auto& i) { compute_singles(m, fp::sub_s, i); }
void fmpy_s(auto& m, const auto& i) { compute_singles(m, fp::mul_s, i); }
void fdiv_s(auto& m, const auto& i) { compute_singles(m, fp::div_s, i); }
void frem_s(auto& m, const auto& i) { compute_singles(m, fp::rem_s, i); }
void fadd_d(auto& m, const FpRrr& i) { compute_doubles(m, fp::add_d, i); }
void fsub_d(auto& m, const FpRrr& i) { compute_doubles(m, fp::sub_d, i); }
void fmpy_d(auto& m, const FpRrr& i) { compute_doubles(m, fp::mul_d, i); }
void fdiv_d(auto& m, const FpRrr& i) { compute_doubles(m, fp::div_d, i); }
void frem_d(auto& m, const FpRrr& i) { compute_doubles(m, fp::rem_d, i); }

// ---- FCMP and FTEST. A comparison without a bit of the array moves the queue.
template <class M, class Function, class Source>
void compare(M& m, Function function, Source a, Source b, const auto& i) {
  unsigned target = 0;
  if constexpr (requires { i.y; }) target = i.y;
  take_delayed_trap(m);
  m.fp_compare(m.call(function, operand(m, a), operand(m, b),
                      m.constant(fp::comparison(i.fcond, target)), m.fp_compare()));
}
void nullify_by_test(auto& m, std::uint64_t (*test)(std::uint64_t, std::uint64_t),
                     std::uint64_t choice) {
  take_delayed_trap(m);
  m.nullify_if(m.ne(m.call(test, m.fp_compare(), m.constant(choice)), 0));
}
// FTEST has the bit that a comparison names with y with its lowest bit inverted, so that y = 1 is
// 1.1's FTEST (GNU assembler: "ftest 0" is y = 0, "fcmp,... 0" is y = 1).
constexpr unsigned tested_bit(unsigned y) { return y ^ 1; }
void fcmp_s(auto& m, const auto& i) { compare(m, fp::compare_s, single_1(i), single_2(i), i); }
void fcmp_d(auto& m, const auto& i) { compare(m, fp::compare_d, Double{i.fr1}, Double{i.fr2}, i); }
void ftest(auto& m, const None&) {
  take_delayed_trap(m);
  m.nullify_if(m.compared());
}
void ftest_queue(auto& m, const FpTestQueue& i) { nullify_by_test(m, fp::test_queue, i.fcond); }
void ftest_ca(auto& m, const FpTestCa& i) { nullify_by_test(m, fp::test_array, tested_bit(i.y)); }

// ---- XMPYU: no exceptions.
void xmpyu(auto& m, const FpMultiplyInt& i) {
  take_delayed_trap(m);
  const auto a = operand(m, Single{i.fr1h});
  const auto b = operand(m, Single{i.fr2h});
  m.fpr64(i.ft, fp::xmpyu(a, b));
}

// ---- FMPYADD FMPYSUB: two operations at once, neither of which sees the other's result: a product
// to tm, and ra added to or subtracted from ta.
template <class M, class Multiply, class Add, class Register>
void multiply_beside(M& m, Multiply multiply, Add add, Register rm1, Register rm2, Register tm,
                     Register ra, Register ta) {
  take_delayed_trap(m);
  const auto fr0 = m.fp_status();
  const auto product = m.call(multiply, operand(m, rm1), operand(m, rm2), fr0);
  const auto sum = m.call(add, operand(m, ta), operand(m, ra), fr0);
  m.fp_status(m.call(fp::both, product[1], sum[1]));
  result(m, tm, product[0], product[1]);
  result(m, ta, sum[0], sum[1]);
}
void multiply_beside(auto& m, auto multiply, auto add, const FpFiveS& i) {
  multiply_beside(m, multiply, add, Single{upper_half(i.rm1_s)}, Single{upper_half(i.rm2_s)},
                  Single{upper_half(i.tm_s)}, Single{upper_half(i.ra_s)},
                  Single{upper_half(i.ta_s)});
}
void multiply_beside(auto& m, auto multiply, auto add, const FpFiveD& i) {
  multiply_beside(m, multiply, add, Double{i.rm1_d}, Double{i.rm2_d}, Double{i.tm_d},
                  Double{i.ra_d}, Double{i.ta_d});
}
void fmpyadd_s(auto& m, const FpFiveS& i) { multiply_beside(m, fp::mul_s, fp::add_s, i); }
void fmpyadd_d(auto& m, const FpFiveD& i) { multiply_beside(m, fp::mul_d, fp::add_d, i); }
void fmpysub_s(auto& m, const FpFiveS& i) { multiply_beside(m, fp::mul_s, fp::sub_s, i); }
void fmpysub_d(auto& m, const FpFiveD& i) { multiply_beside(m, fp::mul_d, fp::sub_d, i); }

// ---- FMPYFADD FMPYNFADD (K): one rounding.
void fmpyfadd_s(auto& m, const FpFusedS& i) {
  compute(m, fp::multiply_add_s, Single{i.fth}, Single{i.fr1h}, Single{i.fr2h}, Single{i.fr3h});
}
void fmpyfadd_d(auto& m, const FpFusedD& i) {
  compute(m, fp::multiply_add_d, Double{i.ft}, Double{i.fr1}, Double{i.fr2}, Double{i.fr3});
}
void fmpynfadd_s(auto& m, const FpFusedS& i) {
  compute(m, fp::negate_multiply_add_s, Single{i.fth}, Single{i.fr1h}, Single{i.fr2h},
          Single{i.fr3h});
}
void fmpynfadd_d(auto& m, const FpFusedD& i) {
  compute(m, fp::negate_multiply_add_d, Double{i.ft}, Double{i.fr1}, Double{i.fr2}, Double{i.fr3});
}

}  // namespace hardclock::pa_risc
