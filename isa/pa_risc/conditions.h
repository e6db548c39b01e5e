// The conditions of PA-RISC instructions: one function for each of the manual's tables. A condition
// is a number of four bits, f and c: c chooses a condition, f its negation.
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994),
// chapter 5, the tables of conditions; Kane, "PA-RISC 2.0 Architecture" (1996), appendix D, for
// doublewords.
#pragma once

#include <cstdint>

#include "isa/pa_risc/bit_functions.h"
#include "isa/pa_risc/machine.h"

namespace hardclock::pa_risc {

enum Condition : unsigned {
  never = 0,
  equal = 1,                  // the result is 0
  less = 2,                   // signed
  less_or_equal = 3,          // signed
  no_carry = 4,               // additions: NUV; subtractions: <<
  no_carry_or_zero = 5,       // additions: ZNV; subtractions: <<=
  signed_overflow = 6,        // SV
  odd = 7,                    // OD
  negation = 8,               // f
  always = never | negation,  // TR
  condition_code = 7          // c
};

// A condition looks at the low word or, in `_dw` instructions, at all 64 bits.
enum class Width : std::uint8_t { word, doubleword };

template <class M>
auto sign_extended(M& m, Width width, typename M::Value v) {
  return width == Width::word ? m.sext32(v) : v;
}
template <class M>
auto zero_extended(M& m, Width width, typename M::Value v) {
  return width == Width::word ? m.zext32(v) : v;
}
// The most significant bit of the width.
template <class M>
auto is_negative(M& m, Width width, typename M::Value v) {
  return m.lt(sign_extended(m, width, v), 0);
}
template <class M>
auto is_zero(M& m, Width width, typename M::Value v) {
  return m.eq(zero_extended(m, width, v), 0);
}
template <class M>
auto is_odd(M& m, typename M::Value v) {
  return m.ne(v & 1, 0);
}
template <class M>
auto either(M& m, typename M::Flag a, typename M::Flag b) {
  return m.ne(m.bit(a) | m.bit(b), 0);
}
auto no(auto& m) { return m.ne(m.constant(0), 0); }
template <class M>
auto negated_by_f(M& m, unsigned condition, typename M::Flag flag) {
  return (condition & negation) != 0 ? m.not_(flag) : flag;
}

// An addition, with the carry out of each of its bits and the two's complement overflow that there
// would be if that bit were the sign.
template <class M>
struct Sum {
  typename M::Value result, carry, overflow;
};
// `result` is a + b or, with a carry in, a + b + 1. A difference is the sum of a, ~b and 1.
template <class M>
Sum<M> sum_of(M& m, typename M::Value a, typename M::Value b, typename M::Value result) {
  const auto overflow = (a ^ result) & (b ^ result);
  // The carry into a bit is what it differs by from the sum of a's and b's: the carry out of the
  // bit on its right. Words have bits on their left, too.
  if (m.settings().register_bits == 32) {
    return {result, (a ^ b ^ result) >> std::uint64_t{1}, overflow};
  }
  return {result, (a & b) | ((a | b) & ~result), overflow};
}

// ---- Additions, and subtractions with borrow: in terms of carry and overflow.
template <class M>
typename M::Flag arithmetic_condition_c(M& m, unsigned c, Width width, const Sum<M>& sum) {
  const auto is_less = [&] { return is_negative(m, width, sum.result ^ sum.overflow); };
  const auto has_no_carry = [&] { return m.not_(is_negative(m, width, sum.carry)); };
  const auto zero = [&] { return is_zero(m, width, sum.result); };
  switch (c) {
    case equal:
      return zero();
    case less:
      return is_less();
    case less_or_equal:
      return either(m, is_less(), zero());
    case no_carry:
      return has_no_carry();
    case no_carry_or_zero:
      return either(m, has_no_carry(), zero());
    case signed_overflow:
      return is_negative(m, width, sum.overflow);
    case odd:
      return is_odd(m, sum.result);
    default:
      return no(m);
  }
}
template <class M>
auto arithmetic_condition(M& m, unsigned condition, Width width, const Sum<M>& sum) {
  return negated_by_f(m, condition,
                      arithmetic_condition_c(m, condition & condition_code, width, sum));
}

// ---- Comparisons and subtractions.
template <class M>
typename M::Flag compare_condition_c(M& m, unsigned c, Width width, typename M::Value a,
                                     typename M::Value b) {
  const auto sign = [&](auto v) { return sign_extended(m, width, v); };
  const auto zero = [&](auto v) { return zero_extended(m, width, v); };
  switch (c) {
    case equal:
      return m.eq(zero(a), zero(b));
    case less:
      return m.lt(sign(a), sign(b));
    case less_or_equal:
      return m.not_(m.lt(sign(b), sign(a)));
    case no_carry:
      return m.ltu(zero(a), zero(b));
    case no_carry_or_zero:
      return m.not_(m.ltu(zero(b), zero(a)));
    case signed_overflow:
      return is_negative(m, width, (a ^ b) & (a ^ (a - b)));
    case odd:
      return is_odd(m, a - b);
    default:
      return no(m);
  }
}
template <class M>
auto compare_condition(M& m, unsigned condition, Width width, typename M::Value a,
                       typename M::Value b) {
  return negated_by_f(m, condition,
                      compare_condition_c(m, condition & condition_code, width, a, b));
}

// ---- Logic. The conditions that are not defined there test for a carry or an overflow, which
// never happen.
template <class M>
typename M::Flag logic_condition_c(M& m, unsigned c, Width width, typename M::Value result) {
  switch (c) {
    case equal:
      return is_zero(m, width, result);
    case less:
      return is_negative(m, width, result);
    case less_or_equal:
      return m.not_(m.lt(0, sign_extended(m, width, result)));
    case odd:
      return is_odd(m, result);
    default:
      return no(m);
  }
}
template <class M>
auto logic_condition(M& m, unsigned condition, Width width, typename M::Value result) {
  return negated_by_f(m, condition,
                      logic_condition_c(m, condition & condition_code, width, result));
}

// ---- Units: whether a part of the result is zero (SWZ, SBZ, SHZ), or had a carry out
// (SDC, SWC, SBC, SHC). Words are parts of doublewords only.
constexpr std::uint64_t lowest_bits(unsigned unit_bits, Width width) {
  const std::uint64_t all = low_ones(width == Width::word ? 32 : 64);
  return all / low_ones(unit_bits);
}
template <class M>
auto some_unit_is_zero(M& m, unsigned unit_bits, Width width, typename M::Value result) {
  const std::uint64_t ones = lowest_bits(unit_bits, width);
  const auto borrows = (result - ones) & ~result;
  return m.ne(borrows & (ones << (unit_bits - 1)), 0);
}
template <class M>
auto some_unit_carries(M& m, unsigned unit_bits, Width width, typename M::Value carry) {
  return m.ne(carry & (lowest_bits(unit_bits, width) << (unit_bits - 1)), 0);
}
template <class M>
typename M::Flag unit_condition_c(M& m, unsigned c, Width width, typename M::Value result,
                                  typename M::Value carry) {
  switch (c) {
    case 1:
      return width == Width::word ? no(m) : some_unit_is_zero(m, 32, width, result);
    case 2:
      return some_unit_is_zero(m, 8, width, result);
    case 3:
      return some_unit_is_zero(m, 16, width, result);
    case 4:
      return some_unit_carries(m, 4, width, carry);
    case 5:
      return width == Width::word ? no(m) : some_unit_carries(m, 32, width, carry);
    case 6:
      return some_unit_carries(m, 8, width, carry);
    case 7:
      return some_unit_carries(m, 16, width, carry);
    default:
      return no(m);
  }
}
template <class M>
auto unit_condition(M& m, unsigned condition, Width width, typename M::Value result,
                    typename M::Value carry) {
  return negated_by_f(m, condition,
                      unit_condition_c(m, condition & condition_code, width, result, carry));
}

// ---- Shifts, extracts, deposits and moves: three bits for a condition on logic.
constexpr unsigned shift_condition(unsigned c) {
  const unsigned code = c % 4 == 3 ? unsigned{odd} : c % 4;
  return c / 4 * negation + code;
}

// ---- What a condition does.
template <class M>
void nullify_when(M& m, unsigned condition, typename M::Flag flag) {
  if (condition == never) return;
  if (condition == always) return m.nullify();
  m.nullify_if(flag);
}
template <class M>
void trap_when(M& m, unsigned condition, typename M::Flag flag) {
  if (condition != never) m.trap_if(flag, TrapKind::conditional_trap);
}

}  // namespace hardclock::pa_risc
