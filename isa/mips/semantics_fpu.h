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
template <class M>
void mfc1(M& m, const FpMove& i) {
  m.gpr(i.rt, word(m, m.fpr32(i.fs)));
}
template <class M>
void mtc1(M& m, const FpMove& i) {
  m.fpr32(i.fs, m.gpr(i.rt));
}
template <class M>
void dmfc1(M& m, const FpMove& i) {
  m.gpr(i.rt, m.fpr64(i.fs));
}
template <class M>
void dmtc1(M& m, const FpMove& i) {
  m.fpr64(i.fs, m.gpr(i.rt));
}
template <class M>
void mfhc1(M& m, const FpMove& i) {
  m.gpr(i.rt, word(m, m.fpr_high32(i.fs)));
}
template <class M>
void mthc1(M& m, const FpMove& i) {
  m.fpr_high32(i.fs, m.gpr(i.rt));
}

// FCR0 names the implementation and cannot be written. Enabling an exception whose cause bit is set
// traps at once. Other numbers than those that have a body here name no register.
inline constexpr unsigned fcr_implementation = 0;
inline constexpr unsigned fcr_control_status = 31;
template <class M>
void trap_if_enabled(M& m, typename M::Value control) {
  m.trap_if(m.ne(m.call(fp::enabled_causes, control), 0), TrapKind::floating_point);
}
template <class M>
void cfc1(M& m, const FpControl& i) {
  if (i.fcr == fcr_control_status) {
    m.gpr(i.rt, word(m, m.fp_control()));
  } else {
    m.gpr(i.rt, i.fcr == fcr_implementation ? m.fp_implementation() : m.constant(0));
  }
}
template <class M>
void ctc1(M& m, const FpControl& i) {
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
template <class M>
void cfc1_fccr(M& m, const FpControlPart& i) {
  auto conditions = m.constant(0);
  for (unsigned cc = 0; cc < fp_conditions; ++cc) {
    conditions = conditions | m.bit(m.fp_condition(cc)) << std::uint64_t{cc};
  }
  m.gpr(i.rt, conditions);
}
template <class M>
void cfc1_fexr(M& m, const FpControlPart& i) {
  m.gpr(i.rt, m.fcsr() & fexr_fields);
}
template <class M>
void cfc1_fenr(M& m, const FpControlPart& i) {
  const auto control = m.fcsr();
  m.gpr(i.rt,
        (control & fenr_fields) | ((control >> std::uint64_t{fenr_flush_shift}) & fenr_flush));
}
template <class M>
void ctc1_fccr(M& m, const FpControlPart& i) {
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
template <class M>
void ctc1_fexr(M& m, const FpControlPart& i) {
  replace_control(m, fexr_fields, m.gpr(i.rt));
}
template <class M>
void ctc1_fenr(M& m, const FpControlPart& i) {
  const auto value = m.gpr(i.rt);
  const auto flush = (value & fenr_flush) << std::uint64_t{fenr_flush_shift};
  replace_control(m, fenr_fields | fcsr_flush, (value & fenr_fields) | flush);
}

template <class M>
void bc1f(M& m, const Branch& i) {
  m.branch_if(m.not_(m.fp_condition(0)), branch_target(m, i.branch));
}
template <class M>
void bc1t(M& m, const Branch& i) {
  m.branch_if(m.fp_condition(0), branch_target(m, i.branch));
}
template <class M>
void bc1fl(M& m, const Branch& i) {
  m.branch_likely_if(m.not_(m.fp_condition(0)), branch_target(m, i.branch));
}
template <class M>
void bc1tl(M& m, const Branch& i) {
  m.branch_likely_if(m.fp_condition(0), branch_target(m, i.branch));
}
template <class M>
void bc1f_cc(M& m, const FpBranch& i) {
  m.branch_if(m.not_(m.fp_condition(i.cc)), branch_target(m, i.branch));
}
template <class M>
void bc1t_cc(M& m, const FpBranch& i) {
  m.branch_if(m.fp_condition(i.cc), branch_target(m, i.branch));
}
template <class M>
void bc1fl_cc(M& m, const FpBranch& i) {
  m.branch_likely_if(m.not_(m.fp_condition(i.cc)), branch_target(m, i.branch));
}
template <class M>
void bc1tl_cc(M& m, const FpBranch& i) {
  m.branch_likely_if(m.fp_condition(i.cc), branch_target(m, i.branch));
}

// ---- Floating-point arithmetic (B). The status register changes even when the result is withheld
// because an enabled exception traps.
template <class M, class V>
void accept_status(M& m, const std::array<V, 2>& outcome) {
  m.fcsr(outcome[1]);
  trap_if_enabled(m, outcome[1]);
}
template <class M, class V>
void write_single(M& m, unsigned fd, const std::array<V, 2>& outcome) {
  accept_status(m, outcome);
  m.fpr32(fd, outcome[0]);
}
template <class M, class V>
void write_double(M& m, unsigned fd, const std::array<V, 2>& outcome) {
  accept_status(m, outcome);
  m.fpr64(fd, outcome[0]);
}

template <class M>
void add_s(M& m, const FpRrr& i) {
  write_single(m, i.fd, m.call(fp::add_s, m.fpr32(i.fs), m.fpr32(i.ft), m.fcsr()));
}
template <class M>
void sub_s(M& m, const FpRrr& i) {
  write_single(m, i.fd, m.call(fp::sub_s, m.fpr32(i.fs), m.fpr32(i.ft), m.fcsr()));
}
template <class M>
void mul_s(M& m, const FpRrr& i) {
  write_single(m, i.fd, m.call(fp::mul_s, m.fpr32(i.fs), m.fpr32(i.ft), m.fcsr()));
}
template <class M>
void div_s(M& m, const FpRrr& i) {
  write_single(m, i.fd, m.call(fp::div_s, m.fpr32(i.fs), m.fpr32(i.ft), m.fcsr()));
}
template <class M>
void sqrt_s(M& m, const FpRr& i) {
  write_single(m, i.fd, m.call(fp::sqrt_s, m.fpr32(i.fs), m.fcsr()));
}
template <class M>
void abs_s(M& m, const FpRr& i) {
  write_single(m, i.fd, m.call(fp::abs_s, m.fpr32(i.fs), m.fcsr()));
}
template <class M>
void mov_s(M& m, const FpRr& i) {
  m.fpr32(i.fd, m.fpr32(i.fs));
}
template <class M>
void neg_s(M& m, const FpRr& i) {
  write_single(m, i.fd, m.call(fp::neg_s, m.fpr32(i.fs), m.fcsr()));
}
template <class M>
void add_d(M& m, const FpRrr& i) {
  write_double(m, i.fd, m.call(fp::add_d, m.fpr64(i.fs), m.fpr64(i.ft), m.fcsr()));
}
template <class M>
void sub_d(M& m, const FpRrr& i) {
  write_double(m, i.fd, m.call(fp::sub_d, m.fpr64(i.fs), m.fpr64(i.ft), m.fcsr()));
}
template <class M>
void mul_d(M& m, const FpRrr& i) {
  write_double(m, i.fd, m.call(fp::mul_d, m.fpr64(i.fs), m.fpr64(i.ft), m.fcsr()));
}
template <class M>
void div_d(M& m, const FpRrr& i) {
  write_double(m, i.fd, m.call(fp::div_d, m.fpr64(i.fs), m.fpr64(i.ft), m.fcsr()));
}
template <class M>
void sqrt_d(M& m, const FpRr& i) {
  write_double(m, i.fd, m.call(fp::sqrt_d, m.fpr64(i.fs), m.fcsr()));
}
template <class M>
void abs_d(M& m, const FpRr& i) {
  write_double(m, i.fd, m.call(fp::abs_d, m.fpr64(i.fs), m.fcsr()));
}
template <class M>
void mov_d(M& m, const FpRr& i) {
  m.fpr64(i.fd, m.fpr64(i.fs));
}
template <class M>
void neg_d(M& m, const FpRr& i) {
  write_double(m, i.fd, m.call(fp::neg_d, m.fpr64(i.fs), m.fcsr()));
}

template <class M>
void recip_s(M& m, const FpRr& i) {
  write_single(m, i.fd, m.call(fp::recip_s, m.fpr32(i.fs), m.fcsr()));
}
template <class M>
void rsqrt_s(M& m, const FpRr& i) {
  write_single(m, i.fd, m.call(fp::rsqrt_s, m.fpr32(i.fs), m.fcsr()));
}
template <class M>
void recip_d(M& m, const FpRr& i) {
  write_double(m, i.fd, m.call(fp::recip_d, m.fpr64(i.fs), m.fcsr()));
}
template <class M>
void rsqrt_d(M& m, const FpRr& i) {
  write_double(m, i.fd, m.call(fp::rsqrt_d, m.fpr64(i.fs), m.fcsr()));
}

// ---- Multiply and add (MADD MSUB NMADD NMSUB).
template <class M>
auto with_variant(M& m, std::uint64_t variant) {
  if (m.fuses_multiply_add()) variant |= fp::fused;
  return m.fcsr() | variant << 32;
}
template <class M>
void multiply_add_s(M& m, const FpRrrr& i, std::uint64_t variant) {
  write_single(m, i.fd,
               m.call(fp::multiply_add_s, m.fpr32(i.fs), m.fpr32(i.ft), m.fpr32(i.fr),
                      with_variant(m, variant)));
}
template <class M>
void multiply_add_d(M& m, const FpRrrr& i, std::uint64_t variant) {
  write_double(m, i.fd,
               m.call(fp::multiply_add_d, m.fpr64(i.fs), m.fpr64(i.ft), m.fpr64(i.fr),
                      with_variant(m, variant)));
}
template <class M>
void madd_s(M& m, const FpRrrr& i) {
  multiply_add_s(m, i, 0);
}
template <class M>
void madd_d(M& m, const FpRrrr& i) {
  multiply_add_d(m, i, 0);
}
template <class M>
void msub_s(M& m, const FpRrrr& i) {
  multiply_add_s(m, i, fp::subtract);
}
template <class M>
void msub_d(M& m, const FpRrrr& i) {
  multiply_add_d(m, i, fp::subtract);
}
template <class M>
void nmadd_s(M& m, const FpRrrr& i) {
  multiply_add_s(m, i, fp::negate);
}
template <class M>
void nmadd_d(M& m, const FpRrrr& i) {
  multiply_add_d(m, i, fp::negate);
}
template <class M>
void nmsub_s(M& m, const FpRrrr& i) {
  multiply_add_s(m, i, fp::subtract | fp::negate);
}
template <class M>
void nmsub_d(M& m, const FpRrrr& i) {
  multiply_add_d(m, i, fp::subtract | fp::negate);
}

// ---- Conditional moves (MOVF.fmt MOVT.fmt MOVZ.fmt MOVN.fmt).
template <class M>
void move_single_if(M& m, typename M::Flag condition, unsigned fd, unsigned fs) {
  m.fpr32(fd, m.select(condition, m.fpr32(fs), m.fpr32(fd)));
}
template <class M>
void move_double_if(M& m, typename M::Flag condition, unsigned fd, unsigned fs) {
  m.fpr64(fd, m.select(condition, m.fpr64(fs), m.fpr64(fd)));
}
template <class M>
void movf_s(M& m, const FpMoveC& i) {
  move_single_if(m, m.not_(m.fp_condition(i.cc)), i.fd, i.fs);
}
template <class M>
void movt_s(M& m, const FpMoveC& i) {
  move_single_if(m, m.fp_condition(i.cc), i.fd, i.fs);
}
template <class M>
void movz_s(M& m, const FpMoveR& i) {
  move_single_if(m, m.eq(m.gpr(i.rt), 0), i.fd, i.fs);
}
template <class M>
void movn_s(M& m, const FpMoveR& i) {
  move_single_if(m, m.ne(m.gpr(i.rt), 0), i.fd, i.fs);
}
template <class M>
void movf_d(M& m, const FpMoveC& i) {
  move_double_if(m, m.not_(m.fp_condition(i.cc)), i.fd, i.fs);
}
template <class M>
void movt_d(M& m, const FpMoveC& i) {
  move_double_if(m, m.fp_condition(i.cc), i.fd, i.fs);
}
template <class M>
void movz_d(M& m, const FpMoveR& i) {
  move_double_if(m, m.eq(m.gpr(i.rt), 0), i.fd, i.fs);
}
template <class M>
void movn_d(M& m, const FpMoveR& i) {
  move_double_if(m, m.ne(m.gpr(i.rt), 0), i.fd, i.fs);
}

// ---- Conversions (B: CVT ROUND TRUNC CEIL FLOOR). A word lives in a single register,
// a long in a double one.
enum Rounding : std::uint64_t { to_nearest, toward_zero, upward, downward };

template <class M>
void cvt_s_d(M& m, const FpRr& i) {
  write_single(m, i.fd, m.call(fp::double_to_single, m.fpr64(i.fs), m.fcsr()));
}
template <class M>
void cvt_s_w(M& m, const FpRr& i) {
  write_single(m, i.fd, m.call(fp::word_to_single, m.fpr32(i.fs), m.fcsr()));
}
template <class M>
void cvt_d_s(M& m, const FpRr& i) {
  write_double(m, i.fd, m.call(fp::single_to_double, m.fpr32(i.fs), m.fcsr()));
}
template <class M>
void cvt_d_w(M& m, const FpRr& i) {
  write_double(m, i.fd, m.call(fp::word_to_double, m.fpr32(i.fs), m.fcsr()));
}
template <class M>
void single_to_word(M& m, const FpRr& i, typename M::Value rounding) {
  write_single(m, i.fd, m.call(fp::single_to_word, m.fpr32(i.fs), m.fcsr(), rounding));
}
template <class M>
void double_to_word(M& m, const FpRr& i, typename M::Value rounding) {
  write_single(m, i.fd, m.call(fp::double_to_word, m.fpr64(i.fs), m.fcsr(), rounding));
}
template <class M>
void cvt_w_s(M& m, const FpRr& i) {
  single_to_word(m, i, m.fcsr() & std::uint64_t{fcsr_rounding});
}
template <class M>
void cvt_w_d(M& m, const FpRr& i) {
  double_to_word(m, i, m.fcsr() & std::uint64_t{fcsr_rounding});
}
template <class M>
void round_w_s(M& m, const FpRr& i) {
  single_to_word(m, i, m.constant(to_nearest));
}
template <class M>
void trunc_w_s(M& m, const FpRr& i) {
  single_to_word(m, i, m.constant(toward_zero));
}
template <class M>
void ceil_w_s(M& m, const FpRr& i) {
  single_to_word(m, i, m.constant(upward));
}
template <class M>
void floor_w_s(M& m, const FpRr& i) {
  single_to_word(m, i, m.constant(downward));
}
template <class M>
void round_w_d(M& m, const FpRr& i) {
  double_to_word(m, i, m.constant(to_nearest));
}
template <class M>
void trunc_w_d(M& m, const FpRr& i) {
  double_to_word(m, i, m.constant(toward_zero));
}
template <class M>
void ceil_w_d(M& m, const FpRr& i) {
  double_to_word(m, i, m.constant(upward));
}
template <class M>
void floor_w_d(M& m, const FpRr& i) {
  double_to_word(m, i, m.constant(downward));
}

template <class M>
void cvt_s_l(M& m, const FpRr& i) {
  write_single(m, i.fd, m.call(fp::long_to_single, m.fpr64(i.fs), m.fcsr()));
}
template <class M>
void cvt_d_l(M& m, const FpRr& i) {
  write_double(m, i.fd, m.call(fp::long_to_double, m.fpr64(i.fs), m.fcsr()));
}
template <class M>
void single_to_long(M& m, const FpRr& i, typename M::Value rounding) {
  write_double(m, i.fd, m.call(fp::single_to_long, m.fpr32(i.fs), m.fcsr(), rounding));
}
template <class M>
void double_to_long(M& m, const FpRr& i, typename M::Value rounding) {
  write_double(m, i.fd, m.call(fp::double_to_long, m.fpr64(i.fs), m.fcsr(), rounding));
}
template <class M>
void cvt_l_s(M& m, const FpRr& i) {
  single_to_long(m, i, m.fcsr() & std::uint64_t{fcsr_rounding});
}
template <class M>
void cvt_l_d(M& m, const FpRr& i) {
  double_to_long(m, i, m.fcsr() & std::uint64_t{fcsr_rounding});
}
template <class M>
void round_l_s(M& m, const FpRr& i) {
  single_to_long(m, i, m.constant(to_nearest));
}
template <class M>
void trunc_l_s(M& m, const FpRr& i) {
  single_to_long(m, i, m.constant(toward_zero));
}
template <class M>
void ceil_l_s(M& m, const FpRr& i) {
  single_to_long(m, i, m.constant(upward));
}
template <class M>
void floor_l_s(M& m, const FpRr& i) {
  single_to_long(m, i, m.constant(downward));
}
template <class M>
void round_l_d(M& m, const FpRr& i) {
  double_to_long(m, i, m.constant(to_nearest));
}
template <class M>
void trunc_l_d(M& m, const FpRr& i) {
  double_to_long(m, i, m.constant(toward_zero));
}
template <class M>
void ceil_l_d(M& m, const FpRr& i) {
  double_to_long(m, i, m.constant(upward));
}
template <class M>
void floor_l_d(M& m, const FpRr& i) {
  double_to_long(m, i, m.constant(downward));
}

// ---- Comparisons (B: C.cond).
template <class M>
auto with_condition(M& m, unsigned condition) {
  return m.fcsr() | std::uint64_t{condition} << 32;
}
template <class M, class Operands>
void compare_s(M& m, const Operands& i, unsigned cc) {
  const auto outcome =
      m.call(fp::compare_s, m.fpr32(i.fs), m.fpr32(i.ft), with_condition(m, i.cond));
  accept_status(m, outcome);
  m.fp_condition(cc, outcome[0]);
}
template <class M, class Operands>
void compare_d(M& m, const Operands& i, unsigned cc) {
  const auto outcome =
      m.call(fp::compare_d, m.fpr64(i.fs), m.fpr64(i.ft), with_condition(m, i.cond));
  accept_status(m, outcome);
  m.fp_condition(cc, outcome[0]);
}
template <class M>
void c_cond_s(M& m, const FpCompare& i) {
  compare_s(m, i, 0);
}
template <class M>
void c_cond_d(M& m, const FpCompare& i) {
  compare_d(m, i, 0);
}
template <class M>
void c_cond_s_cc(M& m, const FpCompareC& i) {
  compare_s(m, i, i.cd);
}
template <class M>
void c_cond_d_cc(M& m, const FpCompareC& i) {
  compare_d(m, i, i.cd);
}

// ---- Loads and stores with two registers for the address (LWXC1 LDXC1 SWXC1 SDXC1 PREFX; LUXC1
// and SUXC1, which take the doubleword around the address, in MIPS64).
template <class M, class Operands>
auto indexed_address(M& m, const Operands& i) {
  return m.gpr(i.rs) + m.gpr(i.rt);
}
inline constexpr std::uint64_t doubleword_address = ~std::uint64_t{7};
template <class M>
void lwxc1(M& m, const FpLoadX& i) {
  m.fpr32(i.fd, m.load32(indexed_address(m, i)));
}
template <class M>
void ldxc1(M& m, const FpLoadX& i) {
  m.fpr64(i.fd, m.load64(indexed_address(m, i)));
}
template <class M>
void luxc1(M& m, const FpLoadX& i) {
  m.fpr64(i.fd, m.load64(indexed_address(m, i) & doubleword_address));
}
template <class M>
void swxc1(M& m, const FpStoreX& i) {
  m.store32(indexed_address(m, i), m.fpr32(i.fs));
}
template <class M>
void sdxc1(M& m, const FpStoreX& i) {
  m.store64(indexed_address(m, i), m.fpr64(i.fs));
}
template <class M>
void suxc1(M& m, const FpStoreX& i) {
  m.store64(indexed_address(m, i) & doubleword_address, m.fpr64(i.fs));
}
// A hint: no exception, nothing changes.
template <class M>
void prefx(M&, const PrefetchX&) {}

}  // namespace hardclock::mips
