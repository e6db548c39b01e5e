// Values and exceptions of floating-point arithmetic against MPFR 4, in the four rounding modes,
// and how FCSR records them.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <random>
#include <utility>
#include <vector>

#include "isa/mips/floating_point.h"
#include "tests/unit/mips/floating_point_mpfr.h"
#include "tests/unit/mips/floating_point_operands.h"

namespace hardclock::mips::fp {
namespace {

constexpr std::size_t random_count = 120'000;

// FCSR: rounding mode at bits 0..1, flags at 2..6, enables at 7..11, cause at 12..17, condition at
// 23 ("MIPS R10000 Microprocessor User's Manual", 15.4).
std::uint32_t enables_of(std::uint32_t fcsr) {
  return fcsr >> 7 & 31;
}

// Fresh rounding modes, flags, enables, causes and conditions; two in three enable nothing.
class Statuses {
 public:
  std::uint32_t next(unsigned rounding) {
    const auto random = static_cast<std::uint32_t>(random_());
    const std::uint32_t settings = random & (random % 3 == 0 ? 0x0083'fffcu : 0x0083'f07cu);
    return settings | rounding;
  }

 private:
  std::mt19937 random_{11};
};

struct Counts {
  std::size_t cases = 0, traps = 0;
};

// While underflow traps, tininess alone is one (IEEE 754-1985, 7.4).
std::uint32_t causes(const Expected& expected, std::uint32_t fcsr) {
  const bool tiny_traps = (enables_of(fcsr) & is_underflow) != 0;
  const bool tiny = (expected.exceptions & is_tiny) != 0;
  return (expected.exceptions & 31) | (tiny && tiny_traps ? is_underflow : 0);
}

// The cause bits describe this operation alone; the flags collect, unless the operation traps
// ("MIPS R4000 Microprocessor User's Manual", 7.3).
std::uint32_t status_after(std::uint32_t fcsr, std::uint32_t exceptions) {
  const bool traps = (exceptions & enables_of(fcsr)) != 0;
  return (fcsr & 0x0080'0fffu) | exceptions << 12 | (traps ? 0 : exceptions << 2);
}

void check(const Outcome& outcome, const Expected& expected, std::uint64_t default_nan,
           std::uint32_t fcsr, Counts& counts) {
  const std::uint32_t exceptions = causes(expected, fcsr);
  ++counts.cases;
  ASSERT_EQ(outcome[1], status_after(fcsr, exceptions)) << "FCSR before " << std::hex << fcsr;
  const std::uint32_t trapping = exceptions & enables_of(fcsr);
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
      check(function(a, b, fcsr), compute(binary.operation, format, a, b, rounding),
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

// Runs `function(a, fcsr)` on each operand and compares with `expected(a, rounding)`.
template <class Function, class Oracle>
void check_unary(const char* what, const std::vector<std::uint64_t>& operands,
                 std::uint64_t default_nan, Function function, Oracle expected) {
  Statuses statuses;
  Counts counts;
  for (const std::uint64_t a : operands) {
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint32_t fcsr = statuses.next(rounding);
      check(function(a, fcsr), expected(a, rounding), default_nan, fcsr, counts);
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

TEST(FloatingPointMpfr, SquareRoot) {
  check_unary("sqrt.s", numbers_of(single), default_nan_s, sqrt_s, [](auto a, auto rounding) {
    return compute(Operation::sqrt, single, a, a, rounding);
  });
  check_unary("sqrt.d", numbers_of(twin), default_nan_d, sqrt_d,
              [](auto a, auto rounding) { return compute(Operation::sqrt, twin, a, a, rounding); });
}

TEST(FloatingPointMpfr, DoubleToSingle) {
  check_unary("cvt.s.d", numbers_of(twin), default_nan_s, double_to_single,
              [](auto a, auto rounding) { return convert(twin, a, single, rounding); });
}

// Exact: neither an exception nor, for a denormal, an underflow.
TEST(FloatingPointMpfr, SingleToDouble) {
  std::size_t compared = 0;
  for (const std::uint64_t a : numbers_of(single)) {
    for (std::uint32_t rounding = 0; rounding < 4; ++rounding) {
      const Outcome outcome = single_to_double(a, 0x0083'fffcu | rounding);
      ASSERT_EQ(outcome[0], convert(single, a, twin, rounding).bits) << std::hex << a;
      ASSERT_EQ(outcome[1], 0x0080'0ffcu | rounding) << std::hex << a;
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

TEST(FloatingPointMpfr, WordToSingle) {
  check_unary("cvt.s.w", words(), default_nan_s, word_to_single, [](auto a, auto rounding) {
    return convert_word(static_cast<std::uint32_t>(a), single, rounding);
  });
}

TEST(FloatingPointMpfr, WordToDoubleIsExact) {
  std::size_t compared = 0;
  for (const std::uint64_t a : words()) {
    for (std::uint32_t rounding = 0; rounding < 4; ++rounding) {
      const Outcome outcome = word_to_double(a, 0x0083'fffcu | rounding);
      ASSERT_EQ(outcome[0], convert_word(static_cast<std::uint32_t>(a), twin, rounding).bits)
          << std::hex << a;
      ASSERT_EQ(outcome[1], 0x0080'0ffcu | rounding) << std::hex << a;
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

template <class Function>
void check_to_word(const char* what, const BinaryFormat& format, Function function) {
  Statuses statuses;
  Counts counts;
  for (const std::uint64_t a : operands_of(format)) {
    for (unsigned rounding = 0; rounding < 4; ++rounding) {
      const std::uint32_t fcsr = statuses.next(rounding ^ 3);
      check(function(a, fcsr, rounding), convert_to_word(format, a, rounding), 0, fcsr, counts);
      if (testing::Test::HasFatalFailure()) {
        FAIL() << what << " of " << std::hex << a << ", rounding mode " << rounding;
      }
    }
  }
  report(what, counts);
}

// The instruction's rounding mode counts, not FCSR's: ROUND, TRUNC, CEIL and FLOOR have their own.
TEST(FloatingPointMpfr, ToWord) {
  check_to_word("single to word", single, single_to_word);
  check_to_word("double to word", twin, double_to_word);
}

}  // namespace
}  // namespace hardclock::mips::fp
