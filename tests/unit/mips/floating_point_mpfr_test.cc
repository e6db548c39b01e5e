// Values and exceptions of floating-point arithmetic against MPFR 4, in the four rounding modes,
// and how FCSR records them.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <random>
#include <utility>
#include <vector>

#include "isa/mips/floating_point.h"
#include "isa/mips/floating_point_status.h"
#include "tests/support/floating_point_mpfr.h"
#include "tests/support/floating_point_operands.h"

namespace hardclock::mips::fp {
namespace {

using namespace support;

constexpr std::size_t random_count = 40'000;

// FCSR: rounding mode at bits 0..1, flags at 2..6, enables at 7..11, cause at 12..17, conditions at
// 23 and 25..31, flush to zero at 24 ("MIPS R10000 Microprocessor User's Manual", 15.4).
std::uint32_t enables_of(std::uint32_t fcsr) {
  return fcsr >> 7 & 31;
}
bool flushes(std::uint32_t fcsr) {
  return (fcsr >> 24 & 1) != 0;
}

// Fresh rounding modes, flags, enables, causes and conditions; two in three enable nothing, three
// in four do not flush.
class Statuses {
 public:
  std::uint32_t next(unsigned rounding) {
    const auto random = static_cast<std::uint32_t>(random_());
    const auto kind = static_cast<std::uint32_t>(random_());
    const std::uint32_t settings = random & (kind % 3 == 0 ? 0xfe83'fffcu : 0xfe83'f07cu);
    return settings | (kind / 3 % 4 == 0 ? 0x0100'0000u : 0) | rounding;
  }

 private:
  std::mt19937 random_{11};
};

struct Counts {
  std::size_t cases = 0, traps = 0;
};

// What an operation leaves under a given FCSR: the value, unless it is the default NaN, and the
// exceptions.
//
// While underflow traps, tininess alone is one (IEEE 754-1985, 7.4). Flushing makes a result that
// is tiny before rounding a zero or, where rounding goes away from zero, the smallest normal number
// ("MIPS R4000 User's Manual", table 7-1; Linux, arch/mips/math-emu/ieee754sp.c,
// ieee754sp_format).
Expected under(std::uint32_t fcsr, const BinaryFormat& format, Expected result) {
  const bool tiny = (result.exceptions & is_tiny) != 0;
  const bool traps = (enables_of(fcsr) & is_underflow) != 0;
  if (flushes(fcsr) && (result.exceptions & is_tiny_before_rounding) != 0) {
    const std::uint64_t sign = result.bits & format.sign();
    const bool away = (fcsr & 3) == (sign != 0 ? 3u : 2u);
    result.bits = sign | (away ? format.fraction_mask() + 1 : 0);
    result.exceptions = is_underflow | is_inexact;
  } else {
    result.exceptions = (result.exceptions & 31) | (tiny && traps ? is_underflow : 0);
  }
  return result;
}

// The second of two operations, on the first one's result; a NaN goes through it.
template <class Second>
Expected then(const Expected& first, Second second) {
  if (first.not_a_number) return first;
  Expected both = second(first.bits);
  both.exceptions |= first.exceptions;
  return both;
}

// The cause bits describe this operation alone; the flags collect, unless the operation traps
// ("MIPS R4000 Microprocessor User's Manual", 7.3).
std::uint32_t status_after(std::uint32_t fcsr, std::uint32_t exceptions) {
  const bool traps = (exceptions & enables_of(fcsr)) != 0;
  return (fcsr & 0xff80'0fffu) | exceptions << 12 | (traps ? 0 : exceptions << 2);
}

void check(const Outcome& outcome, const Expected& expected, std::uint64_t default_nan,
           std::uint32_t fcsr, Counts& counts) {
  ++counts.cases;
  ASSERT_EQ(outcome[1], status_after(fcsr, expected.exceptions))
      << "FCSR before " << std::hex << fcsr;
  const std::uint32_t trapping = expected.exceptions & enables_of(fcsr);
  ASSERT_EQ(enabled_causes(outcome[1]), trapping) << "FCSR before " << std::hex << fcsr;
  if (trapping != 0) {
    ++counts.traps;
    return;
  }
  ASSERT_EQ(outcome[0], expected.not_a_number ? default_nan : expected.bits)
      << "FCSR before " << std::hex << fcsr;
}

std::vector<Pair> numbers_only(const BinaryFormat& format, std::vector<Pair> pairs) {
  std::erase_if(pairs, [&](const Pair& pair) {
    return format.is_nan(pair.first) || format.is_nan(pair.second);
  });
  return pairs;
}

std::vector<Pair> pairs_of(const BinaryFormat& format) {
  std::vector<Pair> pairs = special_pairs(special_operands(format));
  const std::vector<Pair> more = random_pairs(format, random_count, 1);
  pairs.insert(pairs.end(), more.begin(), more.end());
  return numbers_only(format, std::move(pairs));
}

std::vector<std::uint64_t> operands_of(const BinaryFormat& format) {
  std::vector<std::uint64_t> operands = special_operands(format);
  for (const auto& [a, b] : random_pairs(format, random_count, 2)) {
    operands.push_back(a);
    operands.push_back(b);
  }
  return operands;
}

struct Binary {
  const char* name;
  Operation operation;
  Outcome (*single_function)(std::uint64_t, std::uint64_t, std::uint64_t);
  Outcome (*double_function)(std::uint64_t, std::uint64_t, std::uint64_t);
};
constexpr Binary binaries[] = {{"add", Operation::add, add_s, add_d},
                               {"sub", Operation::sub, sub_s, sub_d},
                               {"mul", Operation::mul, mul_s, mul_d},
                               {"div", Operation::div, div_s, div_d}};

constexpr std::uint64_t default_nan_s = 0x7fbf'ffff;
constexpr std::uint64_t default_nan_d = 0x7ff7'ffff'ffff'ffff;

// The count of comparisons, for the log.
void report(const char* what, const Counts& counts) {
  std::cout << what << ": " << counts.cases << " compared, " << counts.traps << " of them trap\n";
  EXPECT_GT(counts.traps, 0u) << what;
}

void check_binary(const BinaryFormat& format, const Binary& binary, bool in_single) {
  Statuses statuses;
  Counts counts;
  for (const auto& [a, b] : pairs_of(format)) {
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint32_t fcsr = statuses.next(rounding);
      const auto function = in_single ? binary.single_function : binary.double_function;
      check(function(a, b, fcsr),
            under(fcsr, format, compute(binary.operation, format, a, b, rounding)),
            in_single ? default_nan_s : default_nan_d, fcsr, counts);
      if (testing::Test::HasFatalFailure()) {
        FAIL() << binary.name << " of " << std::hex << a << ", " << b;
      }
    }
  }
  report(binary.name, counts);
}

TEST(FloatingPointMpfr, SingleArithmetic) {
  for (const Binary& binary : binaries) ASSERT_NO_FATAL_FAILURE(check_binary(single, binary, true));
}
TEST(FloatingPointMpfr, DoubleArithmetic) {
  for (const Binary& binary : binaries) ASSERT_NO_FATAL_FAILURE(check_binary(twin, binary, false));
}

// Runs `function(a, fcsr)` on each operand and compares with `expected(a, fcsr)`.
template <class Function, class Oracle>
void check_unary(const char* what, const std::vector<std::uint64_t>& operands,
                 std::uint64_t default_nan, Function function, Oracle expected) {
  Statuses statuses;
  Counts counts;
  for (const std::uint64_t a : operands) {
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint32_t fcsr = statuses.next(rounding);
      check(function(a, fcsr), expected(a, fcsr), default_nan, fcsr, counts);
      if (testing::Test::HasFatalFailure()) FAIL() << what << " of " << std::hex << a;
    }
  }
  report(what, counts);
}

std::vector<std::uint64_t> numbers_of(const BinaryFormat& format) {
  std::vector<std::uint64_t> operands = operands_of(format);
  std::erase_if(operands, [&](std::uint64_t bits) { return format.is_nan(bits); });
  return operands;
}

Expected square_root(const BinaryFormat& format, std::uint64_t a, std::uint32_t fcsr) {
  return under(fcsr, format, compute(Operation::sqrt, format, a, a, fcsr & 3));
}

Expected reciprocal(const BinaryFormat& format, std::uint64_t a, std::uint32_t fcsr) {
  const std::uint64_t one = (format.exponent_limit() / 2) << format.fraction_bits;
  return under(fcsr, format, compute(Operation::div, format, one, a, fcsr & 3));
}

Expected reciprocal_root(const BinaryFormat& format, std::uint64_t a, std::uint32_t fcsr) {
  return then(square_root(format, a, fcsr),
              [&](std::uint64_t root) { return reciprocal(format, root, fcsr); });
}

TEST(FloatingPointMpfr, SquareRoot) {
  check_unary("sqrt.s", numbers_of(single), default_nan_s, sqrt_s,
              [](auto a, auto fcsr) { return square_root(single, a, fcsr); });
  check_unary("sqrt.d", numbers_of(twin), default_nan_d, sqrt_d,
              [](auto a, auto fcsr) { return square_root(twin, a, fcsr); });
}

TEST(FloatingPointMpfr, Reciprocal) {
  check_unary("recip.s", numbers_of(single), default_nan_s, recip_s,
              [](auto a, auto fcsr) { return reciprocal(single, a, fcsr); });
  check_unary("recip.d", numbers_of(twin), default_nan_d, recip_d,
              [](auto a, auto fcsr) { return reciprocal(twin, a, fcsr); });
}

TEST(FloatingPointMpfr, ReciprocalOfTheSquareRoot) {
  check_unary("rsqrt.s", numbers_of(single), default_nan_s, rsqrt_s,
              [](auto a, auto fcsr) { return reciprocal_root(single, a, fcsr); });
  check_unary("rsqrt.d", numbers_of(twin), default_nan_d, rsqrt_d,
              [](auto a, auto fcsr) { return reciprocal_root(twin, a, fcsr); });
}

// "The results and flags are as if separate floating-point multiply and add and negate
// instructions were executed" ("MIPS64 Architecture For Programmers", volume II, NMADD.fmt).
Expected separate(const BinaryFormat& format, const Triple& operands, bool subtracts,
                  std::uint32_t fcsr) {
  const auto& [a, b, c] = operands;
  const Expected product = under(fcsr, format, compute(Operation::mul, format, a, b, fcsr & 3));
  return then(product, [&, c = c](std::uint64_t bits) {
    const Operation operation = subtracts ? Operation::sub : Operation::add;
    return under(fcsr, format, compute(operation, format, bits, c, fcsr & 3));
  });
}

std::vector<Triple> triples_of(const BinaryFormat& format) {
  std::vector<Triple> triples = random_triples(format, random_count / 2, 4);
  const std::vector<std::uint64_t> special = special_operands(format);
  std::mt19937_64 random(5);
  const auto any = [&] { return special[random() % special.size()]; };
  for (std::size_t i = 0; i < random_count / 2; ++i) triples.push_back({any(), any(), any()});
  std::erase_if(triples, [&](const Triple& triple) {
    return format.is_nan(triple[0]) || format.is_nan(triple[1]) || format.is_nan(triple[2]);
  });
  return triples;
}

template <class Function>
void check_multiply_add(const BinaryFormat& format, std::uint64_t default_nan, Function function) {
  Statuses statuses;
  Counts counts;
  std::uint64_t variant = 0;
  for (const Triple& triple : triples_of(format)) {
    for (unsigned rounding = 0; rounding < 4; ++rounding, variant = (variant + 5) % 8) {
      const std::uint32_t fcsr = statuses.next(rounding);
      const bool subtracts = (variant & subtract) != 0;
      Expected expected =
          (variant & fused) != 0
              ? under(fcsr, format, compute_fused(format, triple, subtracts, rounding))
              : separate(format, triple, subtracts, fcsr);
      if ((variant & negate) != 0) expected.bits ^= format.sign();
      check(function(triple[0], triple[1], triple[2], fcsr | variant << 32), expected, default_nan,
            fcsr, counts);
      if (testing::Test::HasFatalFailure()) {
        FAIL() << "variant " << variant << " of " << std::hex << triple[0] << ", " << triple[1]
               << ", " << triple[2];
      }
    }
  }
  report("multiply and add", counts);
}

TEST(FloatingPointMpfr, MultiplyAndAdd) {
  check_multiply_add(single, default_nan_s, multiply_add_s);
  check_multiply_add(twin, default_nan_d, multiply_add_d);
}

TEST(FloatingPointMpfr, DoubleToSingle) {
  check_unary("cvt.s.d", numbers_of(twin), default_nan_s, double_to_single, [](auto a, auto fcsr) {
    return under(fcsr, single, convert(twin, a, single, fcsr & 3));
  });
}

// Exact: neither an exception nor, for a denormal, an underflow.
TEST(FloatingPointMpfr, SingleToDouble) {
  std::size_t compared = 0;
  for (const std::uint64_t a : numbers_of(single)) {
    for (std::uint32_t rounding = 0; rounding < 4; ++rounding) {
      const Outcome outcome = single_to_double(a, 0xfe83'fffcu | rounding);
      ASSERT_EQ(outcome[0], convert(single, a, twin, rounding).bits) << std::hex << a;
      ASSERT_EQ(outcome[1], 0xfe80'0ffcu | rounding) << std::hex << a;
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

std::int64_t signed_word(std::uint64_t word) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
}

TEST(FloatingPointMpfr, WordToSingle) {
  check_unary("cvt.s.w", words(), default_nan_s, word_to_single, [](auto a, auto fcsr) {
    return under(fcsr, single, convert_integer(signed_word(a), single, fcsr & 3));
  });
}

std::vector<std::uint64_t> longs() {
  std::vector<std::uint64_t> longs = special_longs();
  std::mt19937_64 random(6);
  for (std::size_t i = 0; i < random_count; ++i) longs.push_back(random() >> random() % 64);
  return longs;
}

TEST(FloatingPointMpfr, LongToSingleAndDouble) {
  check_unary("cvt.s.l", longs(), default_nan_s, long_to_single, [](auto a, auto fcsr) {
    return under(fcsr, single, convert_integer(static_cast<std::int64_t>(a), single, fcsr & 3));
  });
  check_unary("cvt.d.l", longs(), default_nan_d, long_to_double, [](auto a, auto fcsr) {
    return under(fcsr, twin, convert_integer(static_cast<std::int64_t>(a), twin, fcsr & 3));
  });
}

TEST(FloatingPointMpfr, WordToDoubleIsExact) {
  std::size_t compared = 0;
  for (const std::uint64_t a : words()) {
    for (std::uint32_t rounding = 0; rounding < 4; ++rounding) {
      const Outcome outcome = word_to_double(a, 0xfe83'fffcu | rounding);
      ASSERT_EQ(outcome[0], convert_integer(signed_word(a), twin, rounding).bits) << std::hex << a;
      ASSERT_EQ(outcome[1], 0xfe80'0ffcu | rounding) << std::hex << a;
      ++compared;
    }
  }
  std::cout << compared << " compared\n";
}

// The registers of the 64-bit members of the family hold more than an operand.
TEST(FloatingPointMpfr, OperandsAreTheLower32Bits) {
  const std::uint64_t upper = 0xffff'ffff'0000'0000;
  EXPECT_EQ(word_to_single(upper | 5, 0), word_to_single(5, 0));
  EXPECT_EQ(word_to_double(upper | 5, 0), word_to_double(5, 0));
  EXPECT_EQ(add_s(upper | 0x3f80'0000, upper | 0x3f80'0000, 0)[0], 0x4000'0000u);
}

// What is invalid gives 0x7fffffff or 0x7fffffffffffffff (QEMU, target/mips/tcg/fpu_helper.c,
// FP_TO_INT32_OVERFLOW and FP_TO_INT64_OVERFLOW).
Expected saturated(const BinaryFormat& format, std::uint64_t a, unsigned bits, unsigned rounding) {
  Expected expected = convert_to_integer(format, a, {.bits = bits, .is_signed = true}, rounding);
  if (expected.exceptions == is_invalid) {
    expected.bits = (std::uint64_t{1} << (bits - 1)) - 1;
  }
  return expected;
}

template <class Function>
void check_to_integer(const char* what, const BinaryFormat& format, unsigned bits,
                      Function function) {
  Statuses statuses;
  Counts counts;
  for (const std::uint64_t a : operands_of(format)) {
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint32_t fcsr = statuses.next(rounding ^ 3);
      check(function(a, fcsr, rounding), saturated(format, a, bits, rounding), 0, fcsr, counts);
      if (testing::Test::HasFatalFailure()) {
        FAIL() << what << " of " << std::hex << a << ", rounding mode " << rounding;
      }
    }
  }
  report(what, counts);
}

// The instruction's rounding mode counts, not FCSR's: ROUND, TRUNC, CEIL and FLOOR have their own.
TEST(FloatingPointMpfr, ToWord) {
  check_to_integer("single to word", single, 32, single_to_word);
  check_to_integer("double to word", twin, 32, double_to_word);
}
TEST(FloatingPointMpfr, ToLong) {
  check_to_integer("single to long", single, 64, single_to_long);
  check_to_integer("double to long", twin, 64, double_to_long);
}

}  // namespace
}  // namespace hardclock::mips::fp
