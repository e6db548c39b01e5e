// The part of semantics.h that computes: arithmetic, logic, units.
// Sources: I is the "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition
// (1994), chapter 5; K is Kane, "PA-RISC 2.0 Architecture" (1996), chapter 7.
//
// Registers hold 64 bits from PA-RISC 2.0 on, and results are computed in 64 bits: an ADD there
// writes the sum of doublewords, of which only the condition looks at the low word. On PA-RISC 1.x
// the machine drops the upper word.
#pragma once

#include <cstdint>

#include "isa/pa_risc/bit_functions.h"
#include "isa/pa_risc/conditions.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/operand_values.h"

namespace hardclock::pa_risc {

// A signed field of an instruction as a 64-bit operand.
constexpr std::uint64_t immediate(std::int64_t field) { return static_cast<std::uint64_t>(field); }

// ---- Additions (I, K: ADD). C/B are the carries out of nibbles; ADD,L leaves them. An overflow
// traps (TSV) before anything is written.
template <class M>
void set_carries(M& m, const Sum<M>& sum) {
  m.carries(sum.carry);
}
auto carry_in(auto& m, Width width) { return m.carries() >> (width == Width::word ? 31 : 63) & 1; }
template <class M>
Sum<M> plain_sum(M& m, typename M::Value a, typename M::Value b) {
  return sum_of(m, a, b, a + b);
}
template <class M>
Sum<M> sum_with_carry(M& m, Width width, typename M::Value a, typename M::Value b) {
  return sum_of(m, a, b, a + b + carry_in(m, width));
}
template <class M>
void trap_on_overflow(M& m, Width width, const Sum<M>& sum) {
  m.trap_if(is_negative(m, width, sum.overflow), TrapKind::integer_overflow);
}
// The ends of additions.
template <class M>
void finish_logical(M& m, unsigned t, unsigned condition, Width width, const Sum<M>& sum) {
  m.gpr(t, sum.result);
  nullify_when(m, condition, arithmetic_condition(m, condition, width, sum));
}
template <class M>
void finish(M& m, unsigned t, unsigned condition, Width width, const Sum<M>& sum) {
  set_carries(m, sum);
  finish_logical(m, t, condition, width, sum);
}
template <class M>
void finish_tsv(M& m, unsigned t, unsigned condition, Width width, const Sum<M>& sum) {
  trap_on_overflow(m, width, sum);
  finish(m, t, condition, width, sum);
}

void add(auto& m, const Rrr& i) {
  finish(m, i.t, i.cond, Width::word, plain_sum(m, m.gpr(i.r1), m.gpr(i.r2)));
}
void add_dw(auto& m, const Rrr& i) {
  finish(m, i.t, i.cond, Width::doubleword, plain_sum(m, m.gpr(i.r1), m.gpr(i.r2)));
}
void add_l(auto& m, const Rrr& i) {
  finish_logical(m, i.t, i.cond, Width::word, plain_sum(m, m.gpr(i.r1), m.gpr(i.r2)));
}
void add_l_dw(auto& m, const Rrr& i) {
  finish_logical(m, i.t, i.cond, Width::doubleword, plain_sum(m, m.gpr(i.r1), m.gpr(i.r2)));
}
void add_tsv(auto& m, const Rrr& i) {
  finish_tsv(m, i.t, i.cond, Width::word, plain_sum(m, m.gpr(i.r1), m.gpr(i.r2)));
}
void add_tsv_dw(auto& m, const Rrr& i) {
  finish_tsv(m, i.t, i.cond, Width::doubleword, plain_sum(m, m.gpr(i.r1), m.gpr(i.r2)));
}
void add_c(auto& m, const Rrr& i) {
  finish(m, i.t, i.cond, Width::word, sum_with_carry(m, Width::word, m.gpr(i.r1), m.gpr(i.r2)));
}
void add_c_dw(auto& m, const Rrr& i) {
  finish(m, i.t, i.cond, Width::doubleword,
         sum_with_carry(m, Width::doubleword, m.gpr(i.r1), m.gpr(i.r2)));
}
void add_c_tsv(auto& m, const Rrr& i) {
  finish_tsv(m, i.t, i.cond, Width::word, sum_with_carry(m, Width::word, m.gpr(i.r1), m.gpr(i.r2)));
}
void add_c_tsv_dw(auto& m, const Rrr& i) {
  finish_tsv(m, i.t, i.cond, Width::doubleword,
             sum_with_carry(m, Width::doubleword, m.gpr(i.r1), m.gpr(i.r2)));
}

// ---- Shift and add (I: SH1ADD, SH2ADD, SH3ADD; K: SHLADD). Conditions and overflow take the bits
// that are shifted out into account: a carry among them counts as one, and they overflow unless all
// are as the sign that they leave behind. C/B do not.
template <class M>
Sum<M> shifted_sum(M& m, const ShiftAdd& i) {
  const auto a = m.gpr(i.r1);
  return plain_sum(m, a << std::uint64_t{i.sa}, m.gpr(i.r2));
}
template <class M>
Sum<M> with_bits_shifted_out(M&, unsigned amount, typename M::Value a, Sum<M> sum) {
  for (unsigned bit = 0; bit < amount; ++bit) {
    sum.carry = sum.carry | a << std::uint64_t{bit};
    sum.overflow = sum.overflow | (a ^ a << std::uint64_t{bit + 1});
  }
  return sum;
}
template <class M>
Sum<M> complete_sum(M& m, const ShiftAdd& i) {
  return with_bits_shifted_out(m, i.sa, m.gpr(i.r1), shifted_sum(m, i));
}
template <class M>
void finish_shifted(M& m, const ShiftAdd& i, Width width) {
  const Sum<M> complete = complete_sum(m, i);
  set_carries(m, shifted_sum(m, i));
  finish_logical(m, i.t, i.cond, width, complete);
}
void shladd(auto& m, const ShiftAdd& i) { finish_shifted(m, i, Width::word); }
void shladd_dw(auto& m, const ShiftAdd& i) { finish_shifted(m, i, Width::doubleword); }
void shladd_l(auto& m, const ShiftAdd& i) {
  finish_logical(m, i.t, i.cond, Width::word, complete_sum(m, i));
}
void shladd_l_dw(auto& m, const ShiftAdd& i) {
  finish_logical(m, i.t, i.cond, Width::doubleword, complete_sum(m, i));
}
void shladd_tsv(auto& m, const ShiftAdd& i) {
  trap_on_overflow(m, Width::word, complete_sum(m, i));
  finish_shifted(m, i, Width::word);
}
void shladd_tsv_dw(auto& m, const ShiftAdd& i) {
  trap_on_overflow(m, Width::doubleword, complete_sum(m, i));
  finish_shifted(m, i, Width::doubleword);
}

// ---- Subtractions (I, K: SUB). A 1 in C/B is no borrow. With a trap on condition (TC), what
// satisfies it is not written, and an overflow comes first.
template <class M>
Sum<M> difference(M& m, typename M::Value a, typename M::Value b) {
  return sum_of(m, a, ~b, a - b);
}
template <class M>
void subtract(M& m, unsigned t, unsigned condition, Width width, typename M::Value a,
              typename M::Value b) {
  const auto flag = compare_condition(m, condition, width, a, b);
  const Sum<M> sum = difference(m, a, b);
  set_carries(m, sum);
  m.gpr(t, sum.result);
  nullify_when(m, condition, flag);
}
template <class M>
void subtract_tsv(M& m, unsigned t, unsigned condition, Width width, typename M::Value a,
                  typename M::Value b) {
  trap_on_overflow(m, width, difference(m, a, b));
  subtract(m, t, condition, width, a, b);
}
void subtract_tc(auto& m, const Rrr& i, Width width) {
  const auto a = m.gpr(i.r1), b = m.gpr(i.r2);
  trap_when(m, i.cond, compare_condition(m, i.cond, width, a, b));
  subtract(m, i.t, never, width, a, b);
}
void subtract_tsv_tc(auto& m, const Rrr& i, Width width) {
  trap_on_overflow(m, width, difference(m, m.gpr(i.r1), m.gpr(i.r2)));
  subtract_tc(m, i, width);
}
template <class M>
Sum<M> difference_with_borrow(M& m, Width width, typename M::Value a, typename M::Value b) {
  return sum_with_carry(m, width, a, ~b);
}
void sub(auto& m, const Rrr& i) { subtract(m, i.t, i.cond, Width::word, m.gpr(i.r1), m.gpr(i.r2)); }
void sub_dw(auto& m, const Rrr& i) {
  subtract(m, i.t, i.cond, Width::doubleword, m.gpr(i.r1), m.gpr(i.r2));
}
void sub_tsv(auto& m, const Rrr& i) {
  subtract_tsv(m, i.t, i.cond, Width::word, m.gpr(i.r1), m.gpr(i.r2));
}
void sub_tsv_dw(auto& m, const Rrr& i) {
  subtract_tsv(m, i.t, i.cond, Width::doubleword, m.gpr(i.r1), m.gpr(i.r2));
}
void sub_tc(auto& m, const Rrr& i) { subtract_tc(m, i, Width::word); }
void sub_tc_dw(auto& m, const Rrr& i) { subtract_tc(m, i, Width::doubleword); }
void sub_tsv_tc(auto& m, const Rrr& i) { subtract_tsv_tc(m, i, Width::word); }
void sub_tsv_tc_dw(auto& m, const Rrr& i) { subtract_tsv_tc(m, i, Width::doubleword); }
void sub_b(auto& m, const Rrr& i) {
  finish(m, i.t, i.cond, Width::word,
         difference_with_borrow(m, Width::word, m.gpr(i.r1), m.gpr(i.r2)));
}
void sub_b_dw(auto& m, const Rrr& i) {
  finish(m, i.t, i.cond, Width::doubleword,
         difference_with_borrow(m, Width::doubleword, m.gpr(i.r1), m.gpr(i.r2)));
}
void sub_b_tsv(auto& m, const Rrr& i) {
  finish_tsv(m, i.t, i.cond, Width::word,
             difference_with_borrow(m, Width::word, m.gpr(i.r1), m.gpr(i.r2)));
}
void sub_b_tsv_dw(auto& m, const Rrr& i) {
  finish_tsv(m, i.t, i.cond, Width::doubleword,
             difference_with_borrow(m, Width::doubleword, m.gpr(i.r1), m.gpr(i.r2)));
}

// ---- Divide step (I, K: DS). One bit of a quotient: the remainder, shifted left with a bit of the
// dividend coming in, less the divisor (V = 1) or plus it. The bit shifted out counts for the
// condition as in shift and add; the manual's tables do not say.
void ds(auto& m, const Rrr& i) {
  const auto remainder = m.gpr(i.r1), divisor = m.gpr(i.r2);
  const auto shifted = remainder << std::uint64_t{1} | carry_in(m, Width::word);
  const auto subtracts = m.divide_step();
  const auto addend = divisor ^ (m.constant(0) - subtracts);
  const auto sum = sum_of(m, shifted, addend, shifted + addend + subtracts);
  set_carries(m, sum);
  m.divide_step(is_negative(m, Width::word, sum.carry ^ divisor));
  finish_logical(m, i.t, i.cond, Width::word, with_bits_shifted_out(m, 1, remainder, sum));
}

// ---- Compare and clear (I: COMCLR; K: CMPCLR).
template <class M>
void compare_and_clear(M& m, unsigned t, unsigned condition, Width width, typename M::Value a,
                       typename M::Value b) {
  const auto flag = compare_condition(m, condition, width, a, b);
  m.gpr(t, m.constant(0));
  nullify_when(m, condition, flag);
}
void cmpclr(auto& m, const Rrr& i) {
  compare_and_clear(m, i.t, i.cond, Width::word, m.gpr(i.r1), m.gpr(i.r2));
}
void cmpclr_dw(auto& m, const Rrr& i) {
  compare_and_clear(m, i.t, i.cond, Width::doubleword, m.gpr(i.r1), m.gpr(i.r2));
}

// ---- Logic (I, K: AND OR XOR ANDCM).
template <class M>
void finish_logic(M& m, const Rrr& i, Width width, typename M::Value result) {
  m.gpr(i.t, result);
  nullify_when(m, i.cond, logic_condition(m, i.cond, width, result));
}
void and_(auto& m, const Rrr& i) { finish_logic(m, i, Width::word, m.gpr(i.r1) & m.gpr(i.r2)); }
void and_dw(auto& m, const Rrr& i) {
  finish_logic(m, i, Width::doubleword, m.gpr(i.r1) & m.gpr(i.r2));
}
void or_(auto& m, const Rrr& i) { finish_logic(m, i, Width::word, m.gpr(i.r1) | m.gpr(i.r2)); }
void or_dw(auto& m, const Rrr& i) {
  finish_logic(m, i, Width::doubleword, m.gpr(i.r1) | m.gpr(i.r2));
}
void xor_(auto& m, const Rrr& i) { finish_logic(m, i, Width::word, m.gpr(i.r1) ^ m.gpr(i.r2)); }
void xor_dw(auto& m, const Rrr& i) {
  finish_logic(m, i, Width::doubleword, m.gpr(i.r1) ^ m.gpr(i.r2));
}
void andcm(auto& m, const Rrr& i) { finish_logic(m, i, Width::word, m.gpr(i.r1) & ~m.gpr(i.r2)); }
void andcm_dw(auto& m, const Rrr& i) {
  finish_logic(m, i, Width::doubleword, m.gpr(i.r1) & ~m.gpr(i.r2));
}

// ---- Units (I, K: UXOR UADDCM DCOR). C/B are not written. UXOR has no carries.
template <class M>
void finish_units(M& m, unsigned t, unsigned condition, Width width, const Sum<M>& sum) {
  m.gpr(t, sum.result);
  nullify_when(m, condition, unit_condition(m, condition, width, sum.result, sum.carry));
}
template <class M>
void exclusive_or_units(M& m, const Rrr& i, Width width) {
  const auto result = m.gpr(i.r1) ^ m.gpr(i.r2);
  finish_units(m, i.t, i.cond, width, Sum<M>{result, m.constant(0), m.constant(0)});
}
void add_complement(auto& m, const Rrr& i, Width width) {
  finish_units(m, i.t, i.cond, width, plain_sum(m, m.gpr(i.r1), ~m.gpr(i.r2)));
}
template <class M>
void add_complement_tc(M& m, const Rrr& i, Width width) {
  const Sum<M> sum = plain_sum(m, m.gpr(i.r1), ~m.gpr(i.r2));
  trap_when(m, i.cond, unit_condition(m, i.cond, width, sum.result, sum.carry));
  m.gpr(i.t, sum.result);
}
// DCOR takes 6 from each digit that had no carry, DCOR,I adds 6 to each that had.
void decimal_correct(auto& m, const Dcor& i, Width width) {
  const auto correction = m.call(sixes, ~m.carries());
  finish_units(m, i.t, i.cond, width, difference(m, m.gpr(i.r2), correction));
}
void intermediate_decimal_correct(auto& m, const Dcor& i, Width width) {
  const auto correction = m.call(sixes, m.carries());
  finish_units(m, i.t, i.cond, width, plain_sum(m, m.gpr(i.r2), correction));
}
void uxor(auto& m, const Rrr& i) { exclusive_or_units(m, i, Width::word); }
void uxor_dw(auto& m, const Rrr& i) { exclusive_or_units(m, i, Width::doubleword); }
void uaddcm(auto& m, const Rrr& i) { add_complement(m, i, Width::word); }
void uaddcm_dw(auto& m, const Rrr& i) { add_complement(m, i, Width::doubleword); }
void uaddcm_tc(auto& m, const Rrr& i) { add_complement_tc(m, i, Width::word); }
void uaddcm_tc_dw(auto& m, const Rrr& i) { add_complement_tc(m, i, Width::doubleword); }
void dcor(auto& m, const Dcor& i) { decimal_correct(m, i, Width::word); }
void dcor_dw(auto& m, const Dcor& i) { decimal_correct(m, i, Width::doubleword); }
void dcor_i(auto& m, const Dcor& i) { intermediate_decimal_correct(m, i, Width::word); }
void dcor_i_dw(auto& m, const Dcor& i) { intermediate_decimal_correct(m, i, Width::doubleword); }

// ---- Immediates (I, K: ADDI SUBI COMICLR LDO LDIL ADDIL). The immediate is the first operand.
template <class M>
Sum<M> immediate_sum(M& m, const Rri& i) {
  return plain_sum(m, m.constant(immediate(i.im11)), m.gpr(i.r2));
}
void addi(auto& m, const Rri& i) { finish(m, i.t1, i.cond, Width::word, immediate_sum(m, i)); }
void addi_tsv(auto& m, const Rri& i) {
  finish_tsv(m, i.t1, i.cond, Width::word, immediate_sum(m, i));
}
void addi_tc(auto& m, const Rri& i) {
  const auto sum = immediate_sum(m, i);
  trap_when(m, i.cond, arithmetic_condition(m, i.cond, Width::word, sum));
  finish(m, i.t1, never, Width::word, sum);
}
void addi_tsv_tc(auto& m, const Rri& i) {
  trap_on_overflow(m, Width::word, immediate_sum(m, i));
  addi_tc(m, i);
}
void subi(auto& m, const Rri& i) {
  subtract(m, i.t1, i.cond, Width::word, m.constant(immediate(i.im11)), m.gpr(i.r2));
}
void subi_tsv(auto& m, const Rri& i) {
  subtract_tsv(m, i.t1, i.cond, Width::word, m.constant(immediate(i.im11)), m.gpr(i.r2));
}
void cmpiclr(auto& m, const Rri& i) {
  compare_and_clear(m, i.t1, i.cond, Width::word, m.constant(immediate(i.im11)), m.gpr(i.r2));
}
void cmpiclr_dw(auto& m, const Rri& i) {
  compare_and_clear(m, i.t1, i.cond, Width::doubleword, m.constant(immediate(i.im11)), m.gpr(i.r2));
}
bool is_wide(auto& m) { return m.settings().address_bits == 64; }
void ldo(auto& m, const LoadLong& i) {
  m.gpr(i.t1, m.gpr(i.b) + immediate(long_displacement(i.im14, i.s, is_wide(m))));
}
void ldil(auto& m, const LoadLeft& i) { m.gpr(i.t2, m.constant(immediate(i.im21))); }
inline constexpr unsigned addil_target = 1;
void addil(auto& m, const AddLeft& i) { m.gpr(addil_target, m.gpr(i.r2) + immediate(i.im21)); }

}  // namespace hardclock::pa_risc
