// The part of semantics.h that computes: instructions of type A, and those of type I that are not
// moves between registers of different kinds: integer arithmetic and logic, compares and tests of
// bits, multimedia, shifts and bit fields.
//
// The NaT bit of a result is set if that of any source is. What takes more than an operator or two
// is in integer_functions.h and multimedia_functions.h.
#pragma once

#include <cstdint>

#include "isa/ia64/integer_functions.h"
#include "isa/ia64/machine.h"
#include "isa/ia64/multimedia_functions.h"
#include "isa/ia64/processor_id.h"

namespace hardclock::ia64 {

// A signed field of an instruction as a 64-bit operand.
constexpr std::uint64_t immediate(std::int32_t field) {
  return static_cast<std::uint64_t>(std::int64_t{field});
}

// ---- r1, with the NaT bit of what it is made from. These end most bodies: a call would cost as
// much as they do.
[[gnu::always_inline]] inline void from_r2(auto& m, const auto& i, auto v) {
  m.gr(i.r1, v, m.nat(i.r2));
}
[[gnu::always_inline]] inline void from_r3(auto& m, const auto& i, auto v) {
  m.gr(i.r1, v, m.nat(i.r3));
}
[[gnu::always_inline]] inline void from_r2_r3(auto& m, const auto& i, auto v) {
  m.gr(i.r1, v, m.nat(i.r2, i.r3));
}

// ---- A1, A2: integer ALU, shift left and add.
void add(auto& m, const A1& i) { from_r2_r3(m, i, m.gr(i.r2) + m.gr(i.r3)); }
void add_1(auto& m, const A1& i) { from_r2_r3(m, i, m.gr(i.r2) + m.gr(i.r3) + 1); }
void sub_1(auto& m, const A1& i) { from_r2_r3(m, i, m.gr(i.r2) - m.gr(i.r3) - 1); }
void sub(auto& m, const A1& i) { from_r2_r3(m, i, m.gr(i.r2) - m.gr(i.r3)); }
// Addresses of 32 bits: bits 31:30 of r3 choose the region in bits 62:61.
auto pointer_4(auto& m, auto sum, auto r3) { return m.zext32(sum) | ((r3 >> 30) & 3) << 61; }
void addp4(auto& m, const A1& i) {
  const auto r3 = m.gr(i.r3);
  from_r2_r3(m, i, pointer_4(m, m.gr(i.r2) + r3, r3));
}
void and_(auto& m, const A1& i) { from_r2_r3(m, i, m.gr(i.r2) & m.gr(i.r3)); }
void andcm(auto& m, const A1& i) { from_r2_r3(m, i, m.gr(i.r2) & ~m.gr(i.r3)); }
void or_(auto& m, const A1& i) { from_r2_r3(m, i, m.gr(i.r2) | m.gr(i.r3)); }
void xor_(auto& m, const A1& i) { from_r2_r3(m, i, m.gr(i.r2) ^ m.gr(i.r3)); }
auto shifted_r2(auto& m, const A2& i) { return m.gr(i.r2) << (std::uint64_t{i.ct2d} + 1); }
void shladd(auto& m, const A2& i) { from_r2_r3(m, i, shifted_r2(m, i) + m.gr(i.r3)); }
void shladdp4(auto& m, const A2& i) {
  const auto r3 = m.gr(i.r3);
  from_r2_r3(m, i, pointer_4(m, shifted_r2(m, i) + r3, r3));
}

// ---- A3: integer ALU with imm8, A4: add imm14, A5: add imm22.
void sub_imm8(auto& m, const A3& i) { from_r3(m, i, m.constant(immediate(i.imm8)) - m.gr(i.r3)); }
void and_imm8(auto& m, const A3& i) { from_r3(m, i, m.gr(i.r3) & immediate(i.imm8)); }
void andcm_imm8(auto& m, const A3& i) { from_r3(m, i, ~m.gr(i.r3) & immediate(i.imm8)); }
void or_imm8(auto& m, const A3& i) { from_r3(m, i, m.gr(i.r3) | immediate(i.imm8)); }
void xor_imm8(auto& m, const A3& i) { from_r3(m, i, m.gr(i.r3) ^ immediate(i.imm8)); }
void adds(auto& m, const A4& i) { from_r3(m, i, m.gr(i.r3) + immediate(i.imm14)); }
void addp4_imm14(auto& m, const A4& i) {
  const auto r3 = m.gr(i.r3);
  from_r3(m, i, pointer_4(m, r3 + immediate(i.imm14), r3));
}
void addl(auto& m, const A5& i) { m.gr(i.r1, m.gr(i.r3_2) + immediate(i.imm22), m.nat(i.r3_2)); }

// ---- What compares, tbit, tnat and tf find out, and what a type of compare makes of it. That p1
// and p2 are one register is a fault; of .unc whatever its predicate.
template <class M>
struct Finding {
  typename M::Flag holds;
  typename M::Value nat;  // of the sources: 0 or 1
};

// p1 is whether it holds, p2 whether it does not. Both are 0 if `counts`, 0 or 1, is 0.
template <class M>
[[gnu::always_inline]] inline void write_both(M& m, const auto& i, typename M::Flag relation,
                                              typename M::Value counts) {
  if (i.p1 == i.p2) return m.illegal();
  const auto holds = m.bit(relation) & counts;
  const auto fails = holds ^ counts;
  m.predicates(holds << std::uint64_t{i.p1} | fails << std::uint64_t{i.p2},
               std::uint64_t{1} << i.p1 | std::uint64_t{1} << i.p2);
}
// Numbers, 0 or 1, if the flag is set.
template <class M>
void write_both_if(M& m, const auto& i, typename M::Flag condition, std::uint64_t v1,
                   std::uint64_t v2) {
  if (i.p1 == i.p2) return m.illegal();
  m.predicates_if(condition, i.p1, m.constant(v1), i.p2, m.constant(v2));
}
template <class M>
auto holds_for_sure(M& m, const Finding<M>& found) {
  return m.both(found.holds, m.eq(found.nat, 0));
}

template <class M>
void compare(M& m, const auto& i, const Finding<M>& found) {
  write_both(m, i, found.holds, found.nat ^ 1);
}
template <class M>
void compare_unc(M& m, const auto& i, const Finding<M>& found, typename M::Flag qp) {
  write_both(m, i, found.holds, (found.nat ^ 1) & m.bit(qp));
}
template <class M>
void compare_and(M& m, const auto& i, const Finding<M>& found) {
  write_both_if(m, i, m.not_(holds_for_sure(m, found)), 0, 0);
}
template <class M>
void compare_or(M& m, const auto& i, const Finding<M>& found) {
  write_both_if(m, i, holds_for_sure(m, found), 1, 1);
}
template <class M>
void compare_or_andcm(M& m, const auto& i, const Finding<M>& found) {
  write_both_if(m, i, holds_for_sure(m, found), 1, 0);
}

// ---- Relations of integers: r2, r0 or imm8 against r3.
template <class M>
struct Comparands {
  typename M::Value left, right, nat;
};
template <class M>
Comparands<M> comparands(M& m, const A6& i) {
  return {m.gr(i.r2), m.gr(i.r3), m.nat(i.r2, i.r3)};
}
template <class M>
Comparands<M> comparands(M& m, const A7& i) {
  return {m.constant(0), m.gr(i.r3), m.nat(i.r3)};
}
template <class M>
Comparands<M> comparands(M& m, const A8& i) {
  return {m.constant(immediate(i.imm8)), m.gr(i.r3), m.nat(i.r3)};
}
// The low words (cmp4). Sign extension keeps the order of unsigned words, too.
template <class M>
Comparands<M> low_words(M& m, const auto& i) {
  const Comparands<M> c = comparands(m, i);
  return {m.sext32(c.left), m.sext32(c.right), c.nat};
}

template <class M>
Finding<M> is_eq(M& m, const Comparands<M>& c) {
  return {m.eq(c.left, c.right), c.nat};
}
template <class M>
Finding<M> is_ne(M& m, const Comparands<M>& c) {
  return {m.ne(c.left, c.right), c.nat};
}
template <class M>
Finding<M> is_lt(M& m, const Comparands<M>& c) {
  return {m.lt(c.left, c.right), c.nat};
}
template <class M>
Finding<M> is_ltu(M& m, const Comparands<M>& c) {
  return {m.ltu(c.left, c.right), c.nat};
}
template <class M>
Finding<M> is_gt(M& m, const Comparands<M>& c) {
  return {m.lt(c.right, c.left), c.nat};
}
template <class M>
Finding<M> is_le(M& m, const Comparands<M>& c) {
  return {m.not_(m.lt(c.right, c.left)), c.nat};
}
template <class M>
Finding<M> is_ge(M& m, const Comparands<M>& c) {
  return {m.not_(m.lt(c.left, c.right)), c.nat};
}

// ---- A6, A8: integer compare of registers, of imm8 and a register.
void cmp_lt(auto& m, const auto& i) { compare(m, i, is_lt(m, comparands(m, i))); }
void cmp_lt_unc(auto& m, const auto& i, auto qp) {
  compare_unc(m, i, is_lt(m, comparands(m, i)), qp);
}
void cmp_ltu(auto& m, const auto& i) { compare(m, i, is_ltu(m, comparands(m, i))); }
void cmp_ltu_unc(auto& m, const auto& i, auto qp) {
  compare_unc(m, i, is_ltu(m, comparands(m, i)), qp);
}
void cmp_eq(auto& m, const auto& i) { compare(m, i, is_eq(m, comparands(m, i))); }
void cmp_eq_unc(auto& m, const auto& i, auto qp) {
  compare_unc(m, i, is_eq(m, comparands(m, i)), qp);
}
void cmp_eq_and(auto& m, const auto& i) { compare_and(m, i, is_eq(m, comparands(m, i))); }
void cmp_ne_and(auto& m, const auto& i) { compare_and(m, i, is_ne(m, comparands(m, i))); }
void cmp_eq_or(auto& m, const auto& i) { compare_or(m, i, is_eq(m, comparands(m, i))); }
void cmp_ne_or(auto& m, const auto& i) { compare_or(m, i, is_ne(m, comparands(m, i))); }
void cmp_eq_or_andcm(auto& m, const auto& i) { compare_or_andcm(m, i, is_eq(m, comparands(m, i))); }
void cmp_ne_or_andcm(auto& m, const auto& i) { compare_or_andcm(m, i, is_ne(m, comparands(m, i))); }
void cmp4_lt(auto& m, const auto& i) { compare(m, i, is_lt(m, low_words(m, i))); }
void cmp4_lt_unc(auto& m, const auto& i, auto qp) {
  compare_unc(m, i, is_lt(m, low_words(m, i)), qp);
}
void cmp4_ltu(auto& m, const auto& i) { compare(m, i, is_ltu(m, low_words(m, i))); }
void cmp4_ltu_unc(auto& m, const auto& i, auto qp) {
  compare_unc(m, i, is_ltu(m, low_words(m, i)), qp);
}
void cmp4_eq(auto& m, const auto& i) { compare(m, i, is_eq(m, low_words(m, i))); }
void cmp4_eq_unc(auto& m, const auto& i, auto qp) {
  compare_unc(m, i, is_eq(m, low_words(m, i)), qp);
}
void cmp4_eq_and(auto& m, const auto& i) { compare_and(m, i, is_eq(m, low_words(m, i))); }
void cmp4_ne_and(auto& m, const auto& i) { compare_and(m, i, is_ne(m, low_words(m, i))); }
void cmp4_eq_or(auto& m, const auto& i) { compare_or(m, i, is_eq(m, low_words(m, i))); }
void cmp4_ne_or(auto& m, const auto& i) { compare_or(m, i, is_ne(m, low_words(m, i))); }
void cmp4_eq_or_andcm(auto& m, const auto& i) { compare_or_andcm(m, i, is_eq(m, low_words(m, i))); }
void cmp4_ne_or_andcm(auto& m, const auto& i) { compare_or_andcm(m, i, is_ne(m, low_words(m, i))); }

// ---- A7: integer compare of r0 and a register.
void cmp_gt_and(auto& m, const A7& i) { compare_and(m, i, is_gt(m, comparands(m, i))); }
void cmp_le_and(auto& m, const A7& i) { compare_and(m, i, is_le(m, comparands(m, i))); }
void cmp_ge_and(auto& m, const A7& i) { compare_and(m, i, is_ge(m, comparands(m, i))); }
void cmp_lt_and(auto& m, const A7& i) { compare_and(m, i, is_lt(m, comparands(m, i))); }
void cmp_gt_or(auto& m, const A7& i) { compare_or(m, i, is_gt(m, comparands(m, i))); }
void cmp_le_or(auto& m, const A7& i) { compare_or(m, i, is_le(m, comparands(m, i))); }
void cmp_ge_or(auto& m, const A7& i) { compare_or(m, i, is_ge(m, comparands(m, i))); }
void cmp_lt_or(auto& m, const A7& i) { compare_or(m, i, is_lt(m, comparands(m, i))); }
void cmp_gt_or_andcm(auto& m, const A7& i) { compare_or_andcm(m, i, is_gt(m, comparands(m, i))); }
void cmp_le_or_andcm(auto& m, const A7& i) { compare_or_andcm(m, i, is_le(m, comparands(m, i))); }
void cmp_ge_or_andcm(auto& m, const A7& i) { compare_or_andcm(m, i, is_ge(m, comparands(m, i))); }
void cmp_lt_or_andcm(auto& m, const A7& i) { compare_or_andcm(m, i, is_lt(m, comparands(m, i))); }
void cmp4_gt_and(auto& m, const A7& i) { compare_and(m, i, is_gt(m, low_words(m, i))); }
void cmp4_le_and(auto& m, const A7& i) { compare_and(m, i, is_le(m, low_words(m, i))); }
void cmp4_ge_and(auto& m, const A7& i) { compare_and(m, i, is_ge(m, low_words(m, i))); }
void cmp4_lt_and(auto& m, const A7& i) { compare_and(m, i, is_lt(m, low_words(m, i))); }
void cmp4_gt_or(auto& m, const A7& i) { compare_or(m, i, is_gt(m, low_words(m, i))); }
void cmp4_le_or(auto& m, const A7& i) { compare_or(m, i, is_le(m, low_words(m, i))); }
void cmp4_ge_or(auto& m, const A7& i) { compare_or(m, i, is_ge(m, low_words(m, i))); }
void cmp4_lt_or(auto& m, const A7& i) { compare_or(m, i, is_lt(m, low_words(m, i))); }
void cmp4_gt_or_andcm(auto& m, const A7& i) { compare_or_andcm(m, i, is_gt(m, low_words(m, i))); }
void cmp4_le_or_andcm(auto& m, const A7& i) { compare_or_andcm(m, i, is_le(m, low_words(m, i))); }
void cmp4_ge_or_andcm(auto& m, const A7& i) { compare_or_andcm(m, i, is_ge(m, low_words(m, i))); }
void cmp4_lt_or_andcm(auto& m, const A7& i) { compare_or_andcm(m, i, is_lt(m, low_words(m, i))); }

// ---- A9: multimedia ALU.
template <auto f>
void call_r2_r3(auto& m, const auto& i) {
  from_r2_r3(m, i, m.call(f, m.gr(i.r2), m.gr(i.r3)));
}
template <auto f>
void call_r3_r2(auto& m, const auto& i) {
  from_r2_r3(m, i, m.call(f, m.gr(i.r3), m.gr(i.r2)));
}
void padd1(auto& m, const A9& i) { call_r2_r3<alu::padd1>(m, i); }
void padd1_sss(auto& m, const A9& i) { call_r2_r3<alu::padd1_sss>(m, i); }
void padd1_uuu(auto& m, const A9& i) { call_r2_r3<alu::padd1_uuu>(m, i); }
void padd1_uus(auto& m, const A9& i) { call_r2_r3<alu::padd1_uus>(m, i); }
void padd2(auto& m, const A9& i) { call_r2_r3<alu::padd2>(m, i); }
void padd2_sss(auto& m, const A9& i) { call_r2_r3<alu::padd2_sss>(m, i); }
void padd2_uuu(auto& m, const A9& i) { call_r2_r3<alu::padd2_uuu>(m, i); }
void padd2_uus(auto& m, const A9& i) { call_r2_r3<alu::padd2_uus>(m, i); }
void padd4(auto& m, const A9& i) { call_r2_r3<alu::padd4>(m, i); }
void psub1(auto& m, const A9& i) { call_r2_r3<alu::psub1>(m, i); }
void psub1_sss(auto& m, const A9& i) { call_r2_r3<alu::psub1_sss>(m, i); }
void psub1_uuu(auto& m, const A9& i) { call_r2_r3<alu::psub1_uuu>(m, i); }
void psub1_uus(auto& m, const A9& i) { call_r2_r3<alu::psub1_uus>(m, i); }
void psub2(auto& m, const A9& i) { call_r2_r3<alu::psub2>(m, i); }
void psub2_sss(auto& m, const A9& i) { call_r2_r3<alu::psub2_sss>(m, i); }
void psub2_uuu(auto& m, const A9& i) { call_r2_r3<alu::psub2_uuu>(m, i); }
void psub2_uus(auto& m, const A9& i) { call_r2_r3<alu::psub2_uus>(m, i); }
void psub4(auto& m, const A9& i) { call_r2_r3<alu::psub4>(m, i); }
void pavg1(auto& m, const A9& i) { call_r2_r3<alu::pavg1>(m, i); }
void pavg1_raz(auto& m, const A9& i) { call_r2_r3<alu::pavg1_raz>(m, i); }
void pavgsub1(auto& m, const A9& i) { call_r2_r3<alu::pavgsub1>(m, i); }
void pavg2(auto& m, const A9& i) { call_r2_r3<alu::pavg2>(m, i); }
void pavg2_raz(auto& m, const A9& i) { call_r2_r3<alu::pavg2_raz>(m, i); }
void pavgsub2(auto& m, const A9& i) { call_r2_r3<alu::pavgsub2>(m, i); }
void pcmp1_eq(auto& m, const A9& i) { call_r2_r3<alu::pcmp1_eq>(m, i); }
void pcmp1_gt(auto& m, const A9& i) { call_r2_r3<alu::pcmp1_gt>(m, i); }
void pcmp2_eq(auto& m, const A9& i) { call_r2_r3<alu::pcmp2_eq>(m, i); }
void pcmp2_gt(auto& m, const A9& i) { call_r2_r3<alu::pcmp2_gt>(m, i); }
void pcmp4_eq(auto& m, const A9& i) { call_r2_r3<alu::pcmp4_eq>(m, i); }
void pcmp4_gt(auto& m, const A9& i) { call_r2_r3<alu::pcmp4_gt>(m, i); }

// ---- A10: multimedia shift and add. A count of 4 is reserved.
template <auto f>
void shift_and_add(auto& m, const A10& i) {
  const std::uint64_t count = std::uint64_t{i.ct2d} + 1;
  if (count == 4) return m.illegal();
  from_r2_r3(m, i, m.call(f, m.gr(i.r2), m.constant(count), m.gr(i.r3)));
}
void pshladd2(auto& m, const A10& i) { shift_and_add<alu::pshladd2>(m, i); }
void pshradd2(auto& m, const A10& i) { shift_and_add<alu::pshradd2>(m, i); }

// ---- I1: multimedia multiply and shift, I2: multimedia multiply, mix, pack, unpack, minimum,
// maximum, sum of absolute differences; multiply of words.
template <auto f>
void multiply_and_shift(auto& m, const I1& i) {
  const std::uint64_t count = alu::pmpyshr2_count(i.ct2d_pmpyshr2);
  from_r2_r3(m, i, m.call(f, m.gr(i.r2), m.gr(i.r3), m.constant(count)));
}
void pmpyshr2_u(auto& m, const I1& i) { multiply_and_shift<alu::pmpyshr2_u>(m, i); }
void pmpyshr2(auto& m, const I1& i) { multiply_and_shift<alu::pmpyshr2>(m, i); }
void pmpy2_r(auto& m, const I2& i) { call_r2_r3<alu::pmpy2_r>(m, i); }
void pmpy2_l(auto& m, const I2& i) { call_r2_r3<alu::pmpy2_l>(m, i); }
void mpy4(auto& m, const I2& i) { from_r2_r3(m, i, m.zext32(m.gr(i.r2)) * m.zext32(m.gr(i.r3))); }
void mpyshl4(auto& m, const I2& i) {
  from_r2_r3(m, i, (m.gr(i.r2) >> 32) * m.zext32(m.gr(i.r3)) << 32);
}
void mix1_r(auto& m, const I2& i) { call_r2_r3<alu::mix1_r>(m, i); }
void mix1_l(auto& m, const I2& i) { call_r2_r3<alu::mix1_l>(m, i); }
void mix2_r(auto& m, const I2& i) { call_r2_r3<alu::mix2_r>(m, i); }
void mix2_l(auto& m, const I2& i) { call_r2_r3<alu::mix2_l>(m, i); }
void mix4_r(auto& m, const I2& i) { call_r2_r3<alu::mix4_r>(m, i); }
void mix4_l(auto& m, const I2& i) { call_r2_r3<alu::mix4_l>(m, i); }
void pack2_uss(auto& m, const I2& i) { call_r2_r3<alu::pack2_uss>(m, i); }
void pack2_sss(auto& m, const I2& i) { call_r2_r3<alu::pack2_sss>(m, i); }
void pack4_sss(auto& m, const I2& i) { call_r2_r3<alu::pack4_sss>(m, i); }
void unpack1_h(auto& m, const I2& i) { call_r2_r3<alu::unpack1_h>(m, i); }
void unpack1_l(auto& m, const I2& i) { call_r2_r3<alu::unpack1_l>(m, i); }
void unpack2_h(auto& m, const I2& i) { call_r2_r3<alu::unpack2_h>(m, i); }
void unpack2_l(auto& m, const I2& i) { call_r2_r3<alu::unpack2_l>(m, i); }
void unpack4_h(auto& m, const I2& i) { call_r2_r3<alu::unpack4_h>(m, i); }
void unpack4_l(auto& m, const I2& i) { call_r2_r3<alu::unpack4_l>(m, i); }
void pmin1_u(auto& m, const I2& i) { call_r2_r3<alu::pmin1_u>(m, i); }
void pmax1_u(auto& m, const I2& i) { call_r2_r3<alu::pmax1_u>(m, i); }
void pmin2(auto& m, const I2& i) { call_r2_r3<alu::pmin2>(m, i); }
void pmax2(auto& m, const I2& i) { call_r2_r3<alu::pmax2>(m, i); }
void psad1(auto& m, const I2& i) { call_r2_r3<alu::psad1>(m, i); }

// ---- I3, I4: multimedia permutation. Permutations of bytes that have no name are reserved.
constexpr bool is_byte_permutation(unsigned mbt4) { return mbt4 == 0 || (mbt4 >= 8 && mbt4 <= 11); }
void mux1(auto& m, const I3& i) {
  if (!is_byte_permutation(i.mbt4c)) return m.illegal();
  from_r2(m, i, m.call(alu::mux1, m.gr(i.r2), m.constant(i.mbt4c)));
}
void mux2(auto& m, const I4& i) {
  from_r2(m, i, m.call(alu::mux2, m.gr(i.r2), m.constant(i.mht8c)));
}

// ---- I5: shift right by a register, I6: by a constant; I7: shift left by a register, I8: by a
// constant.
void pshr2(auto& m, const I5& i) { call_r3_r2<alu::pshr2>(m, i); }
void pshr2_u(auto& m, const I5& i) { call_r3_r2<alu::pshr2_u>(m, i); }
void pshr4(auto& m, const I5& i) { call_r3_r2<alu::pshr4>(m, i); }
void pshr4_u(auto& m, const I5& i) { call_r3_r2<alu::pshr4_u>(m, i); }
// The whole doubleword counts: above 63 no bit of the operand is left, or only its sign.
void shr(auto& m, const I5& i) {
  const auto count = m.gr(i.r2);
  from_r2_r3(m, i, m.sar(m.gr(i.r3), m.select(m.ltu(count, 64), count, m.constant(63))));
}
template <class M>
auto zero_above_63(M& m, typename M::Value shifted, typename M::Value count) {
  return m.select(m.ltu(count, 64), shifted, m.constant(0));
}
void shr_u(auto& m, const I5& i) {
  const auto count = m.gr(i.r2);
  from_r2_r3(m, i, zero_above_63(m, m.gr(i.r3) >> (count & 63), count));
}
template <auto f>
void shift_r3(auto& m, const I6& i) {
  from_r3(m, i, m.call(f, m.gr(i.r3), m.constant(i.count5b)));
}
void pshr2_imm(auto& m, const I6& i) { shift_r3<alu::pshr2>(m, i); }
void pshr2_u_imm(auto& m, const I6& i) { shift_r3<alu::pshr2_u>(m, i); }
void pshr4_imm(auto& m, const I6& i) { shift_r3<alu::pshr4>(m, i); }
void pshr4_u_imm(auto& m, const I6& i) { shift_r3<alu::pshr4_u>(m, i); }
void pshl2(auto& m, const I7& i) { call_r2_r3<alu::pshl2>(m, i); }
void pshl4(auto& m, const I7& i) { call_r2_r3<alu::pshl4>(m, i); }
void shl(auto& m, const I7& i) {
  const auto count = m.gr(i.r3);
  from_r2_r3(m, i, zero_above_63(m, m.gr(i.r2) << (count & 63), count));
}
template <auto f>
void shift_r2(auto& m, const I8& i) {
  from_r2(m, i, m.call(f, m.gr(i.r2), m.constant(31u - i.ccount5c)));
}
void pshl2_imm(auto& m, const I8& i) { shift_r2<alu::pshl2>(m, i); }
void pshl4_imm(auto& m, const I8& i) { shift_r2<alu::pshl4>(m, i); }

// ---- I9: bit counts.
void popcnt(auto& m, const I9& i) { from_r3(m, i, m.call(alu::popcnt, m.gr(i.r3))); }
void clz(auto& m, const I9& i) { from_r3(m, i, m.call(alu::clz, m.gr(i.r3))); }

// ---- I10: shift right pair, I11: extract, I12 to I15: deposit. A field that would reach beyond
// bit 63 ends there.
void shrp(auto& m, const I10& i) {
  const std::uint64_t count = i.count6d;
  if (count == 0) return from_r2_r3(m, i, m.gr(i.r3));
  from_r2_r3(m, i, m.gr(i.r3) >> count | m.gr(i.r2) << (64 - count));
}
void extr_u(auto& m, const I11& i) {
  const std::uint64_t ones = alu::field_mask(0, std::uint64_t{i.len6d} + 1);
  from_r3(m, i, (m.gr(i.r3) >> std::uint64_t{i.pos6b}) & ones);
}
void extr(auto& m, const I11& i) {
  const unsigned end = i.pos6b + i.len6d + 1u;
  const std::uint64_t above = end < 64 ? 64 - end : 0;
  from_r3(m, i, m.sar(m.gr(i.r3) << above, m.constant(above + i.pos6b)));
}

// Where a deposit puts its field.
struct DepositField {
  std::uint64_t pos, mask;
};
constexpr DepositField deposit_field(unsigned cpos, unsigned len) {
  const std::uint64_t pos = 63 - cpos;
  return {pos, alu::field_mask(pos, len)};
}
void dep_z(auto& m, const I12& i) {
  const DepositField f = deposit_field(i.cpos6c, i.len6d + 1u);
  from_r2(m, i, (m.gr(i.r2) << f.pos) & f.mask);
}
void dep_z_imm8(auto& m, const I13& i) {
  const DepositField f = deposit_field(i.cpos6c, i.len6d + 1u);
  m.gr(i.r1, m.constant(immediate(i.imm8) << f.pos & f.mask));
}
void dep_imm1(auto& m, const I14& i) {
  const DepositField f = deposit_field(i.cpos6b, i.len6d + 1u);
  from_r3(m, i, (m.gr(i.r3) & ~f.mask) | (immediate(i.imm1) & f.mask));
}
void dep(auto& m, const I15& i) {
  const DepositField f = deposit_field(i.cpos6d, i.len4d + 1u);
  from_r2_r3(m, i, (m.gr(i.r3) & ~f.mask) | ((m.gr(i.r2) << f.pos) & f.mask));
}

// ---- I16: test bit, I17: test NaT, I30: test feature.
template <class M>
Finding<M> is_0(M& m, const I16& i) {
  return {m.eq(m.gr(i.r3) & std::uint64_t{1} << i.pos6b, 0), m.nat(i.r3)};
}
// No source of tnat is NaT: it reads the bit itself.
template <class M>
Finding<M> is_0(M& m, const I17& i) {
  return {m.eq(m.nat(i.r3), 0), m.constant(0)};
}
template <class M>
Finding<M> is_0(M& m, const I30& i) {
  const bool has = (cpuid_features(m.settings().level) >> (i.imm5b + 32u) & 1) != 0;
  return {m.flag(!has), m.constant(0)};
}
template <class M>
Finding<M> is_1(M& m, const auto& i) {
  const Finding<M> found = is_0(m, i);
  return {m.not_(found.holds), found.nat};
}
void tbit_z(auto& m, const auto& i) { compare(m, i, is_0(m, i)); }
void tbit_z_unc(auto& m, const auto& i, auto qp) { compare_unc(m, i, is_0(m, i), qp); }
void tbit_z_and(auto& m, const auto& i) { compare_and(m, i, is_0(m, i)); }
void tbit_nz_and(auto& m, const auto& i) { compare_and(m, i, is_1(m, i)); }
void tbit_z_or(auto& m, const auto& i) { compare_or(m, i, is_0(m, i)); }
void tbit_nz_or(auto& m, const auto& i) { compare_or(m, i, is_1(m, i)); }
void tbit_z_or_andcm(auto& m, const auto& i) { compare_or_andcm(m, i, is_0(m, i)); }
void tbit_nz_or_andcm(auto& m, const auto& i) { compare_or_andcm(m, i, is_1(m, i)); }

// ---- I29: zero and sign extension, index of a zero byte or halfword.
void zxt1(auto& m, const I29& i) { from_r3(m, i, m.gr(i.r3) & 0xff); }
void zxt2(auto& m, const I29& i) { from_r3(m, i, m.gr(i.r3) & 0xffff); }
void zxt4(auto& m, const I29& i) { from_r3(m, i, m.zext32(m.gr(i.r3))); }
void sxt1(auto& m, const I29& i) { from_r3(m, i, m.sext8(m.gr(i.r3))); }
void sxt2(auto& m, const I29& i) { from_r3(m, i, m.sext16(m.gr(i.r3))); }
void sxt4(auto& m, const I29& i) { from_r3(m, i, m.sext32(m.gr(i.r3))); }
void czx1_l(auto& m, const I29& i) { from_r3(m, i, m.call(alu::czx1_l, m.gr(i.r3))); }
void czx2_l(auto& m, const I29& i) { from_r3(m, i, m.call(alu::czx2_l, m.gr(i.r3))); }
void czx1_r(auto& m, const I29& i) { from_r3(m, i, m.call(alu::czx1_r, m.gr(i.r3))); }
void czx2_r(auto& m, const I29& i) { from_r3(m, i, m.call(alu::czx2_r, m.gr(i.r3))); }

}  // namespace hardclock::ia64
