// Values and exceptions of floating-point arithmetic against MPFR 4, in the four rounding modes,
// and how fr0 records them.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <random>
#include <utility>
#include <vector>

#include "isa/pa_risc/floating_point.h"
#include "isa/pa_risc/floating_point_status.h"
#include "tests/support/floating_point_mpfr.h"
#include "tests/support/floating_point_operands.h"

namespace hardclock::pa_risc::fp {
namespace {

using namespace support;

constexpr std::size_t random_count = 10'000;

// The status register as the manual numbers its bits: enables at 27..31, D at 26, T at 25, rounding
// mode at 21..22, flags at 0..4 (Kane, "PA-RISC 2.0 Architecture", chapter 8).
std::uint32_t enables_of(std::uint64_t fr0) {
  return fr0 >> 32 & 31;
}
bool flushes(std::uint64_t fr0) {
  return (fr0 >> 37 & 1) != 0;
}

// Fresh rounding modes, flags, enables, conditions and exception registers, T clear; two in three
// enable nothing, three in four do not flush.
class Statuses {
 public:
  std::uint64_t next(unsigned rounding) {
    const std::uint64_t random = random_();
    const auto kind = static_cast<std::uint32_t>(random_());
    const std::uint64_t settings =
        random & (kind % 3 == 0 ? 0xffff'f81f'ffff'ffffu : 0xffff'f800'ffff'ffffu);
    const std::uint64_t flush = kind / 3 % 4 == 0 ? 0x20'0000'0000u : 0;
    return settings | flush | std::uint64_t{rounding} << 41;
  }

 private:
  std::mt19937_64 random_{11};
};

struct Counts {
  std::size_t cases = 0, traps = 0;
};

std::uint64_t flushed(std::uint64_t fr0, const BinaryFormat& format, std::uint64_t a) {
  const bool is_denormal = (a & format.infinity()) == 0;
  return flushes(fr0) && is_denormal ? a & format.sign() : a;
}

// What an operation leaves under a given fr0: the value, unless it is the default NaN, and the
// exceptions.
//
// While underflow traps, tininess alone is one (IEEE 754-1985, 7.4). D makes a result that is tiny
// before rounding a zero, silently (QEMU 7.2). Overflow and underflow that trap deliver the result
// with a wrapped exponent (Linux, arch/parisc/math-emu, Sgl_setwrapped_exponent).
Expected under(std::uint64_t fr0, const BinaryFormat& format, Expected result) {
  if (flushes(fr0) && (result.exceptions & is_tiny_before_rounding) != 0) {
    return {.bits = result.bits & format.sign()};
  }
  const bool tiny = (result.exceptions & is_tiny) != 0;
  const bool underflow_traps = (enables_of(fr0) & is_underflow) != 0;
  result.exceptions = (result.exceptions & 31) | (tiny && underflow_traps ? is_underflow : 0);
  const std::uint32_t trapping = result.exceptions & enables_of(fr0);
  if ((trapping & (is_overflow | is_underflow)) != 0) result.bits = result.wrapped;
  return result;
}

// An exception that is enabled sets T and exception register 1, the others their flags (Linux,
// arch/parisc/math-emu/float.h has the codes).
std::uint64_t fr0_after(std::uint64_t fr0, std::uint32_t exceptions) {
  const std::uint32_t trapping = exceptions & enables_of(fr0);
  const std::uint64_t flags = std::uint64_t{exceptions & ~trapping} << 59;
  if (trapping == 0) return fr0 | flags;
  return (fr0 & 0xffff'ffff'0000'0000) | 0x40'0000'0000 | std::uint64_t{trapping} << 27 | flags;
}

// The codes of FMPYFADD and FMPYNFADD (the same, OPC_2E_...).
std::uint64_t fused_fr0_after(std::uint64_t fr0, std::uint32_t exceptions) {
  const std::uint32_t trapping = exceptions & enables_of(fr0);
  std::uint64_t after = fr0_after(fr0, exceptions);
  if ((trapping & is_invalid) != 0) after |= std::uint64_t{0x30} << 26;
  if ((trapping & is_overflow) != 0) after |= std::uint64_t{0x18} << 26;
  if ((trapping & is_underflow) != 0) after |= std::uint64_t{0x0c} << 26;
  if ((trapping & is_inexact) != 0) after |= std::uint64_t{0x12} << 26;
  return after;
}

void check(const Outcome& outcome, const Expected& expected, std::uint64_t default_nan,
           std::uint64_t fr0, std::uint64_t expected_fr0, Counts& counts) {
  ++counts.cases;
  ASSERT_EQ(outcome[1], expected_fr0) << "fr0 before " << std::hex << fr0;
  const std::uint32_t trapping = expected.exceptions & enables_of(fr0);
  ASSERT_EQ(traps(outcome[1]), trapping != 0);
  counts.traps += trapping != 0;
  const bool has_no_result = (trapping & (is_invalid | is_divide_by_zero)) != 0;
  ASSERT_EQ(keeps_target(outcome[1]), has_no_result);
  if (has_no_result) return;
  ASSERT_EQ(outcome[0], expected.not_a_number ? default_nan : expected.bits)
      << "fr0 before " << std::hex << fr0;
}

bool has_nan(const BinaryFormat& format, const Pair& pair) {
  return format.is_nan(pair.first) || format.is_nan(pair.second);
}

std::vector<Pair> pairs_of(const BinaryFormat& format) {
  std::vector<Pair> pairs = special_pairs(special_operands(format));
  const std::vector<Pair> more = random_pairs(format, random_count, 1);
  pairs.insert(pairs.end(), more.begin(), more.end());
  std::erase_if(pairs, [&](const Pair& pair) { return has_nan(format, pair); });
  return pairs;
}

std::vector<std::uint64_t> operands_of(const BinaryFormat& format) {
  std::vector<std::uint64_t> operands = special_operands(format);
  for (const auto& [a, b] : random_pairs(format, random_count, 2)) {
    operands.push_back(a);
    operands.push_back(b);
  }
  return operands;
}

std::vector<std::uint64_t> numbers_of(const BinaryFormat& format) {
  std::vector<std::uint64_t> operands = operands_of(format);
  std::erase_if(operands, [&](std::uint64_t bits) { return format.is_nan(bits); });
  return operands;
}

// The count of comparisons, for the log.
void report(const char* what, const Counts& counts) {
  std::cout << what << ": " << counts.cases << " compared, " << counts.traps << " of them trap\n";
  EXPECT_GT(counts.traps, 0u) << what;
}

constexpr std::uint64_t default_nan_s = 0x7fa0'0000;
constexpr std::uint64_t default_nan_d = 0x7ff4'0000'0000'0000;
std::uint64_t default_nan_of(const BinaryFormat& format) {
  return format.fraction_bits == single.fraction_bits ? default_nan_s : default_nan_d;
}

using BinaryFunction = Outcome (*)(std::uint64_t, std::uint64_t, std::uint64_t);

void check_binary(const char* what, const BinaryFormat& format, Operation operation,
                  BinaryFunction function) {
  Statuses statuses;
  Counts counts;
  for (const auto& [a, b] : pairs_of(format)) {
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint64_t fr0 = statuses.next(rounding);
      const Expected expected = under(
          fr0, format,
          compute(operation, format, flushed(fr0, format, a), flushed(fr0, format, b), rounding));
      check(function(a, b, fr0), expected, default_nan_of(format), fr0,
            fr0_after(fr0, expected.exceptions), counts);
      if (testing::Test::HasFatalFailure()) {
        FAIL() << what << " of " << std::hex << a << ", " << b;
      }
    }
  }
  report(what, counts);
}

TEST(PaRiscFloatingPointMpfr, SingleArithmetic) {
  check_binary("fadd,sgl", single, Operation::add, add_s);
  check_binary("fsub,sgl", single, Operation::sub, sub_s);
  check_binary("fmpy,sgl", single, Operation::mul, mul_s);
  check_binary("fdiv,sgl", single, Operation::div, div_s);
}
TEST(PaRiscFloatingPointMpfr, DoubleArithmetic) {
  check_binary("fadd,dbl", twin, Operation::add, add_d);
  check_binary("fsub,dbl", twin, Operation::sub, sub_d);
  check_binary("fmpy,dbl", twin, Operation::mul, mul_d);
  check_binary("fdiv,dbl", twin, Operation::div, div_d);
}

TEST(PaRiscFloatingPointMpfr, Remainder) {
  check_binary("frem,sgl", single, Operation::rem, rem_s);
  check_binary("frem,dbl", twin, Operation::rem, rem_d);
}

// Runs `function(a, fr0)` on each operand and compares with `expected(a, fr0, rounding)`.
template <class Function, class Oracle>
void check_unary(const char* what, const std::vector<std::uint64_t>& operands,
                 std::uint64_t default_nan, Function function, Oracle oracle) {
  Statuses statuses;
  Counts counts;
  for (const std::uint64_t a : operands) {
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint64_t fr0 = statuses.next(rounding);
      const Expected expected = oracle(a, fr0, rounding);
      check(function(a, fr0), expected, default_nan, fr0, fr0_after(fr0, expected.exceptions),
            counts);
      if (testing::Test::HasFatalFailure()) FAIL() << what << " of " << std::hex << a;
    }
  }
  report(what, counts);
}

using UnaryFunction = Outcome (*)(std::uint64_t, std::uint64_t);

void check_square_root(const char* what, const BinaryFormat& format, UnaryFunction function) {
  check_unary(what, numbers_of(format), default_nan_of(format), function,
              [&](auto a, auto fr0, auto rounding) {
                const std::uint64_t x = flushed(fr0, format, a);
                return under(fr0, format, compute(Operation::sqrt, format, x, x, rounding));
              });
}

TEST(PaRiscFloatingPointMpfr, SquareRoot) {
  check_square_root("fsqrt,sgl", single, sqrt_s);
  check_square_root("fsqrt,dbl", twin, sqrt_d);
}

void check_round(const char* what, const BinaryFormat& format, UnaryFunction function) {
  check_unary(what, numbers_of(format), default_nan_of(format), function,
              [&](auto a, auto fr0, auto rounding) {
                return round_to_integral(format, flushed(fr0, format, a), rounding);
              });
}

TEST(PaRiscFloatingPointMpfr, RoundToIntegral) {
  check_round("frnd,sgl", single, rnd_s);
  check_round("frnd,dbl", twin, rnd_d);
}

std::vector<Triple> triples_of(const BinaryFormat& format) {
  std::vector<Triple> triples = random_triples(format, random_count, 4);
  const std::vector<std::uint64_t> special = special_operands(format);
  std::mt19937_64 random(5);
  const auto any = [&] { return special[random() % special.size()]; };
  for (std::size_t i = 0; i < random_count; ++i) triples.push_back({any(), any(), any()});
  std::erase_if(triples, [&](const Triple& triple) {
    return format.is_nan(triple[0]) || format.is_nan(triple[1]) || format.is_nan(triple[2]);
  });
  return triples;
}

template <class Function>
void check_fused(const char* what, const BinaryFormat& format, bool negates, Function function) {
  Statuses statuses;
  Counts counts;
  for (const Triple& triple : triples_of(format)) {
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint64_t fr0 = statuses.next(rounding);
      Triple operands = triple;
      for (std::uint64_t& operand : operands) operand = flushed(fr0, format, operand);
      if (negates) operands[0] ^= format.sign();
      const Expected expected =
          under(fr0, format, compute_fused(format, operands, false, rounding));
      check(function(triple[0], triple[1], triple[2], fr0), expected, default_nan_of(format), fr0,
            fused_fr0_after(fr0, expected.exceptions), counts);
      if (testing::Test::HasFatalFailure()) {
        FAIL() << what << " of " << std::hex << triple[0] << ", " << triple[1] << ", " << triple[2];
      }
    }
  }
  report(what, counts);
}

TEST(PaRiscFloatingPointMpfr, MultiplyAndAdd) {
  check_fused("fmpyfadd,sgl", single, false, multiply_add_s);
  check_fused("fmpyfadd,dbl", twin, false, multiply_add_d);
  check_fused("fmpynfadd,sgl", single, true, negate_multiply_add_s);
  check_fused("fmpynfadd,dbl", twin, true, negate_multiply_add_d);
}

// Doubles that are too far beyond a single for the wrapped exponent have no result to compare.
TEST(PaRiscFloatingPointMpfr, DoubleToSingle) {
  std::vector<std::uint64_t> operands = numbers_of(twin);
  std::erase_if(operands, [](std::uint64_t a) {
    const auto exponent = static_cast<int>(a >> 52 & 2047) - 1023;
    return exponent != 1024 && (exponent >= 127 + 192 || exponent <= -126 - 192);
  });
  check_unary("fcnv,dbl,sgl", operands, default_nan_s, dbl_to_sgl,
              [](auto a, auto fr0, auto rounding) {
                return under(fr0, single, convert(twin, flushed(fr0, twin, a), single, rounding));
              });
}

TEST(PaRiscFloatingPointMpfr, DoubleToSingleFarOutOfRange) {
  const std::uint64_t largest = 0x7fef'ffff'ffff'ffff, smallest = 1;
  for (unsigned rounding = 0; rounding < 4; ++rounding) {
    const std::uint64_t fr0 = std::uint64_t{rounding} << 41;
    for (const std::uint64_t a : {largest, largest | sign_d, smallest, smallest | sign_d}) {
      const Expected expected = under(fr0, single, convert(twin, a, single, rounding));
      EXPECT_EQ(dbl_to_sgl(a, fr0), (Outcome{expected.bits, fr0_after(fr0, expected.exceptions)}));
      const std::uint64_t enabled = fr0 | std::uint64_t{is_overflow | is_underflow} << 32;
      EXPECT_EQ(dbl_to_sgl(a, enabled)[1], fr0_after(enabled, expected.exceptions));
    }
  }
}

// Exact: neither an exception nor, for a denormal, an underflow.
TEST(PaRiscFloatingPointMpfr, SingleToDouble) {
  Statuses statuses;
  std::size_t compared = 0;
  for (const std::uint64_t a : numbers_of(single)) {
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint64_t fr0 = statuses.next(rounding);
      const Expected expected = convert(single, flushed(fr0, single, a), twin, rounding);
      ASSERT_EQ(sgl_to_dbl(a, fr0), (Outcome{expected.bits, fr0})) << std::hex << a;
      ++compared;
    }
  }
  std::cout << compared << " compared\n";
}

std::vector<std::uint64_t> words() {
  std::vector<std::uint64_t> words = special_words();
  std::mt19937 random(3);
  for (std::size_t i = 0; i < random_count; ++i) words.push_back(random() >> random() % 32);
  return words;
}
std::vector<std::uint64_t> longs() {
  std::vector<std::uint64_t> longs = special_longs();
  std::mt19937_64 random(6);
  for (std::size_t i = 0; i < random_count; ++i) longs.push_back(random() >> random() % 64);
  return longs;
}

void check_from_integer(const char* what, const IntegerFormat& from, const BinaryFormat& to,
                        UnaryFunction function) {
  check_unary(
      what, from.bits == 32 ? words() : longs(), 0, function, [&](auto a, auto, auto rounding) {
        if (!from.is_signed) {
          return convert_unsigned(from.bits == 32 ? a & 0xffff'ffff : a, to, rounding);
        }
        const auto word = static_cast<std::int32_t>(static_cast<std::uint32_t>(a));
        return convert_integer(from.bits == 32 ? word : static_cast<std::int64_t>(a), to, rounding);
      });
}

constexpr IntegerFormat w{32, true}, dw{64, true}, uw{32, false}, udw{64, false};

TEST(PaRiscFloatingPointMpfr, FromIntegers) {
  check_from_integer("fcnv,w,sgl", w, single, w_to_sgl);
  check_from_integer("fcnv,dw,sgl", dw, single, dw_to_sgl);
  check_from_integer("fcnv,dw,dbl", dw, twin, dw_to_dbl);
  check_from_integer("fcnv,uw,sgl", uw, single, uw_to_sgl);
  check_from_integer("fcnv,udw,sgl", udw, single, udw_to_sgl);
  check_from_integer("fcnv,udw,dbl", udw, twin, udw_to_dbl);
}

TEST(PaRiscFloatingPointMpfr, WordsAreExactDoubles) {
  Statuses statuses;
  for (const std::uint64_t a : words()) {
    const auto word = static_cast<std::int32_t>(static_cast<std::uint32_t>(a));
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint64_t fr0 = statuses.next(rounding);
      ASSERT_EQ(w_to_dbl(a, fr0), (Outcome{convert_integer(word, twin, rounding).bits, fr0}));
      ASSERT_EQ(uw_to_dbl(a, fr0),
                (Outcome{convert_unsigned(a & 0xffff'ffff, twin, rounding).bits, fr0}));
    }
  }
}

// What is invalid saturates on the operand's side; a NaN has a sign, too (Linux,
// arch/parisc/math-emu/fcnvfx.c, fcnvfxt.c, fcnvfu.c, fcnvfut.c).
Expected saturated(const BinaryFormat& format, std::uint64_t a, const IntegerFormat& to,
                   unsigned rounding) {
  Expected expected = convert_to_integer(format, a, to, rounding);
  if (expected.exceptions == is_invalid) {
    const std::uint64_t all = to.bits == 32 ? 0xffff'ffff : ~std::uint64_t{0};
    const bool negative = (a & format.sign()) != 0;
    const std::uint64_t largest = to.is_signed ? all >> 1 : all;
    const std::uint64_t smallest = to.is_signed ? all ^ (all >> 1) : 0;
    expected.bits = negative ? smallest : largest;
  }
  return expected;
}

void check_to_integer(const char* what, const BinaryFormat& from, const IntegerFormat& to,
                      UnaryFunction convert, UnaryFunction truncate) {
  const std::vector<std::uint64_t> operands = operands_of(from);
  check_unary(what, operands, 0, convert, [&](auto a, auto fr0, auto rounding) {
    return saturated(from, flushed(fr0, from, a), to, rounding);
  });
  check_unary(what, operands, 0, truncate, [&](auto a, auto fr0, auto) {
    return saturated(from, flushed(fr0, from, a), to, 1);
  });
}

TEST(PaRiscFloatingPointMpfr, SingleToIntegers) {
  check_to_integer("fcnv,sgl,w", single, w, sgl_to_w, truncate_sgl_to_w);
  check_to_integer("fcnv,sgl,dw", single, dw, sgl_to_dw, truncate_sgl_to_dw);
  check_to_integer("fcnv,sgl,uw", single, uw, sgl_to_uw, truncate_sgl_to_uw);
  check_to_integer("fcnv,sgl,udw", single, udw, sgl_to_udw, truncate_sgl_to_udw);
}
TEST(PaRiscFloatingPointMpfr, DoubleToIntegers) {
  check_to_integer("fcnv,dbl,w", twin, w, dbl_to_w, truncate_dbl_to_w);
  check_to_integer("fcnv,dbl,dw", twin, dw, dbl_to_dw, truncate_dbl_to_dw);
  check_to_integer("fcnv,dbl,uw", twin, uw, dbl_to_uw, truncate_dbl_to_uw);
  check_to_integer("fcnv,dbl,udw", twin, udw, dbl_to_udw, truncate_dbl_to_udw);
}

}  // namespace
}  // namespace hardclock::pa_risc::fp
