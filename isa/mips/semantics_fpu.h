// What each floating-point instruction does, once: the second half of semantics.h, in the order of
// mips.decode. The arithmetic itself is in floating_point.h.
// Source: Kane and Heinrich, "MIPS RISC Architecture" (1992), appendix B.
#pragma once

#include "isa/mips/floating_point.h"
#include "isa/mips/machine.h"
#include "isa/mips/semantics.h"

namespace hardclock::mips {

// ---- Floating-point moves and branches (B: MFC1 MTC1 CFC1 CTC1 BC1F BC1T).
template <class M>
void mfc1(M& m, const FpMove& i) {
  m.gpr(i.rt, word(m, m.fpr32(i.fs)));
}
template <class M>
void mtc1(M& m, const FpMove& i) {
  m.fpr32(i.fs, m.gpr(i.rt));
}
// FCR0 names the implementation; only FCR31 can be written, and enabling an exception whose cause
// bit is set traps at once.
inline constexpr unsigned fcr_implementation = 0;
inline constexpr unsigned fcr_control_status = 31;
inline constexpr std::uint64_t r3010_implementation = 0x0340;
template <class M>
void cfc1(M& m, const FpControl& i) {
  if (i.fcr == fcr_control_status) {
    m.gpr(i.rt, word(m, m.fp_control()));
  } else {
    m.gpr(i.rt, m.constant(i.fcr == fcr_implementation ? r3010_implementation : 0));
  }
}
template <class M>
void ctc1(M& m, const FpControl& i) {
  if (i.fcr != fcr_control_status) return;
  const auto control = m.gpr(i.rt);
  m.fp_control(control);
  m.trap_if(m.ne(m.call(fp::enabled_causes, control), 0), TrapKind::floating_point);
}
template <class M>
void bc1f(M& m, const Branch& i) {
  m.branch_if(m.not_(m.fp_condition()), branch_target(m, i.branch));
}
template <class M>
void bc1t(M& m, const Branch& i) {
  m.branch_if(m.fp_condition(), branch_target(m, i.branch));
}
template <class M>
void bc1fl(M& m, const Branch& i) {
  m.branch_likely_if(m.not_(m.fp_condition()), branch_target(m, i.branch));
}
template <class M>
void bc1tl(M& m, const Branch& i) {
  m.branch_likely_if(m.fp_condition(), branch_target(m, i.branch));
}

// ---- Floating-point arithmetic (B). The status register changes even when the result is withheld
// because an enabled exception traps.
template <class M, class V>
void accept_status(M& m, const std::array<V, 2>& outcome) {
  m.fcsr(outcome[1]);
  m.trap_if(m.ne(m.call(fp::enabled_causes, outcome[1]), 0), TrapKind::floating_point);
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

// ---- Conversions (B: CVT ROUND TRUNC CEIL FLOOR). A word lives in a single register.
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

// ---- Comparisons (B: C.cond).
template <class M>
auto with_condition(M& m, unsigned condition) {
  return m.fcsr() | std::uint64_t{condition} << 32;
}
template <class M, class V>
void write_condition(M& m, const std::array<V, 2>& outcome) {
  accept_status(m, outcome);
  m.fp_condition(outcome[0]);
}
template <class M>
void c_cond_s(M& m, const FpCompare& i) {
  write_condition(m,
                  m.call(fp::compare_s, m.fpr32(i.fs), m.fpr32(i.ft), with_condition(m, i.cond)));
}
template <class M>
void c_cond_d(M& m, const FpCompare& i) {
  write_condition(m,
                  m.call(fp::compare_d, m.fpr64(i.fs), m.fpr64(i.ft), with_condition(m, i.cond)));
}

}  // namespace hardclock::mips
