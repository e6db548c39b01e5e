// What each floating-point instruction does, once: the second half of semantics.h, in the order of
// mips.decode. The arithmetic itself is in floating_point.h.
// Sources: Kane and Heinrich, "MIPS RISC Architecture" (1992), appendix B; Price, "MIPS IV
// Instruction Set", revision 3.2 (1995), appendix B; "MIPS64 Architecture For Programmers", volume
// II, revision 2.50 (2005).
#pragma once

#include "isa/mips/floating_point.h"
#include "isa/mips/floating_point_status.h"
#include "isa/mips/machine.h"
#include "isa/mips/semantics.h"

namespace hardclock::mips {

// ---- Floating-point moves and branches (MFC1 MTC1 DMFC1 DMTC1 CFC1 CTC1 BC1F BC1T; MFHC1 MTHC1
// in MIPS64).
void mfc1(auto& m, const FpMove& i) { m.gpr(i.rt, word(m, m.fpr32(i.fs))); }
void mtc1(auto& m, const FpMove& i) { m.fpr32(i.fs, m.gpr(i.rt)); }
void dmfc1(auto& m, const FpMove& i) { m.gpr(i.rt, m.fpr64(i.fs)); }
void dmtc1(auto& m, const FpMove& i) { m.fpr64(i.fs, m.gpr(i.rt)); }
void mfhc1(auto& m, const FpMove& i) { m.gpr(i.rt, word(m, m.fpr_high32(i.fs))); }
void mthc1(auto& m, const FpMove& i) { m.fpr_high32(i.fs, m.gpr(i.rt)); }

// FCR0 names the implementation and cannot be written. Enabling an exception whose cause bit is set
// traps at once. Other numbers than those that have a body here name no register.
inline constexpr unsigned fcr_implementation = 0;
inline constexpr unsigned fcr_control_status = 31;
template <class M>
void trap_if_enabled(M& m, typename M::Value control) {
  m.trap_if(m.ne(m.call(fp::enabled_causes, control), 0), TrapKind::floating_point);
}
void cfc1(auto& m, const FpControl& i) {
  if (i.fcr == fcr_control_status) {
    m.gpr(i.rt, word(m, m.fp_control()));
  } else {
    m.gpr(i.rt, i.fcr == fcr_implementation ? m.fp_implementation() : m.constant(0));
  }
}
void ctc1(auto& m, const FpControl& i) {
  if (i.fcr != fcr_control_status) return;
  const auto control = m.gpr(i.rt);
  m.fp_control(control);
  trap_if_enabled(m, control);
}

// FCSR in parts: the conditions side by side (FCCR), causes and flags (FEXR), enables, rounding
// mode and, at bit 2, FS (FENR).
inline constexpr std::uint64_t fexr_fields = 0x3f07c;
inline constexpr std::uint64_t fenr_fields = 0x00f83;
inline constexpr unsigned fenr_flush_shift = 22;
inline constexpr std::uint64_t fenr_flush = fcsr_flush >> fenr_flush_shift;
void cfc1_fccr(auto& m, const FpControlPart& i) {
  auto conditions = m.constant(0);
  for (unsigned cc = 0; cc < fp_conditions; ++cc) {
    conditions = conditions | m.bit(m.fp_condition(cc)) << std::uint64_t{cc};
  }
  m.gpr(i.rt, conditions);
}
void cfc1_fexr(auto& m, const FpControlPart& i) { m.gpr(i.rt, m.fcsr() & fexr_fields); }
void cfc1_fenr(auto& m, const FpControlPart& i) {
  const auto control = m.fcsr();
  m.gpr(i.rt,
        (control & fenr_fields) | ((control >> std::uint64_t{fenr_flush_shift}) & fenr_flush));
}
void ctc1_fccr(auto& m, const FpControlPart& i) {
  const auto conditions = m.gpr(i.rt);
  for (unsigned cc = 0; cc < fp_conditions; ++cc) {
    m.fp_condition(cc, (conditions >> std::uint64_t{cc}) & std::uint64_t{1});
  }
}
template <class M>
void replace_control(M& m, std::uint64_t fields, typename M::Value value) {
  const auto control = (m.fcsr() & ~fields) | (value & fields);
  m.fcsr(control);
  trap_if_enabled(m, control);
}
void ctc1_fexr(auto& m, const FpControlPart& i) { replace_control(m, fexr_fields, m.gpr(i.rt)); }
void ctc1_fenr(auto& m, const FpControlPart& i) {
  const auto value = m.gpr(i.rt);
  const auto flush = (value & fenr_flush) << std::uint64_t{fenr_flush_shift};
  replace_control(m, fenr_fields | fcsr_flush, (value & fenr_fields) | flush);
}

// Up to MIPS III there is one condition.
auto condition_of(auto& m, const Branch&) { return m.fp_condition(0); }
auto condition_of(auto& m, const auto& i) { return m.fp_condition(i.cc); }
void bc1f(auto& m, const auto& i) { branch(m, i, m.not_(condition_of(m, i))); }
void bc1t(auto& m, const auto& i) { branch(m, i, condition_of(m, i)); }
void bc1fl(auto& m, const auto& i) { branch_likely(m, i, m.not_(condition_of(m, i))); }
void bc1tl(auto& m, const auto& i) { branch_likely(m, i, condition_of(m, i)); }

// ---- Floating-point arithmetic (B). The status register changes even when the result is withheld
// because an enabled exception traps.
template <class M, class V>
void accept_status(M& m, const std::array<V, 2>& outcome) {
  m.fcsr(outcome[1]);
  trap_if_enabled(m, outcome[1]);
}
// Registers in a format. A word lives in a single one, a long in a double one.
struct Single {
  unsigned number;
};
struct Double {
  unsigned number;
};
auto operand(auto& m, Single source) { return m.fpr32(source.number); }
auto operand(auto& m, Double source) { return m.fpr64(source.number); }
void put(auto& m, Single target, auto v) { m.fpr32(target.number, v); }
void put(auto& m, Double target, auto v) { m.fpr64(target.number, v); }
// The result of an operation, and FCSR after it.
template <class M, class V>
void deliver(M& m, auto target, const std::array<V, 2>& outcome) {
  accept_status(m, outcome);
  put(m, target, outcome[0]);
}

// target = function(sources..., FCSR)
[[gnu::always_inline]] inline void compute(auto& m, auto function, auto target, auto... sources) {
  deliver(m, target, m.call(function, operand(m, sources)..., m.fcsr()));
}
[[gnu::always_inline]] inline void compute_singles(auto& m, auto function, const FpRr& i) {
  compute(m, function, Single{i.fd}, Single{i.fs});
}
[[gnu::always_inline]] inline void compute_singles(auto& m, auto function, const FpRrr& i) {
  compute(m, function, Single{i.fd}, Single{i.fs}, Single{i.ft});
}
[[gnu::always_inline]] inline void compute_doubles(auto& m, auto function, const FpRr& i) {
  compute(m, function, Double{i.fd}, Double{i.fs});
}
[[gnu::always_inline]] inline void compute_doubles(auto& m, auto function, const FpRrr& i) {
  compute(m, function, Double{i.fd}, Double{i.fs}, Double{i.ft});
}
void add_s(auto& m, const FpRrr& i) { compute_singles(m, fp::add_s, i); }
void sub_s(auto& m, const FpRrr& i) { compute_singles(m, fp::sub_s, i); }
void mul_s(auto& m, const FpRrr& i) { compute_singles(m, fp::mul_s, i); }
void div_s(auto& m, const FpRrr& i) { compute_singles(m, fp::div_s, i); }
void sqrt_s(auto& m, const FpRr& i) { compute_singles(m, fp::sqrt_s, i); }
void abs_s(auto& m, const FpRr& i) { compute_singles(m, fp::abs_s, i); }
void mov_s(auto& m, const FpRr& i) { m.fpr32(i.fd, m.fpr32(i.fs)); }
void neg_s(auto& m, const FpRr& i) { compute_singles(m, fp::neg_s, i); }
void add_d(auto& m, const FpRrr& i) { compute_doubles(m, fp::add_d, i); }
void sub_d(auto& m, const FpRrr& i) { compute_doubles(m, fp::sub_d, i); }
void mul_d(auto& m, const FpRrr& i) { compute_doubles(m, fp::mul_d, i); }
void div_d(auto& m, const FpRrr& i) { compute_doubles(m, fp::div_d, i); }
void sqrt_d(auto& m, const FpRr& i) { compute_doubles(m, fp::sqrt_d, i); }
void abs_d(auto& m, const FpRr& i) { compute_doubles(m, fp::abs_d, i); }
void mov_d(auto& m, const FpRr& i) { m.fpr64(i.fd, m.fpr64(i.fs)); }
void neg_d(auto& m, const FpRr& i) { compute_doubles(m, fp::neg_d, i); }

void recip_s(auto& m, const FpRr& i) { compute_singles(m, fp::recip_s, i); }
void rsqrt_s(auto& m, const FpRr& i) { compute_singles(m, fp::rsqrt_s, i); }
void recip_d(auto& m, const FpRr& i) { compute_doubles(m, fp::recip_d, i); }
void rsqrt_d(auto& m, const FpRr& i) { compute_doubles(m, fp::rsqrt_d, i); }

// ---- Multiply and add (MADD MSUB NMADD NMSUB).
auto with_variant(auto& m, std::uint64_t variant) {
  if (m.fuses_multiply_add()) variant |= fp::fused;
  return m.fcsr() | variant << 32;
}
template <class Format>
void multiply_add(auto& m, auto function, const FpRrrr& i, std::uint64_t variant) {
  deliver(m, Format{i.fd},
          m.call(function, operand(m, Format{i.fs}), operand(m, Format{i.ft}),
                 operand(m, Format{i.fr}), with_variant(m, variant)));
}
void multiply_add_s(auto& m, const FpRrrr& i, std::uint64_t variant) {
  multiply_add<Single>(m, fp::multiply_add_s, i, variant);
}
void multiply_add_d(auto& m, const FpRrrr& i, std::uint64_t variant) {
  multiply_add<Double>(m, fp::multiply_add_d, i, variant);
}
void madd_s(auto& m, const FpRrrr& i) { multiply_add_s(m, i, 0); }
void madd_d(auto& m, const FpRrrr& i) { multiply_add_d(m, i, 0); }
void msub_s(auto& m, const FpRrrr& i) { multiply_add_s(m, i, fp::subtract); }
void msub_d(auto& m, const FpRrrr& i) { multiply_add_d(m, i, fp::subtract); }
void nmadd_s(auto& m, const FpRrrr& i) { multiply_add_s(m, i, fp::negate); }
void nmadd_d(auto& m, const FpRrrr& i) { multiply_add_d(m, i, fp::negate); }
void nmsub_s(auto& m, const FpRrrr& i) { multiply_add_s(m, i, fp::subtract | fp::negate); }
void nmsub_d(auto& m, const FpRrrr& i) { multiply_add_d(m, i, fp::subtract | fp::negate); }

// ---- Conditional moves (MOVF.fmt MOVT.fmt MOVZ.fmt MOVN.fmt).
template <class Format, class M>
void move_if(M& m, typename M::Flag condition, const auto& i) {
  const Format target{i.fd}, source{i.fs};
  put(m, target, m.select(condition, operand(m, source), operand(m, target)));
}
void movf_s(auto& m, const FpMoveC& i) { move_if<Single>(m, m.not_(m.fp_condition(i.cc)), i); }
void movt_s(auto& m, const FpMoveC& i) { move_if<Single>(m, m.fp_condition(i.cc), i); }
void movz_s(auto& m, const FpMoveR& i) { move_if<Single>(m, m.eq(m.gpr(i.rt), 0), i); }
void movn_s(auto& m, const FpMoveR& i) { move_if<Single>(m, m.ne(m.gpr(i.rt), 0), i); }
void movf_d(auto& m, const FpMoveC& i) { move_if<Double>(m, m.not_(m.fp_condition(i.cc)), i); }
void movt_d(auto& m, const FpMoveC& i) { move_if<Double>(m, m.fp_condition(i.cc), i); }
void movz_d(auto& m, const FpMoveR& i) { move_if<Double>(m, m.eq(m.gpr(i.rt), 0), i); }
void movn_d(auto& m, const FpMoveR& i) { move_if<Double>(m, m.ne(m.gpr(i.rt), 0), i); }

// ---- Conversions (B: CVT ROUND TRUNC CEIL FLOOR).
enum Rounding : std::uint64_t { to_nearest, toward_zero, upward, downward };

void cvt_s_d(auto& m, const FpRr& i) {
  compute(m, fp::double_to_single, Single{i.fd}, Double{i.fs});
}
void cvt_s_w(auto& m, const FpRr& i) { compute_singles(m, fp::word_to_single, i); }
void cvt_d_s(auto& m, const FpRr& i) {
  compute(m, fp::single_to_double, Double{i.fd}, Single{i.fs});
}
void cvt_d_w(auto& m, const FpRr& i) { compute(m, fp::word_to_double, Double{i.fd}, Single{i.fs}); }
void cvt_s_l(auto& m, const FpRr& i) { compute(m, fp::long_to_single, Single{i.fd}, Double{i.fs}); }
void cvt_d_l(auto& m, const FpRr& i) { compute_doubles(m, fp::long_to_double, i); }

template <class M>
void round(M& m, auto function, auto target, auto source, typename M::Value rounding) {
  deliver(m, target, m.call(function, operand(m, source), m.fcsr(), rounding));
}
template <class M>
void single_to_word(M& m, const FpRr& i, typename M::Value rounding) {
  round(m, fp::single_to_word, Single{i.fd}, Single{i.fs}, rounding);
}
template <class M>
void double_to_word(M& m, const FpRr& i, typename M::Value rounding) {
  round(m, fp::double_to_word, Single{i.fd}, Double{i.fs}, rounding);
}
template <class M>
void single_to_long(M& m, const FpRr& i, typename M::Value rounding) {
  round(m, fp::single_to_long, Double{i.fd}, Single{i.fs}, rounding);
}
template <class M>
void double_to_long(M& m, const FpRr& i, typename M::Value rounding) {
  round(m, fp::double_to_long, Double{i.fd}, Double{i.fs}, rounding);
}
auto fcsr_mode(auto& m) { return m.fcsr() & std::uint64_t{fcsr_rounding}; }
void cvt_w_s(auto& m, const FpRr& i) { single_to_word(m, i, fcsr_mode(m)); }
void cvt_w_d(auto& m, const FpRr& i) { double_to_word(m, i, fcsr_mode(m)); }
void cvt_l_s(auto& m, const FpRr& i) { single_to_long(m, i, fcsr_mode(m)); }
void cvt_l_d(auto& m, const FpRr& i) { double_to_long(m, i, fcsr_mode(m)); }
void round_w_s(auto& m, const FpRr& i) { single_to_word(m, i, m.constant(to_nearest)); }
void trunc_w_s(auto& m, const FpRr& i) { single_to_word(m, i, m.constant(toward_zero)); }
void ceil_w_s(auto& m, const FpRr& i) { single_to_word(m, i, m.constant(upward)); }
void floor_w_s(auto& m, const FpRr& i) { single_to_word(m, i, m.constant(downward)); }
void round_w_d(auto& m, const FpRr& i) { double_to_word(m, i, m.constant(to_nearest)); }
void trunc_w_d(auto& m, const FpRr& i) { double_to_word(m, i, m.constant(toward_zero)); }
void ceil_w_d(auto& m, const FpRr& i) { double_to_word(m, i, m.constant(upward)); }
void floor_w_d(auto& m, const FpRr& i) { double_to_word(m, i, m.constant(downward)); }
void round_l_s(auto& m, const FpRr& i) { single_to_long(m, i, m.constant(to_nearest)); }
void trunc_l_s(auto& m, const FpRr& i) { single_to_long(m, i, m.constant(toward_zero)); }
void ceil_l_s(auto& m, const FpRr& i) { single_to_long(m, i, m.constant(upward)); }
void floor_l_s(auto& m, const FpRr& i) { single_to_long(m, i, m.constant(downward)); }
void round_l_d(auto& m, const FpRr& i) { double_to_long(m, i, m.constant(to_nearest)); }
void trunc_l_d(auto& m, const FpRr& i) { double_to_long(m, i, m.constant(toward_zero)); }
void ceil_l_d(auto& m, const FpRr& i) { double_to_long(m, i, m.constant(upward)); }
void floor_l_d(auto& m, const FpRr& i) { double_to_long(m, i, m.constant(downward)); }

// ---- Comparisons (B: C.cond).
auto with_condition(auto& m, unsigned condition) {
  return m.fcsr() | std::uint64_t{condition} << 32;
}
template <class Format>
void compare(auto& m, auto function, const auto& i) {
  const auto outcome = m.call(function, operand(m, Format{i.fs}), operand(m, Format{i.ft}),
                              with_condition(m, i.cond));
  accept_status(m, outcome);
  unsigned cc = 0;
  if constexpr (requires { i.cd; }) cc = i.cd;
  m.fp_condition(cc, outcome[0]);
}
void c_cond_s(auto& m, const auto& i) { compare<Single>(m, fp::compare_s, i); }
void c_cond_d(auto& m, const auto& i) { compare<Double>(m, fp::compare_d, i); }

// ---- Loads and stores with two registers for the address (LWXC1 LDXC1 SWXC1 SDXC1 PREFX; LUXC1
// and SUXC1, which take the doubleword around the address, in MIPS64).
auto indexed_address(auto& m, const auto& i) { return m.gpr(i.rs) + m.gpr(i.rt); }
inline constexpr std::uint64_t doubleword_address = ~std::uint64_t{7};
void lwxc1(auto& m, const FpLoadX& i) { m.fpr32(i.fd, m.load32(indexed_address(m, i))); }
void ldxc1(auto& m, const FpLoadX& i) {
  m.require_double(i.fd);
  m.fpr64(i.fd, m.load64(indexed_address(m, i)));
}
void luxc1(auto& m, const FpLoadX& i) {
  m.fpr64(i.fd, m.load64(indexed_address(m, i) & doubleword_address));
}
void swxc1(auto& m, const FpStoreX& i) { m.store32(indexed_address(m, i), m.fpr32(i.fs)); }
void sdxc1(auto& m, const FpStoreX& i) { m.store64(indexed_address(m, i), m.fpr64(i.fs)); }
void suxc1(auto& m, const FpStoreX& i) {
  m.store64(indexed_address(m, i) & doubleword_address, m.fpr64(i.fs));
}

}  // namespace hardclock::mips
