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
void hadd(auto& m, const Half& i) { m.gpr(i.t, m.call(halfword_add, m.gpr(i.r1), m.gpr(i.r2))); }
void hadd_ss(auto& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_add_signed, m.gpr(i.r1), m.gpr(i.r2)));
}
void hadd_us(auto& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_add_unsigned, m.gpr(i.r1), m.gpr(i.r2)));
}
void hsub(auto& m, const Half& i) { m.gpr(i.t, m.call(halfword_sub, m.gpr(i.r1), m.gpr(i.r2))); }
void hsub_ss(auto& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_sub_signed, m.gpr(i.r1), m.gpr(i.r2)));
}
void hsub_us(auto& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_sub_unsigned, m.gpr(i.r1), m.gpr(i.r2)));
}
void havg(auto& m, const Half& i) {
  m.gpr(i.t, m.call(halfword_average, m.gpr(i.r1), m.gpr(i.r2)));
}
void hshladd(auto& m, const HalfShAdd& i) {
  m.gpr(i.t, m.call(halfword_shift_left_add, m.gpr(i.r1), m.gpr(i.r2), m.constant(i.sa)));
}
void hshradd(auto& m, const HalfShAdd& i) {
  m.gpr(i.t, m.call(halfword_shift_right_add, m.gpr(i.r1), m.gpr(i.r2), m.constant(i.sa)));
}
void hshl(auto& m, const HalfShl& i) {
  m.gpr(i.t, m.call(halfword_shift_left, m.gpr(i.r1), m.constant(i.sa4)));
}
void hshr(auto& m, const HalfShr& i) {
  const auto amount = m.constant(i.sa4);
  m.gpr(i.t, i.se != 0 ? m.call(halfword_shift_right_signed, m.gpr(i.r2), amount)
                       : m.call(halfword_shift_right, m.gpr(i.r2), amount));
}
inline constexpr std::uint64_t left_halves = 0xffff'0000'ffff'0000;
void mixh_l(auto& m, const Half& i) {
  m.gpr(i.t, (m.gpr(i.r1) & left_halves) | (m.gpr(i.r2) & left_halves) >> std::uint64_t{16});
}
void mixh_r(auto& m, const Half& i) {
  m.gpr(i.t, (m.gpr(i.r1) & ~left_halves) << std::uint64_t{16} | (m.gpr(i.r2) & ~left_halves));
}
void mixw_l(auto& m, const Half& i) {
  m.gpr(i.t, (m.gpr(i.r1) & ~low_ones(32)) | m.gpr(i.r2) >> std::uint64_t{32});
}
void mixw_r(auto& m, const Half& i) {
  m.gpr(i.t, m.gpr(i.r1) << std::uint64_t{32} | m.zext32(m.gpr(i.r2)));
}
void permh(auto& m, const Permute& i) {
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
void shrpw_sar(auto& m, const ShrpSar& i) {
  shift_pair(m, i.t, i.c, m.gpr(i.r1), m.gpr(i.r2), m.shift_amount() & 31);
}
void shrpd_sar(auto& m, const ShrpSar& i) {
  shift_pair_dw(m, i.t, i.c, m.gpr(i.r1), m.gpr(i.r2), m.shift_amount());
}
void shrpw(auto& m, const Shrp& i) {
  shift_pair(m, i.t, i.c, m.gpr(i.r1), m.gpr(i.r2), m.constant(31u - i.cpos));
}
void shrpd(auto& m, const ShrpD& i) {
  shift_pair_dw(m, i.t, i.c, m.gpr(i.r1), m.gpr(i.r2), m.constant(63u - i.cpos6));
}

// How many bits lie right of a field that ends at the position in SAR.
auto bits_right_of_sar(auto& m, Width width) {
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
void extrw_sar(auto& m, const ExtrSar& i) {
  extract(m, i.t1, i.c, Width::word, m.gpr(i.r2), bits_right_of_sar(m, Width::word),
          length_32(i.clen), i.se != 0);
}
void extrd_sar(auto& m, const ExtrSarD& i) {
  extract(m, i.t1, i.c, Width::doubleword, m.gpr(i.r2), bits_right_of_sar(m, Width::doubleword),
          length_64(i.clen6v), i.se != 0);
}
void extrw(auto& m, const Extr& i) {
  extract(m, i.t1, i.c, Width::word, m.gpr(i.r2), m.constant(31u - i.pos), length_32(i.clen),
          i.se != 0);
}
void extrd(auto& m, const ExtrD& i) {
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
void depw_sar(auto& m, const DepSar& i) {
  deposit(m, i.t2, i.c, Width::word, m.gpr(i.r1), bits_right_of_sar(m, Width::word),
          length_32(i.clen), i.nz != 0);
}
void depd_sar(auto& m, const DepSarD& i) {
  deposit(m, i.t2, i.c, Width::doubleword, m.gpr(i.r1), bits_right_of_sar(m, Width::doubleword),
          length_64(i.clen6v), i.nz != 0);
}
void depw(auto& m, const Dep& i) {
  deposit(m, i.t2, i.c, Width::word, m.gpr(i.r1), m.constant(i.cpos), length_32(i.clen), i.nz != 0);
}
void depd(auto& m, const DepD& i) {
  deposit(m, i.t2, i.c, Width::doubleword, m.gpr(i.r1), m.constant(i.cpos6), length_64(i.clen6),
          i.nz != 0);
}
void depwi_sar(auto& m, const DepiSar& i) {
  deposit(m, i.t2, i.c, Width::word, m.constant(immediate(i.im5)),
          bits_right_of_sar(m, Width::word), length_32(i.clen), i.nz != 0);
}
void depdi_sar(auto& m, const DepiSarD& i) {
  deposit(m, i.t2, i.c, Width::doubleword, m.constant(immediate(i.im5)),
          bits_right_of_sar(m, Width::doubleword), length_64(i.clen6v), i.nz != 0);
}
void depwi(auto& m, const Depi& i) {
  deposit(m, i.t2, i.c, Width::word, m.constant(immediate(i.im5)), m.constant(i.cpos),
          length_32(i.clen), i.nz != 0);
}
void depdi(auto& m, const DepiD& i) {
  deposit(m, i.t2, i.c, Width::doubleword, m.constant(immediate(i.im5)), m.constant(i.cpos6),
          length_64(i.clen6), i.nz != 0);
}

}  // namespace hardclock::pa_risc
