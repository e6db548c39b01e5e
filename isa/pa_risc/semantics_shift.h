// The part of semantics.h that moves bits: halfwords in parallel, shifts, extracts, deposits.
// Sources: I is the "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition
// (1994), chapter 5; K is Kane, "PA-RISC 2.0 Architecture" (1996), chapter 7.
#pragma once

#include <cstdint>

#include "isa/pa_risc/bit_functions.h"
#include "isa/pa_risc/conditions.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/operand_values.h"
#include "isa/pa_risc/semantics_integer.h"

namespace hardclock::pa_risc {

// ---- Halfwords (K: HADD HSUB HAVG HSHLADD HSHRADD HSHL HSHR MIXH MIXW PERMH).
template <class M>
void hadd(M& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_add, m.gpr(i.r1), m.gpr(i.r2)));
}
template <class M>
void hadd_ss(M& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_add_signed, m.gpr(i.r1), m.gpr(i.r2)));
}
template <class M>
void hadd_us(M& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_add_unsigned, m.gpr(i.r1), m.gpr(i.r2)));
}
template <class M>
void hsub(M& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_sub, m.gpr(i.r1), m.gpr(i.r2)));
}
template <class M>
void hsub_ss(M& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_sub_signed, m.gpr(i.r1), m.gpr(i.r2)));
}
template <class M>
void hsub_us(M& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_sub_unsigned, m.gpr(i.r1), m.gpr(i.r2)));
}
template <class M>
void havg(M& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_average, m.gpr(i.r1), m.gpr(i.r2)));
}
template <class M>
void hshladd(M& m, const HalfShAdd& i) {
  m.gpr(i.t, m.call(halfword_shift_left_add, m.gpr(i.r1), m.gpr(i.r2), m.constant(i.sa)));
}
template <class M>
void hshradd(M& m, const HalfShAdd& i) {
  m.gpr(i.t, m.call(halfword_shift_right_add, m.gpr(i.r1), m.gpr(i.r2), m.constant(i.sa)));
}
template <class M>
void hshl(M& m, const HalfShl& i) {
  m.gpr(i.t, m.call(halfword_shift_left, m.gpr(i.r1), m.constant(i.sa4)));
}
template <class M>
void hshr(M& m, const HalfShr& i) {
  const auto amount = m.constant(i.sa4);
  m.gpr(i.t, i.se != 0 ? m.call(halfword_shift_right_signed, m.gpr(i.r2), amount)
                       : m.call(halfword_shift_right, m.gpr(i.r2), amount));
}
inline constexpr std::uint64_t left_halves = 0xffff'0000'ffff'0000;
template <class M>
void mixh_l(M& m, const Half& i) {
  m.gpr(i.t, (m.gpr(i.r1) & left_halves) | (m.gpr(i.r2) & left_halves) >> std::uint64_t{16});
}
template <class M>
void mixh_r(M& m, const Half& i) {
  m.gpr(i.t, (m.gpr(i.r1) & ~left_halves) << std::uint64_t{16} | (m.gpr(i.r2) & ~left_halves));
}
template <class M>
void mixw_l(M& m, const Half& i) {
  m.gpr(i.t, (m.gpr(i.r1) & ~low_ones(32)) | m.gpr(i.r2) >> std::uint64_t{32});
}
template <class M>
void mixw_r(M& m, const Half& i) {
  m.gpr(i.t, m.gpr(i.r1) << std::uint64_t{32} | m.zext32(m.gpr(i.r2)));
}
template <class M>
void permh(M& m, const Permute& i) {
  m.gpr(i.t, m.call(permute_halfwords, m.gpr(i.r2), m.constant(i.permutation)));
}

// ---- Shifts, extracts and deposits (I: VSHD SHD VEXTRU VEXTRS EXTRU EXTRS VDEP DEP ZVDEP ZDEP;
// K: SHRPW SHRPD EXTRW EXTRD DEPW DEPD). K leaves the upper word of word forms undefined: here
// SHRPW makes it 0, EXTRW extends its field into it, DEPW keeps the target's or, with Z, makes it
// 0, as QEMU 9 does. Bits of a field beyond the most significant bit are dropped.
template <class M>
void finish_shift(M& m, unsigned t, unsigned c, Width width, typename M::Value result) {
  m.gpr(t, result);
  const unsigned condition = shift_condition(c);
  nullify_when(m, condition, logic_condition(m, condition, width, result));
}
template <class M>
void shift_pair(M& m, unsigned t, unsigned c, typename M::Value left, typename M::Value right,
                typename M::Value amount) {
  const auto pair = left << std::uint64_t{32} | m.zext32(right);
  finish_shift(m, t, c, Width::word, m.zext32(pair >> amount));
}
template <class M>
void shift_pair_dw(M& m, unsigned t, unsigned c, typename M::Value left, typename M::Value right,
                   typename M::Value amount) {
  const auto from_left = left << std::uint64_t{1} << (amount ^ 63);
  finish_shift(m, t, c, Width::doubleword, from_left | right >> amount);
}
template <class M>
void shrpw_sar(M& m, const ShrpSar& i) {
  shift_pair(m, i.t, i.c, m.gpr(i.r1), m.gpr(i.r2), m.shift_amount() & 31);
}
template <class M>
void shrpd_sar(M& m, const ShrpSar& i) {
  shift_pair_dw(m, i.t, i.c, m.gpr(i.r1), m.gpr(i.r2), m.shift_amount());
}
template <class M>
void shrpw(M& m, const Shrp& i) {
  shift_pair(m, i.t, i.c, m.gpr(i.r1), m.gpr(i.r2), m.constant(31u - i.cpos));
}
template <class M>
void shrpd(M& m, const ShrpD& i) {
  shift_pair_dw(m, i.t, i.c, m.gpr(i.r1), m.gpr(i.r2), m.constant(63u - i.cpos6));
}

// How many bits lie right of a field that ends at the position in SAR.
template <class M>
auto bits_right_of_sar(M& m, Width width) {
  return ~m.shift_amount() & (width == Width::word ? 31 : 63);
}
template <class M>
void extract(M& m, unsigned t, unsigned c, Width width, typename M::Value value,
             typename M::Value right, unsigned length, bool is_signed) {
  const auto drop = m.constant(64 - length);
  const auto result = is_signed ? m.sar(m.sar(sign_extended(m, width, value), right) << drop, drop)
                                : zero_extended(m, width, value) >> right & low_ones(length);
  finish_shift(m, t, c, width, result);
}
template <class M>
void extrw_sar(M& m, const ExtrSar& i) {
  extract(m, i.t1, i.c, Width::word, m.gpr(i.r2), bits_right_of_sar(m, Width::word),
          length_32(i.clen), i.se != 0);
}
template <class M>
void extrd_sar(M& m, const ExtrSarD& i) {
  extract(m, i.t1, i.c, Width::doubleword, m.gpr(i.r2), bits_right_of_sar(m, Width::doubleword),
          length_64(i.clen6v), i.se != 0);
}
template <class M>
void extrw(M& m, const Extr& i) {
  extract(m, i.t1, i.c, Width::word, m.gpr(i.r2), m.constant(31u - i.pos), length_32(i.clen),
          i.se != 0);
}
template <class M>
void extrd(M& m, const ExtrD& i) {
  extract(m, i.t1, i.c, Width::doubleword, m.gpr(i.r2), m.constant(63u - i.pos6),
          length_64(i.clen6), i.se != 0);
}

template <class M>
void deposit(M& m, unsigned t, unsigned c, Width width, typename M::Value value,
             typename M::Value right, unsigned length, bool keeps_rest) {
  const std::uint64_t field = low_ones(length);
  const auto bits = zero_extended(m, width, (value & field) << right);
  if (!keeps_rest) return finish_shift(m, t, c, width, bits);
  const auto replaced = zero_extended(m, width, m.constant(field) << right);
  finish_shift(m, t, c, width, (m.gpr(t) & ~replaced) | bits);
}
template <class M>
void depw_sar(M& m, const DepSar& i) {
  deposit(m, i.t2, i.c, Width::word, m.gpr(i.r1), bits_right_of_sar(m, Width::word),
          length_32(i.clen), i.nz != 0);
}
template <class M>
void depd_sar(M& m, const DepSarD& i) {
  deposit(m, i.t2, i.c, Width::doubleword, m.gpr(i.r1), bits_right_of_sar(m, Width::doubleword),
          length_64(i.clen6v), i.nz != 0);
}
template <class M>
void depw(M& m, const Dep& i) {
  deposit(m, i.t2, i.c, Width::word, m.gpr(i.r1), m.constant(i.cpos), length_32(i.clen), i.nz != 0);
}
template <class M>
void depd(M& m, const DepD& i) {
  deposit(m, i.t2, i.c, Width::doubleword, m.gpr(i.r1), m.constant(i.cpos6), length_64(i.clen6),
          i.nz != 0);
}
template <class M>
void depwi_sar(M& m, const DepiSar& i) {
  deposit(m, i.t2, i.c, Width::word, m.constant(immediate(i.im5)),
          bits_right_of_sar(m, Width::word), length_32(i.clen), i.nz != 0);
}
template <class M>
void depdi_sar(M& m, const DepiSarD& i) {
  deposit(m, i.t2, i.c, Width::doubleword, m.constant(immediate(i.im5)),
          bits_right_of_sar(m, Width::doubleword), length_64(i.clen6v), i.nz != 0);
}
template <class M>
void depwi(M& m, const Depi& i) {
  deposit(m, i.t2, i.c, Width::word, m.constant(immediate(i.im5)), m.constant(i.cpos),
          length_32(i.clen), i.nz != 0);
}
template <class M>
void depdi(M& m, const DepiD& i) {
  deposit(m, i.t2, i.c, Width::doubleword, m.constant(immediate(i.im5)), m.constant(i.cpos6),
          length_64(i.clen6), i.nz != 0);
}

}  // namespace hardclock::pa_risc
