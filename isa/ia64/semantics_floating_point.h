// What each floating-point instruction does that touches no memory, once: a part of semantics.h.
// The arithmetic itself is in floating_point.h, floating_point_parallel.h and
// floating_point_moves.h; here it is put between registers, the status register, faults and traps.
//
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3 (SDM), volume 3,
// chapter 2, the page of each instruction; of faults and traps volume 1, section 5.4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "isa/ia64/floating_point.h"
#include "isa/ia64/floating_point_moves.h"
#include "isa/ia64/floating_point_parallel.h"
#include "isa/ia64/machine.h"

namespace hardclock::ia64 {

// ---- The pure functions, as call() takes them: a register is its significand, then its sign and
// exponent.
using FloatNumbers = std::array<std::uint64_t, 2>;
constexpr FloatNumbers float_numbers(const fp::FpRegister& f) { return fp::spill(f); }
constexpr fp::FpRegister float_register(std::uint64_t significand, std::uint64_t sign_exponent) {
  return fp::fill({significand, sign_exponent});
}

// What functions leave: a register; with an operation that may fault or trap flags of the status
// field and ISR.code, too; an approximation p2 as well. Of a comparison p1, p2, flags, ISR.code.
constexpr FloatNumbers numbers(const fp::FpRegister& f) { return float_numbers(f); }
inline std::array<std::uint64_t, 4> numbers(const fp::Outcome& outcome) {
  const auto [significand, sign_exponent] = float_numbers(outcome.result);
  return {significand, sign_exponent, outcome.flags, outcome.fault | outcome.trap};
}
inline std::array<std::uint64_t, 5> numbers(const fp::Approximation& approximation) {
  const auto [significand, sign_exponent, flags, isr_code] = numbers(approximation.outcome);
  return {significand, sign_exponent, flags, isr_code, approximation.p2 ? 1u : 0u};
}
inline std::array<std::uint64_t, 4> numbers(const fp::Comparison& comparison) {
  const bool complement = !comparison.holds && !comparison.is_nat;
  return {comparison.holds ? 1u : 0u, complement ? 1u : 0u, comparison.flags, comparison.fault};
}

// A function of registers and a status field, or of registers alone: which moves, and neither
// rounds nor raises anything. `k` counts the registers.
template <std::size_t>
using NumberOf = std::uint64_t;
template <auto operation, fp::Completer completer, std::size_t... k>
struct OfNumbers {
  static auto with_status(NumberOf<k>... significands, NumberOf<k>... sign_exponents,
                          std::uint64_t fpsr, std::uint64_t sf) {
    const auto environment = fp::environment(fpsr, static_cast<unsigned>(sf), completer);
    return numbers(operation(float_register(significands, sign_exponents)..., environment));
  }
  static auto alone(NumberOf<k>... significands, NumberOf<k>... sign_exponents) {
    return numbers(operation(float_register(significands, sign_exponents)...));
  }
};
// Calls it with registers of the machine.
template <auto operation, fp::Completer completer, class M, std::size_t... k>
auto call_with_status(M& m, unsigned sf, std::index_sequence<k...>, const auto&... f) {
  return m.call(OfNumbers<operation, completer, k...>::with_status, f.significand...,
                f.sign_exponent..., m.read(Fpsr{}), m.constant(sf));
}
template <auto operation, fp::Completer completer = fp::Completer::none>
auto compute(auto& m, unsigned sf, const auto&... f) {
  return call_with_status<operation, completer>(m, sf, std::index_sequence_for<decltype(f)...>(),
                                                f...);
}
template <auto move, class M, std::size_t... k>
void move_registers(M& m, unsigned f1, std::index_sequence<k...>, const auto&... f) {
  const auto [significand, sign_exponent] = m.call(
      OfNumbers<move, fp::Completer::none, k...>::alone, f.significand..., f.sign_exponent...);
  m.fr(f1, {significand, sign_exponent});
}
template <auto function>
void call_move(auto& m, unsigned f1, const auto&... f) {
  move_registers<function>(m, f1, std::index_sequence_for<decltype(f)...>(), f...);
}

// ---- What an operation leaves goes to the processor in this order: a fault, before anything is
// written; the result and the flags; a trap. ISR.code tells which they were.
inline constexpr std::uint64_t isr_float_faults = fp::all_faults | std::uint64_t{fp::all_faults}
                                                                       << fp::isr_low_half;

template <class M>
void float_fault(M& m, typename M::Value isr_code) {
  m.write_if(m.ne(isr_code, 0), IsrCode{}, isr_code);
  m.trap_if(m.ne(isr_code & isr_float_faults, 0), TrapKind::floating_point);
}
template <class M>
void float_trap(M& m, typename M::Value isr_code) {
  m.trap_if(m.ne(isr_code, 0), TrapKind::floating_point);
}
// Flags are sticky.
template <class M>
void raise_flags(M& m, unsigned sf, typename M::Value flags) {
  m.write(Fpsr{}, m.read(Fpsr{}) | flags << std::uint64_t{fp::flags_shift(sf)});
}
template <class M>
void deliver(M& m, const auto& i, const std::array<typename M::Value, 4>& outcome) {
  const auto& [significand, sign_exponent, flags, isr_code] = outcome;
  m.fr_target(i.f1);
  float_fault(m, isr_code);
  m.fr(i.f1, {significand, sign_exponent});
  raise_flags(m, i.sf, flags);
  float_trap(m, isr_code);
}

// ---- F1: multiply and add. That the addend is register number f0 makes it a multiplication.
template <auto with_addend, auto without, fp::Completer completer>
void multiply_add(auto& m, const F1& i) {
  const auto a = m.fr(i.f3), b = m.fr(i.f4);
  if (i.f2 == 0) return deliver(m, i, compute<without, completer>(m, i.sf, a, b));
  deliver(m, i, compute<with_addend, completer>(m, i.sf, a, b, m.fr(i.f2)));
}
void fma(auto& m, const F1& i) { multiply_add<fp::fma, fp::fmpy, fp::Completer::none>(m, i); }
void fma_s(auto& m, const F1& i) { multiply_add<fp::fma, fp::fmpy, fp::Completer::single>(m, i); }
void fma_d(auto& m, const F1& i) { multiply_add<fp::fma, fp::fmpy, fp::Completer::double_>(m, i); }
void fpma(auto& m, const F1& i) {
  multiply_add<fp::fpma, fp::fpmpy, fp::Completer::parallel>(m, i);
}
void fms(auto& m, const F1& i) { multiply_add<fp::fms, fp::fmpy, fp::Completer::none>(m, i); }
void fms_s(auto& m, const F1& i) { multiply_add<fp::fms, fp::fmpy, fp::Completer::single>(m, i); }
void fms_d(auto& m, const F1& i) { multiply_add<fp::fms, fp::fmpy, fp::Completer::double_>(m, i); }
void fpms(auto& m, const F1& i) {
  multiply_add<fp::fpms, fp::fpmpy, fp::Completer::parallel>(m, i);
}
void fnma(auto& m, const F1& i) { multiply_add<fp::fnma, fp::fnmpy, fp::Completer::none>(m, i); }
void fnma_s(auto& m, const F1& i) {
  multiply_add<fp::fnma, fp::fnmpy, fp::Completer::single>(m, i);
}
void fnma_d(auto& m, const F1& i) {
  multiply_add<fp::fnma, fp::fnmpy, fp::Completer::double_>(m, i);
}
void fpnma(auto& m, const F1& i) {
  multiply_add<fp::fpnma, fp::fpnmpy, fp::Completer::parallel>(m, i);
}

// ---- F2: fixed-point multiply and add, F3: parallel select.
template <auto function>
void move_of_three(auto& m, const auto& i) {
  call_move<function>(m, i.f1, m.fr(i.f3), m.fr(i.f4), m.fr(i.f2));
}
void xma_l(auto& m, const F2& i) { move_of_three<fp::xma_l>(m, i); }
void xma_hu(auto& m, const F2& i) { move_of_three<fp::xma_hu>(m, i); }
void xma_h(auto& m, const F2& i) { move_of_three<fp::xma_h>(m, i); }
void fselect(auto& m, const F3& i) { move_of_three<fp::fselect>(m, i); }

// ---- F4: compare, F5: class. Without a NaTVal the second predicate is the first one's complement.
// The same predicate twice is an Illegal Operation fault.
template <fp::Relation relation>
fp::Comparison compared(const fp::FpRegister& f2, const fp::FpRegister& f3,
                        const fp::Environment& environment) {
  return fp::fcmp(relation, f2, f3, environment);
}
inline std::array<std::uint64_t, 4> classified(std::uint64_t s2, std::uint64_t e2,
                                               std::uint64_t mask) {
  return numbers(fp::fclass(float_register(s2, e2), static_cast<std::uint32_t>(mask)));
}

// `values` are 0 or 1.
template <class M>
void put_comparison(M& m, const auto& i, typename M::Value first, typename M::Value second) {
  const std::uint64_t mask = std::uint64_t{1} << i.p1 | std::uint64_t{1} << i.p2;
  m.predicates(first << std::uint64_t{i.p1} | second << std::uint64_t{i.p2}, mask);
}
template <fp::Relation relation>
auto comparison(auto& m, const F4& i) {
  return compute<compared<relation>>(m, i.sf, m.fr(i.f2), m.fr(i.f3));
}
template <fp::Relation relation>
void compare(auto& m, const F4& i) {
  if (i.p1 == i.p2) m.illegal();
  const auto [first, second, flags, isr_code] = comparison<relation>(m, i);
  float_fault(m, isr_code);
  put_comparison(m, i, first, second);
  raise_flags(m, i.sf, flags);
}
// Without the qualifying predicate .unc clears both.
template <fp::Relation relation, class M>
void compare_unc(M& m, const F4& i, typename M::Flag qp) {
  if (i.p1 == i.p2) m.illegal();
  const auto [first, second, flags, isr_code] = comparison<relation>(m, i);
  const auto only_if = [&m, qp](typename M::Value v) { return m.select(qp, v, m.constant(0)); };
  float_fault(m, only_if(isr_code));
  put_comparison(m, i, only_if(first), only_if(second));
  raise_flags(m, i.sf, only_if(flags));
}
void fcmp_eq(auto& m, const F4& i) { compare<fp::Relation::eq>(m, i); }
void fcmp_eq_unc(auto& m, const F4& i, auto qp) { compare_unc<fp::Relation::eq>(m, i, qp); }
void fcmp_lt(auto& m, const F4& i) { compare<fp::Relation::lt>(m, i); }
void fcmp_lt_unc(auto& m, const F4& i, auto qp) { compare_unc<fp::Relation::lt>(m, i, qp); }
void fcmp_le(auto& m, const F4& i) { compare<fp::Relation::le>(m, i); }
void fcmp_le_unc(auto& m, const F4& i, auto qp) { compare_unc<fp::Relation::le>(m, i, qp); }
void fcmp_unord(auto& m, const F4& i) { compare<fp::Relation::unord>(m, i); }
void fcmp_unord_unc(auto& m, const F4& i, auto qp) { compare_unc<fp::Relation::unord>(m, i, qp); }

auto classification(auto& m, const F5& i) {
  const auto a = m.fr(i.f2);
  return m.call(classified, a.significand, a.sign_exponent, m.constant(i.fclass9));
}
void fclass_m(auto& m, const F5& i) {
  if (i.p1 == i.p2) m.illegal();
  const auto result = classification(m, i);
  put_comparison(m, i, result[0], result[1]);
}
void fclass_m_unc(auto& m, const F5& i, auto qp) {
  if (i.p1 == i.p2) m.illegal();
  const auto result = classification(m, i);
  put_comparison(m, i, m.select(qp, result[0], m.constant(0)),
                 m.select(qp, result[1], m.constant(0)));
}

// ---- F6: reciprocal approximation, F7: of the square root. Without the qualifying predicate they
// clear p2, and do nothing else.
template <class M>
void deliver_approximation(M& m, const auto& i, typename M::Flag qp,
                           const std::array<typename M::Value, 5>& approximation) {
  const auto only_if = [&m, qp](typename M::Value v) { return m.select(qp, v, m.constant(0)); };
  const auto& [significand, sign_exponent, flags, code, p2] = approximation;
  const auto isr_code = only_if(code);
  if (i.f1 < 2) m.illegal_if(qp);
  float_fault(m, isr_code);
  m.fr_if(qp, i.f1, {significand, sign_exponent});
  m.predicates(only_if(p2) << std::uint64_t{i.p2}, std::uint64_t{1} << i.p2);
  raise_flags(m, i.sf, only_if(flags));
  float_trap(m, isr_code);
}
template <auto operation, fp::Completer completer>
void reciprocal(auto& m, const F6& i, auto qp) {
  const auto a = m.fr(i.f2), b = m.fr(i.f3);
  deliver_approximation(m, i, qp, compute<operation, completer>(m, i.sf, a, b));
}
template <auto operation, fp::Completer completer>
void reciprocal_root(auto& m, const F7& i, auto qp) {
  deliver_approximation(m, i, qp, compute<operation, completer>(m, i.sf, m.fr(i.f3)));
}
void frcpa(auto& m, const F6& i, auto qp) { reciprocal<fp::frcpa, fp::Completer::none>(m, i, qp); }
void fprcpa(auto& m, const F6& i, auto qp) {
  reciprocal<fp::fprcpa, fp::Completer::parallel>(m, i, qp);
}
void frsqrta(auto& m, const F7& i, auto qp) {
  reciprocal_root<fp::frsqrta, fp::Completer::none>(m, i, qp);
}
void fprsqrta(auto& m, const F7& i, auto qp) {
  reciprocal_root<fp::fprsqrta, fp::Completer::parallel>(m, i, qp);
}

// ---- F8: minimum, maximum, parallel compare.
template <auto operation, fp::Completer completer>
void arithmetic(auto& m, const F8& i) {
  const auto a = m.fr(i.f2), b = m.fr(i.f3);
  deliver(m, i, compute<operation, completer>(m, i.sf, a, b));
}
template <fp::Relation relation, bool negated>
fp::Outcome compare_halves(const fp::FpRegister& f2, const fp::FpRegister& f3,
                           const fp::Environment& environment) {
  return fp::fpcmp(relation, negated, f2, f3, environment);
}
template <fp::Relation relation, bool negated>
void parallel_compare(auto& m, const F8& i) {
  arithmetic<compare_halves<relation, negated>, fp::Completer::parallel>(m, i);
}
void fmin(auto& m, const F8& i) { arithmetic<fp::fmin, fp::Completer::none>(m, i); }
void fmax(auto& m, const F8& i) { arithmetic<fp::fmax, fp::Completer::none>(m, i); }
void famin(auto& m, const F8& i) { arithmetic<fp::famin, fp::Completer::none>(m, i); }
void famax(auto& m, const F8& i) { arithmetic<fp::famax, fp::Completer::none>(m, i); }
void fpmin(auto& m, const F8& i) { arithmetic<fp::fpmin, fp::Completer::parallel>(m, i); }
void fpmax(auto& m, const F8& i) { arithmetic<fp::fpmax, fp::Completer::parallel>(m, i); }
void fpamin(auto& m, const F8& i) { arithmetic<fp::fpamin, fp::Completer::parallel>(m, i); }
void fpamax(auto& m, const F8& i) { arithmetic<fp::fpamax, fp::Completer::parallel>(m, i); }
void fpcmp_eq(auto& m, const F8& i) { parallel_compare<fp::Relation::eq, false>(m, i); }
void fpcmp_lt(auto& m, const F8& i) { parallel_compare<fp::Relation::lt, false>(m, i); }
void fpcmp_le(auto& m, const F8& i) { parallel_compare<fp::Relation::le, false>(m, i); }
void fpcmp_unord(auto& m, const F8& i) { parallel_compare<fp::Relation::unord, false>(m, i); }
void fpcmp_neq(auto& m, const F8& i) { parallel_compare<fp::Relation::eq, true>(m, i); }
void fpcmp_nlt(auto& m, const F8& i) { parallel_compare<fp::Relation::lt, true>(m, i); }
void fpcmp_nle(auto& m, const F8& i) { parallel_compare<fp::Relation::le, true>(m, i); }
void fpcmp_ord(auto& m, const F8& i) { parallel_compare<fp::Relation::unord, true>(m, i); }

// ---- F9: merge, logical, mix, swap, pack, sign extension.
template <auto function>
void move_of_two(auto& m, const F9& i) {
  call_move<function>(m, i.f1, m.fr(i.f2), m.fr(i.f3));
}
void fmerge_s(auto& m, const F9& i) { move_of_two<fp::fmerge_s>(m, i); }
void fmerge_ns(auto& m, const F9& i) { move_of_two<fp::fmerge_ns>(m, i); }
void fmerge_se(auto& m, const F9& i) { move_of_two<fp::fmerge_se>(m, i); }
void fmix_lr(auto& m, const F9& i) { move_of_two<fp::fmix_lr>(m, i); }
void fmix_r(auto& m, const F9& i) { move_of_two<fp::fmix_r>(m, i); }
void fmix_l(auto& m, const F9& i) { move_of_two<fp::fmix_l>(m, i); }
void fsxt_r(auto& m, const F9& i) { move_of_two<fp::fsxt_r>(m, i); }
void fsxt_l(auto& m, const F9& i) { move_of_two<fp::fsxt_l>(m, i); }
void fpack(auto& m, const F9& i) { move_of_two<fp::fpack>(m, i); }
void fswap(auto& m, const F9& i) { move_of_two<fp::fswap>(m, i); }
void fswap_nl(auto& m, const F9& i) { move_of_two<fp::fswap_nl>(m, i); }
void fswap_nr(auto& m, const F9& i) { move_of_two<fp::fswap_nr>(m, i); }
void fand(auto& m, const F9& i) { move_of_two<fp::fand>(m, i); }
void fandcm(auto& m, const F9& i) { move_of_two<fp::fandcm>(m, i); }
void for_(auto& m, const F9& i) { move_of_two<fp::for_>(m, i); }
void fxor(auto& m, const F9& i) { move_of_two<fp::fxor>(m, i); }
void fpmerge_s(auto& m, const F9& i) { move_of_two<fp::fpmerge_s>(m, i); }
void fpmerge_ns(auto& m, const F9& i) { move_of_two<fp::fpmerge_ns>(m, i); }
void fpmerge_se(auto& m, const F9& i) { move_of_two<fp::fpmerge_se>(m, i); }

// ---- F10: convert to fixed point, F11: from fixed point.
template <auto operation, fp::Completer completer>
void convert(auto& m, const F10& i) {
  deliver(m, i, compute<operation, completer>(m, i.sf, m.fr(i.f2)));
}
void fcvt_fx(auto& m, const F10& i) { convert<fp::fcvt_fx, fp::Completer::none>(m, i); }
void fcvt_fxu(auto& m, const F10& i) { convert<fp::fcvt_fxu, fp::Completer::none>(m, i); }
void fcvt_fx_trunc(auto& m, const F10& i) { convert<fp::fcvt_fx_trunc, fp::Completer::none>(m, i); }
void fcvt_fxu_trunc(auto& m, const F10& i) {
  convert<fp::fcvt_fxu_trunc, fp::Completer::none>(m, i);
}
void fpcvt_fx(auto& m, const F10& i) { convert<fp::fpcvt_fx, fp::Completer::parallel>(m, i); }
void fpcvt_fxu(auto& m, const F10& i) { convert<fp::fpcvt_fxu, fp::Completer::parallel>(m, i); }
void fpcvt_fx_trunc(auto& m, const F10& i) {
  convert<fp::fpcvt_fx_trunc, fp::Completer::parallel>(m, i);
}
void fpcvt_fxu_trunc(auto& m, const F10& i) {
  convert<fp::fpcvt_fxu_trunc, fp::Completer::parallel>(m, i);
}
void fcvt_xf(auto& m, const F11& i) { call_move<fp::fcvt_xf>(m, i.f1, m.fr(i.f2)); }

// ---- F12: set the controls of a status field, F13: clear its flags, F14: check them.
// The new status, then 1 if that is a Reserved Register/Field fault.
inline std::array<std::uint64_t, 2> set_controls(std::uint64_t fpsr, std::uint64_t sf,
                                                 std::uint64_t and_mask, std::uint64_t or_mask) {
  const std::optional<std::uint64_t> changed =
      fp::fsetc(fpsr, static_cast<unsigned>(sf), static_cast<std::uint32_t>(and_mask),
                static_cast<std::uint32_t>(or_mask));
  return {changed.value_or(fpsr), changed ? 0u : 1u};
}
inline std::uint64_t check_flags(std::uint64_t fpsr, std::uint64_t sf) {
  return fp::fchkf(fpsr, static_cast<unsigned>(sf)) ? 1 : 0;
}

void fsetc(auto& m, const F12& i) {
  const auto [fpsr, is_reserved] = m.call(set_controls, m.read(Fpsr{}), m.constant(i.sf),
                                          m.constant(i.amask7b), m.constant(i.omask7c));
  m.illegal_if(m.ne(is_reserved, 0), IllegalUse::reserved_field);
  m.write(Fpsr{}, fpsr);
}
void fclrf(auto& m, const F13& i) {
  m.write(Fpsr{}, m.constant(0), std::uint64_t{fp::all_exceptions} << fp::flags_shift(i.sf));
}
// A processor that leaves the branch to the kernel differs in time only.
void fchkf(auto& m, const F14& i) {
  const auto raised = m.call(check_flags, m.read(Fpsr{}), m.constant(i.sf));
  m.branch_if(m.ne(raised, 0), m.ip() + static_cast<std::uint64_t>(std::int64_t{i.target25_f}));
}

// ---- M18: from a general register, M19: to one. A NaT and a NaTVal become each other.
constexpr FloatNumbers set_significand(std::uint64_t r2) {
  return float_numbers(fp::from_significand(r2));
}
constexpr FloatNumbers set_exponent(std::uint64_t r2) { return float_numbers(fp::setf_exp(r2)); }
constexpr FloatNumbers set_single(std::uint64_t r2) {
  return float_numbers(fp::from_single(static_cast<std::uint32_t>(r2)));
}
constexpr FloatNumbers set_double(std::uint64_t r2) { return float_numbers(fp::from_double(r2)); }

constexpr std::uint64_t get_single(std::uint64_t s2, std::uint64_t e2) {
  return fp::to_single(float_register(s2, e2));
}
constexpr std::uint64_t get_double(std::uint64_t s2, std::uint64_t e2) {
  return fp::to_double(float_register(s2, e2));
}

template <auto conversion>
void set_float(auto& m, const M18& i) {
  const auto [significand, sign_exponent] = m.call(conversion, m.gr(i.r2));
  m.fr(i.f1, m.select_float(m.ne(m.nat(i.r2), 0), m.nat_value(), {significand, sign_exponent}));
}
void setf_sig(auto& m, const M18& i) { set_float<set_significand>(m, i); }
void setf_exp(auto& m, const M18& i) { set_float<set_exponent>(m, i); }
void setf_s(auto& m, const M18& i) { set_float<set_single>(m, i); }
void setf_d(auto& m, const M18& i) { set_float<set_double>(m, i); }

void getf_sig(auto& m, const M19& i) {
  const auto f = m.fr(i.f2);
  m.gr(i.r1, f.significand, m.is_nat_value(f));
}
void getf_exp(auto& m, const M19& i) {
  const auto f = m.fr(i.f2);
  m.gr(i.r1, f.sign_exponent, m.is_nat_value(f));
}
void getf_s(auto& m, const M19& i) {
  const auto f = m.fr(i.f2);
  m.gr(i.r1, m.call(get_single, f.significand, f.sign_exponent), m.is_nat_value(f));
}
void getf_d(auto& m, const M19& i) {
  const auto f = m.fr(i.f2);
  m.gr(i.r1, m.call(get_double, f.significand, f.sign_exponent), m.is_nat_value(f));
}

}  // namespace hardclock::ia64
