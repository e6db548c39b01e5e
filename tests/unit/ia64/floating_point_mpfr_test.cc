// Multiplications and additions, conversions to integers, and comparisons against MPFR.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/part_of_cases.h"
#include "tests/unit/ia64/floating_point_oracle.h"
#include "tests/unit/ia64/floating_point_values.h"

namespace hardclock::ia64::fp {
namespace {

struct Counts {
  std::size_t cases = 0, faults = 0, traps = 0, overflows = 0, underflows = 0;
};

bool has_no_number(const FpRegister& f) {
  return f == nat_value || (f.exponent == special_exponent && f.significand != integer_bit);
}

// An operand that MPFR takes: infinities and numbers.
FpRegister operand(RandomRegisters& random) {
  for (;;) {
    const FpRegister f = random.any();
    if (!has_no_number(f)) return f;
  }
}

enum class Instruction { fma, fms, fnma, fmpy, fnmpy };
constexpr Instruction instructions[] = {Instruction::fma, Instruction::fms, Instruction::fnma,
                                        Instruction::fmpy, Instruction::fnmpy};

struct Operands {
  FpRegister f3, f4, f2;
};

Outcome execute(Instruction instruction, const Operands& x, const Environment& environment) {
  switch (instruction) {
    case Instruction::fma:
      return fma(x.f3, x.f4, x.f2, environment);
    case Instruction::fms:
      return fms(x.f3, x.f4, x.f2, environment);
    case Instruction::fnma:
      return fnma(x.f3, x.f4, x.f2, environment);
    case Instruction::fmpy:
      return fmpy(x.f3, x.f4, environment);
    case Instruction::fnmpy:
      break;
  }
  return fnmpy(x.f3, x.f4, environment);
}

std::optional<Outcome> expectation(Instruction instruction, const Operands& x, const Model& model,
                                   const Controls& controls) {
  const bool negated = instruction == Instruction::fnma || instruction == Instruction::fnmpy;
  const bool has_addend = instruction != Instruction::fmpy && instruction != Instruction::fnmpy;
  return expected_sum({x.f3, x.f4, negated}, has_addend ? &x.f2 : nullptr,
                      instruction == Instruction::fms, model, controls);
}

bool agree(const Outcome& given, const Outcome& expected) {
  if (expected.fault != 0 || given.fault != 0) return given.fault == expected.fault;
  return given.result == expected.result && given.flags == expected.flags &&
         given.trap == expected.trap;
}

std::string described(const Outcome& outcome) {
  std::ostringstream text;
  PrintTo(outcome.result, &text);
  text << std::hex << " flags " << outcome.flags << " fault " << outcome.fault << " trap "
       << outcome.trap;
  return text.str();
}

void compare(Instruction instruction, const Operands& x, const Model& model,
             const Controls& controls, Counts& counts) {
  const auto expected = expectation(instruction, x, model, controls);
  if (!expected) return;
  const Outcome given = execute(instruction, x, environment_of(model, controls));
  ++counts.cases;
  counts.faults += expected->fault != 0;
  counts.traps += expected->trap != 0;
  counts.overflows += (expected->flags & overflow) != 0;
  counts.underflows += (expected->flags & underflow) != 0;
  ASSERT_TRUE(agree(given, *expected))
      << "instruction " << static_cast<int>(instruction) << " of " << testing::PrintToString(x.f3)
      << ", " << testing::PrintToString(x.f4) << ", " << testing::PrintToString(x.f2)
      << "\nprecision " << model.precision << " emin " << model.emin << " rc " << controls.rc
      << " ftz " << controls.ftz << " disabled " << controls.disabled << "\ngiven    "
      << described(given) << "\nexpected " << described(*expected);
}

// All of the test's instructions, roundings and models in turn; every third time some traps.
struct Turn {
  Instruction instruction;
  const Model& model;
  Controls controls;
};
Turn turn(std::size_t n, RandomRegisters& random) {
  Controls controls{.rc = static_cast<unsigned>(n % 4), .ftz = random.below(4) == 0};
  if (n % 3 == 0) controls.disabled = static_cast<std::uint32_t>(random.below(64));
  return {instructions[n / 4 % std::size(instructions)], models[random.below(std::size(models))],
          controls};
}

void report(const char* what, const Counts& counts) {
  std::cout << what << ": " << counts.cases << " compared, " << counts.faults << " fault, "
            << counts.traps << " trap, " << counts.overflows << " overflow, " << counts.underflows
            << " underflow\n";
  EXPECT_GT(counts.traps, 0u);
  EXPECT_GT(counts.overflows, 0u);
  EXPECT_GT(counts.underflows, 0u);
}

// Every boundary value as f3 with every one as f4.
TEST(Ia64FloatingPointMpfr, BoundaryValues) {
  RandomRegisters random(1);
  Counts counts;
  std::vector<FpRegister> values;
  for (const std::uint32_t exponent : boundary_exponents()) {
    for (const std::uint64_t significand : boundary_significands()) {
      const FpRegister f{significand, exponent, random.below(2) != 0};
      if (!has_no_number(f)) values.push_back(f);
    }
  }
  std::size_t n = 0;
  for (const FpRegister& f3 : values) {
    for (const FpRegister& f4 : values) {
      if (++n % support::part_of_cases != 0) continue;
      const FpRegister& f2 = values[random.below(values.size())];
      const Turn t = turn(n, random);
      ASSERT_NO_FATAL_FAILURE(compare(t.instruction, {f3, f4, f2}, t.model, t.controls, counts));
    }
  }
  report("boundary values", counts);
  EXPECT_GT(counts.faults, 0u);
}

TEST(Ia64FloatingPointMpfr, RandomValues) {
  RandomRegisters random(2);
  Counts counts;
  for (std::size_t n = 0; n < 400'000 / support::part_of_cases; ++n) {
    const Operands x{operand(random), operand(random), operand(random)};
    const Turn t = turn(n, random);
    ASSERT_NO_FATAL_FAILURE(compare(t.instruction, x, t.model, t.controls, counts));
  }
  report("random values", counts);
  EXPECT_GT(counts.faults, 0u);
}

// Products that end near the ends of a range.
TEST(Ia64FloatingPointMpfr, EndsOfRanges) {
  RandomRegisters random(3);
  Counts counts;
  for (std::size_t n = 0; n < 400'000 / support::part_of_cases; ++n) {
    const Turn t = turn(n, random);
    const long end = random.below(2) != 0 ? t.model.emin : t.model.emax;
    const long product = end + static_cast<long>(random.below(140)) - 70;
    Operands x{random.moderate(), random.moderate(), random.moderate()};
    x.f3.exponent = static_cast<std::uint32_t>(65535 + product / 2);
    x.f4.exponent = static_cast<std::uint32_t>(65535 + product - product / 2);
    const long addend = 65535 + end + static_cast<long>(random.below(9)) - 4;
    x.f2.exponent = static_cast<std::uint32_t>(std::clamp(addend, 1L, 0x1fffeL));
    ASSERT_NO_FATAL_FAILURE(compare(t.instruction, x, t.model, t.controls, counts));
  }
  report("ends of ranges", counts);
}

// Products that the addend cancels, wholly or up to a few of the 128 bits.
TEST(Ia64FloatingPointMpfr, Cancellation) {
  RandomRegisters random(4);
  std::size_t zeros = 0, exact = 0, compared = 0;
  Counts counts;
  for (std::size_t n = 0; n < 400'000 / support::part_of_cases; ++n) {
    Operands x{random.moderate(), random.moderate(), {}};
    const auto wide = environment_of(models[9], {.rc = static_cast<unsigned>(random.below(4))});
    x.f2 = fmpy(x.f3, x.f4, wide).result;
    x.f2.significand += random.below(3) - 1;
    x.f2.significand |= integer_bit;
    x.f2.exponent += static_cast<std::uint32_t>(random.below(8) == 0 ? random.below(3) - 1 : 0);
    const bool opposite = random.below(8) != 0;
    Turn t = turn(n, random);
    const bool subtracts = t.instruction == Instruction::fms || t.instruction == Instruction::fnma;
    x.f2.sign = (x.f3.sign != x.f4.sign) != (opposite != subtracts);
    if (t.instruction == Instruction::fmpy || t.instruction == Instruction::fnmpy) {
      t.instruction = Instruction::fma;
      x.f2.sign = (x.f3.sign != x.f4.sign) != opposite;
    }
    ASSERT_NO_FATAL_FAILURE(compare(t.instruction, x, t.model, t.controls, counts));
    const Outcome sum = execute(t.instruction, x, environment_of(models[9], {}));
    zeros += is_zero(sum.result);
    exact += sum.flags == 0;
    ++compared;
  }
  std::cout << "cancellation: " << compared << " compared, " << zeros << " zeros, " << exact
            << " exact\n";
  EXPECT_GT(zeros, compared / 100);
  EXPECT_GT(exact, compared / 10);
  EXPECT_LT(exact, compared);
}

// A product just below the addend's power of two: the lowest of its 128 bits decides, once even
// whether the difference lies halfway between two numbers.
TEST(Ia64FloatingPointMpfr, ProductsJustBelowPowersOfTwo) {
  RandomRegisters random(5);
  Counts counts;
  for (std::size_t n = 0; n < 20'000; ++n) {
    const Model& model = models[n % std::size(models)];
    Operands x{one, negative(one), {integer_bit, exponent_bias + 2, false}};
    x.f3.significand = ~std::uint64_t{0} - random.below(3);
    x.f4.significand = ~std::uint64_t{0} - random.below(3);
    x.f2.significand += random.below(3);
    x.f2.exponent -= static_cast<std::uint32_t>(random.below(3));
    const Controls controls{.rc = static_cast<unsigned>(n / std::size(models) % 4)};
    ASSERT_NO_FATAL_FAILURE(compare(Instruction::fma, x, model, controls, counts));
  }
}

TEST(Ia64FloatingPointMpfr, ConversionsToIntegers) {
  RandomRegisters random(6);
  std::size_t invalid_results = 0, traps = 0;
  for (std::size_t n = 0; n < 200'000 / support::part_of_cases; ++n) {
    FpRegister f2 = operand(random);
    if (n % 2 == 0 && is_finite(f2)) {
      f2.exponent = static_cast<std::uint32_t>(exponent_bias - 3 + random.below(70));
    }
    Controls controls{.rc = static_cast<unsigned>(n % 4)};
    if (n % 3 == 0) controls.disabled = static_cast<std::uint32_t>(random.below(64));
    const bool is_signed = random.below(2) != 0, truncates = random.below(4) == 0;
    const Environment environment = environment_of(models[4], controls);
    if (truncates) controls.rc = 3;
    const Outcome expected = expected_integer(f2, is_signed, controls);
    const auto convert =
        is_signed ? (truncates ? fcvt_fx_trunc : fcvt_fx) : (truncates ? fcvt_fxu_trunc : fcvt_fxu);
    const Outcome given = convert(f2, environment);
    ASSERT_TRUE(agree(given, expected))
        << testing::PrintToString(f2) << (is_signed ? " signed" : " unsigned") << " rc "
        << controls.rc << "\ngiven    " << described(given) << "\nexpected " << described(expected);
    invalid_results += expected.flags == invalid;
    traps += expected.trap != 0;
  }
  EXPECT_GT(invalid_results, 1'000u / support::part_of_cases);
  EXPECT_GT(traps, 1'000u / support::part_of_cases);
}

// Numbers that are normalized or not, zeros and pseudo-zeros, infinities.
TEST(Ia64FloatingPointMpfr, ComparisonsOfNumbers) {
  RandomRegisters random(7);
  const Environment environment = environment_of(models[4], {});
  const auto magnitude = [](FpRegister f) {
    f.sign = false;
    return f == nat_value ? zero : f;  // a negative pseudo-zero with NaTVal's exponent
  };
  std::size_t equal = 0;
  for (std::size_t n = 0; n < 200'000 / support::part_of_cases; ++n) {
    const FpRegister a = operand(random);
    FpRegister b = n % 2 == 0 ? operand(random) : a;
    if (n % 4 == 1 && (b.significand & integer_bit) == 0 && b.exponent > 1 && is_finite(b)) {
      b.significand <<= 1;  // the same value
      b.exponent -= 1;
    }
    if (random.below(8) == 0) b.sign = !b.sign;
    if (has_no_number(b)) continue;
    const int order = compared_values(a, b),
              by_magnitude = compared_values(magnitude(a), magnitude(b));
    const std::uint32_t flags = operand_flags(a) | operand_flags(b);
    const auto expect_relation = [&](Relation relation, bool holds) {
      const Comparison given = fcmp(relation, a, b, environment);
      EXPECT_EQ(given.holds, holds);
      EXPECT_EQ(given.flags, flags);
    };
    expect_relation(Relation::eq, order == 0);
    expect_relation(Relation::lt, order < 0);
    expect_relation(Relation::le, order <= 0);
    expect_relation(Relation::unord, false);
    const auto expect_choice = [&](const Outcome& given, bool chooses_a) {
      EXPECT_EQ(given.result, chooses_a ? a : b);
      EXPECT_EQ(given.flags, flags);
    };
    expect_choice(fmin(a, b, environment), order < 0);
    expect_choice(fmax(a, b, environment), order > 0);
    expect_choice(famin(a, b, environment), by_magnitude < 0);
    expect_choice(famax(a, b, environment), by_magnitude > 0);
    ASSERT_FALSE(HasFailure()) << testing::PrintToString(a) << " and " << testing::PrintToString(b);
    equal += order == 0;
  }
  EXPECT_GT(equal, 10'000u / support::part_of_cases);
}

}  // namespace
}  // namespace hardclock::ia64::fp
