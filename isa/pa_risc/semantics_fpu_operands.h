// Where the floating-point instructions take their operands from and where their results go: what
// semantics_fpu.h and semantics_fpu_convert.h share.
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994),
// chapter 6; Kane, "PA-RISC 2.0 Architecture" (1996), chapter 8.
#pragma once

#include <cstdint>

#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/semantics_memory.h"

namespace hardclock::pa_risc {

// ---- Operands. As a source, register 0 is zero; its left half too. A word is in a half, which
// patterns of major opcode 0C have on the left and those of 0E name.
struct Single {
  unsigned half;
};
struct Double {
  unsigned number;
};
constexpr Single single_target(const auto& i) {
  if constexpr (requires { i.fth; })
    return {i.fth};
  else
    return {i.ft};
}
constexpr Single single_1(const auto& i) {
  if constexpr (requires { i.fr1h; })
    return {i.fr1h};
  else
    return {i.fr1};
}
constexpr Single single_2(const auto& i) {
  if constexpr (requires { i.fr2h; })
    return {i.fr2h};
  else
    return {i.fr2};
}
auto operand(auto& m, Single source) {
  return source.half == 0 ? m.constant(0) : fpr_half(m, source.half);
}
auto operand(auto& m, Double source) {
  return source.number == 0 ? m.constant(0) : m.fpr64(source.number);
}
template <class M>
void put(M& m, Single target, typename M::Value v) {
  fpr_half(m, target.half, v);
}
template <class M>
void put(M& m, Double target, typename M::Value v) {
  m.fpr64(target.number, v);
}
// The result of an operation that left `fr0`.
template <class M>
void result(M& m, Single target, typename M::Value v, typename M::Value fr0) {
  m.fp_result_half(target.half, v, fr0);
}
template <class M>
void result(M& m, Double target, typename M::Value v, typename M::Value fr0) {
  m.fp_result(target.number, v, fr0);
}

// target = function(sources..., fr0)
template <class M, class Function, class Target, class... Sources>
void compute(M& m, Function function, Target target, Sources... sources) {
  take_delayed_trap(m);
  const auto outcome = m.call(function, operand(m, sources)..., m.fp_status());
  m.fp_status(outcome[1]);
  result(m, target, outcome[0], outcome[1]);
}

[[gnu::always_inline]] inline void compute_singles(auto& m, auto function, const auto& i) {
  compute(m, function, single_target(i), single_1(i), single_2(i));
}
[[gnu::always_inline]] inline void compute_doubles(auto& m, auto function, const FpRrr& i) {
  compute(m, function, Double{i.ft}, Double{i.fr1}, Double{i.fr2});
}
// The same of one source.
[[gnu::always_inline]] inline void single_to_single(auto& m, auto function, const auto& i) {
  compute(m, function, single_target(i), single_1(i));
}
[[gnu::always_inline]] inline void single_to_double(auto& m, auto function, const auto& i) {
  compute(m, function, Double{i.ft}, single_1(i));
}
[[gnu::always_inline]] inline void double_to_single(auto& m, auto function, const auto& i) {
  compute(m, function, single_target(i), Double{i.fr1});
}
[[gnu::always_inline]] inline void double_to_double(auto& m, auto function, const FpRr& i) {
  compute(m, function, Double{i.ft}, Double{i.fr1});
}

// target = function(source), which raises no exception.
template <class M, class Function, class Target>
void transfer(M& m, Function function, Target target, Target source) {
  take_delayed_trap(m);
  put(m, target, m.call(function, operand(m, source)));
}
constexpr std::uint64_t copy(std::uint64_t v) { return v; }

}  // namespace hardclock::pa_risc
